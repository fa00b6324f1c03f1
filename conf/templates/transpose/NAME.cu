/* SPDX-License-Identifier: Apache-2.0
 *
 * @NAME@.cu - a transpose through a tile in shared memory.
 *
 * A block of 32 x 32 threads moves one tile, an element each. A warp writes a row of the
 * tile and reads a column of it; the pitch, in elements, decides how that column lies on
 * the banks.
 */
#include "banklab/device.h"

enum { TILE = 32 };

extern "C" __global__ void @NAME@_e4(const bl_u32 *in, bl_u32 *out, bl_u64 rows,
                                     bl_u64 cols, unsigned pitch)
{
    extern __shared__ bl_u32 tile[];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const bl_u64 across = (cols + TILE - 1) / TILE;
    const bl_u64 r0 = blockIdx.x / across * TILE, c0 = blockIdx.x % across * TILE;

    if (r0 + ty < rows && c0 + tx < cols)
        tile[ty * pitch + tx] = in[(r0 + ty) * cols + c0 + tx];
    __syncthreads();
    if (c0 + ty < cols && r0 + tx < rows)
        out[(c0 + ty) * rows + r0 + tx] = tile[tx * pitch + ty];
}
