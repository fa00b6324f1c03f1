/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision. The inputs are of such a size that a double holds every sum and
 * product exactly; the one rounding is done here, digit by digit.
 */
#include "kernel_test.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

enum { N = 96, ROWS_MOST = 16 };

struct format {
    int fraction, least_exponent, most_exponent;
};
static const struct format half = {10, -14, 15}, bfloat = {7, -126, 127};

static double value_of(uint16_t bits, const struct format *f)
{
    int fraction = bits & ((1 << f->fraction) - 1);
    int exponent = (bits & 0x7fff) >> f->fraction;
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent > f->most_exponent - f->least_exponent + 1)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, f->least_exponent - f->fraction);
    return sign * ldexp(fraction + (1 << f->fraction),
                        exponent - 1 + f->least_exponent - f->fraction);
}

/* By the rounding mode that is set. */
static uint16_t bits_of(double x, const struct format *f)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    uint16_t infinity =
        (uint16_t)((f->most_exponent - f->least_exponent + 2) << f->fraction);
    int exponent;
    double scaled, largest;
    if (isnan(x))
        return 0x7fff;
    if (isinf(x))
        return sign | infinity;
    frexp(x, &exponent);
    exponent -= 1;
    if (exponent < f->least_exponent || x == 0)
        exponent = f->least_exponent;
    scaled = fabs(nearbyint(ldexp(x, f->fraction - exponent)));
    if (scaled >= ldexp(1, f->fraction + 1)) {
        scaled /= 2;
        exponent++;
    }
    if (exponent > f->most_exponent) {
        largest = fegetround() == FE_TOWARDZERO ||
                  (fegetround() == FE_DOWNWARD && x > 0) ||
                  (fegetround() == FE_UPWARD && x < 0);
        return sign | (uint16_t)(infinity - (largest != 0));
    }
    return sign |
           (uint16_t)((int)scaled + ((exponent - f->least_exponent) << f->fraction));
}

/* Of about the size of 1, and some special ones. */
static void fill(uint16_t *at, const struct format *f, uint64_t seed)
{
    static const double special[] = {0,   -0.0, 1,   -1,  INFINITY, -INFINITY,
                                     NAN, 0.5,  1.5, 2.5, -3,       0.75};
    for (int i = 0; i < N; i++) {
        double x = 0.5 + (double)(next_number(&seed) >> 40) / 0x1p23;
        at[i] = i < 24 ? bits_of(special[(size_t)(i * 5 + (int)seed % 7) % 12], f)
                       : bits_of(i % 2 ? x : -x, f);
    }
}

static bool same(uint16_t got, uint16_t want, const struct format *f)
{
    return got == want || (isnan(value_of(got, f)) && isnan(value_of(want, f)));
}

static void rows(struct run *run, const char *kernel, const struct format *f,
                 uint32_t threads, uint16_t (*in)[N], int row_count, uint16_t (*want)[N])
{
    static uint16_t out[ROWS_MOST][N];
    memset(out, 0x55, sizeof out);
    pass_buffer(run, "out", out, (size_t)row_count * sizeof *out);
    pass_buffer(run, "in", in[0], sizeof *in);
    pass_buffer(run, "in2", in[1], sizeof *in);
    pass_buffer(run, "in3", in[2], sizeof *in);
    pass_uint(run, threads);
    launch(run, kernel, 1, threads);
    for (int r = 0; r < row_count; r++)
        for (int i = 0; i < N; i++)
            expect(run, same(out[r][i], want[r][i], f),
                   "%s: row %d of %g, %g, %g is 0x%04x, should be 0x%04x", kernel, r,
                   value_of(in[0][i], f), value_of(in[1][i], f), value_of(in[2][i], f),
                   out[r][i], want[r][i]);
}

static uint16_t least(uint16_t a, uint16_t b, const struct format *f)
{
    double x = value_of(a, f), y = value_of(b, f);
    if (isnan(x) || isnan(y))
        return isnan(x) ? b : a;
    return x < y || (x == y && signbit(x)) ? a : b;
}

