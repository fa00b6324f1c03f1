/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <string.h>

struct item {
    char tag;
    int32_t number;
    int16_t half[3];
    double real;
};

struct small {
    int16_t a, b;
    int32_t c;
};

static int32_t stack_sum(const int32_t *in, int i, int n)
{
    uint32_t stack[24], sum;
    int top = 0;
    for (int k = 0; k < n; k++) {
        int32_t x = in[(i * 7 + k) % n];
        if (x < 0 && top > 1) {
            stack[top - 2] += stack[top - 1] * 3;
            top--;
        } else if (top < 24) {
            stack[top++] = (uint32_t)x;
        }
    }
    sum = (uint32_t)top;
    while (top-- > 0)
        sum = sum * 31 + stack[top];
    return (int32_t)sum;
}

static void local_arrays(struct run *run)
{
    int32_t in[50], out[64] = {0}, want[64];
    fill_ints(in, 50, -100, 100, 31);
    for (int i = 0; i < 64; i++)
        want[i] = stack_sum(in, i, 50);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 50);
    launch(run, "local_arrays", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void local_bytes(struct run *run)
{
    uint8_t in[64], out[32 * 64] = {0}, want[32 * 64];
    uint64_t seed = 32;
    for (int i = 0; i < 64; i++)
        in[i] = (uint8_t)next_number(&seed);
    for (int i = 0; i < 32; i++) {
        uint8_t *seen = want + 64 * i;
        for (int k = 0; k < 64; k++)
            seen[k] = (uint8_t)k;
        for (int k = 0; k < 64; k++) {
            int b = (in[k] + i) % 64, t = seen[b];
            seen[b] = seen[k];
            seen[k] = (uint8_t)t;
        }
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "local_bytes", 1, 32);
    expect_bytes(run, "out", out, want, sizeof want);
}

static void constants(struct run *run)
{
    static const int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    static const float doubled[4][2] = {
        {3.0f, -4.0f}, {0.5f, 2e10f}, {-0.0f, 6.0f}, {0, 0}};
    static const int half[3] = {1, -2, 3};
    float out[128] = {0}, want[128];
    for (int i = 0; i < 64; i++) {
        want[i] = (float)table[i % 16] + doubled[i % 4][i % 2];
        want[64 + i] = (float)(-77 + half[i % 3]) + 2.5f + 99;
    }
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "constants", 1, 64);
    expect_f32(run, "out", out, want, 128);
}

static void globals(struct run *run)
{
    static const int grid[3][4] = {{1, 2, 3, 4}, {5, 6, 0, 0}, {0, 0, -9, 12}};
    static const int half[3] = {-1, 200, -300};
    int32_t out[64] = {0}, want[64];
    for (int i = 0; i < 32; i++) {
        want[i] = grid[i % 3][i % 4] + half[i % 3] + (1 << 30) - 2 + "banklab"[i % 8];
        want[32 + i] = 72;
    }
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "globals", 1, 32);
    expect_i32(run, "out", out, want, 64);
}

static void global_pointers(struct run *run)
{
    static const int grid[12] = {1, 2, 3, 4, 5, 6, 0, 0, 0, 0, -9, 12};
    int32_t out[32] = {0}, want[32];
    for (int i = 0; i < 32; i++)
        want[i] = grid[5 + i % 6 - 2] + "three"[i % 6] - "one"[i % 4] + 'x';
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "global_pointers", 1, 32);
    expect_i32(run, "out", out, want, 32);
}

static void static_shared(struct run *run)
{
    int32_t in[128], out[128] = {0}, want[128];
    fill_ints(in, 128, -10000, 10000, 33);
    for (int i = 0; i < 128; i++)
        want[i] = in[127 - i] + 2 * in[i * 5 % 128] + in[i ^ 1];
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "static_shared", 1, 128);
    expect_i32(run, "out", out, want, 128);
}

static void dynamic_shared(struct run *run)
{
    int32_t in[100], out[100] = {0}, want[100];
    fill_ints(in, 100, -10000, 10000, 34);
    for (int i = 0; i < 100; i++)
        want[i] = in[(i + 1) % 100] - in[99 - i] + i % 32;
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 100);
    launch_shape(run, "dynamic_shared", (uint32_t[3]){1, 1, 1}, (uint32_t[3]){100, 1, 1},
                 600);
    expect_i32(run, "out", out, want, 100);
}

