/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_move.c - mov in all its forms, cvta, isspacep.
 */
#include <string.h>

#include "model/alu.h"
#include "model/block.h"
#include "model/decoder.h"

static const char *const no_modifiers[] = {NULL};

/* ---- register to register ------------------------------------------------------ */

static void copy_pred(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    uint32_t a = *BL_SLOT(uint32_t, frame, in->a), *d = BL_SLOT(uint32_t, frame, in->d);
    if (in->flag)
        a = ~a;
    *d = (*d & ~mask) | (a & mask);
}

#define COPY(name, T)                                                                    \
    static void name(uint8_t *frame, const struct bl_insn *in, uint32_t mask)            \
    {                                                                                    \
        const T *a = BL_SLOT(const T, frame, in->a);                                     \
        T *d = BL_SLOT(T, frame, in->d);                                                 \
        if (mask == BL_ALL_LANES)                                                        \
            memmove(d, a, sizeof(T) * BL_LANES);                                         \
        else                                                                             \
            BL_FOR_LANES(mask, d[l] = a[l]);                                             \
    }

COPY(copy16, uint16_t)
COPY(copy32, uint32_t)
COPY(copy64, uint64_t)

static void copy128(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    const uint64_t *a = BL_SLOT(const uint64_t, frame, in->a);
    uint64_t *d = BL_SLOT(uint64_t, frame, in->d);
    BL_FOR_LANES(mask, d[l] = a[l]; d[BL_LANES + l] = a[BL_LANES + l]);
}

static bl_alu_fn *copy_of(uint32_t bytes)
{
    switch (bytes) {
    case 4: return copy32;
    case 8: return copy64;
    case 16: return copy128;
    default: return copy16;
    }
}

/* ---- vectors -------------------------------------------------------------------- */

enum { VEC_MOST = 4 };

static uint64_t lane_value(const uint8_t *frame, uint32_t slot, uint32_t bytes, int l)
{
    switch (bytes) {
    case 4: return BL_SLOT(const uint32_t, frame, slot)[l];
    case 8: return BL_SLOT(const uint64_t, frame, slot)[l];
    default: return BL_SLOT(const uint16_t, frame, slot)[l];
    }
}

static void set_lane(uint8_t *frame, uint32_t slot, uint32_t bytes, int l, uint64_t value)
{
    switch (bytes) {
    case 1: BL_SLOT(uint16_t, frame, slot)[l] = (uint8_t)value; break;
    case 4: BL_SLOT(uint32_t, frame, slot)[l] = (uint32_t)value; break;
    case 8: BL_SLOT(uint64_t, frame, slot)[l] = value; break;
    default: BL_SLOT(uint16_t, frame, slot)[l] = (uint16_t)value; break;
    }
}

/* d = {a, b, c, e}: `vec` elements of `flag` bytes, the first lowest. */
static void pack(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    const uint32_t slots[VEC_MOST] = {in->a, in->b, in->c, in->e};
    uint32_t total = in->vec * in->flag;
    BL_FOR_LANES(
        mask, uint64_t part[2] = {0}; for (uint32_t i = 0; i < in->vec; i++) {
            uint32_t at = 8 * i * in->flag;
            part[at / 64] |= lane_value(frame, slots[i], in->flag, l) << at % 64;
        } if (total == 16) {
            BL_SLOT(uint64_t, frame, in->d)[l] = part[0];
            BL_SLOT(uint64_t, frame, in->d)[BL_LANES + l] = part[1];
        } else { set_lane(frame, in->d, total, l, part[0]); });
}

/* {d, d2, b, c} = a. */
static void unpack(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    const uint32_t slots[VEC_MOST] = {in->d, in->d2, in->b, in->c};
    uint32_t total = in->vec * in->flag;
    BL_FOR_LANES(
        mask, uint64_t part[2];
        part[0] = lane_value(frame, in->a, total == 16 ? 8 : total, l);
        part[1] = total == 16 ? BL_SLOT(uint64_t, frame, in->a)[BL_LANES + l] : 0;
        for (uint32_t i = 0; i < in->vec; i++) {
            uint32_t at = 8 * i * in->flag;
            set_lane(frame, slots[i], in->flag, l, part[at / 64] >> at % 64);
        });
}

