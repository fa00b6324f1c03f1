/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt where one of the types is a floating-point one.
 */
#include <math.h>

#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_convert.h"

/* ---- NaNs ---- */

/* As measured on an H200: to or from f64, a NaN keeps its sign and as much of its
 * payload as fits, quieted; else it becomes the canonical one. */
static inline double widened_nan(uint32_t f32)
{
    return bl_f64_of((uint64_t)(f32 & 0x80000000u) << 32 | 0x7ff8ull << 48 |
                     (uint64_t)(f32 & 0x3fffffu) << 29);
}

static inline float narrowed_nan(uint64_t f64)
{
    return bl_f32_of((uint32_t)(f64 >> 32 & 0x80000000u) | 0x7fc00000u |
                     (uint32_t)(f64 >> 29 & 0x3fffffu));
}

static uint64_t converted_nan(double nan, const struct bl_insn *in,
                              const struct bl_format *to)
{
    if (in->type == BL_T_F64 || (in->type2 == BL_T_F64 && !(in->flag & BL_FLAG_FTZ))) {
        uint64_t bits = bl_f64_bits(nan), quiet = 1ull << (to->precision - 2);
        uint64_t payload = bits >> (53 - to->precision) & (quiet - 1);
        return (bits >> 63 ? to->sign : 0) | to->inf | quiet | payload;
    }
    return in->type2 == BL_T_F64 ? 0x7fffffffe0000000ull : to->nan;
}

/* ---- the usual ones, rounded to nearest or exact ---- */

BL_OP1(f32_s32, bl_f32, bl_s32, a)
BL_OP1(f32_u32, bl_f32, bl_u32, a)
BL_OP1(f32_s64, bl_f32, bl_s64, a)
BL_OP1(f32_u64, bl_f32, bl_u64, a)
BL_OP1(f64_s32, bl_f64, bl_s32, a)
BL_OP1(f64_u32, bl_f64, bl_u32, a)
BL_OP1(f64_s64, bl_f64, bl_s64, a)
BL_OP1(f64_u64, bl_f64, bl_u64, a)
BL_OP1(f64_f32, bl_f64, bl_f32, a == a ? (double)a : widened_nan(bl_f32_bits(a)))
BL_OP1(f32_f64, bl_f32, bl_f64, a == a ? (float)a : narrowed_nan(bl_f64_bits(a)))
BL_EACH1(f32_f16, bl_f32, bl_u16, bl_canonical((float)bl_half_value(a)))
BL_EACH1(f16_f32, bl_u16, bl_f32, bl_round_half((double)a, &bl_format_f16))
BL_EACH1(bf16_f32, bl_u16, bl_f32, bl_round_half((double)a, &bl_format_bf16))
BL_OP1(f32_bf16, bl_u32, bl_u16, (uint32_t)a << 16)
/* From a type to the same: a move, which leaves NaNs alone. */
BL_OP1(move_32, bl_u32, bl_u32, a)
BL_OP1(move_64, bl_u64, bl_u64, a)
/* Toward zero; out of range is the nearest in range, NaN is 0. */
BL_OP1(s32_f32, bl_s32, bl_f32,
       a >= 0x1p31f    ? INT32_MAX
       : a >= -0x1p31f ? (int32_t)a
       : a != a        ? 0
                       : INT32_MIN)

static const struct {
    uint8_t to, from;
    uint32_t flag;
    bl_alu_fn *narrow, *wide;
} usual[] = {
    {BL_T_F32, BL_T_S32, BL_RN, BL_BUILDS(f32_s32)},
    {BL_T_F32, BL_T_U32, BL_RN, BL_BUILDS(f32_u32)},
    {BL_T_F32, BL_T_S64, BL_RN, BL_BUILDS(f32_s64)},
    {BL_T_F32, BL_T_U64, BL_RN, BL_BUILDS(f32_u64)},
    {BL_T_F64, BL_T_S32, BL_RN, BL_BUILDS(f64_s32)},
    {BL_T_F64, BL_T_U32, BL_RN, BL_BUILDS(f64_u32)},
    {BL_T_F64, BL_T_S64, BL_RN, BL_BUILDS(f64_s64)},
    {BL_T_F64, BL_T_U64, BL_RN, BL_BUILDS(f64_u64)},
    {BL_T_F64, BL_T_F32, BL_RN, BL_BUILDS(f64_f32)},
    {BL_T_F32, BL_T_F64, BL_RN, BL_BUILDS(f32_f64)},
    {BL_T_S32, BL_T_F32, BL_CVT_WHOLE | BL_RZ, BL_BUILDS(s32_f32)},
    {BL_T_F32, BL_T_F16, BL_RN, BL_SINGLE(f32_f16)},
    {BL_T_F16, BL_T_F32, BL_RN, BL_SINGLE(f16_f32)},
    {BL_T_BF16, BL_T_F32, BL_RN, BL_SINGLE(bf16_f32)},
    {BL_T_F32, BL_T_BF16, BL_RN, BL_BUILDS(f32_bf16)},
    {BL_T_F32, BL_T_F32, BL_RN, BL_BUILDS(move_32)},
    {BL_T_F64, BL_T_F64, BL_RN, BL_BUILDS(move_64)},
};

