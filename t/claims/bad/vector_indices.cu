/* SPDX-License-Identifier: Apache-2.0
 *
 * vector_indices.cu - wrong kernels: four elements a thread, but the thread's number is
 * not multiplied by four, either where it reads its vector, which then is not aligned to
 * 16 bytes, or where it writes its four, which then overlap with its neighbours'.
 */
#include "banklab/device.h"

enum { SIDE = 32 };

/* By SIDE / 4 x SIDE threads. */
template <int READ, int WRITE>
static BL_INLINE void transpose(const bl_u32 *in, bl_u32 *out, bl_u64 rows, bl_u64 cols)
{
    __shared__ bl_u32 tile[SIDE][SIDE + 1];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const bl_u64 r0 = (bl_u64)blockIdx.y * SIDE, c0 = (bl_u64)blockIdx.x * SIDE;
    const uint4 four = *(const uint4 *)(in + (r0 + ty) * cols + c0 + tx * READ);

    tile[ty][tx * 4] = four.x;
    tile[ty][tx * 4 + 1] = four.y;
    tile[ty][tx * 4 + 2] = four.z;
    tile[ty][tx * 4 + 3] = four.w;
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[(c0 + ty) * rows + r0 + tx * WRITE + k] = tile[tx * 4 + k][ty];
}

extern "C" __global__ void vector_indices_misaligned(const bl_u32 *in, bl_u32 *out,
                                                     bl_u64 rows, bl_u64 cols)
{
    transpose<1, 4>(in, out, rows, cols);
}

extern "C" __global__ void vector_indices_overlapping(const bl_u32 *in, bl_u32 *out,
                                                      bl_u64 rows, bl_u64 cols)
{
    transpose<4, 1>(in, out, rows, cols);
}

/* What was meant. */
extern "C" __global__ void vector_indices_right(const bl_u32 *in, bl_u32 *out,
                                                bl_u64 rows, bl_u64 cols)
{
    transpose<4, 4>(in, out, rows, cols);
}
