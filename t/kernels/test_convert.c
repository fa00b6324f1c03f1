/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions between numbers, by the host's in each rounding mode; and approximations,
 * within the error that the PTX and CUDA manuals state.
 */
#include "floating_test.h"

/* ---- conversions --------------------------------------------------------- */

static const struct {
    int bits;
    bool is_signed;
} ints[] = {{8, true},  {8, false},  {16, true}, {16, false},
            {32, true}, {32, false}, {64, true}, {64, false}};

/* Out of range goes to the end of the range. A NaN: 0, but from or to 64 bits the
 * integer with the highest bit alone. */
static int64_t to_int(double x, int bits, bool is_signed, bool wide)
{
    double limit = ldexp(1, is_signed ? bits - 1 : bits);
    uint64_t top = (uint64_t)1 << (bits - 1);
    if (isnan(x)) {
        if (!wide && bits < 64)
            return 0;
        return is_signed ? (int64_t)(0 - top) : (int64_t)top;
    }
    if (x >= limit)
        return is_signed ? (int64_t)(top - 1) : (int64_t)(top - 1 + top);
    if (is_signed)
        return x < -limit ? (int64_t)(0 - top) : (int64_t)x;
    return x < 0 ? 0 : (int64_t)(uint64_t)x;
}

static void to_int_rows(struct run *run, const char *kernel, void *in, size_t size,
                        const double *x, bool wide)
{
    static int64_t out[32][N];
    memset(out, 0x55, sizeof out);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, size);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (int m = 0; m < 4; m++)
        for (int t = 0; t < 8; t++)
            for (int i = 0; i < N; i++) {
                double whole = m == 0   ? nearbyint(x[i])
                               : m == 1 ? trunc(x[i])
                               : m == 2 ? floor(x[i])
                                        : ceil(x[i]);
                int64_t want = to_int(whole, ints[t].bits, ints[t].is_signed, wide);
                expect(run, out[8 * m + t][i] == want,
                       "%s: row %d of %a is 0x%llx, should be 0x%llx", kernel, 8 * m + t,
                       x[i], (unsigned long long)out[8 * m + t][i],
                       (unsigned long long)want);
            }
}

static void float_to_int(struct run *run)
{
    static float f[N];
    static double d[N];
    floats(f, 73);
    for (int i = 0; i < N; i++)
        d[i] = (double)f[i];
    to_int_rows(run, "f32_to_int", f, sizeof f, d, false);
    doubles(d, 74);
    to_int_rows(run, "f64_to_int", d, sizeof d, d, true);
}

static void whole_numbers(int64_t *at)
{
    uint64_t seed = 75;
    for (int i = 0; i < N; i++) {
        at[i] = (int64_t)(next_number(&seed) >> (i % 64));
        if (i % 2)
            at[i] = -at[i];
    }
    at[3] = INT64_MIN;
    at[4] = INT64_MAX;
    at[5] = -1;
    at[6] = (1 << 24) + 1;
    at[7] = ((int64_t)1 << 53) + 1;
}

static void int_to_float(struct run *run)
{
    static int64_t in[N];
    static float f[24][N], fout[24][N];
    static double d[24][N], dout[24][N];
    whole_numbers(in);
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int i = 0; i < N; i++) {
            volatile int64_t x = in[i];
            volatile uint64_t u = (uint64_t)x;
            volatile int32_t w = (int32_t)x;
            volatile uint32_t uw = (uint32_t)x;
            f[6 * m][i] = (float)x;
            f[6 * m + 1][i] = (float)u;
            f[6 * m + 2][i] = (float)w;
            f[6 * m + 3][i] = (float)uw;
            f[6 * m + 4][i] = (float)(int16_t)x;
            f[6 * m + 5][i] = (float)(uint8_t)x;
            d[6 * m][i] = (double)x;
            d[6 * m + 1][i] = (double)u;
            d[6 * m + 2][i] = (double)w;
            d[6 * m + 3][i] = (double)uw;
            d[6 * m + 4][i] = (double)(int16_t)x;
            d[6 * m + 5][i] = (double)(uint8_t)x;
        }
    }
    fesetround(FE_TONEAREST);
    pass_buffer(run, "out", fout, sizeof fout);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, N);
    launch(run, "int_to_f32", 1, N);
    expect_f32(run, "f32", fout[0], f[0], 24 * N);
    pass_buffer(run, "out", dout, sizeof dout);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, N);
    launch(run, "int_to_f64", 1, N);
    expect_f64(run, "f64", dout[0], d[0], 24 * N);
}

static void f64_to_f32(struct run *run)
{
    static double in[N];
    static float want[7][N], out[7][N];
    doubles(in, 76);
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int i = 0; i < N; i++) {
            volatile double x = in[i];
            want[m][i] = (float)x;
        }
    }
    fesetround(FE_TONEAREST);
    for (int i = 0; i < N; i++) {
        volatile double x = in[i];
        want[4][i] = saturated((float)x);
        want[5][i] = flushed((float)x);
        want[6][i] = (float)(x + 1);
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, N);
    launch(run, "f64_to_f32", 1, N);
    for (int r = 0; r < 7; r++)
        for (int i = 0; i < N; i++)
            expect(run,
                   memcmp(&out[r][i], &want[r][i], 4) == 0 ||
                       (isnan(out[r][i]) && isnan(want[r][i])),
                   "row %d of %a is %a, should be %a", r, in[i], (double)out[r][i],
                   (double)want[r][i]);
}

