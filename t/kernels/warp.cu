// SPDX-License-Identifier: Apache-2.0
// What the lanes of a warp tell each other.
#include "banklab/device.h"

#define ALL 0xffffffffu

extern "C" __global__ void shuffles(int *out, const int *in, int width, int by)
{
    int i = threadIdx.x, x = in[i], n = blockDim.x;
    out[i] = __shfl_sync(ALL, x, by + i, width);
    out[n + i] = __shfl_up_sync(ALL, x, by, width);
    out[2 * n + i] = __shfl_down_sync(ALL, x, by, width);
    out[3 * n + i] = __shfl_xor_sync(ALL, x, by, width);
    out[4 * n + i] = (int)__shfl_xor_sync(ALL, (float)(x & 0xffff), 1, width);
}

/* The predicate: was the source lane in range? */
extern "C" __global__ void shuffle_in_range(int *out, int by, int clamp)
{
    int i = threadIdx.x, got, in_range;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, %3, %4, -1;"
                 " selp.s32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in_range)
                 : "r"(i * 7), "r"(by), "r"(clamp & ~31));
    out[i] = got * 2 + in_range;
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, %4, -1;"
                 " selp.s32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in_range)
                 : "r"(i * 7), "r"(by), "r"(clamp));
    out[32 + i] = got * 2 + in_range;
}

extern "C" __global__ void partial_shuffle(int *out, const int *in)
{
    int i = threadIdx.x;
    if (in[i] & 1)
        out[i] = __shfl_sync(0x0000ffffu, in[i] * 3, (i + 2) % 16);
    else
        out[i] = -1;
}

extern "C" __global__ void votes(unsigned int *out, const int *in)
{
    int i = threadIdx.x, n = blockDim.x, w = i / 32;
    out[i] = __ballot_sync(ALL, in[i] > 0);
    out[n + i] = __any_sync(ALL, in[i] > 90 && w != 1);
    out[2 * n + i] = __all_sync(ALL, in[i] > -90 || w == 1);
    if (i & 1)
        out[3 * n + i] = __ballot_sync(0xaaaaaaaau, in[i] & 2);
    else
        out[3 * n + i] = __activemask();
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 0;"
                 " vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
                 : "=r"(out[4 * n + i])
                 : "r"(w == 1 ? 5 : in[i]));
}

extern "C" __global__ void matches(unsigned int *out, const int *in)
{
    int i = threadIdx.x, n = blockDim.x;
    unsigned int mask;
    asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(mask) : "r"(in[i] & 3));
    out[i] = mask;
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, -1; @!p mov.u32 %0, 7; }"
                 : "=r"(mask)
                 : "r"(i < 32 ? in[i] & 3 : 5));
    out[n + i] = mask;
    asm volatile("match.any.sync.b64 %0, %1, -1;"
                 : "=r"(mask)
                 : "l"((unsigned long long)(in[i] & 1) << 40));
    out[2 * n + i] = mask;
}

#define REDUX(op, type, from)                                                            \
    asm volatile("redux.sync." op "." type " %0, %1, %2;"                                \
                 : "=r"(got)                                                             \
                 : "r"(from), "r"(mask));                                                \
    out[k++ * 32 + i] = got;
extern "C" __global__ void reduxes(unsigned int *out, const int *in)
{
    int i = threadIdx.x, k = 0;
    unsigned int got, mask = i & 1 ? 0xaaaaaaaau : 0x55555555u;
    if (i & 1) {
        REDUX("add", "s32", in[i])
        REDUX("min", "s32", in[i])
        REDUX("max", "s32", in[i])
        REDUX("min", "u32", in[i])
        REDUX("max", "u32", in[i])
        REDUX("and", "b32", in[i])
        REDUX("or", "b32", in[i])
        REDUX("xor", "b32", in[i])
    } else {
        REDUX("add", "u32", in[i] * 3)
    }
}

extern "C" __global__ void lane_masks(unsigned int *out)
{
    int i = threadIdx.x, n = blockDim.x;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[i]));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(out[n + i]));
    asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(out[2 * n + i]));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(out[3 * n + i]));
    asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(out[4 * n + i]));
    asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(out[5 * n + i]));
    asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(out[6 * n + i]));
    asm volatile("mov.u32 %0, WARP_SZ;" : "=r"(out[7 * n + i]));
}

extern "C" __global__ void warp_sum(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = i < n ? in[i] : 0;
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_down_sync(ALL, sum, by);
    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}
