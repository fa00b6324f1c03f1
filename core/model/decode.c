/* SPDX-License-Identifier: Apache-2.0
 *
 * decode.c - the helpers with which opcode families decode their own: modifiers and
 * operands. (Frames and constants: decode_frame.c. Functions: decode_func.c.)
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/decoder.h"
#include "model/fault.h"

bool bl_dec_has(const struct bl_ptx_insn *src, const char *name)
{
    for (uint32_t i = 0; i < src->mod_count; i++)
        if (strcmp(src->mods[i], name) == 0)
            return true;
    return false;
}

enum bl_ptx_type bl_dec_type(const struct bl_ptx_insn *src, int from_end)
{
    for (uint32_t i = src->mod_count; i-- > 0;) {
        enum bl_ptx_type type = bl_ptx_type_find(src->mods[i]);
        if (type != BL_T_NONE && from_end-- == 0)
            return type;
    }
    return BL_T_NONE;
}

static enum bl_status refuse(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_error *err, const char *what)
{
    char name[128];
    bl_insn_name(src, name, sizeof name);
    return bl_error_at(err, BL_E_INPUT, dec->image->program->module->name, src->line,
                       "\"%s\": %s", name, what);
}

enum bl_status bl_dec_known(const struct bl_ptx_insn *src, const char *const *known,
                            struct bl_decoder *dec, struct bl_error *err)
{
    for (uint32_t i = 0; i < src->mod_count; i++) {
        const char *const *k = known;
        if (bl_ptx_type_find(src->mods[i]) != BL_T_NONE)
            continue;
        while (*k && strcmp(*k, src->mods[i]) != 0)
            k++;
        if (!*k) {
            char what[96];
            snprintf(what, sizeof what, "modifier .%.40s is not known to the model",
                     src->mods[i]);
            return refuse(dec, src, err, what);
        }
    }
    return BL_OK;
}

enum bl_status bl_dec_unknown(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              const char *what, struct bl_error *err)
{
    return refuse(dec, src, err, what ? what : "instruction is not known to the model");
}

enum bl_status bl_dec_count(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            uint32_t least, uint32_t most, struct bl_error *err)
{
    char what[96];
    if (src->operand_count >= least && src->operand_count <= most)
        return BL_OK;
    if (least == most)
        snprintf(what, sizeof what, "has %" PRIu32 " operands, takes %" PRIu32,
                 src->operand_count, least);
    else
        snprintf(what, sizeof what,
                 "has %" PRIu32 " operands, takes %" PRIu32 " to %" PRIu32,
                 src->operand_count, least, most);
    return refuse(dec, src, err, what);
}

static bool is_float(enum bl_ptx_type type)
{
    return type >= BL_T_F16;
}

/* A register is as wide as the type, or wider where that is allowed. */
static enum bl_status check_width(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  const struct bl_ptx_operand *o, enum bl_ptx_type type,
                                  bool wider_ok, struct bl_error *err)
{
    char what[160];
    const struct bl_ptx_reg *reg = &dec->func->regs[o->reg];
    uint32_t have = bl_ptx_type_bytes(reg->type);
    uint32_t need = bl_ptx_type_bytes(type);
    if (have == need || (wider_ok && have > need && need > 0))
        return BL_OK;
    snprintf(what, sizeof what, "%.60s is a .%s register where .%s is needed%s",
             reg->name, bl_ptx_type_name(reg->type), bl_ptx_type_name(type),
             wider_ok ? " or wider" : "");
    return refuse(dec, src, err, what);
}

static enum bl_status touch(struct bl_decoder *dec, uint32_t reg, bool writes,
                            struct bl_error *err)
{
    enum bl_status st = bl_grow(&dec->touches, dec->touch_count, &dec->touch_cap,
                                sizeof *dec->touches, err);
    if (st == BL_OK)
        dec->touches[dec->touch_count++] =
            (struct bl_touch){.insn = dec->at, .reg = reg, .writes = writes};
    return st;
}

static enum bl_status source_reg(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 const struct bl_ptx_operand *o, enum bl_ptx_type type,
                                 bool wider_ok, uint32_t *slot_out, struct bl_error *err)
{
    enum bl_status st;
    if (o->negated)
        return refuse(dec, src, err, "a negated predicate can't stand here");
    st = check_width(dec, src, o, type, wider_ok, err);
    if (st == BL_OK)
        st = touch(dec, o->reg, false, err);
    if (st == BL_OK)
        *slot_out = dec->reg_slots[o->reg];
    return st;
}

/* A number written in the instruction. */
static enum bl_status source_number(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    const struct bl_ptx_operand *o, enum bl_ptx_type type,
                                    uint32_t *slot_out, struct bl_error *err)
{
    uint32_t bytes = bl_ptx_type_bytes(type);
    uint64_t bits = (uint64_t)o->i, high = o->i < 0 ? UINT64_MAX : 0;
    if (type == BL_T_PRED) {
        if (o->kind != BL_OPND_INT)
            return refuse(dec, src, err, "a predicate can't be a floating point number");
        return bl_dec_constant(dec, 0, o->i != 0, 0, slot_out, err);
    }
    if (o->kind == BL_OPND_FLOAT) {
        high = 0;
        if (bytes == 4 && !o->single) {
            float f = (float)o->f;
            uint32_t word;
            memcpy(&word, &f, 4);
            bits = word;
        } else if (bytes == 8 && o->single) {
            memcpy(&bits, &o->f, 8);
        } else if (bytes != 4 && bytes != 8) {
            return refuse(dec, src, err,
                          "a floating point number can't have this instruction's type");
        }
    } else if (is_float(type)) {
        return refuse(dec, src, err,
                      "a whole number stands where a floating point one is needed "
                      "(0f3F800000 or 1.0)");
    }
    return bl_dec_constant(dec, bytes, bits, high, slot_out, err);
}