static enum bl_status vector_shape(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   uint32_t count, enum bl_ptx_type type,
                                   struct bl_insn *out, struct bl_error *err)
{
    uint32_t bytes = bl_ptx_type_bytes(type);
    if ((count != 2 && count != VEC_MOST) || bytes < count || bytes / count > 8)
        return bl_dec_unknown(dec, src, "a vector of 2 or 4 parts of the type is needed",
                              err);
    out->vec = (uint8_t)count;
    out->flag = bytes / count;
    return BL_OK;
}

static enum bl_status decode_pack(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  enum bl_ptx_type type, struct bl_insn *out,
                                  struct bl_error *err)
{
    const struct bl_ptx_operand *o = &src->operands[1];
    uint32_t *slots[VEC_MOST] = {&out->a, &out->b, &out->c, &out->e};
    enum bl_status st = vector_shape(dec, src, o->count, type, out, err);
    for (uint32_t i = 0; i < o->count && st == BL_OK; i++)
        st = bl_dec_source_of(dec, src, &o->list[i], bl_type_bits(out->flag), false,
                              slots[i], err);
    out->alu = pack;
    return st ? st : bl_dec_dest(dec, src, 0, type, false, &out->d, err);
}

static enum bl_status decode_unpack(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    enum bl_ptx_type type, struct bl_insn *out,
                                    struct bl_error *err)
{
    const struct bl_ptx_operand *o = &src->operands[0];
    uint32_t *slots[VEC_MOST] = {&out->d, &out->d2, &out->b, &out->c};
    enum bl_status st = bl_dec_source(dec, src, 1, type, false, &out->a, err);
    if (st == BL_OK)
        st = vector_shape(dec, src, o->count, type, out, err);
    for (uint32_t i = 0; i < o->count && st == BL_OK; i++)
        st = bl_dec_dest_of(dec, src, &o->list[i], bl_type_bits(out->flag), false,
                            slots[i], err);
    out->alu = unpack;
    return st;
}

/* ---- clocks ----------------------------------------------------------------------- */

/* The global timer counts nanoseconds; the model's cycle takes one. */
static enum bl_flow step_clock(struct bl_warp *warp, const struct bl_insn *in,
                               uint32_t mask)
{
    uint64_t now = bl_block_clock(warp);
    if (in->imm == BL_SR_CLOCK_HI || in->imm == BL_SR_GLOBALTIMER_HI)
        now >>= 32;
    BL_FOR_LANES(mask, set_lane(warp->frame, in->d, in->flag, l, now));
    return BL_FLOW_NEXT;
}

static enum bl_status decode_clock(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   enum bl_ptx_type type, struct bl_insn *out,
                                   struct bl_error *err)
{
    out->step = step_clock;
    out->imm = src->operands[1].sreg;
    out->flag = bl_ptx_type_bytes(type);
    if (out->flag != 4 && out->flag != 8)
        return bl_dec_unknown(dec, src, "a clock is 32 or 64 bits wide", err);
    return bl_dec_dest(dec, src, 0, type, false, &out->d, err);
}

