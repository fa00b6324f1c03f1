/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_wide.cu - squares of V x V elements, turned in registers, in tiles of any
 * shape.
 *
 * As in transpose_vec a thread reads a square as V vectors, turns it, and puts it into
 * the transposed tile as V vectors; the block then writes whole rows. Here the shape of
 * the tile, the width of a vector and the way through the caches are the caller's choice,
 * and a thread of wide elements has S squares, so that it has four loads on their way.
 *
 * rows and cols must be multiples of V; for other problems there is
 * transpose_wide_single.
 */
#include "../transpose/squares.cuh"

/* Where vector k of the transposed tile's row r lies, of K a row. The lanes of a phase, P
 * of them, store vectors of rows V apart, from ACROSS squares of one row or, where that
 * is fewer, of M rows of them: the square's number permutes the vectors of a row so that
 * they come to lie apart. Where 128 bytes hold R rows, squares that would still meet take
 * different rows of theirs. */
template <int V, int K, int ACROSS, int BYTES>
static BL_INLINE unsigned place(unsigned r, unsigned k)
{
    enum { P = 128 / BYTES, M = ACROSS < P ? P / ACROSS : 1, R = K < P ? P / K : 1 };
    const unsigned turn = r / V * M;
    if (R > 1 && V > 1)
        r ^= turn / K % R % V;
    return r * K + (k ^ turn % K);
}

/* x is the block's place along the grid's x: down the input's tiles, or across them. */
template <int ELEM, int V, int TR, int TC, int S, bool STREAM>
static BL_INLINE void transpose(const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols,
                                unsigned x, unsigned down)
{
    enum { BYTES = V * ELEM, W = BYTES / 4, K = TR / V, ACROSS = TC / V };
    enum { THREADS = K / S * ACROSS };
    typedef typename Move<W>::number Number;
    const bl_u64 r0 = (bl_u64)(down ? x : blockIdx.y) * TR;
    const bl_u64 c0 = (bl_u64)(down ? blockIdx.y : x) * TC;
    extern __shared__ __align__(16) bl_u8 memory[];
    Number *tile = (Number *)memory;
    const unsigned t = bl_opaque(threadIdx.x);
    const unsigned sc = t % ACROSS;
    Words<W> read[S][V], turned[V];

#pragma unroll
    for (int s = 0; s < S; s++) {
        const unsigned sr = t / ACROSS + s * (K / S);
        if (r0 + sr * V < rows && c0 + sc * V < cols)
#pragma unroll
            for (int i = 0; i < V; i++)
                load<STREAM>(read[s][i],
                             in + ((r0 + sr * V + i) * cols + c0 + sc * V) * ELEM);
    }
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

#define ENTRY(elem, v, tr, tc, s, name, stream)                                          \
    extern "C" __global__ void __launch_bounds__(tr / v / s * (tc / v))                  \
        transpose_wide_e##elem##_v##v##_##tr##x##tc##name(                               \
            const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols, unsigned down)        \
    {                                                                                    \
        transpose<elem, v, tr, tc, s, stream>(in, out, rows, cols, blockIdx.x, down);    \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(tr / v / s * (tc / v))                  \
        transpose_wide_e##elem##_v##v##_##tr##x##tc##name##_batch(                       \
            const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols, unsigned down,        \
            bl_u64 batch)                                                                \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols * elem;                             \
        if (at.number < batch)                                                           \
            transpose<elem, v, tr, tc, s, stream>(in + first, out + first, rows, cols,   \
                                                  at.x, down);                           \
    }
#define ENTRIES(elem, v, tr, tc, s)                                                      \
    ENTRY(elem, v, tr, tc, s, , false)                                                   \
    ENTRY(elem, v, tr, tc, s, _stream, true)

ENTRIES(1, 4, 64, 64, 1)
ENTRIES(1, 8, 64, 64, 1)
ENTRIES(1, 8, 128, 64, 1)
ENTRIES(1, 8, 64, 128, 1)
ENTRIES(1, 8, 128, 128, 1)
ENTRIES(1, 16, 128, 128, 1)
ENTRIES(1, 16, 256, 64, 1)
ENTRIES(2, 4, 64, 64, 1)
ENTRIES(2, 8, 64, 64, 1)
ENTRIES(2, 8, 128, 64, 1)
ENTRIES(2, 8, 64, 128, 1)
ENTRIES(2, 8, 128, 128, 1)
ENTRIES(4, 4, 32, 32, 1)
ENTRIES(4, 4, 64, 32, 1)
ENTRIES(4, 4, 32, 64, 1)
ENTRIES(4, 4, 64, 64, 1)
ENTRIES(4, 4, 128, 32, 1)
ENTRIES(4, 4, 32, 128, 1)
ENTRIES(4, 4, 128, 64, 1)
ENTRIES(4, 4, 64, 128, 1)
ENTRIES(4, 4, 128, 128, 1)
ENTRIES(8, 2, 32, 32, 2)
ENTRIES(8, 2, 64, 32, 2)
ENTRIES(8, 2, 32, 64, 2)
ENTRIES(8, 2, 64, 64, 2)
ENTRIES(16, 1, 16, 32, 4)
ENTRIES(16, 1, 32, 16, 4)
ENTRIES(16, 1, 32, 32, 4)
ENTRIES(16, 1, 64, 32, 4)
ENTRIES(16, 1, 32, 64, 4)

/* For rows or cols that are no multiple of V: single elements, in tiles of SIDE x SIDE
 * with an XOR swizzle, by SIDE x (256 / SIDE) threads; each has several loads on their
 * way. */
template <class T, int SIDE>
static BL_INLINE void single(const T *in, T *out, bl_u64 rows, bl_u64 cols, unsigned x,
                             unsigned down)
{
    enum { STEP = 256 / SIDE, STEPS = SIDE / STEP };
    const bl_u64 r0 = (bl_u64)(down ? x : blockIdx.y) * SIDE;
    const bl_u64 c0 = (bl_u64)(down ? blockIdx.y : x) * SIDE;
    __shared__ T tile[SIDE * SIDE];
    const unsigned tx = bl_opaque(threadIdx.x), ty = bl_opaque(threadIdx.y);
    T held[STEPS];

#pragma unroll
    for (int k = 0; k < STEPS; k++)
        if (r0 + ty + k * STEP < rows && c0 + tx < cols)
            held[k] = in[(r0 + ty + k * STEP) * cols + c0 + tx];
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
        const unsigned r = ty + k * STEP;
        if (r0 + r < rows && c0 + tx < cols)
            tile[r * SIDE + (tx ^ r)] = held[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
        const unsigned c = ty + k * STEP;
        if (c0 + c < cols && r0 + tx < rows)
            out[(c0 + c) * rows + r0 + tx] = tile[tx * SIDE + (c ^ tx)];
    }
}

#define SINGLE(elem, type)                                                               \
    extern "C" __global__ void __launch_bounds__(256) transpose_wide_single_e##elem(     \
        const type *in, type *out, bl_u64 rows, bl_u64 cols, unsigned down)              \
    {                                                                                    \
        single<type, elem == 16 ? 32 : 64>(in, out, rows, cols, blockIdx.x, down);       \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_wide_single_e##elem##_batch(const type *in, type *out, bl_u64 rows,    \
                                              bl_u64 cols, unsigned down, bl_u64 batch)  \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            single<type, elem == 16 ? 32 : 64>(in + first, out + first, rows, cols,      \
                                               at.x, down);                              \
    }
BL_FOR_ELEMS(SINGLE)