/* ---- in general ---- */

static const struct bl_format *format_of(uint8_t type)
{
    switch (type) {
    case BL_T_F16: return &bl_format_f16;
    case BL_T_BF16: return &bl_format_bf16;
    case BL_T_F32: return &bl_format_f32;
    default: return &bl_format_f64;
    }
}

static double read_float(const uint8_t *frame, const struct bl_insn *in, int lane)
{
    switch (in->type) {
    case BL_T_F16: return bl_half_value(BL_VIEW(const bl_u16, frame, in->a)[lane]);
    case BL_T_BF16: return bl_bhalf_value(BL_VIEW(const bl_u16, frame, in->a)[lane]);
    case BL_T_F64: return BL_VIEW(const bl_f64, frame, in->a)[lane];
    default: break;
    }
    /* An f32 on its way to an f16 is not flushed: measured on an H200. */
    float x = BL_VIEW(const bl_f32, frame, in->a)[lane];
    return (double)(in->flag & BL_FLAG_FTZ && in->type2 != BL_T_F16 ? bl_flush(x) : x);
}

static void write_float(uint8_t *frame, const struct bl_insn *in, int lane, uint64_t bits)
{
    switch (in->type2) {
    case BL_T_F16:
    case BL_T_BF16: BL_VIEW(bl_u16, frame, in->d)[lane] = (uint16_t)bits; break;
    case BL_T_F64: BL_VIEW(bl_u64, frame, in->d)[lane] = bits; break;
    default: BL_VIEW(bl_u32, frame, in->d)[lane] = (uint32_t)bits; break;
    }
}

static double to_whole(double x, uint32_t flag)
{
    switch (flag & BL_FLAG_ROUNDING) {
    case BL_RZ: return trunc(x);
    case BL_RM: return floor(x);
    case BL_RP: return ceil(x);
    default: return rint(x);
    }
}

/* .sat, .relu and .satfinite of a result in `format`. */
static uint64_t finish(uint64_t bits, const struct bl_format *format, uint32_t flag)
{
    uint64_t size = (bits & ~format->sign) >> format->shift;
    bool negative = bits & format->sign, is_nan = size > format->inf;
    if (flag & BL_FLAG_SAT) {
        uint64_t one = (uint64_t)(1 - format->least) << (format->precision - 1);
        return is_nan || negative ? 0 : size > one ? one : bits;
    }
    if (flag & BL_FLAG_RELU && negative && !is_nan) {
        return 0;
    }
    if (flag & BL_CVT_SATFINITE && size == format->inf) {
        return (bits & format->sign) | (format->inf - 1) << format->shift;
    }
    return bits;
}

static uint64_t convert_float(double x, const struct bl_insn *in,
                              const struct bl_format *format)
{
    enum bl_rounding rounding = (enum bl_rounding)(in->flag & BL_FLAG_ROUNDING);
    x = in->flag & BL_CVT_WHOLE ? to_whole(x, in->flag) : x;
    if (in->flag & BL_FLAG_FTZ && in->type2 == BL_T_F32 &&
        bl_round_flushes(x, format, rounding)) {
        x = copysign(0, x);
    }
    uint64_t bits =
        x != x ? converted_nan(x, in, format) : bl_round_double(x, format, rounding);
    return finish(bits, format, in->flag);
}

static void float_float(BL_ALU_ARGS)
{
    const struct bl_format *format = format_of(in->type2);
    BL_FOR_LANES(mask, write_float(frame, in, l,
                                   convert_float(read_float(frame, in, l), in, format)));
}

