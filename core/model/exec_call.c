/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_call.c - call, direct and by address.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/alu.h"
#include "model/block.h"
#include "model/decoder.h"
#include "model/exec_control.h"
#include "model/fault.h"

static enum bl_flow call_lanes(struct bl_warp *warp, const struct bl_insn *in,
                               uint32_t mask, const struct bl_ptx_func *func,
                               const struct bl_call_op *op)
{
    const struct bl_code *code = warp->block->launch->image->codes[func->order];
    struct bl_error error;
    if (code)
        return bl_warp_call(warp, in, mask, code, op);
    if (strcmp(func->name, "__assertfail") == 0)
        return bl_fault(warp, in, __builtin_ctz(mask),
                        "assertion failed: assert() in the kernel did not hold");
    bl_error_at(&error, BL_E_INPUT, warp->block->launch->image->program->module->name,
                in->src->line,
                "call of %s, which the module declares and does not define; the model "
                "knows no library of its own",
                func->name);
    return bl_fault_error(warp, &error);
}

static enum bl_flow step_call(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    const struct bl_call_op *op = &warp->code->calls[in->extra];
    return call_lanes(warp, in, mask, op->func, op);
}

static const struct bl_ptx_func *func_at(const struct bl_warp *warp, uint64_t address)
{
    const struct bl_ptx_module *module = warp->block->launch->image->program->module;
    uint64_t index = (address - bl_window_base(BL_WINDOW_FUNC)) / 16 - 1;
    if (index >= module->func_count || module->funcs[index]->is_entry ||
        bl_func_address(module->funcs[index]) != address)
        return NULL;
    return module->funcs[index];
}

static bool same_shape(const struct bl_call_op *op, const struct bl_ptx_func *func)
{
    if (op->arg_count != func->param_count || op->return_count != func->return_count)
        return false;
    for (uint32_t i = 0; i < op->arg_count; i++)
        if (op->args[i].size != func->params[i]->size)
            return false;
    for (uint32_t i = 0; i < op->return_count; i++)
        if (op->returns[i].size && op->returns[i].size != func->returns[i]->size)
            return false;
    return true;
}

/* Lanes may call different functions: those that call the first lane's do it now, and
 * the others come back here after them. */
static enum bl_flow step_call_indirect(struct bl_warp *warp, const struct bl_insn *in,
                                       uint32_t mask)
{
    const struct bl_call_op *op = &warp->code->calls[in->extra];
    const uint64_t *address = BL_SLOT(const uint64_t, warp->frame, op->address);
    int first = __builtin_ctz(mask);
    uint32_t same = 0;
    const struct bl_ptx_func *func = func_at(warp, address[first]);
    if (!func)
        return bl_fault(warp, in, first,
                        "call of address 0x%llx, where there is no function",
                        (unsigned long long)address[first]);
    if (!same_shape(op, func))
        return bl_fault(warp, in, first, "call of %s with other parameters than it takes",
                        func->name);
    BL_FOR_LANES(mask, same |= (uint32_t)(address[l] == address[first]) << l);
    if (same != mask && !bl_warp_part(warp, mask & ~same))
        return bl_fault_nomem(warp);
    return call_lanes(warp, in, same, func, op);
}

/* One operand of the call against the parameter `var` that it stands for. */
static enum bl_status argument(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               const struct bl_ptx_operand *o,
                               const struct bl_ptx_var *var, bool is_return,
                               struct bl_call_arg *arg, struct bl_error *err)
{
    enum bl_ptx_type type = bl_type_bits((uint32_t)var->size);
    arg->size = (uint32_t)var->size;
    if (o->kind == BL_OPND_VAR && o->var->space == BL_SPACE_PARAM) {
        if (o->var->size != var->size || o->var->address < dec->code->uniform_bytes)
            return bl_dec_unknown(dec, src,
                                  "an argument has another size than the "
                                  "parameter",
                                  err);
        arg->at = (uint32_t)(o->var->address - dec->code->uniform_bytes);
        return BL_OK;
    }
    if (o->kind == BL_OPND_SINK && is_return) {
        arg->size = 0;
        return BL_OK;
    }
    if (type == BL_T_NONE)
        return bl_dec_unknown(dec, src, "an argument must be a .param variable", err);
    arg->in_slot = true;
    return is_return ? bl_dec_dest_of(dec, src, o, type, false, &arg->at, err)
                     : bl_dec_source_of(dec, src, o, type, false, &arg->at, err);
}

static enum bl_status arguments(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                const struct bl_ptx_operand *list,
                                struct bl_ptx_var *const *vars, size_t count,
                                bool is_return, struct bl_call_arg **out,
                                uint32_t *count_out, struct bl_error *err)
{
    enum bl_status st = BL_OK;
    if (list->kind != BL_OPND_ARGS || list->count != count) {
        char what[96];
        snprintf(what, sizeof what, "%s %u %s, the function has %zu",
                 is_return ? "takes" : "gives", list->count,
                 is_return ? "results" : "arguments", count);
        return bl_dec_unknown(dec, src, what, err);
    }
    *out = calloc(count + 1, sizeof **out);
    if (!*out)
        return bl_error_nomem(err);
    *count_out = (uint32_t)count;
    for (uint32_t i = 0; i < count && st == BL_OK; i++)
        st = argument(dec, src, &list->list[i], vars[i], is_return, &(*out)[i], err);
    return st;
}

enum bl_status bl_decode_call(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"uni", NULL};
    struct bl_code *code = dec->code;
    const struct bl_ptx_func *shape;
    struct bl_call_op *op;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 3, 4, err);
    if (st == BL_OK)
        st = bl_grow(&code->calls, code->call_count, &code->call_cap, sizeof *op, err);
    if (st)
        return st;
    op = &code->calls[code->call_count];
    memset(op, 0, sizeof *op);
    if (src->operands[1].kind == BL_OPND_FUNC) {
        op->func = shape = src->operands[1].func;
        out->step = step_call;
    } else {
        const struct bl_ptx_operand *last = &src->operands[src->operand_count - 1];
        shape = last->kind == BL_OPND_PROTO                      ? last->func
                : last->kind == BL_OPND_TABLE && last->count > 0 ? last->list[0].func
                                                                 : NULL;
        if (!shape)
            return bl_dec_unknown(dec, src, "a call by address needs a prototype", err);
        out->step = step_call_indirect;
        st = bl_dec_source(dec, src, 1, BL_T_B64, false, &op->address, err);
        if (st)
            return st;
    }
    out->extra = (uint32_t)code->call_count++;
    st = arguments(dec, src, &src->operands[0], shape->returns, shape->return_count, true,
                   &op->returns, &op->return_count, err);
    return st ? st
              : arguments(dec, src, &src->operands[2], shape->params, shape->param_count,
                          false, &op->args, &op->arg_count, err);
}