static void by_value(struct run *run)
{
    struct small s = {7, -3, 11};
    struct item t = {'t', -100000, {5, -6, 7}, 1234.75};
    int8_t c = -12;
    int32_t out[32] = {0}, want[32];
    for (int i = 0; i < 32; i++) {
        int half = i % 2 ? t.half[1] : s.a;
        want[i] = 7000 - 300 + 11 + 't' - 100000 + half + 1234 - 12 - 42;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_bytes(run, &s, sizeof s);
    pass_bytes(run, &t, sizeof t);
    pass_bytes(run, &c, sizeof c);
    pass_double(run, -42.5);
    launch(run, "by_value", 1, 32);
    expect_i32(run, "out", out, want, 32);
}

static void vectors(struct run *run)
{
    int32_t in[64][4], out[64][4] = {{0}}, want[64][4];
    float in2[64][2], out2[64][2] = {{0}}, want2[64][2];
    fill_ints(in[0], 256, INT32_MIN, INT32_MAX, 35);
    for (int i = 0; i < 64; i++) {
        want[i][0] = in[i][3];
        want[i][1] = in[i][2] ^ 1;
        want[i][2] = (int32_t)((uint32_t)in[i][0] + (uint32_t)in[i][1]);
        want[i][3] = in[i][0];
        in2[i][0] = (float)i;
        in2[i][1] = (float)i * 0.25f;
        want2[i][0] = (float)i * 0.5f;
        want2[i][1] = (float)(i + 1);
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "out2", out2, sizeof out2);
    pass_buffer(run, "in2", in2, sizeof in2);
    launch(run, "vectors", 1, 64);
    expect_i32(run, "out", out[0], want[0], 256);
    expect_f32(run, "out2", out2[0], want2[0], 128);
}

static void shared_vectors(struct run *run)
{
    float in[64][4], out[64][4] = {{0}}, want[64][4];
    for (int i = 0; i < 256; i++)
        in[i / 4][i % 4] = (float)(i * 37 % 101) - 50;
    for (int i = 0; i < 64; i++) {
        const float *a = in[63 - i], *b = in[i ^ 3];
        want[i][0] = a[0] + b[3];
        want[i][1] = a[1] * b[2];
        want[i][2] = a[2] - b[1];
        want[i][3] = a[3];
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "shared_vectors", 1, 64);
    expect_f32(run, "out", out[0], want[0], 256);
}

static void narrow(struct run *run)
{
    int8_t c[32], c_want[32];
    uint8_t uc[32];
    int16_t s[32], s_want[32];
    uint16_t us[32];
    int64_t out[32] = {0}, want[32], l_want[32];
    uint64_t seed = 36;
    for (int i = 0; i < 32; i++) {
        c[i] = (int8_t)next_number(&seed);
        uc[i] = (uint8_t)next_number(&seed);
        s[i] = (int16_t)next_number(&seed);
        us[i] = (uint16_t)next_number(&seed);
        want[i] = c[i] + uc[i] * INT64_C(1000) + s[i] * INT64_C(1000000) +
                  us[i] * INT64_C(100000000000);
        c_want[i] = (int8_t)(-1237 * i);
        s_want[i] = (int16_t)(-1237 * i * 7);
        l_want[i] = INT64_C(-1237) * i * 100003;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "c", c, sizeof c);
    pass_buffer(run, "uc", uc, sizeof uc);
    pass_buffer(run, "s", s, sizeof s);
    pass_buffer(run, "us", us, sizeof us);
    launch(run, "narrow", 1, 32);
    expect_i64(run, "out", out, want, 32);
    pass_buffer(run, "c", c, sizeof c);
    pass_buffer(run, "s", s, sizeof s);
    pass_buffer(run, "l", out, sizeof out);
    pass_int(run, -1237);
    launch(run, "narrow_stores", 1, 32);
    expect_bytes(run, "c", c, c_want, sizeof c);
    expect_bytes(run, "s", s, s_want, sizeof s);
    expect_i64(run, "l", out, l_want, 32);
}

static void templates(struct run *run)
{
    int32_t i32[40] = {0}, want32[40];
    int64_t i64[40] = {0}, want64[40];
    double f64[40] = {0}, wantf[40];
    for (int i = 0; i < 40; i++) {
        double x = i * 0.5;
        int64_t power = 1;
        want32[i] = (((i + 2) * i + 3) * i + 4) * i + 5;
        wantf[i] = ((x + 2) * x + 3) * x + 4;
        want64[i] = 0;
        for (int k = 9; k > 0; k--, power *= i)
            want64[i] += k * power;
    }
    pass_buffer(run, "i32", i32, sizeof i32);
    pass_buffer(run, "i64", i64, sizeof i64);
    pass_buffer(run, "f64", f64, sizeof f64);
    launch(run, "templates", 1, 40);
    expect_i32(run, "i32", i32, want32, 40);
    expect_i64(run, "i64", i64, want64, 40);
    expect_f64(run, "f64", f64, wantf, 40);
}

static void generic(struct run *run)
{
    int32_t in[8], out[48] = {0}, want[48] = {0};
    fill_ints(in, 8, -1000, 1000, 37);
    for (int i = 0; i < 48; i++)
        for (int k = 0; k < 8; k++)
            want[i] += (k + 1) * (i % 3 == 0   ? in[k]
                                  : i % 3 == 1 ? in[k] * 2
                                               : in[(k + i) % 8] * 3);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "generic", 1, 48);
    expect_i32(run, "out", out, want, 48);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(local_arrays),
        TEST(local_bytes),
        TEST(constants),
        TEST(globals),
        NVCC_TEST(global_pointers),
        TEST(static_shared),
        TEST(dynamic_shared),
        TEST(by_value),
        TEST(vectors),
        TEST(shared_vectors),
        TEST(narrow),
        TEST(templates),
        TEST(generic),
    };
    return kernel_tests("memory", tests, COUNT(tests));
}
