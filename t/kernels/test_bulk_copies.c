/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_test.h"

#include <string.h>

static void boxes(struct run *run)
{
    const int32_t places[][2] = {{0, 0}, {3, 5}, {-4, -2}, {30, 19}};
    for (size_t p = 0; p < COUNT(places); p++) {
        const int32_t x0 = places[p][0], y0 = places[p][1];
        int32_t in[24][40] __attribute__((aligned(16))), want[24][40];
        int32_t out[24][40] __attribute__((aligned(16)));
        fill_ints(&in[0][0], 24 * 40, -1000, 1000, 5);
        memset(out, 0xee, sizeof out);
        memcpy(want, out, sizeof want);
        for (int y = y0 < 0 ? 0 : y0; y < y0 + 8 && y < 24; y++)
            for (int x = x0 < 0 ? 0 : x0; x < x0 + 16 && x < 36; x++)
                want[y][x] = in[y][x] + 1;
        pass_tensor(run, in, sizeof in,
                    &(struct bl_tensor){
                        .dims = {36, 24}, .strides = {160}, .box = {16, 8}, .elem = 4});
        pass_tensor(run, out, sizeof out,
                    &(struct bl_tensor){
                        .dims = {36, 24}, .strides = {160}, .box = {16, 8}, .elem = 4});
        pass_int(run, x0);
        pass_int(run, y0);
        launch(run, "box_plus_one", 1, 64);
        expect_i32(run, "out", &out[0][0], &want[0][0], 24 * 40);
    }
}

static void streams(struct run *run)
{
    int32_t in[5 * 256] __attribute__((aligned(16))), out[64] = {0}, want[64] = {0};
    fill_ints(in, COUNT(in), -1000, 1000, 6);
    for (size_t i = 0; i < COUNT(in); i++)
        want[i % 64] += in[i];
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "out", out, sizeof out);
    pass_int(run, 5);
    launch(run, "stream_sum", 1, 64);
    expect_i32(run, "out", out, want, 64);
}

int main(void)
{
    const struct kernel_test tests[] = {NVCC_TEST_FROM_90(boxes),
                                        NVCC_TEST_FROM_90(streams)};
    return kernel_tests("bulk", tests, COUNT(tests));
}
