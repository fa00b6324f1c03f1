/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of f32 and f64, by the host's own in each rounding mode.
 */
#include "floating_test.h"

enum { ROWS_MOST = 28 };

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

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(rounded_f32), TEST(rounded_f64), TEST(other_f32),
        TEST(other_f64),   TEST(compare),
    };
    return kernel_tests("floating", tests, COUNT(tests));
}