/* ---- approximations ------------------------------------------------------ */

static void near(struct run *run, const char *what, int row, double x, double got,
                 double want, double absolute, double relative)
{
    double error = fabs(got - want);
    expect(run, error <= absolute + relative * fabs(want),
           "%s: row %d of %a is %a, should be near %a (error %g)", what, row, x, got,
           want, error);
}

static void approximate(struct run *run)
{
    static float a[N], b[N], out[10][N];
    uint64_t seed = 79;
    for (int i = 0; i < N; i++) { /* a: 2^-20 to 2^20; b: -pi to pi */
        a[i] = ldexpf(1 + (float)(next_number(&seed) >> 40) / 0x1p24f, i % 41 - 20);
        b[i] = ((float)(next_number(&seed) >> 40) / 0x1p23f - 1) * 3.14f;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", a, sizeof a);
    pass_buffer(run, "in2", b, sizeof b);
    pass_int(run, N);
    launch(run, "approximate", 1, N);
    for (int i = 0; i < N; i++) {
        double x = (double)a[i], y = (double)b[i];
        const struct {
            double want, absolute, relative;
        } rows[] = {
            {1 / x, 0, 0x1p-23},         {sqrt(x), 0, 0x1p-23}, {1 / sqrt(x), 0, 0x1p-22},
            {log2(x), 0x1p-22, 0x1p-22}, {x / y, 0, 0x1p-22},   {x / y, 0, 0x1p-22},
            {exp2(y), 0, 0x1p-22},       {sin(y), 0x1p-20, 0},  {cos(y), 0x1p-20, 0},
            {tanh(y), 0, 0x1p-10},
        };
        for (int r = 0; r < 10; r++)
            near(run, "approximate", r, r < 6 ? x : y, (double)out[r][i], rows[r].want,
                 rows[r].absolute, rows[r].relative);
    }
}

/* The library's documented errors are below 4 ulp; 2^-24 is half of one. */
static void library_f32(struct run *run)
{
    static float a[N], out[13][N];
    uint64_t seed = 80;
    for (int i = 0; i < N; i++)
        a[i] = ((float)(next_number(&seed) >> 40) / 0x1p23f - 1) * 8;
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", a, sizeof a);
    pass_int(run, N);
    launch(run, "library_f32", 1, N);
    for (int i = 0; i < N; i++) {
        double x = (double)a[i], f = 4 * 0x1p-23;
        const double rows[13] = {
            exp(x),
            log((double)(fabsf(a[i]) + 0.001f)),
            sin(x),
            cos((double)(a[i] * 12345.0f)),
            tanh(x),
            pow((double)(fabsf(a[i]) + 0.5f), (double)1.7f),
            (double)sqrtf(fabsf(a[i])),
            cbrt(x),
            atan2(x, 2),
            erf(x),
            (double)(floorf(a[i]) + ceilf(a[i] * 3) + roundf(a[i] * 5) +
                     truncf(a[i] * 7) + rintf(a[i] * 9)),
            (double)fmodf(a[i], 0.7f),
            (double)(a[i] / 3.0f),
        };
        for (int r = 0; r < 13; r++)
            near(run, "library_f32", r, x, (double)out[r][i], rows[r],
                 r == 2 || r == 3 ? 0x1p-22 : 0x1p-30,
                 r == 6 || r == 10 || r == 11 || r == 12 ? 0 : f);
    }
}

static void library_f64(struct run *run)
{
    static double a[N], out[10][N];
    uint64_t seed = 81;
    for (int i = 0; i < N; i++)
        a[i] = ((double)(next_number(&seed) >> 11) / 0x1p52 - 1) * 8;
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", a, sizeof a);
    pass_int(run, N);
    launch(run, "library_f64", 1, N);
    for (int i = 0; i < N; i++) {
        double x = a[i], f = 3 * 0x1p-52;
        const double rows[10] = {
            exp(x),  log(fabs(x) + 0.001),    sin(x),        cos(x * 1234567.0),
            tanh(x), pow(fabs(x) + 0.5, 1.7), sqrt(fabs(x)), cbrt(x),
            x / 3.0, 1.0 / (x + 100.0),
        };
        for (int r = 0; r < 10; r++)
            near(run, "library_f64", r, x, out[r][i], rows[r],
                 r == 2 || r == 3 ? 0x1p-51 : 0, r == 6 || r == 8 || r == 9 ? 0 : f);
    }
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(float_to_int), TEST(int_to_float),     TEST(f64_to_f32),
        TEST(approximate),  NVCC_TEST(library_f32), NVCC_TEST(library_f64),
    };
    return kernel_tests("floating", tests, COUNT(tests));
}