static uint16_t most(uint16_t a, uint16_t b, const struct format *f)
{
    double x = value_of(a, f), y = value_of(b, f);
    if (isnan(x) || isnan(y))
        return isnan(x) ? b : a;
    return x > y || (x == y && !signbit(x)) ? a : b;
}

/* Rows 0 to 7, which all the arithmetic kernels have. */
static void common_rows(uint16_t (*in)[N], const struct format *f, uint16_t (*want)[N])
{
    for (int i = 0; i < N; i++) {
        uint16_t a = in[0][i], b = in[1][i];
        double x = value_of(a, f), y = value_of(b, f), z = value_of(in[2][i], f);
        want[0][i] = bits_of(x + y, f);
        want[1][i] = bits_of(x - y, f);
        want[2][i] = bits_of(x * y, f);
        want[3][i] = bits_of(fma(x, y, z), f);
        want[4][i] = a ^ 0x8000;
        want[5][i] = a & 0x7fff;
        want[6][i] = least(a, b, f);
        want[7][i] = most(a, b, f);
    }
}

static void fill_three(uint16_t (*in)[N], const struct format *f)
{
    for (int k = 0; k < 3; k++)
        fill(in[k], f, 91 + (uint64_t)k);
}

static void half_arithmetic(struct run *run)
{
    uint16_t in[3][N], want[15][N];
    fill_three(in, &half);
    common_rows(in, &half, want);
    for (int i = 0; i < N; i++) {
        uint16_t a = in[0][i], b = in[1][i];
        double x = value_of(a, &half), y = value_of(b, &half), sum = x + y;
        want[8][i] = x < y ? a : b;
        want[9][i] = x == y ? a : in[2][i];
        want[10][i] = bits_of(sum > 1 ? 1 : sum > 0 ? sum : 0, &half);
        want[11][i] = bits_of(sqrt(fabs(x)), &half);
        want[12][i] = bits_of(floor(x), &half);
        want[13][i] = bits_of(nearbyint(x), &half);
        want[14][i] = bits_of(x / y, &half);
    }
    rows(run, "half_arithmetic", &half, N, in, 15, want);
}

static void half2_arithmetic(struct run *run)
{
    uint16_t in[3][N], want[10][N];
    fill_three(in, &half);
    common_rows(in, &half, want);
    for (int i = 0; i < N; i += 2) {
        want[8][i] = in[0][i + 1];
        want[8][i + 1] = in[0][i];
        want[9][i] = in[0][i + 1];
        want[9][i + 1] = in[1][i];
    }
    rows(run, "half2_arithmetic", &half, N / 2, in, 10, want);
}

static void bfloat_arithmetic(struct run *run)
{
    uint16_t in[3][N], want[9][N];
    fill_three(in, &bfloat);
    common_rows(in, &bfloat, want);
    for (int i = 0; i < N; i++) {
        double x = value_of(in[0][i], &bfloat), y = value_of(in[1][i], &bfloat);
        want[8][i] = x >= y ? in[0][i] : in[1][i];
    }
    rows(run, "bfloat_arithmetic", &bfloat, N, in, 9, want);
}

/* All sizes: too large, subnormal, halfway between two. */
static void fill_floats(float *at)
{
    static const float special[] = {0.0f,     -0.0f,      INFINITY, -INFINITY, NAN,
                                    65504.0f, 65519.99f,  65520.0f, -70000.0f, 1e-8f,
                                    5.96e-8f, 6.1e-5f,    -3e-5f,   2049.0f,   2051.0f,
                                    3.4e38f,  1.00390625f};
    uint64_t seed = 94;
    for (int i = 0; i < N; i++) {
        float x = 1 + (float)(next_number(&seed) >> 41) / 0x1p23f;
        at[i] =
            (size_t)i < COUNT(special) ? special[i] : ldexpf(i % 2 ? x : -x, i % 45 - 26);
    }
}

