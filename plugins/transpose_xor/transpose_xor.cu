/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_xor.cu - a tile in shared memory whose columns are permuted by XOR.
 *
 * The element at row r, column c of the tile lies at column c ^ r of row r: an exclusive
 * or with a fixed number only permutes a row, and along a column it gives every row
 * another bank. No conflict, no padding, and less arithmetic than a rotation.
 */
#include "banklab/device.h"

/* 256 threads for every tile: 16 x 16, 32 x 8, 64 x 4. At 16 a warp covers two rows. */
enum { THREADS = 256 };

/* Blocks that a multiprocessor shall have room for: the compiler spares registers for
 * it. Many hide the memory's latency; at 64 a thread holds 16 elements already. */
#define BLOCKS(tile) ((tile) < 64 ? 8 : 2)

/* Where the tile's element at row r, column c lies.
 *
 * At 64 columns of 1 or 2 bytes a row is 16 or 32 words, and rows r and r + 1 would
 * differ only within a word, where no bank is gained: there r counts double. With that
 * reading and writing are free of conflicts for every width and every tile. */
template <class T, int TILE> static BL_INLINE unsigned swizzled(unsigned r, unsigned c)
{
    enum { STEP = TILE == 64 && sizeof(T) < 4 ? 2 : 1 };
    return r * TILE + (c ^ (r * STEP) % TILE);
}

/* Moves one tile, whose corner in `in` is row r0, column c0. WHOLE: no part of it hangs
 * over the edge. Elements are loaded before the first is stored, so that their waiting
 * overlaps. */
template <class T, int TILE, bool WHOLE>
static BL_INLINE void move(const T *__restrict__ in, T *__restrict__ out, bl_u64 rows,
                           bl_u64 cols, bl_u64 r0, bl_u64 c0, T *tile)
{
    enum { BLOCK_ROWS = THREADS / TILE, STEPS = TILE / BLOCK_ROWS };
    const unsigned tx = bl_opaque(threadIdx.x), ty = bl_opaque(threadIdx.y);
    const T *from = in + (r0 + ty) * cols + c0 + tx;
    T *to = out + (c0 + ty) * rows + r0 + tx;
    T held[STEPS];

#pragma unroll
    for (int k = 0; k < STEPS; k++, from += BLOCK_ROWS * cols)
        if (WHOLE || (r0 + ty + k * BLOCK_ROWS < rows && c0 + tx < cols))
            held[k] = *from;
#pragma unroll
    for (int k = 0; k < STEPS; k++)
        if (WHOLE || (r0 + ty + k * BLOCK_ROWS < rows && c0 + tx < cols))
            tile[swizzled<T, TILE>(ty + k * BLOCK_ROWS, tx)] = held[k];
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEPS; k++, to += BLOCK_ROWS * rows)
        if (WHOLE || (c0 + ty + k * BLOCK_ROWS < cols && r0 + tx < rows))
            *to = tile[swizzled<T, TILE>(tx, ty + k * BLOCK_ROWS)];
}

template <class T, int TILE>
static BL_INLINE void transpose(const T *in, T *out, bl_u64 rows, bl_u64 cols, unsigned x)
{
    extern __shared__ __align__(16) unsigned char shared[];
    T *tile = (T *)shared;
    const bl_u64 c0 = (bl_u64)x * TILE;

    /* A grid has at most 65,535 blocks in y: a block takes every gridDim.y-th tile. All
     * of its threads go round the same number of times, so the barriers match. */
    for (bl_u64 r0 = (bl_u64)blockIdx.y * TILE; r0 < rows;
         r0 += (bl_u64)gridDim.y * TILE) {
        if (r0 + TILE <= rows && c0 + TILE <= cols)
            move<T, TILE, true>(in, out, rows, cols, r0, c0, tile);
        else
            move<T, TILE, false>(in, out, rows, cols, r0, c0, tile);
        __syncthreads(); /* the tile has been read: it may be filled again */
    }
}

#define ENTRY(bytes, type, tile)                                                         \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS(tile))                  \
        transpose_xor_e##bytes##_t##tile(const type *in, type *out, bl_u64 rows,         \
                                         bl_u64 cols)                                    \
    {                                                                                    \
        transpose<type, tile>(in, out, rows, cols, blockIdx.x);                          \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS(tile))                  \
        transpose_xor_e##bytes##_t##tile##_batch(const type *in, type *out, bl_u64 rows, \
                                                 bl_u64 cols, bl_u64 batch)              \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            transpose<type, tile>(in + first, out + first, rows, cols, at.x);            \
    }
#define ENTRIES(bytes, type)                                                             \
    ENTRY(bytes, type, 16) ENTRY(bytes, type, 32) ENTRY(bytes, type, 64)
BL_FOR_ELEMS(ENTRIES)
