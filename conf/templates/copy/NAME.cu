/* SPDX-License-Identifier: Apache-2.0
 *
 * @NAME@.cu - a copy through shared memory, where neighbouring threads lie `stride`
 * elements apart.
 *
 * Thread t puts its element at place t * stride and takes it back: both accesses have
 * the same conflicts, and global memory is read and written in rows.
 */
#include "banklab/device.h"

extern "C" __global__ void @NAME@_e4(const bl_u32 *in, bl_u32 *out, bl_u64 n,
                                     unsigned stride)
{
    extern __shared__ bl_u32 place[];
    const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        place[threadIdx.x * stride] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = place[threadIdx.x * stride];
}
