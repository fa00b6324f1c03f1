/* SPDX-License-Identifier: Apache-2.0
 *
 * f16, f16x2, bf16, bf16x2: add, sub, mul, fma, neg, abs, min, max, ex2, tanh.
 *
 * A half is computed in double: sums and products of two halves are exact there, or
 * wide enough that rounding twice does not show; fma rounds to odd on the way
 * (round.h). So each result is the exact one, rounded once.
 */
#include <math.h>
#include <stdio.h>

#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_float.h"

/* What a half is, by type; `flag` has these besides exec_float.h's. */
enum { FLAG_BF16 = 1 << 16 };

/* Always inlined: then an operation is no call, and tests of a constant flag are done
 * with. */
#define BL_INLINE static inline __attribute__((always_inline))

#define SIGN16 0x8000u
#define NAN16  0x7fffu /* of both formats */

BL_INLINE uint16_t inf_bits(uint32_t flag)
{
    return flag & FLAG_BF16 ? 0x7f80 : 0x7c00;
}

BL_INLINE bool is_nan(uint16_t x, uint32_t flag)
{
    return (x & ~SIGN16) > inf_bits(flag);
}

BL_INLINE uint16_t flush_half(uint16_t x, uint32_t flag)
{
    return flag & BL_FLAG_FTZ && !(x & inf_bits(flag)) ? x & SIGN16 : x;
}

BL_INLINE double value(uint16_t x, uint32_t flag)
{
    return flag & FLAG_BF16 ? bl_bhalf_value(flush_half(x, flag))
                            : bl_half_value(flush_half(x, flag));
}

BL_INLINE uint16_t rounded(double x, uint32_t flag)
{
    const struct bl_format *format = flag & FLAG_BF16 ? &bl_format_bf16 : &bl_format_f16;
    if (flag & BL_FLAG_FTZ && bl_round_flushes(x, format, BL_RN)) {
        x = copysign(0, x);
    }
    uint16_t bits = bl_round_half(x, format);
    if (flag & BL_FLAG_SAT) {
        uint16_t one = flag & FLAG_BF16 ? 0x3f80 : 0x3c00;
        return is_nan(bits, flag) || bits & SIGN16 ? 0 : bits > one ? one : bits;
    }
    if (flag & BL_FLAG_RELU && bits & SIGN16 && !is_nan(bits, flag)) {
        return 0;
    }
    return bits;
}

/* ---- one half each ---- */

typedef uint16_t half_fn(uint16_t a, uint16_t b, uint16_t c, uint32_t flag);

BL_INLINE uint16_t half_add(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)c;
    return rounded(value(a, flag) + value(b, flag), flag);
}

BL_INLINE uint16_t half_sub(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)c;
    return rounded(value(a, flag) - value(b, flag), flag);
}

BL_INLINE uint16_t half_mul(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)c;
    return rounded(value(a, flag) * value(b, flag), flag);
}

BL_INLINE uint16_t half_fma(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    return rounded(bl_fma_odd(value(a, flag), value(b, flag), value(c, flag)), flag);
}

BL_INLINE uint16_t half_neg(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)b;
    (void)c;
    return is_nan(a, flag) ? NAN16 : flush_half(a, flag) ^ SIGN16;
}

BL_INLINE uint16_t half_abs(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)b;
    (void)c;
    return is_nan(a, flag) ? NAN16 : flush_half(a, flag) & (uint16_t)~SIGN16;
}

static uint16_t half_ex2(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)b;
    (void)c;
    return rounded(exp2(value(a, flag)), flag);
}

static uint16_t half_tanh(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)b;
    (void)c;
    return rounded(tanh(value(a, flag)), flag);
}

/* Orders halves that are no NaN: -0 comes just before +0. */
BL_INLINE int32_t order(uint16_t x)
{
    return x & SIGN16 ? -(int32_t)(x & ~SIGN16) - 1 : x;
}

