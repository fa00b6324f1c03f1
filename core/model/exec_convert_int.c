/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt from integer to integer, and cvt.pack.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_convert.h"

/* ---- without .sat: cut and extend ---- */

/* NAME_RS_RD: registers of RS bits, read as N, go to registers of RD bits. */
#define TO_EACH(NAME, N, RS)                                                             \
    BL_OP1(NAME##_##RS##_16, bl_u16, bl_u##RS, (N)a)                                     \
    BL_OP1(NAME##_##RS##_32, bl_u32, bl_u##RS, (N)a)                                     \
    BL_OP1(NAME##_##RS##_64, bl_u64, bl_u##RS, (N)a)
TO_EACH(u8, uint8_t, 16)
TO_EACH(u8, uint8_t, 32)
TO_EACH(u8, uint8_t, 64)
TO_EACH(s8, int8_t, 16)
TO_EACH(s8, int8_t, 32)
TO_EACH(s8, int8_t, 64)
TO_EACH(u16, uint16_t, 16)
TO_EACH(u16, uint16_t, 32)
TO_EACH(u16, uint16_t, 64)
TO_EACH(s16, int16_t, 16)
TO_EACH(s16, int16_t, 32)
TO_EACH(s16, int16_t, 64)
TO_EACH(u32, uint32_t, 32)
TO_EACH(u32, uint32_t, 64)
TO_EACH(s32, int32_t, 32)
TO_EACH(s32, int32_t, 64)
TO_EACH(u64, uint64_t, 64)

#define ROW(NAME, RS)                                                                    \
    {                                                                                    \
        {BL_BUILDS(NAME##_##RS##_16)}, {BL_BUILDS(NAME##_##RS##_32)},                    \
        {                                                                                \
            BL_BUILDS(NAME##_##RS##_64)                                                  \
        }                                                                                \
    }
#define NO_ROW                                                                           \
    {                                                                                    \
        {NULL, NULL}, {NULL, NULL},                                                      \
        {                                                                                \
            NULL, NULL                                                                   \
        }                                                                                \
    }
/* By what the source is read as, the width of its registers, the width of the result's:
 * 16, 32, 64. */
static const struct {
    uint8_t type;
    struct {
        bl_alu_fn *narrow, *wide;
    } of[3][3];
} cuts[] = {
    {BL_T_U8, {ROW(u8, 16), ROW(u8, 32), ROW(u8, 64)}},
    {BL_T_S8, {ROW(s8, 16), ROW(s8, 32), ROW(s8, 64)}},
    {BL_T_U16, {ROW(u16, 16), ROW(u16, 32), ROW(u16, 64)}},
    {BL_T_S16, {ROW(s16, 16), ROW(s16, 32), ROW(s16, 64)}},
    {BL_T_U32, {NO_ROW, ROW(u32, 32), ROW(u32, 64)}},
    {BL_T_S32, {NO_ROW, ROW(s32, 32), ROW(s32, 64)}},
    {BL_T_U64, {NO_ROW, NO_ROW, ROW(u64, 64)}},
    {BL_T_S64, {NO_ROW, NO_ROW, ROW(u64, 64)}},
};

/* ---- in general ---- */

static struct bl_convert_side side_of(uint32_t slot, uint32_t bytes, uint8_t type)
{
    struct bl_convert_side side = {.slot = slot,
                                   .bytes = bytes,
                                   .bits = 8 * (int)bl_ptx_type_bytes(type),
                                   .is_signed = bl_type_is_signed(type)};
    side.most = UINT64_MAX >> (64 - side.bits + side.is_signed);
    side.least = side.is_signed ? -(int64_t)side.most - 1 : 0;
    return side;
}

struct bl_convert_side bl_convert_from(const struct bl_insn *in)
{
    return side_of(in->a, BL_CVT_FROM(in), in->type);
}

struct bl_convert_side bl_convert_to(const struct bl_insn *in)
{
    return side_of(in->d, BL_CVT_TO(in), in->type2);
}

/* .sat: the nearest value in the range of `to`; `value` is signed or, for u64, not. */
static inline int64_t clamp(int64_t value, bool is_signed,
                            const struct bl_convert_side *to)
{
    if (is_signed && value < to->least) {
        return to->least;
    }
    bool is_over = (!is_signed || value > 0) && (uint64_t)value > to->most;
    return is_over ? (int64_t)to->most : value;
}

static void convert_any(BL_ALU_ARGS)
{
    const struct bl_convert_side from = bl_convert_from(in), to = bl_convert_to(in);
    const bool sat = in->flag & BL_FLAG_SAT;
    BL_FOR_LANES(mask, int64_t value = bl_convert_read(frame, &from, l);
                 value = sat ? clamp(value, from.is_signed, &to) : value;
                 bl_convert_write(frame, &to, l, value));
}

static int width_index(uint32_t bytes)
{
    return bytes == 8 ? 2 : bytes == 4 ? 1 : 0;
}

bl_alu_fn *bl_convert_int(const struct bl_insn *in)
{
    enum bl_ptx_type to = in->type2, from = in->type;
    uint32_t to_bytes = bl_ptx_type_bytes(to), from_bytes = bl_ptx_type_bytes(from);
    /* A narrower or equal result is the source read as the result's type. A wider one
     * is the source read as its own, unless the extension to the register differs from
     * the extension to the type. */
    enum bl_ptx_type read = to_bytes <= from_bytes ? to : from;
    bool same_fill = to_bytes <= from_bytes || to_bytes >= BL_CVT_TO(in) ||
                     !bl_type_is_signed(from) || bl_type_is_signed(to);
    if (in->flag & BL_FLAG_SAT || !same_fill) {
        return convert_any;
    }
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        if (cuts[i].type == read) {
            int row = width_index(BL_CVT_FROM(in)), column = width_index(BL_CVT_TO(in));
            return bl_alu_pick(cuts[i].of[row][column].narrow,
                               cuts[i].of[row][column].wide);
        }
    }
    return convert_any;
}

/* ---- cvt.pack ---- */

/* a and b are cut to the result's pieces, a above b; the rest is c's low pieces, moved
 * up (two 16-bit pieces leave no rest). */
static void pack(BL_ALU_ARGS)
{
    const bl_s32 *pa = BL_VIEW(const bl_s32, frame, in->a);
    const bl_s32 *pb = BL_VIEW(const bl_s32, frame, in->b);
    const bl_u32 *pc = BL_VIEW(const bl_u32, frame, in->c == BL_NO_SLOT ? in->a : in->c);
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    const struct bl_convert_side to = bl_convert_to(in);
    uint32_t piece = (1u << to.bits) - 1;
    BL_FOR_LANES(mask, uint32_t high = (uint32_t)clamp(pa[l], true, &to) & piece;
                 uint32_t low = (uint32_t)clamp(pb[l], true, &to) & piece;
                 uint32_t rest = to.bits == 16 ? 0 : pc[l] << 16;
                 pd[l] = rest | high << to.bits | low);
}

enum bl_status bl_convert_pack(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"pack", "sat", NULL};
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status != BL_OK) {
        return status;
    }
    /* cvt.pack.sat.u16.s32 d, a, b; cvt.pack.sat.u8.s32.b32 d, a, b, c */
    int types = bl_alu_type_count(src);
    bool has_c = types == 3 && bl_dec_type(src, 0) == BL_T_B32;
    enum bl_ptx_type to = bl_dec_type(src, types - 1);
    bool fits = has_c ? to == BL_T_U8 || to == BL_T_S8
                      : types == 2 && (to == BL_T_U16 || to == BL_T_S16);
    if (!bl_dec_has(src, "sat") || !fits || bl_dec_type(src, types - 2) != BL_T_S32) {
        return bl_alu_bad_type(dec, src, err);
    }
    const struct bl_alu_shape shape = {BL_T_B32, BL_T_S32, BL_T_S32,
                                       has_c ? BL_T_B32 : BL_T_NONE};
    out->type2 = (uint8_t)to;
    out->alu = pack;
    return bl_alu_operands(dec, src, out, shape, err);
}
