/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <string.h>

/* The lane that `lane` reads from; itself where the source is out of range. */
static int source(int mode, int lane, int by, int width)
{
    int first = lane / width * width, at = lane - first, from;
    switch (mode) {
    case 0: return first + (by % width + width) % width;
    case 1: from = at - by; return from < 0 ? lane : first + from;
    case 2: from = at + by; return from >= width ? lane : first + from;
    /* Beyond the segment's end a lane keeps its own; below its start it reads. */
    default: from = lane ^ by; return from >= first + width ? lane : from;
    }
}

static void shuffles_of(struct run *run, int width, int by)
{
    int32_t in[64], out[5][64] = {{0}}, want[5][64];
    fill_ints(in, 64, -100000, 100000, (uint64_t)(width * 100 + by));
    for (int i = 0; i < 64; i++) {
        int warp = i / 32 * 32, lane = i % 32;
        want[0][i] = in[warp + source(0, lane, by + i, width)];
        want[1][i] = in[warp + source(1, lane, by, width)];
        want[2][i] = in[warp + source(2, lane, by, width)];
        want[3][i] = in[warp + source(3, lane, by, width)];
        want[4][i] = width == 1 && lane % 2 == 0
                         ? in[i] & 0xffff
                         : in[warp + source(3, lane, 1, width)] & 0xffff;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, width);
    pass_int(run, by);
    launch(run, "shuffles", 1, 64);
    for (int m = 0; m < 5; m++) {
        static const char *const names[] = {"idx", "up", "down", "bfly", "float"};
        expect_i32(run, names[m], out[m], want[m], 64);
    }
}

static void shuffles(struct run *run)
{
    for (int width = 2; width <= 32; width *= 2)
        for (int by = 0; by < width; by += 1 + width / 8)
            shuffles_of(run, width, by);
}

static void shuffle_in_range(struct run *run)
{
    int32_t out[64] = {0}, want[64];
    for (int i = 0; i < 32; i++) {
        int up = i % 8 - 3 >= 0, down = i % 8 + 3 < 8;
        want[i] = (up ? i - 3 : i) * 14 + up;
        want[32 + i] = (down ? i + 3 : i) * 14 + down;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_int(run, 3);
    pass_int(run, (32 - 8) << 8 | 31);
    launch(run, "shuffle_in_range", 1, 32);
    expect_i32(run, "out", out, want, 64);
}

static void partial_shuffle(struct run *run)
{
    int32_t in[32], out[32] = {0}, want[32];
    for (int i = 0; i < 32; i++)
        in[i] = i * 2 + (i < 16);
    for (int i = 0; i < 32; i++)
        want[i] = i < 16 ? in[(i + 2) % 16] * 3 : -1;
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "partial_shuffle", 1, 32);
    expect_i32(run, "out", out, want, 32);
}

static void votes(struct run *run)
{
    int32_t in[96], out[5][96] = {{0}}, want[5][96];
    fill_ints(in, 96, -99, 99, 11);
    in[40] = 95;
    for (int i = 0; i < 96; i++) {
        int w = i / 32, any = 0, all = 1, same = 1;
        uint32_t positive = 0, odd = 0;
        for (int l = 0; l < 32; l++) {
            int x = in[w * 32 + l];
            positive |= (uint32_t)(x > 0) << l;
            odd |= l % 2 ? (uint32_t)(x >> 1 & 1) << l : 0;
            any |= x > 90 && w != 1;
            all &= x > -90 || w == 1;
            same &= w == 1 || (x > 0) == (in[w * 32] > 0);
        }
        want[0][i] = (int32_t)positive;
        want[1][i] = any;
        want[2][i] = all;
        want[3][i] = i % 2 ? (int32_t)odd : 0x55555555;
        want[4][i] = same;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "votes", 1, 96);
    expect_i32(run, "out", out[0], want[0], 5 * 96);
}

