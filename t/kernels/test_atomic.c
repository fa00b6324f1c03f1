/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <string.h>

enum { BLOCKS = 3, THREADS = 70, ALL = BLOCKS * THREADS };

static void ops_int(const int32_t *in, int count, int32_t *cell)
{
    for (int i = 0; i < count; i++) {
        int32_t x = in[i];
        cell[0] += x;
        cell[1] = x < cell[1] ? x : cell[1];
        cell[2] = x > cell[2] ? x : cell[2];
        cell[3] &= x | 0x0f00f0;
        cell[4] |= x;
        cell[5] ^= x;
    }
}

static void ops_uint(const uint32_t *in, int count, uint32_t *cell)
{
    for (int i = 0; i < count; i++) {
        uint32_t x = in[i];
        cell[0] += x;
        cell[1] = x < cell[1] ? x : cell[1];
        cell[2] = x > cell[2] ? x : cell[2];
        cell[3] &= x | 0x0f00f0;
        cell[4] |= x;
        cell[5] ^= x;
    }
}

static void ops_u64(const uint64_t *in, int count, uint64_t *cell)
{
    for (int i = 0; i < count; i++) {
        uint64_t x = in[i];
        cell[0] += x;
        cell[1] = x < cell[1] ? x : cell[1];
        cell[2] = x > cell[2] ? x : cell[2];
        cell[3] &= x | 0x0f00f0;
        cell[4] |= x;
        cell[5] ^= x;
    }
}

static void two_buffers(struct run *run, const char *kernel, void *out, size_t out_size,
                        void *in, size_t in_size)
{
    pass_buffer(run, "out", out, out_size);
    pass_buffer(run, "in", in, in_size);
    launch(run, kernel, BLOCKS, THREADS);
}

static void ints(struct run *run)
{
    int32_t in[ALL], cell[6] = {1, 2, 3, -1, 0, 7}, want[6] = {1, 2, 3, -1, 0, 7};
    int32_t shared[BLOCKS][6] = {{0}}, part[BLOCKS][6];
    fill_ints(in, ALL, -10000, 10000, 21);
    ops_int(in, ALL, want);
    for (int b = 0; b < BLOCKS; b++) {
        for (int k = 0; k < 6; k++)
            part[b][k] = 5;
        ops_int(in + b * THREADS, THREADS, part[b]);
    }
    two_buffers(run, "global_int", cell, sizeof cell, in, sizeof in);
    expect_i32(run, "global", cell, want, 6);
    two_buffers(run, "shared_int", shared, sizeof shared, in, sizeof in);
    expect_i32(run, "shared", shared[0], part[0], BLOCKS * 6);
}

static void uints(struct run *run)
{
    int32_t in[ALL];
    uint32_t cell[6] = {1, 2, 3, ~0u, 0, 7}, want[6] = {1, 2, 3, ~0u, 0, 7};
    uint32_t shared[BLOCKS][6] = {{0}}, part[BLOCKS][6];
    fill_ints(in, ALL, INT32_MIN, INT32_MAX, 22);
    ops_uint((uint32_t *)in, ALL, want);
    for (int b = 0; b < BLOCKS; b++) {
        for (int k = 0; k < 6; k++)
            part[b][k] = 5;
        ops_uint((uint32_t *)in + b * THREADS, THREADS, part[b]);
    }
    two_buffers(run, "global_uint", cell, sizeof cell, in, sizeof in);
    expect_i32(run, "global", (int32_t *)cell, (int32_t *)want, 6);
    two_buffers(run, "shared_uint", shared, sizeof shared, in, sizeof in);
    expect_i32(run, "shared", (int32_t *)shared, (int32_t *)part, BLOCKS * 6);
}

static void u64s(struct run *run)
{
    uint64_t in[ALL], seed = 23;
    uint64_t cell[6] = {1, 2, 3, ~0u, 0, 7}, want[6] = {1, 2, 3, ~0u, 0, 7};
    uint64_t shared[BLOCKS][6] = {{0}}, part[BLOCKS][6];
    for (int i = 0; i < ALL; i++)
        in[i] = next_number(&seed);
    ops_u64(in, ALL, want);
    for (int b = 0; b < BLOCKS; b++) {
        for (int k = 0; k < 6; k++)
            part[b][k] = 5;
        ops_u64(in + b * THREADS, THREADS, part[b]);
    }
    two_buffers(run, "global_u64", cell, sizeof cell, in, sizeof in);
    expect_i64(run, "global", (int64_t *)cell, (int64_t *)want, 6);
    two_buffers(run, "shared_u64", shared, sizeof shared, in, sizeof in);
    expect_i64(run, "shared", (int64_t *)shared, (int64_t *)part, BLOCKS * 6);
}

static void tickets(struct run *run)
{
    int32_t next = 0, out[ALL] = {0}, left = ALL, down[ALL] = {0}, want[ALL];
    int32_t ends[2] = {ALL, 0};
    for (int i = 0; i < ALL; i++)
        want[i] = 1;
    pass_buffer(run, "next", &next, sizeof next);
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "tickets", BLOCKS, THREADS);
    expect_i32(run, "next", &next, &ends[0], 1);
    expect_i32(run, "out", out, want, ALL);
    pass_buffer(run, "left", &left, sizeof left);
    pass_buffer(run, "out", down, sizeof down);
    launch(run, "countdown", BLOCKS, THREADS);
    expect_i32(run, "left", &left, &ends[1], 1);
    expect_i32(run, "out", down, want, ALL);
}

