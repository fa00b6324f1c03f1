/* SPDX-License-Identifier: Apache-2.0
 *
 * thin.cuh - one vector a thread: for matrices so small that the time is what
 * one load, one barrier and one store take.
 *
 * A thread reads a vector of V elements of a row, scatters them into V rows of the
 * transposed tile, waits for the block, and writes one vector of a row of the output. No
 * thread has a second load to wait for, blocks are many and small, and indexes have 32
 * bits, which keeps the way to the first load short.
 *
 * rows and cols are multiples of V, so that a vector is inside or outside as a whole.
 */
#ifndef TRANSPOSE_THIN_CUH
#define TRANSPOSE_THIN_CUH

#include "squares.cuh"

namespace thin
{

/* Element j of a vector. */
template <class T> struct Element {
    template <int W> static BL_INLINE T of(const Words<W> &v, int j)
    {
        enum { PER_WORD = 4 / sizeof(T), BITS = 8 * sizeof(T) };
        return (T)(v.w[j / PER_WORD] >> j % PER_WORD * BITS);
    }
};
template <> struct Element<bl_u64> {
    template <int W> static BL_INLINE bl_u64 of(const Words<W> &v, int j)
    {
        return (bl_u64)v.w[2 * j + 1] << 32 | v.w[2 * j];
    }
};
template <> struct Element<bl_u128> {
    static BL_INLINE bl_u128 of(const Words<4> &v, int)
    {
        return joined(v);
    }
};

/* A tile of TR rows of the input, TC columns. Blocks of one x after the other go down the
 * input.
 *
 * Vectors of a tile's row lie where squares of V x V elements, one a thread, would put
 * them without a conflict: place() sets the squares of a row apart. Here V threads share
 * a square, and a store is of one element of each of V vectors. Lanes are numbered across
 * 128 bytes of a row, then down a square, then on along the row: so the lanes whose
 * stores are served together, 32 of elements of 4 bytes, 16 of 8, 8 of 16, have whole
 * vectors among them, which lie in different banks as the squares' do. Of narrower
 * elements they share words besides. */
template <class T, int V, int TR, int TC>
static BL_INLINE void transpose(const bl_u8 *in, bl_u8 *out, unsigned rows, unsigned cols,
                                unsigned block)
{
    enum { ELEM = sizeof(T), BYTES = V * ELEM, W = BYTES / 4, K = TR / V };
    enum { ACROSS = TC / V, RUN = ACROSS < 128 / BYTES ? ACROSS : 128 / BYTES };
    typedef typename Move<W>::number Number;
    __shared__ Number tile[TC * K];
    const unsigned r0 = block * TR, c0 = blockIdx.y * TC, t = threadIdx.x;
    const unsigned x = t % RUN + t / (RUN * V) % (ACROSS / RUN) * RUN;
    const unsigned y = t / (ACROSS * V) * V + t / RUN % V;
    const unsigned r = t / K, k = t % K;
    const bool inside = r0 + y < rows && c0 + x * V < cols;
    Words<W> words;

    if (inside)
        load<true>(words, in + ((r0 + y) * cols + c0 + x * V) * ELEM);
    /* While it is on its way: all that comes behind the barrier is a load and a store. */
    const unsigned taken = bl_opaque(place<V, K, ACROSS, BYTES>(r, k));
    const unsigned to = bl_opaque(((c0 + r) * rows + r0 + k * V) * ELEM);
    if (inside) {
        const unsigned first = place<V, K, ACROSS, BYTES>(x * V, y / V) * V + y % V;
        /* place() permutes by XOR alone: so far is row j of the square from its first. */
#pragma unroll
        for (int j = 0; j < V; j++)
            ((T *)tile)[first ^ j * K * V] = Element<T>::of(words, j);
    }
    __syncthreads();
    if (c0 + r < cols && r0 + k * V < rows) {
        split(words, tile[taken]);
        store<true>(out + to, words);
    }
}

} /* namespace thin */

/* Entry points: of one matrix, and of many. */
#define THIN_ENTRY(elem, type, vector, tr, tc)                                           \
    extern "C" __global__ void __launch_bounds__(tr *tc *elem / vector)                  \
        transpose_thin_e##elem##_v##vector##_##tr##x##tc(const bl_u8 *in, bl_u8 *out,    \
                                                         unsigned rows, unsigned cols)   \
    {                                                                                    \
        thin::transpose<type, vector / elem, tr, tc>(in, out, rows, cols, blockIdx.x);   \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(tr *tc *elem / vector)                  \
        transpose_thin_e##elem##_v##vector##_##tr##x##tc##_batch(                        \
            const bl_u8 *in, bl_u8 *out, unsigned rows, unsigned cols, bl_u64 batch)     \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * ((bl_u64)rows * cols * elem);                   \
        if (at.number < batch)                                                           \
            thin::transpose<type, vector / elem, tr, tc>(in + first, out + first, rows,  \
                                                         cols, at.x);                    \
    }

#endif /* TRANSPOSE_THIN_CUH */