BL_INLINE uint16_t half_min_max(uint16_t a, uint16_t b, bool is_max, uint32_t flag)
{
    uint16_t sign = 0;
    a = flush_half(a, flag);
    b = flush_half(b, flag);
    if (flag & BL_FLAG_XORSIGN) {
        sign = (a ^ b) & SIGN16;
        a &= (uint16_t)~SIGN16;
        b &= (uint16_t)~SIGN16;
    }
    bool a_nan = is_nan(a, flag), b_nan = is_nan(b, flag);
    if ((a_nan && b_nan) || (flag & BL_FLAG_NAN && (a_nan || b_nan))) {
        return NAN16;
    }
    bool take_a = b_nan || (!a_nan && is_max == (order(a) > order(b)));
    return (take_a ? a : b) | sign;
}

BL_INLINE uint16_t half_min(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)c;
    return half_min_max(a, b, false, flag);
}

BL_INLINE uint16_t half_max(uint16_t a, uint16_t b, uint16_t c, uint32_t flag)
{
    (void)c;
    return half_min_max(a, b, true, flag);
}

/* ---- lanes of one or two halves ---- */

/* An absent operand is read from a: the operation does not use it. */
#define SLOT(x) ((x) == BL_NO_SLOT ? in->a : (x))

BL_INLINE void run16(BL_ALU_ARGS, half_fn *op, uint32_t flag)
{
    const bl_u16 *pa = BL_VIEW(const bl_u16, frame, in->a);
    const bl_u16 *pb = BL_VIEW(const bl_u16, frame, SLOT(in->b));
    const bl_u16 *pc = BL_VIEW(const bl_u16, frame, SLOT(in->c));
    bl_u16 *pd = BL_VIEW(bl_u16, frame, in->d);
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        pd[l] = op(pa[l], pb[l], pc[l], flag);
    }
}

BL_INLINE void run32(BL_ALU_ARGS, half_fn *op, uint32_t flag)
{
    const bl_u32 *pa = BL_VIEW(const bl_u32, frame, in->a);
    const bl_u32 *pb = BL_VIEW(const bl_u32, frame, SLOT(in->b));
    const bl_u32 *pc = BL_VIEW(const bl_u32, frame, SLOT(in->c));
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint32_t a = pa[l], b = pb[l], c = pc[l], word = 0;
        for (int at = 0; at < 32; at += 16) {
            word |= (uint32_t)op((uint16_t)(a >> at), (uint16_t)(b >> at),
                                 (uint16_t)(c >> at), flag)
                    << at;
        }
        pd[l] = word;
    }
}

#define LANES(OP, BITS)                                                                  \
    static void OP##_##BITS(BL_ALU_ARGS)                                                 \
    {                                                                                    \
        run##BITS(frame, in, mask, half_##OP, in->flag);                                 \
    }
/* The usual flags apart. */
#define FAST_LANES(OP, BITS)                                                             \
    static void OP##_##BITS(BL_ALU_ARGS)                                                 \
    {                                                                                    \
        if (in->flag == BL_RN) {                                                         \
            run##BITS(frame, in, mask, half_##OP, BL_RN);                                \
        } else if (in->flag == (BL_RN | FLAG_BF16)) {                                    \
            run##BITS(frame, in, mask, half_##OP, BL_RN | FLAG_BF16);                    \
        } else {                                                                         \
            run##BITS(frame, in, mask, half_##OP, in->flag);                             \
        }                                                                                \
    }
#define BOTH(MACRO, OP)                                                                  \
    MACRO(OP, 16)                                                                        \
    MACRO(OP, 32)
BOTH(FAST_LANES, add)
BOTH(FAST_LANES, sub)
BOTH(FAST_LANES, mul)
BOTH(FAST_LANES, fma)
BOTH(LANES, neg)
BOTH(LANES, abs)
BOTH(LANES, min)
BOTH(LANES, max)
BOTH(LANES, ex2)
BOTH(LANES, tanh)

/* ---- decoding ---- */

struct half_op {
    bl_alu_fn *one, *two;
    const char *const *f16_mods, *const *bf16_mods;
    const char *needed, *bf16_needed; /* a modifier that must be there, or NULL */
    uint32_t sources;
};

