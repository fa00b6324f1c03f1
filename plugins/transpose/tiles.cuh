/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles.cuh - a tile of any shape, transposed by squares that are turned in registers,
 * with its order among the others and what it fetches ahead.
 */
#ifndef TRANSPOSE_TILES_CUH
#define TRANSPOSE_TILES_CUH

#include "squares.cuh"

/* Which tile a block has: `x` is its place along the grid's x, of `down` x `across` tiles
 * in all. DOWN: the next block has the tile below; ACROSS: the one to the right; BLOCKS:
 * the one below within 16 x 16 tiles, of which the next lie below, too. False: none. */
enum { ORDER_DOWN, ORDER_ACROSS, ORDER_BLOCKS, BLOCK_SIDE = 16 };

static BL_INLINE bool find_tile(unsigned order, unsigned x, bl_u64 down, bl_u64 across,
                                bl_u64 &row, bl_u64 &col)
{
    const unsigned in_block = x % (BLOCK_SIDE * BLOCK_SIDE);
    row = order == ORDER_DOWN ? x : blockIdx.y;
    col = order == ORDER_DOWN ? blockIdx.y : x;
    if (order == ORDER_BLOCKS) {
        row = x / (BLOCK_SIDE * BLOCK_SIDE) * BLOCK_SIDE + in_block % BLOCK_SIDE;
        col = blockIdx.y * BLOCK_SIDE + in_block / BLOCK_SIDE;
    }
    return row < down && col < across;
}

/* Asks for the tile so many tiles to the right to be brought into the L2 cache, line by
 * line: it is read while this one is written, and in longer runs. */
template <int ELEM, int TR, int TC, int THREADS>
static BL_INLINE void fetch_ahead(const bl_u8 *in, bl_u64 rows, bl_u64 cols, bl_u64 r0,
                                  bl_u64 c0, unsigned t)
{
    enum { LINE = 128, LINES = TC * ELEM < LINE ? 1 : TC * ELEM / LINE };
    for (unsigned n = t; n < TR * LINES; n += THREADS) {
        const bl_u64 r = r0 + n / LINES, c = c0 + n % LINES * (LINE / ELEM);
        if (r < rows && c < cols)
            asm volatile("prefetch.global.L2 [%0];" : : "l"(in + (r * cols + c) * ELEM));
    }
}

/* One tile of TR x TC elements by squares of V x V, S of them a thread. rows and cols are
 * multiples of V. `ahead`: fetch the tile so many to the right; 0: none. */
template <int ELEM, int V, int TR, int TC, int S, bool STREAM>
static BL_INLINE void transpose(const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols,
                                unsigned x, unsigned order, unsigned ahead)
{
    enum { BYTES = V * ELEM, W = BYTES / 4, K = TR / V, ACROSS = TC / V };
    enum { THREADS = K / S * ACROSS };
    typedef typename Move<W>::number Number;
    extern __shared__ __align__(16) bl_u8 memory[];
    Number *tile = (Number *)memory;
    const unsigned t = bl_opaque(threadIdx.x);
    const unsigned sc = t % ACROSS;
    Words<W> read[S][V], turned[V];
    bl_u64 r0, c0;

    if (!find_tile(order, x, (rows - 1) / TR + 1, (cols - 1) / TC + 1, r0, c0))
        return;
    r0 *= TR, c0 *= TC;

#pragma unroll
    for (int s = 0; s < S; s++) {
        const unsigned sr = t / ACROSS + s * (K / S);
        if (r0 + sr * V < rows && c0 + sc * V < cols)
#pragma unroll
            for (int i = 0; i < V; i++)
                load<STREAM>(read[s][i],
                             in + ((r0 + sr * V + i) * cols + c0 + sc * V) * ELEM);
    }
    if (ahead)
        fetch_ahead<ELEM, TR, TC, THREADS>(in, rows, cols, r0, c0 + (bl_u64)ahead * TC,
                                           t);
#pragma unroll
    for (int s = 0; s < S; s++) {
        const unsigned sr = t / ACROSS + s * (K / S);
        if (r0 + sr * V < rows && c0 + sc * V < cols) {
            Turn<ELEM, V>::turn(read[s], turned);
#pragma unroll
            for (int j = 0; j < V; j++)
                tile[place<V, K, ACROSS, BYTES>(sc * V + j, sr)] = joined(turned[j]);
        }
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < S * V; n++) {
        const unsigned id = t + n * THREADS, r = id / K, k = id % K;
        if (c0 + r < cols && r0 + k * V < rows) {
            Words<W> row;
            split(row, tile[place<V, K, ACROSS, BYTES>(r, k)]);
            store<STREAM>(out + ((c0 + r) * rows + r0 + k * V) * ELEM, row);
        }
    }
}

/* The entry points NAME_eE_vV_TRxTC and, for many matrices, NAME_eE_vV_TRxTC_batch. */
#define TRANSPOSE_TILES_ENTRY(name, elem, v, tr, tc, s, suffix, stream)                  \
    extern "C" __global__ void __launch_bounds__(tr / v / s * (tc / v))                  \
        name##_e##elem##_v##v##_##tr##x##tc##suffix(const bl_u8 *in, bl_u8 *out,         \
                                                    bl_u64 rows, bl_u64 cols,            \
                                                    unsigned order, unsigned ahead)      \
    {                                                                                    \
        transpose<elem, v, tr, tc, s, stream>(in, out, rows, cols, blockIdx.x, order,    \
                                              ahead);                                    \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(tr / v / s * (tc / v))                  \
        name##_e##elem##_v##v##_##tr##x##tc##suffix##_batch(                             \
            const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols, unsigned order,       \
            unsigned ahead, bl_u64 batch)                                                \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols * elem;                             \
        if (at.number < batch)                                                           \
            transpose<elem, v, tr, tc, s, stream>(in + first, out + first, rows, cols,   \
                                                  at.x, order, ahead);                   \
    }

#endif /* TRANSPOSE_TILES_CUH */
