/* SPDX-License-Identifier: Apache-2.0
 *
 * div, rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh of f32 and f64 (exec_float.h says how
 * the approximate ones are computed).
 */
#include <math.h>

#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_float.h"

static inline float flushed(float x, uint32_t flag)
{
    return flag & BL_FLAG_FTZ ? bl_flush(x) : x;
}

/* A double-precision result as the approximate instruction's. */
static inline float approx(double x, uint32_t flag)
{
    return bl_canonical(flushed((float)x, flag));
}
#define IN(x) (double)flushed(x, in->flag)

/* ---- div ---- */

BL_OP2(div_f32, bl_f32, bl_f32, bl_f32, bl_canonical(a / b))
BL_OP2(div_f64, bl_f64, bl_f64, bl_f64, bl_nan_of2(a / b, a, b))

/* PTX: for 2^126 < |b| < 2^128 the result of div.approx is 0, or NaN if a is infinite:
 * it is a times the reciprocal of b, and that is flushed. */
static float div_approx(float a, float b, uint32_t flag)
{
    float size = fabsf(b);
    if (size > 0x1p126f && size < INFINITY) {
        return isfinite(a) ? copysignf(0, a) * copysignf(1, b) : bl_f32_of(BL_F32_NAN);
    }
    return approx((double)a / (double)b, flag);
}
BL_EACH2(div_full_f32, bl_f32, bl_f32, bl_f32, approx(IN(a) / IN(b), in->flag))
BL_EACH2(div_approx_f32, bl_f32, bl_f32, bl_f32,
         div_approx(flushed(a, in->flag), flushed(b, in->flag), in->flag))

/* Which modifiers an instruction of f32 or f64 has, and its handlers. */
static const char *const kinds[] = {"rn", "rz", "rm", "rp", "approx", "full", NULL};
enum { APPROX = 4, FULL = 5 };
static const char *const div_mods[] = {"rn",     "rz",   "rm",  "rp",
                                       "approx", "full", "ftz", NULL};
static const char *const f32_mods[] = {"rn", "rz", "rm", "rp", "approx", "ftz", NULL};
static const char *const f64_mods[] = {"rn", "rz", "rm", "rp", NULL};

static enum bl_status plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, const char *const *mods, bl_alu_fn *f32,
                            bl_alu_fn *f64, struct bl_alu_shape shape,
                            struct bl_error *err)
{
    const struct bl_alu_by_type table[] = {{f32 ? BL_T_F32 : BL_T_NONE, f32, f32},
                                           {BL_T_NONE, NULL, NULL}};
    const struct bl_alu_by_type table64[] = {{f64 ? BL_T_F64 : BL_T_NONE, f64, f64},
                                             {BL_T_NONE, NULL, NULL}};
    return bl_alu_plain(dec, src, out, mods,
                        bl_dec_type(src, 0) == BL_T_F64 ? table64 : table, shape, err);
}

enum bl_status bl_float_div(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    int kind = 0;
    enum bl_status status = bl_alu_choice(dec, src, kinds, true, &kind, err);
    if (status == BL_OK) {
        status = bl_float_flags(dec, src, false, &out->flag, err);
    }
    if (status != BL_OK) {
        return status;
    }
    bl_alu_fn *f32 = kind == APPROX       ? div_approx_f32
                     : kind == FULL       ? div_full_f32
                     : out->flag == BL_RN ? bl_alu_pick(BL_BUILDS(div_f32))
                                          : bl_div_f32_any;
    bl_alu_fn *f64 =
        out->flag == BL_RN ? bl_alu_pick(BL_BUILDS(div_f64)) : bl_div_f64_any;
    bool is_f64 = bl_dec_type(src, 0) == BL_T_F64;
    return plain(dec, src, out, is_f64 ? f64_mods : div_mods, f32, f64, bl_alu_own3, err);
}

/* ---- rcp, sqrt, rsqrt ---- */

BL_EACH1(rcp_approx_f32, bl_f32, bl_f32, approx(1 / IN(a), in->flag))
BL_EACH1(sqrt_approx_f32, bl_f32, bl_f32,
         approx((double)sqrtf(flushed(a, in->flag)), in->flag))
BL_EACH1(rsqrt_approx_f32, bl_f32, bl_f32, approx(1 / sqrt(IN(a)), in->flag))

BL_EACH1(rsqrt_approx_f64, bl_f64, bl_f64, bl_nan_of1(1 / sqrt(a), a))

