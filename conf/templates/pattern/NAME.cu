/* SPDX-License-Identifier: Apache-2.0
 *
 * @NAME@.cu - each thread takes the element that lies `stride` times as far from its
 * block's first as its own, modulo the block.
 *
 * Only the load has conflicts: elements are put into shared memory side by side.
 */
#include "banklab/device.h"

enum { THREADS = 256 };

extern "C" __global__ void @NAME@_e4(const bl_u32 *in, bl_u32 *out, bl_u64 n,
                                     unsigned stride)
{
    __shared__ bl_u32 place[THREADS];
    const bl_u64 i = (bl_u64)blockIdx.x * THREADS + threadIdx.x;

    place[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n)
        out[i] = place[threadIdx.x * stride % THREADS];
}
