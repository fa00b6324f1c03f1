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

/* a * b + c for operands of at most 16 significant bits and an exact product, rounded
 * to odd: rounding that once more to 24 bits or fewer gives what rounding the exact
 * value would. */
static inline double bl_fma_odd(double a, double b, double c)
{
    double product = a * b, sum = product + c;
    /* What the sum lost, exactly (Knuth's two-sum). */
    double c_part = sum - product;
    double lost = (product - (sum - c_part)) + (c - c_part);
    uint64_t bits = bl_f64_bits(sum);
    if (lost == 0 || lost != lost || bits & 1) {
        return sum;
    }
    /* An even sum that lost something lies next to the exact value: the odd neighbour
     * on that side is what rounding to odd gives. */
    return bl_f64_of((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* The value of an f16, and of a bf16. */
static inline double bl_half_value(uint16_t bits)
{
    uint64_t sign = (uint64_t)(bits & 0x8000u) << 48, size = bits & 0x7fffu;
    if (size - 0x400u < 0x7800u) { /* normal */
        return bl_f64_of(sign | ((size << 42) + ((uint64_t)(1023 - 15) << 52)));
    }
    if (size < 0x400u) {
        double value = (double)size * 0x1p-24;
        return sign ? -value : value;
    }
    return bl_f64_of(sign | 0x7ffull << 52 | (size & 0x3ffu) << 42);
}

static inline double bl_bhalf_value(uint16_t bits)
{
    return (double)bl_f32_of((uint32_t)bits << 16);
}

/* bl_round_double to nearest, to a format of 16 bits: normal results at once. */
static inline uint16_t bl_round_half(double x, const struct bl_format *format)
{
    uint64_t bits = bl_f64_bits(x), size = bits & ~(1ull << 63);
    uint64_t least = (uint64_t)(1023 + format->least) << 52;
    uint64_t most = (uint64_t)(1023 + 1 - format->least) << 52; /* beyond the largest */
    if (size < least || size >= most) {
        return (uint16_t)bl_round_double(x, format, BL_RN);
    }
    /* The exponent is shifted down to the format's, where a carry finds it. */
    int drop = 53 - format->precision;
    size -= least - (1ull << 52);
    size += (1ull << (drop - 1)) - 1 + (size >> drop & 1);
    return (uint16_t)(size >> drop | (bits >> 48 & 0x8000u));
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
