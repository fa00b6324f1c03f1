/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding (round.h) against the host's own conversions, and against the nearest half
 * found by looking at all of them.
 */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/round.h"

enum { ROUNDS = 200000 };

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* A double around the exponents that matter to a format whose least is `least`. */
static double some_double(uint64_t *seed, int least, int most)
{
    uint64_t bits = next(seed);
    int range = most - least + 80, exponent = least - 70 + (int)(next(seed) % range);
    if (bits & 1) { /* few significant bits: ties and exact values */
        bits &= ~0ull << (20 + next(seed) % 32);
    }
    return ldexp(1 + (double)(bits >> 12) * 0x1p-52, exponent) * (bits & 1024 ? -1 : 1);
}

static void f32_as_the_host(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        uint64_t seed = 88172645463325252u + (uint64_t)mode;
        for (int i = 0; i < ROUNDS; i++) {
            double x = some_double(&seed, -126, 127);
            volatile double in = x;
            fesetround(modes[mode]);
            volatile float want = (float)in;
            fesetround(FE_TONEAREST);
            uint64_t got = bl_round_double(x, &bl_format_f32, (enum bl_rounding)mode);
            if (got != bl_f32_bits(want)) {
                fail_msg("%a, mode %d: got %08x, the host %08x", x, mode, (uint32_t)got,
                         bl_f32_bits(want));
            }
        }
    }
}

static void integers_as_the_host(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t x = next(&seed) >> next(&seed) % 64;
        float f = (float)x;
        double d = (double)x;
        assert_int_equal(bl_round_bits(false, x, 0, &bl_format_f32, BL_RN),
                         bl_f32_bits(f));
        assert_int_equal(bl_round_bits(false, x, 0, &bl_format_f64, BL_RN),
                         bl_f64_bits(d));
    }
}

static void f64_is_itself(void **state)
{
    uint64_t seed = 77;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        double x = bl_f64_of(next(&seed));
        if (x == x) {
            assert_int_equal(bl_round_double(x, &bl_format_f64, BL_RN), bl_f64_bits(x));
        }
    }
    assert_int_equal(bl_round_double(0x1p-1074, &bl_format_f64, BL_RN), 1);
}

/* What a half is, from its definition. */
static double defined_value(uint32_t bits, int fraction_bits, int least)
{
    int exponent = (int)(bits >> fraction_bits);
    double fraction = (double)(bits & ((1u << fraction_bits) - 1));
    return exponent ? ldexp(1 + ldexp(fraction, -fraction_bits), exponent - 1 + least)
                    : ldexp(fraction, least - fraction_bits);
}

static void halves_are_their_values(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        double want = defined_value(bits, 10, -14);
        assert_true(bl_half_value((uint16_t)bits) == want);
        assert_true(bl_half_value((uint16_t)(bits | 0x8000)) == -want);
        assert_int_equal(bl_round_double(-want, &bl_format_f16, BL_RN), bits | 0x8000);
    }
    for (uint32_t bits = 0; bits < 0x7f80; bits++) {
        double want = defined_value(bits, 7, -126);
        assert_true(bl_bhalf_value((uint16_t)bits) == want);
        assert_int_equal(bl_round_double(want, &bl_format_bf16, BL_RP), bits);
    }
    assert_true(isinf(bl_half_value(0x7c00)) && isinf(bl_bhalf_value(0x7f80)));
    assert_true(isnan(bl_half_value(0x7c01)) && isnan(bl_bhalf_value(0xff81)));
}

