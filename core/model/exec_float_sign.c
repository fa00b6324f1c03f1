/* SPDX-License-Identifier: Apache-2.0
 *
 * What needs no rounding: neg, abs, min, max, copysign, testp of f32 and f64.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_float.h"

static const char *const no_mods[] = {NULL};
static const char *const ftz_mods[] = {"ftz", NULL};

#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000ull

/* ---- neg, abs, copysign ---- */

static inline uint32_t flush_bits(uint32_t x)
{
    return x & 0x7f800000u ? x : x & SIGN32;
}

/* neg and abs are arithmetic to an H200: a NaN comes out as NaNs do there (round.h). */
#define NAN32(x) (((x) & ~SIGN32) > 0x7f800000u)
#define NAN64(x) (((x) & ~SIGN64) > 0x7ff0000000000000ull)
#define QUIET64  (1ull << 51)
BL_OP1(neg_f32, bl_u32, bl_u32, NAN32(a) ? BL_F32_NAN : a ^ SIGN32)
BL_OP1(neg_ftz, bl_u32, bl_u32, NAN32(a) ? BL_F32_NAN : flush_bits(a) ^ SIGN32)
BL_OP1(neg_f64, bl_u64, bl_u64, NAN64(a) ? a | QUIET64 : a ^ SIGN64)
BL_OP1(abs_f32, bl_u32, bl_u32, NAN32(a) ? BL_F32_NAN : a & ~SIGN32)
BL_OP1(abs_ftz, bl_u32, bl_u32, NAN32(a) ? BL_F32_NAN : flush_bits(a) & ~SIGN32)
BL_OP1(abs_f64, bl_u64, bl_u64, NAN64(a) ? a | QUIET64 : a & ~SIGN64)
BL_OP2(copysign_f32, bl_u32, bl_u32, bl_u32, (a & SIGN32) | (b & ~SIGN32))
BL_OP2(copysign_f64, bl_u64, bl_u64, bl_u64, (a & SIGN64) | (b & ~SIGN64))

#define TABLE(NAME, f32, f64)                                                            \
    static const struct bl_alu_by_type NAME[] = {                                        \
        {BL_T_F32, BL_BUILDS(f32)}, {BL_T_F64, BL_BUILDS(f64)}, {BL_T_NONE, NULL, NULL}}
#define TABLE32(NAME, f32)                                                               \
    static const struct bl_alu_by_type NAME[] = {{BL_T_F32, BL_BUILDS(f32)},             \
                                                 {BL_T_NONE, NULL, NULL}}
TABLE(neg_table, neg_f32, neg_f64);
TABLE(abs_table, abs_f32, abs_f64);
TABLE(copysign_table, copysign_f32, copysign_f64);
TABLE32(neg_ftz_table, neg_ftz);
TABLE32(abs_ftz_table, abs_ftz);

static enum bl_status decode_sign(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, const struct bl_alu_by_type *plain,
                                  const struct bl_alu_by_type *ftz, struct bl_error *err)
{
    if (bl_type_is_half(bl_dec_type(src, 0))) {
        return BL_DEC_NOT_MINE;
    }
    return bl_alu_plain(dec, src, out, ftz_mods, bl_dec_has(src, "ftz") ? ftz : plain,
                        bl_alu_own2, err);
}

enum bl_status bl_float_neg(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return decode_sign(dec, src, out, neg_table, neg_ftz_table, err);
}

enum bl_status bl_float_abs(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return decode_sign(dec, src, out, abs_table, abs_ftz_table, err);
}

enum bl_status bl_float_copysign(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, copysign_table, bl_alu_own3, err);
}

/* ---- min, max ---- */

/* A NaN gives way to the other operand; two zeros are ordered by sign, so that the bits
 * of equal operands can be joined: and for max, or for min. */
#define MINMAX(S, BOTH_NAN)                                                              \
    static inline S max_of_##S(S a, S b)                                                 \
    {                                                                                    \
        S equal = bl_##S##_of(bl_##S##_bits(a) & bl_##S##_bits(b));                      \
        S r = a > b ? a : a < b ? b : equal;                                             \
        return a != a ? (b != b ? BOTH_NAN : b) : b != b ? a : r;                        \
    }                                                                                    \
    static inline S min_of_##S(S a, S b)                                                 \
    {                                                                                    \
        S equal = bl_##S##_of(bl_##S##_bits(a) | bl_##S##_bits(b));                      \
        S r = a < b ? a : a > b ? b : equal;                                             \
        return a != a ? (b != b ? BOTH_NAN : b) : b != b ? a : r;                        \
    }
typedef float f32;
typedef double f64;
MINMAX(f32, bl_f32_of(BL_F32_NAN))
MINMAX(f64, bl_quiet(b))

BL_OP2(min_f32, bl_f32, bl_f32, bl_f32, min_of_f32(a, b))
BL_OP2(max_f32, bl_f32, bl_f32, bl_f32, max_of_f32(a, b))
BL_OP2(min_f64, bl_f64, bl_f64, bl_f64, min_of_f64(a, b))
BL_OP2(max_f64, bl_f64, bl_f64, bl_f64, max_of_f64(a, b))