static void converted(const float *in, const struct format *f, uint16_t (*want)[N])
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int i = 0; i < N; i++)
            want[m][i] = bits_of((double)in[i], f);
    }
    fesetround(FE_TONEAREST);
}

static void expect_rows(struct run *run, const float *in, const struct format *f,
                        uint16_t (*out)[N], uint16_t (*want)[N], int row_count)
{
    for (int r = 0; r < row_count; r++)
        for (int i = 0; i < N; i++)
            expect(run, same(out[r][i], want[r][i], f),
                   "row %d of %a is 0x%04x, should be 0x%04x", r, (double)in[i],
                   out[r][i], want[r][i]);
}

static int32_t clamped(double x, double low, double high)
{
    return isnan(x) ? 0 : (int32_t)(x < low ? low : x > high ? high : x);
}

static void half_conversions(struct run *run)
{
    float in[N], back[N] = {0}, want_back[N];
    uint16_t out[6][N] = {{0}}, want[6][N];
    int32_t whole[3][N] = {{0}}, want_whole[3][N];
    fill_floats(in);
    converted(in, &half, want);
    for (int i = 0; i < N; i++) {
        double x = value_of(want[0][i], &half);
        double whole_in =
            isnan(in[i]) ? -70000 : trunc(fmin(fmax((double)in[i], -7e4), 7e4));
        want[4][i] = bits_of(whole_in + 0.0, &half);
        want[5][i] = want[0][i];
        want_back[i] = (float)x;
        want_whole[0][i] = clamped(trunc(x), INT32_MIN, INT32_MAX);
        want_whole[1][i] = clamped(nearbyint(x), INT32_MIN, INT32_MAX);
        want_whole[2][i] = clamped(ceil(x), 0, 65535);
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "back", back, sizeof back);
    pass_buffer(run, "whole", whole, sizeof whole);
    pass_int(run, N);
    launch(run, "half_conversions", 1, N);
    expect_rows(run, in, &half, out, want, 6);
    expect_f32(run, "back", back, want_back, N);
    expect_i32(run, "whole", whole[0], want_whole[0], 3 * N);
}

static void bfloat_conversions(struct run *run)
{
    float in[N], back[N] = {0}, want_back[N];
    uint16_t out[4][N] = {{0}}, want[4][N];
    fill_floats(in);
    converted(in, &bfloat, want);
    for (int i = 0; i < N; i++)
        want_back[i] = (float)value_of(want[0][i], &bfloat);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "back", back, sizeof back);
    pass_int(run, N);
    launch(run, "bfloat_conversions", 1, N);
    expect_rows(run, in, &bfloat, out, want, 4);
    expect_f32(run, "back", back, want_back, N);
}

/* Small whole numbers: the sum is exact in any order. */
static void half_dot(struct run *run)
{
    uint16_t a[200], b[200];
    float sum = 0, want = 0;
    for (int i = 0; i < 200; i++) {
        int x = i * 7 % 23 - 11, y = i * 5 % 17 - 8;
        a[i] = bits_of(x, &half);
        b[i] = bits_of(y, &half);
        want += (float)(x * y);
    }
    pass_buffer(run, "out", &sum, sizeof sum);
    pass_buffer(run, "a", a, sizeof a);
    pass_buffer(run, "b", b, sizeof b);
    pass_int(run, 100);
    launch(run, "half_dot", 1, 32);
    expect_f32(run, "sum", &sum, &want, 1);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        NVCC_TEST(half_arithmetic),    NVCC_TEST(half2_arithmetic),
        NVCC_TEST(half_conversions),   NVCC_TEST_FROM_80(bfloat_arithmetic),
        NVCC_TEST(bfloat_conversions), NVCC_TEST(half_dot),
    };
    return kernel_tests("half", tests, COUNT(tests));
}
