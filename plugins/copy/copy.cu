/* SPDX-License-Identifier: Apache-2.0
 *
 * copy.cu - each thread moves 16 bytes, neighbours next to each other: a warp's access
 * is 512 bytes in a row, sixteen whole sectors. This is as good as memory gets, and so
 * the measure for everything else.
 */
#include "banklab/device.h"

extern "C" __global__ void copy(const bl_u8 *in, bl_u8 *out, bl_u64 bytes)
{
    const bl_u64 threads = (bl_u64)gridDim.x * blockDim.x;
    const bl_u64 first = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;
    const bl_u64 vectors = bytes / sizeof(bl_u128);

    for (bl_u64 i = first; i < vectors; i += threads)
        ((bl_u128 *)out)[i] = ((const bl_u128 *)in)[i];

    /* What is left are at most 15 bytes. */
    const bl_u64 tail = vectors * sizeof(bl_u128) + first;
    if (tail < bytes)
        out[tail] = in[tail];
}
