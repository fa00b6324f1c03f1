/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

static void count_loop(struct run *run)
{
    int32_t out[64] = {0}, want[64];
    for (int i = 0; i < 64; i++) {
        uint32_t sum = 0;
        for (int k = 0; k < 9 + i; k++)
            sum = sum * 3 + (uint32_t)(k ^ i);
        want[i] = (int32_t)sum;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_int(run, 9);
    launch(run, "count_loop", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void collatz(struct run *run)
{
    int32_t in[128], out[128] = {0}, want[128];
    fill_ints(in, 128, 1, 2000, 1);
    for (int i = 0; i < 128; i++) {
        want[i] = 0;
        for (int64_t x = in[i]; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
            want[i]++;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "collatz", 2, 64);
    expect_i32(run, "out", out, want, 128);
}

static int32_t nested_value(const int32_t *in, int i, int n)
{
    int x = in[i], r = 1;
    if (x <= 0)
        return (x < -50 ? in[(i + 4) % n] / 3 : 1) * 2 + 1;
    if (x % 2) {
        r = 11;
        if (x % 3 == 0)
            r = 11 * in[(i + 1) % n];
        if (x % 3 != 0 && x % 5 == 0)
            r = 11 - in[(i + 2) % n];
    } else {
        r = (i < 7 || (x > 40 && i > 20)) ? -21 : 21;
    }
    return (r + in[(i + 3) % n]) * 2 + 1;
}

static void nested_ifs(struct run *run)
{
    int32_t in[96], out[96] = {0}, want[96];
    fill_ints(in, 96, -100, 100, 2);
    for (int i = 0; i < 96; i++)
        want[i] = nested_value(in, i, 96);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 96);
    launch(run, "nested_ifs", 1, 96);
    expect_i32(run, "out", out, want, 96);
}

static int32_t broken_sum(const int32_t *in, int i, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++) {
        int x = in[(k + i) % n];
        if (x < 0)
            continue;
        if (x % 17 == 3)
            return sum;
        for (int m = 0; m < 8; m++) {
            if (x & 1 << m) {
                sum += m + 1;
                if (sum % 29 == 0)
                    break;
            }
        }
        sum += x % 4;
    }
    return sum;
}

static void break_continue(struct run *run)
{
    int32_t in[64], out[64] = {0}, want[64];
    fill_ints(in, 64, -60, 250, 3);
    for (int i = 0; i < 64; i++)
        want[i] = broken_sum(in, i, 64);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 64);
    launch(run, "break_continue", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void do_loop(struct run *run)
{
    int32_t out[40] = {0}, want[40];
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t x = 12345 + i, n = 0;
        for (;;) {
            x = x * 1664525 + 1013904223;
            n++;
            if (x >> 28 == i % 16)
                break;
        }
        want[i] = (int32_t)(n ^ x);
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_uint(run, 12345);
    launch(run, "do_loop", 1, 40);
    expect_i32(run, "out", out, want, 40);
}

static int32_t switch_value(const int32_t *in, int i, int n)
{
    int x = in[i], r = i, which = x & 15;
    if (which == 3) {
        for (int k = 0; k < (x & 63); k++)
            r += in[k % n] ^ k;
        return r;
    }
    if (which == 7)
        return x & 32 ? 99 : i;
    return which == 0    ? x * 3
           : which == 1  ? x / 3 + in[(i + 1) % n]
           : which == 2  ? i + in[(i + 1) % n]
           : which == 4  ? x % 7
           : which == 5  ? -x
           : which == 9  ? 1234
           : which == 11 ? x * 4
           : which == 12 ? x >> 2
           : which == 14 ? (i ^ x)
                         : -1000;
}

static void switches(struct run *run)
{
    int32_t in[256], out[256] = {0}, want[256];
    fill_ints(in, 256, -5000, 5000, 4);
    for (int i = 0; i < 256; i++)
        want[i] = switch_value(in, i, 256);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 256);
    launch(run, "switches", 1, 256);
    expect_i32(run, "out", out, want, 256);
}

static void table_branch(struct run *run)
{
    int32_t in[64], out[64] = {0}, want[64];
    fill_ints(in, 64, -1000, 1000, 10);
    for (int i = 0; i < 64; i++) {
        int32_t r = in[i];
        for (int k = 0; k < 2; k++) {
            static const int32_t times[] = {1, 3, -1, 3}, plus[] = {1, 0, 0, 0};
            int which = (r + k) & 3;
            r = r * times[which] + plus[which];
        }
        want[i] = r;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "table_branch", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static int32_t returned(int32_t in)
{
    int32_t out = 1;
    if ((in & 3) == 3)
        return 1;
    if (in & 1) {
        out = 2;
        for (int k = 0; k < 10; k++) {
            if (k == (in & 15))
                return out;
            out += k;
        }
    }
    return out + 100;
}

static void early_return(struct run *run)
{
    int32_t in[100], out[128] = {0}, want[128] = {0};
    fill_ints(in, 100, 0, 1000, 5);
    for (int i = 0; i < 100; i++)
        want[i] = returned(in[i]);
    pass_buffer(run, "out", out, 400);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 100);
    launch(run, "early_return", 4, 32);
    expect_i32(run, "out", out, want, 128);
}

static void barrier_loop(struct run *run)
{
    int32_t in[1024], out[4] = {0}, want[4] = {0};
    fill_ints(in, 1024, -1000, 1000, 6);
    for (int i = 0; i < 1024; i++)
        want[i / 256] += in[i];
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "barrier_loop", 4, 256);
    expect_i32(run, "out", out, want, 4);
}

static void scan(struct run *run)
{
    int32_t in[192], out[192] = {0}, want[192], sum = 0;
    fill_ints(in, 192, -1000, 1000, 7);
    for (int i = 0; i < 192; i++)
        want[i] = sum += in[i];
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 192);
    launch(run, "scan", 1, 192);
    expect_i32(run, "out", out, want, 192);
}

static void leave_before_barrier(struct run *run)
{
    int32_t out[128], want[128];
    for (int i = 0; i < 128; i++) {
        int a = i / 3 * 3, b = a + 1 < 128 ? a + 1 : a;
        out[i] = -1;
        want[i] = i % 3 == 2 ? -1 : a * a + b * b;
    }
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "leave_before_barrier", 1, 128);
    expect_i32(run, "out", out, want, 128);
}