static enum bl_status decode_mov(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    enum bl_status st = bl_dec_count(dec, src, 2, 2, err);
    if (st == BL_OK)
        st = bl_dec_known(src, no_modifiers, dec, err);
    if (st)
        return st;
    if (type == BL_T_NONE || bl_dec_type(src, 1) != BL_T_NONE)
        return bl_dec_unknown(dec, src, "needs one type", err);
    if (src->operands[1].kind == BL_OPND_VEC)
        return decode_pack(dec, src, type, out, err);
    if (src->operands[0].kind == BL_OPND_VEC)
        return decode_unpack(dec, src, type, out, err);
    if (src->operands[1].kind == BL_OPND_SREG &&
        src->operands[1].sreg >= BL_SR_FIXED_COUNT)
        return decode_clock(dec, src, type, out, err);
    if (type == BL_T_PRED) {
        bool negated;
        out->alu = copy_pred;
        st = bl_dec_pred(dec, src, 1, &out->a, &negated, err);
        out->flag = st == BL_OK && negated;
    } else {
        out->alu = copy_of(bl_ptx_type_bytes(type));
        st = bl_dec_source(dec, src, 1, type, false, &out->a, err);
    }
    return st ? st : bl_dec_dest(dec, src, 0, type, false, &out->d, err);
}

/* ---- address spaces -----------------------------------------------------------------
 */

static void add64(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    const uint64_t *a = BL_SLOT(const uint64_t, frame, in->a);
    uint64_t *d = BL_SLOT(uint64_t, frame, in->d), more = (uint64_t)in->imm;
    BL_FOR_LANES(mask, d[l] = a[l] + more);
}

static enum bl_status decode_cvta(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"to",          "global",       "shared",
                                        "shared::cta", "local",        "const",
                                        "param",       "param::entry", NULL};
    enum bl_ptx_space space = bl_dec_space(src);
    uint64_t base = bl_window_base(bl_window_of_space(space));
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 2, 2, err);
    if (st)
        return st;
    if (space == BL_SPACE_GENERIC || bl_dec_type(src, 0) != BL_T_U64)
        return bl_dec_unknown(dec, src, "needs a space and the type .u64", err);
    out->alu = base ? add64 : copy64;
    out->imm = (int64_t)(bl_dec_has(src, "to") ? 0 - base : base);
    st = bl_dec_source(dec, src, 1, BL_T_U64, false, &out->a, err);
    return st ? st : bl_dec_dest(dec, src, 0, BL_T_U64, false, &out->d, err);
}

/* Everything that is in no window of its own counts as global. */
static bool is_in(uint64_t address, enum bl_window window)
{
    uint64_t at = address >> BL_WINDOW_SHIFT;
    if (window == BL_WINDOW_NULL)
        return at < BL_WINDOW_SHARED || at > BL_WINDOW_FUNC;
    return at == window;
}

static void is_space(uint8_t *frame, const struct bl_insn *in, uint32_t mask)
{
    const uint64_t *a = BL_SLOT(const uint64_t, frame, in->a);
    uint32_t *d = BL_SLOT(uint32_t, frame, in->d), bits = 0;
    BL_FOR_LANES(mask, bits |= (uint32_t)is_in(a[l], (enum bl_window)in->flag) << l);
    *d = (*d & ~mask) | bits;
}

static enum bl_status decode_isspacep(struct bl_decoder *dec,
                                      const struct bl_ptx_insn *src, struct bl_insn *out,
                                      struct bl_error *err)
{
    static const char *const known[] = {"global",          "shared",       "shared::cta",
                                        "shared::cluster", "local",        "const",
                                        "param",           "param::entry", NULL};
    enum bl_ptx_space space =
        bl_dec_has(src, "shared::cluster") ? BL_SPACE_SHARED : bl_dec_space(src);
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 2, 2, err);
    if (st)
        return st;
    if (space == BL_SPACE_GENERIC)
        return bl_dec_unknown(dec, src, "needs a space", err);
    out->alu = is_space;
    out->flag = bl_window_of_space(space);
    st = bl_dec_source(dec, src, 1, BL_T_U64, false, &out->a, err);
    return st ? st : bl_dec_dest(dec, src, 0, BL_T_PRED, false, &out->d, err);
}

const struct bl_op_entry bl_ops_move[] = {{"mov", decode_mov},
                                          {"cvta", decode_cvta},
                                          {"isspacep", decode_isspacep},
                                          {NULL, NULL}};