/* The half that x >= 0 rounds to: found between its neighbours by comparing. */
static uint32_t looked_up(double x, const struct bl_format *format, int rounding)
{
    int fraction = format->precision - 1;
    uint32_t low = 0, high = (uint32_t)format->inf;
    while (high - low > 1) { /* low's value <= x < high's, infinity as 2^128 or 2^16 */
        uint32_t middle = (low + high) / 2;
        if (defined_value(middle, fraction, format->least) <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double below = defined_value(low, fraction, format->least);
    double above = defined_value(high, fraction, format->least);
    if (x == below || rounding == BL_RZ || rounding == BL_RM) {
        return low;
    }
    if (rounding == BL_RP) {
        return high;
    }
    double middle = below + (above - below) / 2;
    if (x == middle) {
        return rounding == BL_RNA || low & 1 ? high : low;
    }
    return x > middle ? high : low;
}

static void halves_by_looking_them_up(void **state)
{
    const struct bl_format *const formats[] = {&bl_format_f16, &bl_format_bf16};
    static const int most[] = {16, 127};
    uint64_t seed = 4711;
    (void)state;
    for (int f = 0; f < 2; f++) {
        for (int i = 0; i < ROUNDS; i++) {
            double x = fabs(some_double(&seed, formats[f]->least, most[f]));
            for (int mode = BL_RN; mode <= BL_RNA; mode++) {
                uint32_t want = looked_up(x, formats[f], mode);
                uint64_t got = bl_round_double(x, formats[f], (enum bl_rounding)mode);
                if (got != want) {
                    fail_msg("%a, mode %d: got %x, looked up %x", x, mode, (uint32_t)got,
                             want);
                }
            }
        }
    }
}

/* Halves are integers times 2^-24: products and sums are exact in 128 bits. */
static void fma_of_halves_is_exact(void **state)
{
    uint64_t seed = 99;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        uint16_t bits[3];
        __int128 whole[3];
        for (int n = 0; n < 3; n++) {
            do {
                bits[n] = (uint16_t)next(&seed);
            } while ((bits[n] & 0x7c00) == 0x7c00);
            whole[n] = (__int128)ldexp(bl_half_value(bits[n]), 24);
        }
        __int128 sum = whole[0] * whole[1] + whole[2] * (1 << 24);
        bool negative = sum < 0;
        unsigned __int128 size =
            negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
        int shift = 0;
        for (; size >> 62; shift++) { /* what is cut off is kept as a last odd bit */
            size = size >> 1 | (size & 1);
        }
        uint64_t want =
            bl_round_bits(negative, (uint64_t)size, shift - 48, &bl_format_f16, BL_RN);
        uint64_t got =
            bl_round_double(bl_fma_odd(bl_half_value(bits[0]), bl_half_value(bits[1]),
                                       bl_half_value(bits[2])),
                            &bl_format_f16, BL_RN);
        if (size && got != want) {
            fail_msg("%04x * %04x + %04x: got %04x, exactly %04x", bits[0], bits[1],
                     bits[2], (uint32_t)got, (uint32_t)want);
        }
    }
}

static void infinities_and_nans(void **state)
{
    (void)state;
    assert_int_equal(bl_round_double(INFINITY, &bl_format_f16, BL_RZ), 0x7c00);
    assert_int_equal(bl_round_double(-INFINITY, &bl_format_tf32, BL_RN), 0xff800000);
    assert_int_equal(bl_round_double(NAN, &bl_format_bf16, BL_RN), 0x7fff);
    assert_int_equal(bl_round_double(1e300, &bl_format_f32, BL_RZ), 0x7f7fffff);
    assert_int_equal(bl_round_double(-1e300, &bl_format_f32, BL_RP), 0xff7fffff);
    assert_int_equal(bl_round_double(-1e300, &bl_format_f32, BL_RM), 0xff800000);
    assert_int_equal(bl_round_double(0x1.002p0, &bl_format_tf32, BL_RNA), 0x3f802000);
    assert_int_equal(bl_round_double(0x1.001p0, &bl_format_tf32, BL_RNA), 0x3f800000);
    assert_int_equal(bl_round_double(0x1.002p0, &bl_format_tf32, BL_RN), 0x3f800000);
    assert_int_equal(bl_round_double(-0.0, &bl_format_f16, BL_RM), 0x8000);
}

static void flushing_looks_past_the_least_exponent(void **state)
{
    (void)state;
    /* 24 bits reach 2^-126 only from half a unit below it. */
    assert_true(bl_round_flushes(0x1.fffffep-127, &bl_format_f32, BL_RN));
    assert_false(bl_round_flushes(0x1.ffffffp-127, &bl_format_f32, BL_RN));
    assert_true(bl_round_flushes(0x1.ffffffp-127, &bl_format_f32, BL_RZ));
    assert_false(bl_round_flushes(0x1.fffffe00001p-127, &bl_format_f32, BL_RP));
    assert_true(bl_round_flushes(-0x1.fffffe00001p-127, &bl_format_f32, BL_RP));
    assert_true(bl_round_flushes(0x1p-127, &bl_format_f32, BL_RP));
    assert_false(bl_round_flushes(0x1p-126, &bl_format_f32, BL_RN));
    assert_true(bl_round_flushes(0, &bl_format_f32, BL_RN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_as_the_host),
        cmocka_unit_test(integers_as_the_host),
        cmocka_unit_test(f64_is_itself),
        cmocka_unit_test(halves_are_their_values),
        cmocka_unit_test(halves_by_looking_them_up),
        cmocka_unit_test(fma_of_halves_is_exact),
        cmocka_unit_test(infinities_and_nans),
        cmocka_unit_test(flushing_looks_past_the_least_exponent),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