/* The gross approximations, .approx.ftz.f64, take and give the upper 32 bits only. */
static double upper(double x)
{
    uint64_t bits = bl_f64_bits(x);
    bits &= bits & 0x7ff0000000000000ull ? 0xffffffff00000000ull : 0x8000000000000000ull;
    x = bl_f64_of(bits);
    return x == x ? x : bl_f64_of(0x7fffffff00000000ull);
}
BL_EACH1(rcp_gross_f64, bl_f64, bl_f64, upper(1 / upper(a)))
BL_EACH1(rsqrt_gross_f64, bl_f64, bl_f64, upper(1 / sqrt(upper(a))))

static enum bl_status decode_root(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, bl_alu_fn *approx_f32,
                                  bl_alu_fn *any_f32, bl_alu_fn *any_f64,
                                  struct bl_error *err)
{
    int kind = 0;
    enum bl_status status = bl_alu_choice(dec, src, kinds, true, &kind, err);
    if (status == BL_OK) {
        status = bl_float_flags(dec, src, false, &out->flag, err);
    }
    if (status != BL_OK) {
        return status;
    }
    bool is_f64 = bl_dec_type(src, 0) == BL_T_F64;
    return plain(dec, src, out, is_f64 ? f64_mods : f32_mods,
                 kind == APPROX ? approx_f32 : any_f32, any_f64, bl_alu_own2, err);
}

enum bl_status bl_float_rcp(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    static const char *const gross_mods[] = {"approx", "ftz", NULL};
    if (bl_dec_type(src, 0) == BL_T_F64 && bl_dec_has(src, "approx") &&
        bl_dec_has(src, "ftz")) {
        return plain(dec, src, out, gross_mods, NULL, rcp_gross_f64, bl_alu_own2, err);
    }
    return decode_root(dec, src, out, rcp_approx_f32, bl_rcp_f32_any, bl_rcp_f64_any,
                       err);
}

enum bl_status bl_float_sqrt(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    return decode_root(dec, src, out, sqrt_approx_f32, bl_sqrt_f32_any, bl_sqrt_f64_any,
                       err);
}

static const char *const approx_mods[] = {"approx", "ftz", NULL};

/* An instruction that is only there as .approx. */
static enum bl_status decode_approx(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    struct bl_insn *out, const char *const *mods,
                                    bl_alu_fn *f32, bl_alu_fn *f64, struct bl_error *err)
{
    static const char *const only[] = {"approx", NULL};
    int kind = 0;
    if (bl_type_is_half(bl_dec_type(src, 0))) {
        return BL_DEC_NOT_MINE;
    }
    enum bl_status status = bl_alu_choice(dec, src, only, true, &kind, err);
    if (status == BL_OK) {
        status = bl_float_flags(dec, src, false, &out->flag, err);
    }
    return status != BL_OK ? status
                           : plain(dec, src, out, mods, f32, f64, bl_alu_own2, err);
}

enum bl_status bl_float_rsqrt(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              struct bl_insn *out, struct bl_error *err)
{
    return decode_approx(dec, src, out, approx_mods, rsqrt_approx_f32,
                         bl_dec_has(src, "ftz") ? rsqrt_gross_f64 : rsqrt_approx_f64,
                         err);
}

/* ---- transcendental ---- */

BL_EACH1(sin_f32, bl_f32, bl_f32, approx(sin(IN(a)), in->flag))
BL_EACH1(cos_f32, bl_f32, bl_f32, approx(cos(IN(a)), in->flag))
BL_EACH1(lg2_f32, bl_f32, bl_f32, approx(log2(IN(a)), in->flag))
BL_EACH1(ex2_f32, bl_f32, bl_f32, approx(exp2(IN(a)), in->flag))
BL_EACH1(tanh_f32, bl_f32, bl_f32, approx(tanh(IN(a)), in->flag))

#define DECODE(OP, MODS)                                                                 \
    enum bl_status bl_float_##OP(struct bl_decoder *dec, const struct bl_ptx_insn *src,  \
                                 struct bl_insn *out, struct bl_error *err)              \
    {                                                                                    \
        return decode_approx(dec, src, out, MODS, OP##_f32, NULL, err);                  \
    }
static const char *const tanh_mods[] = {"approx", NULL};
DECODE(sin, approx_mods)
DECODE(cos, approx_mods)
DECODE(lg2, approx_mods)
DECODE(ex2, approx_mods)
DECODE(tanh, tanh_mods)