static void matches(struct run *run)
{
    int32_t in[64], out[3][64] = {{0}}, want[3][64];
    fill_ints(in, 64, 0, 100, 12);
    for (int i = 0; i < 64; i++) {
        uint32_t any = 0, wide = 0;
        int all = 1;
        for (int l = 0; l < 32; l++) {
            int other = in[i / 32 * 32 + l];
            any |= (uint32_t)(other % 4 == in[i] % 4) << l;
            wide |= (uint32_t)(other % 2 == in[i] % 2) << l;
            all &= other % 4 == in[0] % 4;
        }
        want[0][i] = (int32_t)any;
        want[1][i] = i >= 32 || all ? -1 : 7;
        want[2][i] = (int32_t)wide;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "matches", 1, 64);
    expect_i32(run, "out", out[0], want[0], 3 * 64);
}

static void reduxes(struct run *run)
{
    int32_t in[32], out[8][32], want[8][32];
    int32_t sum = 0, sum3 = 0, least = INT32_MAX, most = INT32_MIN;
    uint32_t uleast = UINT32_MAX, umost = 0, ands = UINT32_MAX, ors = 0, xors = 0;
    memset(out, 0x55, sizeof out);
    memset(want, 0x55, sizeof want);
    fill_ints(in, 32, -1000000, 1000000, 13);
    for (int i = 0; i < 32; i++) {
        uint32_t u = (uint32_t)in[i];
        if (i % 2 == 0) {
            sum3 += in[i] * 3;
            continue;
        }
        sum += in[i];
        least = in[i] < least ? in[i] : least;
        most = in[i] > most ? in[i] : most;
        uleast = u < uleast ? u : uleast;
        umost = u > umost ? u : umost;
        ands &= u;
        ors |= u;
        xors ^= u;
    }
    for (int i = 0; i < 32; i++) {
        const int32_t odd[8] = {
            sum,           least,        most,         (int32_t)uleast, (int32_t)umost,
            (int32_t)ands, (int32_t)ors, (int32_t)xors};
        for (int k = 0; k < (i % 2 ? 8 : 1); k++)
            want[k][i] = i % 2 ? odd[k] : sum3;
    }
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    launch(run, "reduxes", 1, 32);
    expect_i32(run, "out", out[0], want[0], 8 * 32);
}

static void lane_masks(struct run *run)
{
    int32_t out[8][64] = {{0}}, want[8][64];
    for (int i = 0; i < 64; i++) {
        int64_t bit = (int64_t)1 << (i % 32);
        want[0][i] = i % 32;
        want[1][i] = i / 32;
        want[2][i] = (int32_t)bit;
        want[3][i] = (int32_t)(bit - 1);
        want[4][i] = (int32_t)(bit * 2 - 1);
        want[5][i] = (int32_t) ~(bit * 2 - 1);
        want[6][i] = (int32_t)-bit;
        want[7][i] = 32;
    }
    pass_buffer(run, "out", out, sizeof out);
    launch(run, "lane_masks", 1, 64);
    expect_i32(run, "out", out[0], want[0], 8 * 64);
}

static void warp_sum(struct run *run)
{
    int32_t in[200], out[8] = {0}, want[8] = {0};
    fill_ints(in, 200, -1000, 1000, 14);
    for (int i = 0; i < 200; i++)
        want[i / 32] += in[i];
    pass_buffer(run, "out", out, sizeof out);
    pass_buffer(run, "in", in, sizeof in);
    pass_int(run, 200);
    launch(run, "warp_sum", 4, 64);
    expect_i32(run, "out", out, want, 8);
}

int main(void)
{
    static const struct kernel_test tests[] = {
        TEST(shuffles), TEST(shuffle_in_range), TEST(partial_shuffle), TEST(votes),
        TEST(matches),  TEST(reduxes),          TEST(lane_masks),      TEST(warp_sum),
    };
    return kernel_tests("warp", tests, COUNT(tests));
}