static enum bl_status decode_half(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, const struct half_op *op,
                                  struct bl_error *err)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    if (!bl_type_is_half(type)) {
        return BL_DEC_NOT_MINE;
    }
    bool is_bf16 = type == BL_T_BF16 || type == BL_T_BF16X2;
    bool is_two = type == BL_T_F16X2 || type == BL_T_BF16X2;
    const char *needed = is_bf16 && op->bf16_needed ? op->bf16_needed : op->needed;
    if (needed && !bl_dec_has(src, needed)) {
        char text[32];
        snprintf(text, sizeof text, "needs .%s", needed);
        return bl_dec_unknown(dec, src, text, err);
    }
    if (bl_dec_has(src, "xorsign") != bl_dec_has(src, "abs")) {
        return bl_dec_unknown(dec, src, ".xorsign and .abs can only be there together",
                              err);
    }
    if (bl_dec_has(src, "sat") && bl_dec_has(src, "relu")) {
        return bl_dec_unknown(dec, src,
                              "has both .sat and .relu; one at most can be there", err);
    }
    enum bl_status status = bl_float_flags(dec, src, false, &out->flag, err);
    if (status != BL_OK) {
        return status;
    }
    out->flag |= is_bf16 ? FLAG_BF16 : 0;
    const struct bl_alu_by_type table[] = {{type, BL_SINGLE(is_two ? op->two : op->one)},
                                           {BL_T_NONE, NULL, NULL}};
    struct bl_alu_shape shape = {type, type, op->sources > 1 ? type : BL_T_NONE,
                                 op->sources > 2 ? type : BL_T_NONE};
    return bl_alu_plain(dec, src, out, is_bf16 ? op->bf16_mods : op->f16_mods, table,
                        shape, err);
}

static const char *const no_mods[] = {NULL};
static const char *const add_mods[] = {"rn", "ftz", "sat", NULL};
static const char *const add_bf16_mods[] = {"rn", NULL};
static const char *const fma_mods[] = {"rn", "ftz", "sat", "relu", NULL};
static const char *const fma_bf16_mods[] = {"rn", "relu", NULL};
static const char *const ftz_mods[] = {"ftz", NULL};
static const char *const min_mods[] = {"ftz", "NaN", "xorsign", "abs", NULL};
static const char *const min_bf16_mods[] = {"NaN", "xorsign", "abs", NULL};
static const char *const approx_mods[] = {"approx", NULL};
static const char *const ex2_bf16_mods[] = {"approx", "ftz", NULL};

#define DECODE(OP, F16_MODS, BF16_MODS, NEEDED, BF16_NEEDED, SOURCES)                    \
    static enum bl_status decode_##OP(struct bl_decoder *dec,                            \
                                      const struct bl_ptx_insn *src,                     \
                                      struct bl_insn *out, struct bl_error *err)         \
    {                                                                                    \
        static const struct half_op op = {OP##_16, OP##_32,     F16_MODS, BF16_MODS,     \
                                          NEEDED,  BF16_NEEDED, SOURCES};                \
        return decode_half(dec, src, out, &op, err);                                     \
    }
DECODE(add, add_mods, add_bf16_mods, NULL, NULL, 2)
DECODE(sub, add_mods, add_bf16_mods, NULL, NULL, 2)
DECODE(mul, add_mods, add_bf16_mods, NULL, NULL, 2)
DECODE(fma, fma_mods, fma_bf16_mods, "rn", NULL, 3)
DECODE(neg, ftz_mods, no_mods, NULL, NULL, 1)
DECODE(abs, ftz_mods, no_mods, NULL, NULL, 1)
DECODE(min, min_mods, min_bf16_mods, NULL, NULL, 2)
DECODE(max, min_mods, min_bf16_mods, NULL, NULL, 2)
DECODE(tanh, approx_mods, approx_mods, "approx", NULL, 1)
DECODE(ex2, approx_mods, ex2_bf16_mods, "approx", "ftz", 1)

const struct bl_op_entry bl_ops_half[] = {
    {"add", decode_add}, {"sub", decode_sub},   {"mul", decode_mul}, {"fma", decode_fma},
    {"neg", decode_neg}, {"abs", decode_abs},   {"min", decode_min}, {"max", decode_max},
    {"ex2", decode_ex2}, {"tanh", decode_tanh}, {NULL, NULL},
};
