/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_float.h - decoders of floating-point instructions, spread over exec_float*.c, and
 * how they note modifiers in an instruction's `flag`.
 *
 * Arithmetic is IEEE 754's in the rounding that is asked for, bit for bit; a NaN result
 * is the canonical one. Nothing is contracted: mul and add without a rounding modifier
 * are two roundings here, where an assembler for the GPU may fuse them.
 *
 * The .approx and .full instructions (and sin, cos, lg2, ex2, tanh) are computed with
 * the host's double-precision functions and rounded to nearest: within the error that
 * PTX states, but not the very bits that a GPU's tables give.
 */
#ifndef BL_EXEC_FLOAT_H
#define BL_EXEC_FLOAT_H

#include "model/decode.h"
#include "model/round.h"

enum {
    BL_FLAG_ROUNDING = 7, /* enum bl_rounding */
    BL_FLAG_FTZ = 8,
    BL_FLAG_SAT = 16,
    BL_FLAG_NAN = 32,     /* min, max: a NaN goes through */
    BL_FLAG_XORSIGN = 64, /* min, max: of magnitudes, with the signs' xor */
    BL_FLAG_RELU = 128    /* below 0 is 0, NaN is canonical */
};

/* The modifiers of src as flags. A rounding is needed, or else BL_RN is the default. */
enum bl_status bl_float_flags(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              bool needs_rounding, uint32_t *out, struct bl_error *err);

/* exec_float_round.c: an operation in any rounding, with .ftz and .sat. */
bl_alu_fn bl_add_f32_any, bl_sub_f32_any, bl_mul_f32_any, bl_div_f32_any, bl_fma_f32_any,
    bl_rcp_f32_any, bl_sqrt_f32_any, bl_add_f64_any, bl_sub_f64_any, bl_mul_f64_any,
    bl_div_f64_any, bl_fma_f64_any, bl_rcp_f64_any, bl_sqrt_f64_any;

/* exec_float_math.c */
bl_decode_fn bl_float_div, bl_float_rcp, bl_float_sqrt, bl_float_rsqrt, bl_float_sin,
    bl_float_cos, bl_float_lg2, bl_float_ex2, bl_float_tanh;
/* exec_float_sign.c */
bl_decode_fn bl_float_neg, bl_float_abs, bl_float_min, bl_float_max, bl_float_copysign,
    bl_float_testp;

/* 0 to 1; NaN is 0. */
static inline float bl_saturate(float x)
{
    return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}

#endif