static enum bl_status source_address(struct bl_decoder *dec,
                                     const struct bl_ptx_insn *src,
                                     const struct bl_ptx_operand *o,
                                     enum bl_ptx_type type, uint32_t *slot_out,
                                     struct bl_error *err)
{
    uint32_t bytes = bl_ptx_type_bytes(type);
    if ((bytes != 4 && bytes != 8) || is_float(type))
        return refuse(dec, src, err, "an address needs a type of 32 or 64 bits");
    if (o->kind == BL_OPND_FUNC)
        return bl_dec_constant(dec, bytes, bl_func_address(o->func), 0, slot_out, err);
    return bl_dec_var_address(dec, o->var, o->i, bytes, slot_out, err);
}

static enum bl_status source_sreg(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  const struct bl_ptx_operand *o, enum bl_ptx_type type,
                                  uint32_t *slot_out, struct bl_error *err)
{
    uint32_t bytes = bl_ptx_type_bytes(type);
    if (o->sreg >= BL_SR_FIXED_COUNT)
        return refuse(dec, src, err, "a clock register can be read by mov only");
    if (bytes < 2 || bytes > 8 || is_float(type))
        return refuse(dec, src, err,
                      "a special register needs a type of 16, 32 or 64 bits");
    return bl_dec_sreg(dec, o->sreg, bytes, slot_out, err);
}

enum bl_status bl_dec_source_of(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                const struct bl_ptx_operand *o, enum bl_ptx_type type,
                                bool wider_ok, uint32_t *slot_out, struct bl_error *err)
{
    switch (o->kind) {
    case BL_OPND_REG: return source_reg(dec, src, o, type, wider_ok, slot_out, err);
    case BL_OPND_INT:
    case BL_OPND_FLOAT: return source_number(dec, src, o, type, slot_out, err);
    case BL_OPND_SREG: return source_sreg(dec, src, o, type, slot_out, err);
    case BL_OPND_VAR:
    case BL_OPND_FUNC: return source_address(dec, src, o, type, slot_out, err);
    default:
        return refuse(dec, src, err,
                      "an operand is neither a register, a number nor an address");
    }
}

enum bl_status bl_dec_dest_of(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              const struct bl_ptx_operand *o, enum bl_ptx_type type,
                              bool wider_ok, uint32_t *slot_out, struct bl_error *err)
{
    enum bl_status st = BL_OK;
    if (o->kind == BL_OPND_SINK) {
        *slot_out = dec->scratch;
        return BL_OK;
    }
    if (o->kind != BL_OPND_REG || o->negated)
        return refuse(dec, src, err, "a result can only go to a register");
    st = check_width(dec, src, o, type, wider_ok, err);
    if (st == BL_OK)
        st = touch(dec, o->reg, true, err);
    if (st == BL_OK)
        *slot_out = dec->reg_slots[o->reg];
    return st;
}

/* Operand n, or NULL and the error. */
static const struct bl_ptx_operand *operand(struct bl_decoder *dec,
                                            const struct bl_ptx_insn *src, uint32_t n,
                                            struct bl_error *err)
{
    if (n < src->operand_count)
        return &src->operands[n];
    refuse(dec, src, err, "an operand is missing");
    return NULL;
}

enum bl_status bl_dec_source(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             uint32_t n, enum bl_ptx_type type, bool wider_ok,
                             uint32_t *slot_out, struct bl_error *err)
{
    const struct bl_ptx_operand *o = operand(dec, src, n, err);
    return !o ? BL_E_INPUT : bl_dec_source_of(dec, src, o, type, wider_ok, slot_out, err);
}

enum bl_status bl_dec_dest(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           uint32_t n, enum bl_ptx_type type, bool wider_ok,
                           uint32_t *slot_out, struct bl_error *err)
{
    const struct bl_ptx_operand *o = operand(dec, src, n, err);
    return !o ? BL_E_INPUT : bl_dec_dest_of(dec, src, o, type, wider_ok, slot_out, err);
}

enum bl_status bl_dec_pred(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           uint32_t n, uint32_t *slot_out, bool *negated_out,
                           struct bl_error *err)
{
    const struct bl_ptx_operand *o = operand(dec, src, n, err);
    struct bl_ptx_operand plain;
    enum bl_status st;
    if (!o)
        return BL_E_INPUT;
    plain = *o;
    plain.negated = false;
    st = bl_dec_source_of(dec, src, &plain, BL_T_PRED, false, slot_out, err);
    if (st == BL_OK)
        *negated_out = o->negated;
    return st;
}

uint32_t bl_dec_reg_bytes(const struct bl_decoder *dec, const struct bl_ptx_operand *o)
{
    return o->kind == BL_OPND_REG ? bl_ptx_type_bytes(dec->func->regs[o->reg].type) : 0;
}

bool bl_dec_const(const struct bl_ptx_insn *src, uint32_t n, int64_t *out)
{
    if (n >= src->operand_count || src->operands[n].kind != BL_OPND_INT)
        return false;
    *out = src->operands[n].i;
    return true;
}