static void float_int(BL_ALU_ARGS)
{
    const struct bl_convert_side from = bl_convert_from(in);
    const struct bl_format *format = format_of(in->type2);
    BL_FOR_LANES(mask, int64_t value = bl_convert_read(frame, &from, l);
                 bool negative = bl_type_is_signed(in->type) && value < 0;
                 uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
                 uint64_t bits =
                     bl_round_bits(negative, size, 0, format,
                                   (enum bl_rounding)(in->flag & BL_FLAG_ROUNDING));
                 write_float(frame, in, l, finish(bits, format, in->flag)));
}

/* PTX: NaN is 0, but if one of the types has 64 bits, it is the type's top bit. */
static int64_t whole_of_nan(uint8_t to, uint8_t from)
{
    if (from == BL_T_F64 || to == BL_T_S64 || to == BL_T_U64) {
        return (int64_t)((uint64_t)1 << (8 * bl_ptx_type_bytes(to) - 1));
    }
    return 0;
}

static void int_float(BL_ALU_ARGS)
{
    const struct bl_convert_side to = bl_convert_to(in);
    /* The least is a double; most + 1 is, too. */
    const double low = (double)to.least,
                 above = ldexp(1, to.is_signed ? to.bits - 1 : to.bits);
    BL_FOR_LANES(
        mask, double x = to_whole(read_float(frame, in, l), in->flag); int64_t value;
        if (x != x) { value = whole_of_nan(in->type2, in->type); } else if (x >= above) {
            value = (int64_t)to.most;
        } else if (x <= low) { value = to.least; } else {
            value = x >= 0x1p63 ? (int64_t)(uint64_t)x : (int64_t)x;
        } bl_convert_write(frame, &to, l, value));
}

bl_alu_fn *bl_convert_float(const struct bl_insn *in)
{
    bool to_int = bl_type_is_int(in->type2), from_int = bl_type_is_int(in->type);
    bool own_width = (!to_int || BL_CVT_TO(in) == bl_ptx_type_bytes(in->type2)) &&
                     (!from_int || BL_CVT_FROM(in) == bl_ptx_type_bytes(in->type));
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (own_width && usual[i].to == in->type2 && usual[i].from == in->type &&
            usual[i].flag == in->flag) {
            return bl_alu_pick(usual[i].narrow, usual[i].wide);
        }
    }
    return to_int ? int_float : from_int ? float_int : float_float;
}

/* ---- pairs and tf32 ---- */

void bl_convert_pair(BL_ALU_ARGS)
{
    const struct bl_format *format = format_of(in->type2);
    enum bl_rounding rounding = (enum bl_rounding)(in->flag & BL_FLAG_ROUNDING);
    const bl_f32 *pa = BL_VIEW(const bl_f32, frame, in->a);
    const bl_f32 *pb = BL_VIEW(const bl_f32, frame, in->b);
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    BL_FOR_LANES(mask, uint64_t high = bl_round_double((double)pa[l], format, rounding);
                 uint64_t low = bl_round_double((double)pb[l], format, rounding);
                 pd[l] = (uint32_t)(finish(high, format, in->flag) << 16 |
                                    finish(low, format, in->flag)));
}

/* .rna works on the bits of a NaN as on a number's, and .satfinite takes one step from
 * whatever has the exponent of infinity: measured on an H200. The others give one NaN. */
static uint32_t to_tf32(uint32_t f32, uint32_t flag)
{
    const uint32_t step = 1u << bl_format_tf32.shift;
    enum bl_rounding rounding = (enum bl_rounding)(flag & BL_FLAG_ROUNDING);
    bool is_nan = (f32 & 0x7fffffffu) > 0x7f800000u;
    if (is_nan && rounding != BL_RNA) {
        return 0x7fffe000u;
    }
    uint32_t bits = is_nan ? f32 & ~(step - 1)
                           : (uint32_t)bl_round_double((double)bl_f32_of(f32),
                                                       &bl_format_tf32, rounding);
    if (flag & BL_FLAG_RELU && bits >> 31) {
        return 0;
    }
    bool is_over = (bits & 0x7f800000u) == 0x7f800000u;
    return flag & BL_CVT_SATFINITE && is_over ? bits - step : bits;
}

void bl_convert_tf32(BL_ALU_ARGS)
{
    const bl_u32 *pa = BL_VIEW(const bl_u32, frame, in->a);
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    BL_FOR_LANES(mask, pd[l] = to_tf32(pa[l], in->flag));
}