static void shape(struct run *run)
{
    enum { BLOCKS = 3 * 2 * 2, THREADS = 5 * 3 * 2 };
    static const uint32_t grid[3] = {3, 2, 2}, block[3] = {5, 3, 2};
    int32_t out[BLOCKS * THREADS][4] = {{0}}, want[BLOCKS * THREADS][4];
    int at = 0;

    for (int bz = 0; bz < 2; bz++)
        for (int by = 0; by < 2; by++)
            for (int bx = 0; bx < 3; bx++)
                for (int t = 0; t < THREADS; t++, at++) {
                    want[at][0] = bx + (by << 8) + (bz << 16);
                    want[at][1] = t % 5 + (t / 5 % 3 << 8) + (t / 15 << 16);
                    want[at][2] = THREADS;
                    want[at][3] = 30202;
                }
    pass_buffer(run, "out", out, sizeof out);
    launch_shape(run, "shape", grid, block, 0);
    expect_i32(run, "out", out[0], want[0], BLOCKS * THREADS * 4);
}

static void predicates(struct run *run)
{
    int32_t a[64], b[64], out[64] = {0}, want[64];
    fill_ints(a, 64, -8, 8, 8);
    fill_ints(b, 64, -8, 8, 9);
    for (int i = 0; i < 64; i++) {
        int p = a[i] > b[i], q = a[i] >> 2 & 1, r = b[i] < 0;
        want[i] = p * q + 2 * !!(p + r) + 4 * (p ^ q) + 8 * (1 - p) * (1 - r) +
                  16 * (p * q + (1 - p) * r) + 32 * !!((a[i] == b[i]) + q * (1 - r)) +
                  64 * (a[i] >= b[i]);
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "a", a, sizeof a);
    pass_buffer(run, "b", b, sizeof b);
    launch(run, "predicates", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

static void clocks(struct run *run)
{
    int32_t out[32] = {0}, want[32];
    for (int i = 0; i < 32; i++)
        want[i] = 1;
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "clocks", 1, 32);
    expect_i32(run, "out", out, want, 32);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(count_loop),
        TEST(collatz),
        TEST(nested_ifs),
        TEST(break_continue),
        TEST(do_loop),
        TEST(switches),
        TEST(table_branch),
        TEST(early_return),
        TEST(barrier_loop),
        TEST(scan),
        TEST(leave_before_barrier),
        TEST(shape),
        TEST(predicates),
        TEST(clocks),
    };
    return kernel_tests("flow", tests, COUNT(tests));
}
