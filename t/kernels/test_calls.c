/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <string.h>

static int32_t twice(int32_t x)
{
    return (int32_t)(2u * (uint32_t)x + 1);
}

static int32_t square(int32_t x)
{
    return (int32_t)((uint32_t)x * (uint32_t)x);
}

static int32_t negate(int32_t x)
{
    return -x;
}

static void in_and_out(struct run *run, const char *kernel, int32_t *in,
                       const int32_t *want)
{
    int32_t out[64] = {0};
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, 64 * sizeof *in);
    launch(run, kernel, 1, 64);
    expect_i32(run, kernel, out, want, 64);
}

static void plain(struct run *run)
{
    int32_t in[64], want[64];
    fill_ints(in, 64, -1000, 1000, 41);
    for (int i = 0; i < 64; i++)
        want[i] = in[i] > 0 ? 2 * in[i] + 1 : in[i] * in[i] - i;
    in_and_out(run, "plain", in, want);
}

static void recursion(struct run *run)
{
    static const int32_t fibonacci[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    /* ackermann(2, n) = 2 n + 3 */
    int32_t out[64] = {0}, want[64];
    for (int i = 0; i < 64; i++)
        want[i] = fibonacci[i % 12];
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "recursion", 1, 64);
    expect_i32(run, "fibonacci", out, want, 64);
    for (int i = 0; i < 64; i++)
        want[i] = 2 * (i % 5) + 3;
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "deep_recursion", 1, 64);
    expect_i32(run, "ackermann", out, want, 64);
}

static void mutual(struct run *run)
{
    int32_t out[64] = {0}, want[64];
    for (int i = 0; i < 64; i++)
        want[i] = i % 2 ? 1 : 3;
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "mutual", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void pointer_table(struct run *run)
{
    int32_t in[64], want[64];
    fill_ints(in, 64, 0, 1000, 42);
    for (int i = 0; i < 64; i++)
        want[i] = in[i] % 3 == 0 ? 2 * i + 1 : in[i] % 3 == 1 ? i * i : -i;
    in_and_out(run, "pointer_table", in, want);
}

static void pointers(struct run *run)
{
    int32_t in[64], want[64];
    fill_ints(in, 64, -1000, 1000, 43);
    for (int i = 0; i < 64; i++) {
        int32_t g = in[i] < 0 ? square(i) : twice(i), low = in[i] & 255;
        int32_t f = in[i] & 1 ? twice(g) : in[i] & 2 ? square(g) : negate(g);
        want[i] = f - (in[i] < 0 ? square(low) : twice(low));
    }
    in_and_out(run, "pointers", in, want);
}

static void structs(struct run *run)
{
    int32_t in[64], want[64];
    fill_ints(in, 64, -1000, 1000, 44);
    for (int i = 0; i < 64; i++) {
        int first = i % 5, second = 1 + (in[i] & 1), by = first + second;
        double d = in[i] * 0.25 * first * second;
        want[i] = (in[i] + by % 5) * 3 + in[i] + (4 + by) % 5 + (int32_t)d;
    }
    in_and_out(run, "structs", in, want);
}

static void by_reference(struct run *run)
{
    int32_t in[64 * 6], out[64 * 6] = {0}, want[64 * 6];
    fill_ints(in, 64 * 6, -1000, 1000, 45);
    memcpy(want, in, sizeof want);
    for (int i = 0; i < 64 * 6; i++) /* insertion into the sorted part of each six */
        for (int k = i; k % 6 > 0 && want[k] < want[k - 1]; k--) {
            int32_t t = want[k];
            want[k] = want[k - 1];
            want[k - 1] = t;
        }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "by_reference", 1, 64);
    expect_i32(run, "out", out, want, 64 * 6);
}

static void early_returns(struct run *run)
{
    int32_t in[50], at[64], out[64] = {0}, want[64];
    fill_ints(in, 50, 0, 1100, 46);
    for (int i = 0; i < 64; i++) {
        int what = i % 2 ? in[i * 5 % 50] : i, k = 0;
        while (k < 50 && in[k] != what && in[k] <= 1000 + what)
            k++;
        at[i] = k < 50 && in[k] != what ? -k : k;
    }
    for (int i = 0; i < 64; i++) {
        int together = 0;
        for (int l = 0; l < 32; l++)
            together += at[i / 32 * 32 + l] >= 0;
        want[i] = at[i] * 64 + together;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 50);
    launch(run, "early_returns", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void mixed_arguments(struct run *run)
{
    uint8_t out[512] = {0}, want[512] = {0};
    for (int i = 0; i < 32; i++) {
        uint64_t wide = UINT64_C(0x0102030405060708) * (uint64_t)(i + 1);
        int16_t s = (int16_t)(-300 * i);
        float f = (float)i / 2;
        memcpy(want + 16 * i, &wide, 8);
        memcpy(want + 16 * i + 8, &s, 2);
        want[16 * i + 10] = (uint8_t)i;
        memcpy(want + 16 * i + 12, &f, 4);
    }
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "mixed_arguments", 1, 32);
    expect_bytes(run, "out", out, want, sizeof want);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(plain),           TEST(recursion),
        TEST(mutual),          NVCC_TEST(pointer_table),
        TEST(pointers),        TEST(structs),
        TEST(by_reference),    TEST(early_returns),
        TEST(mixed_arguments),
    };
    return kernel_tests("calls", tests, COUNT(tests));
}
