/* SPDX-License-Identifier: Apache-2.0
 *
 * What floating.cu should give: by the host's own arithmetic in each rounding mode, and
 * for approximations within the error that the PTX manual states.
 */
#include "kernel_test.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 128, ROWS_MOST = 40 };

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static float special(int i)
{
    const float values[] = {0.0f,      -0.0f,         1.0f,          -1.0f,    INFINITY,
                            -INFINITY, NAN,           FLT_MAX,       -FLT_MAX, FLT_MIN,
                            1e-40f,    -1e-44f,       0.5f,          1.5f,     2.5f,
                            -2.5f,     127.5f,        255.5f,        -128.5f,  32767.5f,
                            65535.5f,  2147483648.0f, 4294967296.0f, 9.3e18f,  1.9e19f};
    return values[(size_t)i % COUNT(values)];
}

/* Interesting ones, numbers of any size, and numbers near 1. */
static void floats(float *at, uint64_t seed)
{
    for (int i = 0; i < N; i++) {
        uint64_t x = next_number(&seed);
        uint32_t bits = (uint32_t)x;
        float any;
        memcpy(&any, &bits, sizeof any);
        at[i] = i < 50       ? special(i * (int)(seed % 7 + 1) + (int)(seed % 25))
                : i % 3 == 0 ? any
                             : (float)((double)(int64_t)x / 0x1p62);
    }
}

static void doubles(double *at, uint64_t seed)
{
    for (int i = 0; i < N; i++) {
        uint64_t x = next_number(&seed);
        double any;
        memcpy(&any, &x, sizeof any);
        at[i] = i < 50       ? (double)special(i * (int)(seed % 7 + 1) + (int)(seed % 25))
                : i % 3 == 0 ? any
                             : (double)(int64_t)x / 0x1p62;
    }
    at[60] = 1e-320;
    at[61] = -5e-324;
    at[62] = DBL_MAX;
    at[63] = 1e-42;                 /* subnormal as a float */
    at[64] = 3.4028235677973366e38; /* just rounds up to a float's infinity */
}

static void rows_f32(struct run *run, const char *kernel, float *const *in, int inputs,
                     int rows, float (*want)[N])
{
    static float out[ROWS_MOST][N];
    static const char *const names[] = {"in", "in2", "in3"};
    memset(out, 0x55, sizeof out);
    pass_buffer(run, "out", out, (size_t)rows * sizeof *out);
    for (int k = 0; k < inputs; k++)
        pass_buffer(run, names[k], in[k], N * sizeof(float));
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < N; i++) {
            float got = out[r][i], w = want[r][i];
            expect(run, memcmp(&got, &w, sizeof w) == 0 || (isnan(got) && isnan(w)),
                   "%s: row %d of %a, %a, %a is %a, should be %a", kernel, r,
                   (double)in[0][i], (double)in[1 % inputs][i], (double)in[2 % inputs][i],
                   (double)got, (double)w);
        }
}

static void rows_f64(struct run *run, const char *kernel, double *const *in, int inputs,
                     int rows, double (*want)[N])
{
    static double out[ROWS_MOST][N];
    static const char *const names[] = {"in", "in2", "in3"};
    memset(out, 0x55, sizeof out);
    pass_buffer(run, "out", out, (size_t)rows * sizeof *out);
    for (int k = 0; k < inputs; k++)
        pass_buffer(run, names[k], in[k], N * sizeof(double));
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < N; i++) {
            double got = out[r][i], w = want[r][i];
            expect(run, memcmp(&got, &w, sizeof w) == 0 || (isnan(got) && isnan(w)),
                   "%s: row %d of %a, %a, %a is %a, should be %a", kernel, r, in[0][i],
                   in[1 % inputs][i], in[2 % inputs][i], got, w);
        }
}

/* ---- roundings: volatile, so that the compiler computes nothing itself --- */

static void rounded_f32(struct run *run)
{
    static float a[N], b[N], c[N], want[28][N];
    float *in[3] = {a, b, c};
    floats(a, 61);
    floats(b, 62);
    floats(c, 63);
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int i = 0; i < N; i++) {
            volatile float x = a[i], y = b[i], z = c[i], one = 1;
            want[7 * m][i] = x + y;
            want[7 * m + 1][i] = x - y;
            want[7 * m + 2][i] = x * y;
            want[7 * m + 3][i] = fmaf(x, y, z);
            want[7 * m + 4][i] = x / y;
            want[7 * m + 5][i] = sqrtf(x);
            want[7 * m + 6][i] = one / x;
        }
    }
    fesetround(FE_TONEAREST);
    rows_f32(run, "rounded_f32", in, 3, 28, want);
}

