/* SPDX-License-Identifier: Apache-2.0
 *
 * decode_func.c - decodes one function: its frame, its instructions, where its lanes
 * meet again.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/cfg.h"
#include "model/decoder.h"

static const struct bl_op_entry *const tables[] = {
    bl_ops_int,     bl_ops_bits,  bl_ops_float,    bl_ops_half,    bl_ops_compare,
    bl_ops_convert, bl_ops_warp,  bl_ops_move,     bl_ops_memory,  bl_ops_atomic,
    bl_ops_matrix,  bl_ops_async, bl_ops_mbarrier, bl_ops_control,
};

enum bl_status bl_grow(void *array_pointer, size_t count, size_t *cap, size_t size,
                       struct bl_error *err)
{
    void **array = array_pointer;
    size_t want = *cap ? 2 * *cap : 16;
    void *grown;
    if (count < *cap)
        return BL_OK;
    grown = realloc(*array, want * size);
    if (!grown)
        return bl_error_nomem(err);
    *array = grown;
    *cap = want;
    return BL_OK;
}

/* Registers first, in their order; then the sink; constants are added behind. */
static enum bl_status layout_registers(struct bl_decoder *dec, struct bl_error *err)
{
    uint64_t at = BL_FRAME_FIRST;
    dec->reg_slots = calloc(dec->func->reg_count + 1, sizeof *dec->reg_slots);
    if (!dec->reg_slots)
        return bl_error_nomem(err);
    for (size_t i = 0; i < dec->func->reg_count; i++) {
        dec->reg_slots[i] = (uint32_t)at;
        at += bl_slot_bytes(bl_ptx_type_bytes(dec->func->regs[i].type));
        if (at > UINT32_MAX / 4)
            return bl_error_set(err, BL_E_INPUT, "%s has too many registers",
                                dec->func->name);
    }
    dec->scratch = (uint32_t)at;
    dec->code->fixed_at = (uint32_t)at + bl_slot_bytes(16);
    return BL_OK;
}

static uint64_t place(struct bl_ptx_var *var, uint64_t at)
{
    var->address = bl_align_up(at, var->align);
    return var->address + var->size;
}

static enum bl_status check_room(const struct bl_decoder *dec, const char *what,
                                 uint64_t bytes, struct bl_error *err)
{
    if (bytes <= BL_LOCAL_MOST)
        return BL_OK;
    return bl_error_at(err, BL_E_INPUT, dec->image->program->module->name,
                       dec->func->line,
                       "%s has %" PRIu64 " bytes of %s; a thread has at most %d",
                       dec->func->name, bytes, what, BL_LOCAL_MOST);
}

/* Parameters and local variables get their addresses. A kernel's own parameters come
 * first, the same for all lanes; what follows is the parameter area, one a lane. */
static enum bl_status layout_variables(struct bl_decoder *dec, struct bl_error *err)
{
    const struct bl_ptx_func *func = dec->func;
    struct bl_code *code = dec->code;
    uint64_t param = 0, local = 0, uniform = 0, end = 0;
    enum bl_status st;
    for (size_t i = 0; i < func->param_count; i++)
        param = place(func->params[i], param);
    if (func->is_entry) {
        end = param;
        param = uniform = bl_align_up(param, 16);
    }
    for (size_t i = 0; i < func->return_count; i++)
        param = place(func->returns[i], param);
    for (size_t i = 0; i < func->local_count; i++) {
        struct bl_ptx_var *var = func->locals[i];
        if (var->space == BL_SPACE_PARAM)
            param = place(var, param);
        else if (var->space == BL_SPACE_LOCAL)
            local = place(var, local);
    }
    st = check_room(dec, "parameters", param, err);
    if (st == BL_OK)
        st = check_room(dec, "local variables", local, err);
    if (st)
        return st;
    code->uniform_bytes = (uint32_t)uniform;
    code->uniform_end = (uint32_t)end;
    code->param_bytes = (uint32_t)bl_align_up(param - uniform, 16);
    code->local_bytes = (uint32_t)bl_align_up(local, 16);
    return BL_OK;
}

static enum bl_status decode_guard(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, struct bl_error *err)
{
    struct bl_ptx_operand guard = {.kind = BL_OPND_REG};
    if (src->pred < 0)
        return BL_OK;
    guard.reg = (uint32_t)src->pred;
    out->pred_negated = src->pred_negated;
    return bl_dec_source_of(dec, src, &guard, BL_T_PRED, false, &out->pred, err);
}

