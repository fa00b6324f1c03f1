/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point operations in any of the four roundings, with .ftz and .sat.
 *
 * The host rounds: its rounding mode is set around the loop. The operands and the result
 * go through volatile variables, so that no operation is done before the mode is set or
 * after it is set back.
 */
#include <fenv.h>
#include <math.h>

#include "model/alu_lanes.h"
#include "model/exec_float.h"

static int host_rounding(uint32_t flag)
{
    switch (flag & BL_FLAG_ROUNDING) {
    case BL_RZ: return FE_TOWARDZERO;
    case BL_RM: return FE_DOWNWARD;
    case BL_RP: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

static inline float in_f32(float x, uint32_t flag)
{
    return flag & BL_FLAG_FTZ ? bl_flush(x) : x;
}

static inline float out_f32(float x, uint32_t flag)
{
    x = bl_canonical(flag & BL_FLAG_FTZ ? bl_flush(x) : x);
    return flag & BL_FLAG_SAT ? bl_saturate(x) : x;
}

/* Whether x may have come of rounding up a number that is to be flushed (see
 * bl_round_flushes). If so, SCALED tells: the operation's result times 2^64. */
static inline bool is_edge_f32(float x, uint32_t flag)
{
    return flag & BL_FLAG_FTZ && (bl_f32_bits(x) & 0x7fffffffu) == 0x00800000u;
}

static inline float scale(float x)
{
    return x * 0x1p64f;
}

/* Operands are normal numbers here; of two factors the smaller one can be scaled. */
static float scaled_fma(float a, float b, float c)
{
    return fabsf(a) < fabsf(b) ? fmaf(scale(a), b, scale(c))
                               : fmaf(a, scale(b), scale(c));
}

static inline double in_f64(double x, uint32_t flag)
{
    (void)flag;
    return x;
}

static inline double out_f64(double x, uint32_t flag)
{
    (void)flag;
    return x;
}

static inline bool is_edge_f64(double x, uint32_t flag)
{
    (void)x;
    (void)flag;
    return false;
}

/* Operands that an operation doesn't have are read from its first. NAN_OF is how the
 * result x depends on operands that are NaNs. */
#define ROUNDED(NAME, S, EXPR, SCALED, NAN_OF)                                           \
    void NAME(BL_ALU_ARGS)                                                               \
    {                                                                                    \
        uint32_t flag = in->flag;                                                        \
        const bl_##S *pa = BL_VIEW(const bl_##S, frame, in->a);                          \
        const bl_##S *pb =                                                               \
            BL_VIEW(const bl_##S, frame, in->b == BL_NO_SLOT ? in->a : in->b);           \
        const bl_##S *pc =                                                               \
            BL_VIEW(const bl_##S, frame, in->c == BL_NO_SLOT ? in->a : in->c);           \
        bl_##S *pd = BL_VIEW(bl_##S, frame, in->d);                                      \
        int before = fegetround();                                                       \
        fesetround(host_rounding(flag));                                                 \
        for (uint32_t left = mask; left; left &= left - 1) {                             \
            int l = __builtin_ctz(left);                                                 \
            volatile bl_##S a = in_##S(pa[l], flag);                                     \
            volatile bl_##S b = in_##S(pb[l], flag);                                     \
            volatile bl_##S c = in_##S(pc[l], flag);                                     \
            volatile bl_##S x = EXPR;                                                    \
            if (is_edge_##S(x, flag)) {                                                  \
                volatile bl_##S scaled = SCALED;                                         \
                x = fabs((double)scaled) < 0x1p-62 ? x * 0 : x;                          \
            }                                                                            \
            (void)b;                                                                     \
            (void)c;                                                                     \
            pd[l] = out_##S(NAN_OF, flag);                                               \
        }                                                                                \
        fesetround(before);                                                              \
    }
ROUNDED(bl_add_f32_any, f32, a + b, scale(x), x)
ROUNDED(bl_sub_f32_any, f32, a - b, scale(x), x)
ROUNDED(bl_mul_f32_any, f32, a *b, scaled_fma(a, b, 0), x)
ROUNDED(bl_div_f32_any, f32, a / b, scale(a) / b, x)
ROUNDED(bl_rcp_f32_any, f32, 1.0f / a, 0x1p64f / a, x)
ROUNDED(bl_sqrt_f32_any, f32, sqrtf(a), scale(x), x)
ROUNDED(bl_fma_f32_any, f32, fmaf(a, b, c), scaled_fma(a, b, c), x)
ROUNDED(bl_add_f64_any, f64, a + b, x, bl_nan_of2(x, b, a))
ROUNDED(bl_sub_f64_any, f64, a - b, x, bl_nan_of2(x, b, a))
ROUNDED(bl_mul_f64_any, f64, a *b, x, bl_nan_of2(x, b, a))
ROUNDED(bl_div_f64_any, f64, a / b, x, bl_nan_of2(x, a, b))
ROUNDED(bl_rcp_f64_any, f64, 1.0 / a, x, bl_nan_of1(x, a))
ROUNDED(bl_sqrt_f64_any, f64, sqrt(a), x, bl_nan_of1(x, a))
ROUNDED(bl_fma_f64_any, f64, fma(a, b, c), x, bl_nan_of3(x, b, c, a))
