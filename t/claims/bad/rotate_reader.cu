/* SPDX-License-Identifier: Apache-2.0
 *
 * rotate_reader.cu - a wrong kernel: the rotation of a tile's columns is applied by who
 * reads and forgotten by who writes. There is no bank conflict, and no transpose either.
 */
#include "banklab/device.h"

template <int SIDE>
static BL_INLINE void transpose(const bl_u32 *in, bl_u32 *out, bl_u64 rows, bl_u64 cols)
{
    __shared__ bl_u32 tile[SIDE][SIDE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const bl_u64 r0 = (bl_u64)blockIdx.y * SIDE, c0 = (bl_u64)blockIdx.x * SIDE;

    tile[ty][tx] = in[(r0 + ty) * cols + c0 + tx];
    __syncthreads();
    out[(c0 + ty) * rows + r0 + tx] = tile[tx][(ty + tx) % SIDE];
}

#define ENTRY(side)                                                                      \
    extern "C" __global__ void rotate_reader_t##side(const bl_u32 *in, bl_u32 *out,      \
                                                     bl_u64 rows, bl_u64 cols)           \
    {                                                                                    \
        transpose<side>(in, out, rows, cols);                                            \
    }
ENTRY(16)
ENTRY(32)