static enum bl_status decode_insn(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    enum bl_status st;
    memset(out, 0, sizeof *out);
    out->d = out->d2 = out->a = out->b = out->c = out->e = out->pred = BL_NO_SLOT;
    out->src = src;
    st = decode_guard(dec, src, out, err);
    if (st)
        return st;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct bl_op_entry *op = tables[t]; op->op; op++) {
            if (strcmp(op->op, src->op) != 0)
                continue;
            st = op->decode(dec, src, out, err);
            if (st == BL_DEC_NOT_MINE)
                continue;
            out->exact_mask = tables[t] == bl_ops_warp || out->step;
            return st;
        }
    return bl_dec_unknown(dec, src, NULL, err);
}

/* The ret behind the last instruction, for functions that end without one. */
static void add_ret(struct bl_code *code, struct bl_ptx_insn *ret)
{
    struct bl_insn *in = &code->insns[code->count];
    const struct bl_ptx_insn *last =
        code->count ? code->insns[code->count - 1].src : NULL;
    *ret = (struct bl_ptx_insn){.op = "ret",
                                .pred = -1,
                                .line = last ? last->line : code->func->line,
                                .loc_file = last ? last->loc_file : -1,
                                .loc_line = last ? last->loc_line : 0};
    memset(in, 0, sizeof *in);
    in->d = in->d2 = in->a = in->b = in->c = in->e = in->pred = BL_NO_SLOT;
    in->src = ret;
    in->step = bl_step_ret;
    code->count++;
}

static enum bl_status decode_body(struct bl_decoder *dec, struct bl_error *err)
{
    const struct bl_ptx_func *func = dec->func;
    struct bl_code *code = dec->code;
    uint32_t *join = NULL;
    enum bl_status st = layout_registers(dec, err);
    if (st == BL_OK)
        st = layout_variables(dec, err);
    if (st)
        return st;
    for (size_t i = 0; i < func->insn_count; i++) {
        dec->at = (uint32_t)i;
        st = decode_insn(dec, &func->insns[i], &code->insns[i], err);
        if (st)
            return st;
        code->count++;
    }
    add_ret(code, &code->ret);
    st = bl_cfg_reconverge(func, &join, err);
    if (st)
        return st;
    memcpy(code->join, join, func->insn_count * sizeof *join);
    code->join[func->insn_count] = BL_CFG_EXIT;
    free(join);
    code->param_at = code->fixed_at + code->fixed_bytes;
    code->frame_bytes = (uint32_t)bl_align_up(
        code->param_at + (uint64_t)code->param_bytes * BL_LANES, 64);
    return bl_dec_clears(dec, err);
}

enum bl_status bl_code_new(struct bl_image *image, const struct bl_ptx_func *func,
                           struct bl_code **out, struct bl_error *err)
{
    struct bl_decoder dec = {.image = image, .func = func};
    struct bl_error why = {.status = BL_OK};
    struct bl_code *code = calloc(1, sizeof *code);
    enum bl_status st = BL_OK;
    if (!code)
        return bl_error_nomem(err);
    dec.code = code;
    code->func = func;
    code->insns = calloc(func->insn_count + 1, sizeof *code->insns);
    code->join = calloc(func->insn_count + 1, sizeof *code->join);
    if (!code->insns || !code->join)
        st = bl_error_nomem(&why);
    else
        st = decode_body(&dec, &why);
    if (st && st != BL_E_NOMEM) {
        code->error = malloc(sizeof *code->error);
        if (code->error)
            *code->error = why;
        st = code->error ? BL_OK : bl_error_nomem(&why);
    }
    free(dec.reg_slots);
    free(dec.constants);
    free(dec.touches);
    if (st) {
        bl_code_free(code);
        return bl_error_nomem(err);
    }
    *out = code;
    return BL_OK;
}

void bl_code_free(struct bl_code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->call_count; i++) {
        free(code->calls[i].args);
        free(code->calls[i].returns);
    }
    for (size_t i = 0; i < code->brx_count; i++)
        free(code->brxs[i].targets);
    free(code->error);
    free(code->insns);
    free(code->join);
    free(code->fixed);
    free(code->sregs);
    free(code->locals);
    free(code->clears);
    free(code->mems);
    free(code->calls);
    free(code->brxs);
    free(code);
}