/* With modifiers: .ftz, .NaN, .xorsign.abs. */
static float min_max(float a, float b, bool is_max, uint32_t flag)
{
    if (flag & BL_FLAG_FTZ) {
        a = bl_flush(a);
        b = bl_flush(b);
    }
    if (flag & BL_FLAG_NAN && (a != a || b != b)) {
        return bl_f32_of(BL_F32_NAN);
    }
    uint32_t sign = 0;
    if (flag & BL_FLAG_XORSIGN) {
        sign = (bl_f32_bits(a) ^ bl_f32_bits(b)) & SIGN32;
        a = bl_f32_of(bl_f32_bits(a) & ~SIGN32);
        b = bl_f32_of(bl_f32_bits(b) & ~SIGN32);
    }
    float r = is_max ? max_of_f32(a, b) : min_of_f32(a, b);
    return r == r ? bl_f32_of(bl_f32_bits(r) | sign) : r;
}
BL_EACH2(min_f32_flags, bl_f32, bl_f32, bl_f32, min_max(a, b, false, in->flag))
BL_EACH2(max_f32_flags, bl_f32, bl_f32, bl_f32, min_max(a, b, true, in->flag))

TABLE(min_table, min_f32, min_f64);
TABLE(max_table, max_f32, max_f64);
static const struct bl_alu_by_type min_flags_table[] = {
    {BL_T_F32, BL_SINGLE(min_f32_flags)}, {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type max_flags_table[] = {
    {BL_T_F32, BL_SINGLE(max_f32_flags)}, {BL_T_NONE, NULL, NULL}};

static enum bl_status decode_min_max(struct bl_decoder *dec,
                                     const struct bl_ptx_insn *src, struct bl_insn *out,
                                     const struct bl_alu_by_type *plain,
                                     const struct bl_alu_by_type *flags,
                                     struct bl_error *err)
{
    static const char *const mods[] = {"ftz", "NaN", "xorsign", "abs", NULL};
    if (bl_type_is_half(bl_dec_type(src, 0))) {
        return BL_DEC_NOT_MINE;
    }
    if (bl_dec_has(src, "xorsign") != bl_dec_has(src, "abs")) {
        return bl_dec_unknown(dec, src, ".xorsign and .abs can only be there together",
                              err);
    }
    enum bl_status status = bl_float_flags(dec, src, false, &out->flag, err);
    return status != BL_OK ? status
                           : bl_alu_plain(dec, src, out, mods, out->flag ? flags : plain,
                                          bl_alu_own3, err);
}

enum bl_status bl_float_min(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return decode_min_max(dec, src, out, min_table, min_flags_table, err);
}

enum bl_status bl_float_max(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return decode_min_max(dec, src, out, max_table, max_flags_table, err);
}

/* ---- testp ---- */

enum { FINITE, INFINITE, NUMBER, NOTANUMBER, NORMAL, SUBNORMAL };

static bool testp(double x, double least_normal, uint32_t what)
{
    double size = __builtin_fabs(x);
    bool finite = size < __builtin_inf();
    switch (what) {
    case FINITE: return finite;
    case INFINITE: return size == __builtin_inf();
    case NUMBER: return x == x;
    case NOTANUMBER: return x != x;
    case NORMAL: return finite && (size >= least_normal || size == 0); /* zero is */
    default: return size > 0 && size < least_normal;
    }
}

#define TESTP(NAME, T, LEAST)                                                            \
    static void NAME(BL_ALU_ARGS)                                                        \
    {                                                                                    \
        const T *pa = BL_VIEW(const T, frame, in->a);                                    \
        uint32_t set = 0;                                                                \
        BL_FOR_LANES(mask, set |= (uint32_t)testp((double)pa[l], LEAST, in->flag) << l); \
        bl_put_pred(frame, in->d, set, mask);                                            \
    }
TESTP(testp_f32, bl_f32, 0x1p-126)
TESTP(testp_f64, bl_f64, 0x1p-1022)
static const struct bl_alu_by_type testp_table[] = {{BL_T_F32, BL_SINGLE(testp_f32)},
                                                    {BL_T_F64, BL_SINGLE(testp_f64)},
                                                    {BL_T_NONE, NULL, NULL}};

enum bl_status bl_float_testp(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              struct bl_insn *out, struct bl_error *err)
{
    static const char *const tests[] = {"finite", "infinite",  "number", "notanumber",
                                        "normal", "subnormal", NULL};
    static const struct bl_alu_shape shape = {BL_T_PRED, BL_ALU_OWN, BL_T_NONE,
                                              BL_T_NONE};
    int test = 0;
    enum bl_status status = bl_alu_choice(dec, src, tests, true, &test, err);
    if (status != BL_OK) {
        return status;
    }
    out->flag = (uint32_t)test;
    return bl_alu_plain(dec, src, out, tests, testp_table, shape, err);
}
