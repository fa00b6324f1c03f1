/* SPDX-License-Identifier: Apache-2.0 */
#include "model/round.h"

const struct bl_format bl_format_f16 = {11, -14, 0x7c00, 0x7fff, 0x8000, 0};
const struct bl_format bl_format_bf16 = {8, -126, 0x7f80, 0x7fff, 0x8000, 0};
const struct bl_format bl_format_tf32 = {11, -126, 0x3fc00, BL_F32_NAN, 0x80000000, 13};
const struct bl_format bl_format_f32 = {24, -126, 0x7f800000, BL_F32_NAN, 0x80000000, 0};
const struct bl_format bl_format_f64 = {53,         -1022,      0x7ffull << 52,
                                        BL_F64_NAN, 1ull << 63, 0};

/* The value that was cut is kept + (half + sticky) units: whether to go up by one. */
static bool goes_up(bool negative, bool odd, bool half, bool sticky,
                    enum bl_rounding rounding)
{
    switch (rounding) {
    case BL_RN: return half && (sticky || odd);
    case BL_RNA: return half;
    case BL_RM: return negative && (half || sticky);
    case BL_RP: return !negative && (half || sticky);
    case BL_RZ: break;
    }
    return false;
}

uint64_t bl_round_bits(bool negative, uint64_t magnitude, int exponent,
                       const struct bl_format *format, enum bl_rounding rounding)
{
    uint64_t sign = negative ? format->sign : 0;
    if (magnitude == 0) {
        return sign;
    }
    int zeros = __builtin_clzll(magnitude);
    int top = exponent + 63 - zeros; /* exponent of the leading bit */
    magnitude <<= zeros;

    int below = top < format->least ? format->least - top : 0;
    int drop = 64 - format->precision + below; /* bits that are cut: at least 11 */
    uint64_t kept = 0;
    bool half = false, sticky = true;
    if (drop < 64) {
        kept = magnitude >> drop;
        half = magnitude >> (drop - 1) & 1;
        sticky = (magnitude & (((uint64_t)1 << (drop - 1)) - 1)) != 0;
    } else if (drop == 64) {
        half = magnitude >> 63;
        sticky = magnitude << 1 != 0;
    }
    kept += goes_up(negative, kept & 1, half, sticky, rounding);

    /* A carry out of the significand, or out of the subnormals, goes into the exponent
     * field by itself. */
    uint64_t bits = kept;
    if (below == 0) {
        uint64_t leading = (uint64_t)1 << (format->precision - 1);
        bits +=
            ((uint64_t)(top - format->least + 1) << (format->precision - 1)) - leading;
    }
    if (bits >= format->inf) {
        bool to_inf = rounding == BL_RN || rounding == BL_RNA ||
                      rounding == (negative ? BL_RM : BL_RP);
        bits = to_inf ? format->inf : format->inf - 1;
    }
    return sign | bits << format->shift;
}

uint64_t bl_round_double(double x, const struct bl_format *format,
                         enum bl_rounding rounding)
{
    uint64_t bits = bl_f64_bits(x);
    bool negative = bits >> 63;
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t magnitude = bits & ((1ull << 52) - 1);
    if (exponent == 0x7ff) {
        return magnitude ? format->nan
                         : format->inf << format->shift | (negative ? format->sign : 0);
    }
    if (exponent) {
        magnitude |= 1ull << 52;
    } else {
        exponent = 1;
    }
    return bl_round_bits(negative, magnitude, exponent - 1075, format, rounding);
}

bool bl_round_flushes(double x, const struct bl_format *format, enum bl_rounding rounding)
{
    uint64_t bits = bl_f64_bits(x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent >= format->least) {
        return false;
    }
    if (exponent < format->least - 1) {
        return true;
    }
    /* Just below: round it where there are normal numbers on both sides. */
    uint64_t scaled = bl_round_double(x * 4, format, rounding) & ~format->sign;
    return scaled >> format->shift < (uint64_t)3 << (format->precision - 1);
}