static void rounded_f64(struct run *run)
{
    static double a[N], b[N], c[N], want[28][N];
    double *in[3] = {a, b, c};
    doubles(a, 64);
    doubles(b, 65);
    doubles(c, 66);
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        for (int i = 0; i < N; i++) {
            volatile double x = a[i], y = b[i], z = c[i], one = 1;
            want[7 * m][i] = x + y;
            want[7 * m + 1][i] = x - y;
            want[7 * m + 2][i] = x * y;
            want[7 * m + 3][i] = fma(x, y, z);
            want[7 * m + 4][i] = x / y;
            want[7 * m + 5][i] = sqrt(x);
            want[7 * m + 6][i] = one / x;
        }
    }
    fesetround(FE_TONEAREST);
    rows_f64(run, "rounded_f64", in, 3, 28, want);
}

/* ---- the rest ------------------------------------------------------------ */

static double least(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}

static double most(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x > y || (x == y && !signbit(x)) ? x : y;
}

static float saturated(float x)
{
    return x > 1 ? 1 : x > 0 ? x : 0; /* NaN: 0; and no -0 */
}

static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static void other_f32(struct run *run)
{
    static float a[N], b[N], c[N], want[17][N];
    float *in[3] = {a, b, c};
    floats(a, 67);
    floats(b, 68);
    floats(c, 69);
    for (int i = 0; i < N; i++) {
        float x = a[i], y = b[i], z = c[i];
        float fx = flushed(x), fy = flushed(y), fz = flushed(z), sum;
        want[0][i] = (float)least((double)x, (double)y);
        want[1][i] = (float)most((double)x, (double)y);
        want[2][i] = -x;
        want[3][i] = fabsf(x);
        want[4][i] = copysignf(y, x); /* the sign is the first operand's */
        want[5][i] = saturated(x + y);
        want[6][i] = saturated(fmaf(x, y, z));
        want[7][i] = flushed(fx + fy);
        want[8][i] = flushed(fx * fy);
        want[9][i] = flushed(fmaf(fx, fy, fz));
        want[10][i] = nearbyintf(x);
        want[11][i] = truncf(x);
        want[12][i] = floorf(x);
        want[13][i] = ceilf(x);
        want[14][i] = saturated(x);
        sum = fmaf(x, y, z); /* both compilers contract a * b + c */
        want[15][i] = sum < x ? x : y;
        want[16][i] = sum;
    }
    rows_f32(run, "other_f32", in, 3, 17, want);
}

static void other_f64(struct run *run)
{
    static double a[N], b[N], c[N], want[11][N];
    double *in[3] = {a, b, c};
    doubles(a, 70);
    doubles(b, 71);
    doubles(c, 72);
    for (int i = 0; i < N; i++) {
        double x = a[i], y = b[i], z = c[i];
        want[0][i] = least(x, y);
        want[1][i] = most(x, y);
        want[2][i] = -x;
        want[3][i] = fabs(x);
        want[4][i] = nearbyint(x);
        want[5][i] = trunc(x);
        want[6][i] = floor(x);
        want[7][i] = ceil(x);
        want[8][i] = x / y;
        want[9][i] = fma(x, y, z);
        want[10][i] = x < y || x > z ? x - z : y;
    }
    rows_f64(run, "other_f64", in, 3, 11, want);
}

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

static void compare(struct run *run)
{
    static float a[N], b[N];
    int32_t out[N] = {0}, want[N];
    floats(a, 77);
    floats(b, 78);
    for (int i = 0; i < N; i++) {
        float x = a[i], y = b[i];
        bool nan = isnan(x) || isnan(y), eq = x == y, lt = x<y, gt = x> y;
        const bool holds[] = {eq,  lt || gt,  lt,  lt || eq,  gt,  gt || eq, eq || nan,
                              !eq, lt || nan, !gt, gt || nan, !lt, !nan,     nan};
        want[i] = 0;
        for (size_t k = 0; k < COUNT(holds); k++)
            want[i] = want[i] * 4 + 3 * holds[k];
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", a, sizeof a);
    pass_buffer(run, "in2", b, sizeof b);
    launch(run, "compare", 1, N);
    expect_i32(run, "out", out, want, N);
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
        TEST(rounded_f32),      TEST(rounded_f64),      TEST(other_f32),
        TEST(other_f64),        TEST(float_to_int),     TEST(int_to_float),
        TEST(f64_to_f32),       TEST(compare),          TEST(approximate),
        NVCC_TEST(library_f32), NVCC_TEST(library_f64),
    };
    return kernel_tests("floating", tests, COUNT(tests));
}