/* Whole numbers, so that the order of additions doesn't matter. */
static void float_add(struct run *run)
{
    float in[96], global = 0.5f, out[2] = {0}, sum = 0, wants[2], want_global;
    double din[96], before[96] = {0}, dsum = 0.25, dwant = 0.25;
    for (int i = 0; i < 96; i++) {
        in[i] = (float)(i * 7 % 31 - 9);
        din[i] = i * 0.125;
        sum += in[i];
        dwant += din[i];
    }
    wants[0] = wants[1] = sum;
    want_global = 0.5f + 2 * sum;
    pass_buffer(run, "global", &global, sizeof global);
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "float_add", 2, 96);
    expect_f32(run, "shared", out, wants, 2);
    expect_f32(run, "global", &global, &want_global, 1);
    pass_buffer(run, "sum", &dsum, sizeof dsum);
    pass_buffer(run, "before", before, sizeof before);
    pass_buffer(run, "in", din, sizeof din);
    launch(run, "double_add", 1, 96);
    for (int i = 0; i < 96; i++)
        expect(run, before[i] >= 0.25 && before[i] + din[i] <= dwant, "before[%d] is %f",
               i, before[i]);
    expect_f64(run, "double", &dsum, &dwant, 1);
}

static void compare_and_swap(struct run *run)
{
    float in[ALL], most = 0, cell = 0;
    uint64_t wide = 7, won = 0, seed = 24;
    int64_t same;
    for (int i = 0; i < ALL; i++) {
        in[i] = (float)(next_number(&seed) % 100000) / 16;
        most = in[i] > most ? in[i] : most;
    }
    pass_buffer(run, "cell", &cell, sizeof cell);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "cas_loop", BLOCKS, THREADS);
    expect_f32(run, "maximum", &cell, &most, 1);
    pass_buffer(run, "cell", &wide, sizeof wide);
    pass_buffer(run, "won", &won, sizeof won);
    launch(run, "cas_u64", 1, THREADS);
    same = (int64_t)wide;
    expect_i64(run, "won", (int64_t *)&won, &same, 1);
    expect(run, wide != 7 && wide % ((uint64_t)1 << 33) == 0 && wide >> 33 <= THREADS,
           "nobody won");
}

static void exchange(struct run *run)
{
    int32_t cell = 0, got[ALL], seen[ALL + 1] = {0}, want[ALL + 1];
    memset(got, 0xff, sizeof got);
    for (int i = 0; i <= ALL; i++)
        want[i] = 1;
    pass_buffer(run, "cell", &cell, sizeof cell);
    pass_buffer(run, "got", got, sizeof got);
    launch(run, "exchange", BLOCKS, THREADS);
    for (int i = 0; i <= ALL; i++) {
        int32_t x = i < ALL ? got[i] : cell;
        expect(run, x >= 0 && x <= ALL, "a value from nowhere: %d", (int)x);
        if (x >= 0 && x <= ALL)
            seen[x]++;
    }
    expect_i32(run, "seen", seen, want, ALL + 1);
}

static void wrap_around(struct run *run)
{
    int32_t cell[4] = {4, 4, 100, 5}, want[4] = {4, 4, 100 + 3 * ALL, THREADS - 1};
    int32_t before[ALL][2], seen[11] = {0}, want_seen[11] = {0};
    for (int i = 0; i < ALL; i++) {
        want_seen[want[0]]++;
        want[0] = want[0] >= 10 ? 0 : want[0] + 1;
        want[1] = want[1] == 0 || want[1] > 10 ? 10 : want[1] - 1;
    }
    pass_buffer(run, "cell", cell, sizeof cell);
    pass_buffer(run, "before", before, sizeof before);
    pass_uint(run, 10);
    memset(before, 0, sizeof before);
    launch(run, "wrap_around", BLOCKS, THREADS);
    expect_i32(run, "cell", cell, want, 4);
    for (int i = 0; i < ALL; i++)
        if (before[i][0] >= 0 && before[i][0] <= 10)
            seen[before[i][0]]++;
    expect_i32(run, "seen", seen, want_seen, 11);
}

static void histogram(struct run *run)
{
    int32_t in[1000], out[16] = {0}, want[16] = {0};
    fill_ints(in, 1000, 0, 1000000, 25);
    for (int i = 0; i < 1000; i++)
        want[in[i] % 16]++;
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 1000);
    launch(run, "histogram", 4, 96);
    expect_i32(run, "out", out, want, 16);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(ints),     TEST(uints),       TEST(u64s),
        TEST(tickets),  TEST(float_add),   TEST(compare_and_swap),
        TEST(exchange), TEST(wrap_around), TEST(histogram),
    };
    return kernel_tests("atomic", tests, COUNT(tests));
}
