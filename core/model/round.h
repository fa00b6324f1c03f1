/* SPDX-License-Identifier: Apache-2.0
 *
 * round.h - rounding to a floating-point format, exactly, in every rounding mode.
 *
 * Values on the way are doubles, which hold every f16, bf16, tf32 and f32 exactly.
 */
#ifndef BL_ROUND_H
#define BL_ROUND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum bl_rounding { BL_RN, BL_RZ, BL_RM, BL_RP, BL_RNA }; /* RNA: ties away from 0 */

struct bl_format {
    int precision; /* bits, the leading one included */
    int least;     /* exponent of the least normal number */
    uint64_t inf;  /* bits of +infinity */
    uint64_t nan;  /* bits of the canonical NaN */
    uint64_t sign; /* bit of the sign */
    int shift;     /* bits below the format in its word: tf32's 13 */
};
extern const struct bl_format bl_format_f16, bl_format_bf16, bl_format_tf32,
    bl_format_f32, bl_format_f64;

/* (-1)^negative * magnitude * 2^exponent in `format`, as bits. */
uint64_t bl_round_bits(bool negative, uint64_t magnitude, int exponent,
                       const struct bl_format *format, enum bl_rounding rounding);
/* `x` in `format`, as bits; a NaN gives the canonical one. */
uint64_t bl_round_double(double x, const struct bl_format *format,
                         enum bl_rounding rounding);

/* Whether .ftz flushes x: not if rounding alone, with no least exponent, takes it up to
 * the least normal number. (So it is on an H200, in arithmetic and conversions.) */
bool bl_round_flushes(double x, const struct bl_format *format,
                      enum bl_rounding rounding);

/* a * b + c for operands of at most 16 significant bits and an exact product, rounded
 * to odd: rounding that once more to 24 bits or fewer gives what rounding the exact
 * value would. */
double bl_fma_odd(double a, double b, double c);

double bl_half_value(uint16_t bits);  /* of an f16 */
double bl_bhalf_value(uint16_t bits); /* of a bf16 */

static inline uint32_t bl_f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bl_f32_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bl_f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double bl_f64_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A subnormal flushed to a zero of its sign (.ftz). */
static inline float bl_flush(float x)
{
    uint32_t bits = bl_f32_bits(x);
    return bl_f32_of(bits & 0x7f800000u ? bits : bits & 0x80000000u);
}

/* NaNs, as measured on an H200. An f32 result is always the one NaN. An f64 result is
 * the operand's NaN, quieted (of several: b's, else c's, else a's; div: a's first), or
 * the default one if no operand is a NaN. */
#define BL_F32_NAN 0x7fffffffu
#define BL_F64_NAN 0xfff8000000000000ull

static inline float bl_canonical(float x)
{
    return x == x ? x : bl_f32_of(BL_F32_NAN);
}

static inline double bl_quiet(double nan)
{
    return bl_f64_of(bl_f64_bits(nan) | 1ull << 51);
}

/* The result `x`, or if that is a NaN, the one that comes of the operands. */
static inline double bl_nan_of2(double x, double first, double second)
{
    double nan = second != second ? bl_quiet(second) : bl_f64_of(BL_F64_NAN);
    nan = first != first ? bl_quiet(first) : nan;
    return x == x ? x : nan;
}

static inline double bl_nan_of1(double x, double operand)
{
    return bl_nan_of2(x, operand, operand);
}

static inline double bl_nan_of3(double x, double first, double second, double third)
{
    return bl_nan_of2(x, first, second != second ? second : third);
}

#endif
