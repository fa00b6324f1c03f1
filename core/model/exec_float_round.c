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

static inline double in_f64(double x, uint32_t flag)
{
    (void)flag;
    return x;
}

static inline double out_f64(double x, uint32_t flag)
{
    (void)flag;
    return x == x ? x : bl_f64_of(BL_F64_NAN);
}

/* Operands that an operation doesn't have are read from its first. */
#define ROUNDED(NAME, S, EXPR)                                                           \
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
        BL_FOR_LANES(mask, volatile bl_##S a = in_##S(pa[l], flag);                      \
                     volatile bl_##S b = in_##S(pb[l], flag);                            \
                     volatile bl_##S c = in_##S(pc[l], flag); volatile bl_##S r = EXPR;  \
                     (void)b; (void)c; pd[l] = out_##S(r, flag));                        \
        fesetround(before);                                                              \
    }
ROUNDED(bl_add_f32_any, f32, a + b)
ROUNDED(bl_sub_f32_any, f32, a - b)
ROUNDED(bl_mul_f32_any, f32, a *b)
ROUNDED(bl_div_f32_any, f32, a / b)
ROUNDED(bl_rcp_f32_any, f32, 1.0f / a)
ROUNDED(bl_sqrt_f32_any, f32, sqrtf(a))
ROUNDED(bl_fma_f32_any, f32, fmaf(a, b, c))
ROUNDED(bl_add_f64_any, f64, a + b)
ROUNDED(bl_sub_f64_any, f64, a - b)
ROUNDED(bl_mul_f64_any, f64, a *b)
ROUNDED(bl_div_f64_any, f64, a / b)
ROUNDED(bl_rcp_f64_any, f64, 1.0 / a)
ROUNDED(bl_sqrt_f64_any, f64, sqrt(a))
ROUNDED(bl_fma_f64_any, f64, fma(a, b, c))
