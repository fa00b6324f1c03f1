/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_naive.cu - straight from in to out, without shared memory.
 *
 * A warp reads 32 neighbours of one row: with 4-byte elements that is four sectors. It
 * writes them one below the other: every lane touches a sector of its own, 32 in all,
 * and uses 4 of each sector's 32 bytes.
 */
#include "banklab/device.h"

enum { TILE = 32, BLOCK_ROWS = 8, STEPS = TILE / BLOCK_ROWS };

/* A block of 32 x 8 threads moves a tile of 32 x 32: four elements a thread, all loaded
 * before the first is stored, so that their waiting overlaps. */
template <class T>
static BL_INLINE void transpose(const T *__restrict__ in, T *__restrict__ out,
                                bl_u64 rows, bl_u64 cols, unsigned x)
{
    /* A grid has at most 65,535 blocks in y: a block takes every gridDim.y-th tile. */
    for (bl_u64 r0 = (bl_u64)blockIdx.y * TILE; r0 < rows;
         r0 += (bl_u64)gridDim.y * TILE) {
        const bl_u64 r = r0 + bl_opaque(threadIdx.y);
        const bl_u64 c = (bl_u64)x * TILE + bl_opaque(threadIdx.x);
        T held[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; k++)
            if (c < cols && r + k * BLOCK_ROWS < rows)
                held[k] = in[(r + k * BLOCK_ROWS) * cols + c];
#pragma unroll
        for (int k = 0; k < STEPS; k++)
            if (c < cols && r + k * BLOCK_ROWS < rows)
                out[c * rows + r + k * BLOCK_ROWS] = held[k];
    }
}

#define ENTRY(bytes, type)                                                               \
    extern "C" __global__ void __launch_bounds__(TILE *BLOCK_ROWS)                       \
        transpose_naive_e##bytes(const type *in, type *out, bl_u64 rows, bl_u64 cols)    \
    {                                                                                    \
        transpose(in, out, rows, cols, blockIdx.x);                                      \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(TILE *BLOCK_ROWS)                       \
        transpose_naive_e##bytes##_batch(const type *in, type *out, bl_u64 rows,         \
                                         bl_u64 cols, bl_u64 batch)                      \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            transpose(in + first, out + first, rows, cols, at.x);                        \
    }
BL_FOR_ELEMS(ENTRY)
