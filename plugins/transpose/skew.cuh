/* SPDX-License-Identifier: Apache-2.0
 *
 * skew.cuh - whole sectors and 16 bytes a store, where rows start anywhere.
 *
 * If rows is odd, no two neighbouring rows of the output start alike: vectors fit none,
 * and tiles of single elements write parts of sectors at both ends of each of their rows.
 * Here a block's piece of every output row is shifted by 0 to A - 1 elements, A of them a
 * sector, so that it begins and ends with a whole sector. The pieces of one output row
 * fit together, as all are shifted by the same. For them a block reads a window of
 * TR + A - 1 rows of the input, of which each output row takes TR.
 *
 * Shared memory holds the window with its rows sorted by their number modulo V, V
 * elements a vector: lanes that gather neighbouring vectors then read neighbouring rows,
 * and an odd pitch (in words, or in elements that are wider) puts these into different
 * banks. A piece has K vectors. If these are fewer than lanes, a warp gathers pieces that
 * are K words apart, so that the lanes of one take the banks that those of another leave;
 * being a multiple of A elements apart, they are shifted alike. So there are no bank
 * conflicts, for any width.
 *
 * Input is read by single elements, with neighbours next to each other.
 */
#ifndef TRANSPOSE_SKEW_CUH
#define TRANSPOSE_SKEW_CUH

#include "banklab/device.h"

namespace skew
{

/* A vector, and its elements; both live in registers. */
template <class T> union Pack {
    bl_u128 vector;
    T element[16 / sizeof(T)];
};

/* 16 bytes in one access. A compiler that may choose makes two of some. */
template <class T> static BL_INLINE void store(T *at, const Pack<T> &pack)
{
    const bl_u128 v = pack.vector;
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
}

/* Which of the tile's columns the `number`-th piece is of, for K vectors a piece. */
template <class T, int K> static BL_INLINE unsigned column(unsigned number)
{
    enum { L = K < 32 ? 32 / K : 1, APART = K * (sizeof(T) < 4 ? 4 / sizeof(T) : 1) };
    const unsigned round = number / L;
    return L == 1 ? number
                  : round / APART * (APART * L) + number % L * APART + round % APART;
}

/* Reads the window: row r0 of the input is its row 0, and `in` points there, at its first
 * column. Near: all is inside, and offsets have 32 bits. */
template <class T, int R, int TC, int YS, int N, bool NEAR>
static BL_INLINE void read(T held[N], const T *in, long long r0, bl_u64 c0, bl_u64 rows,
                           bl_u64 cols)
{
    const unsigned t = threadIdx.x, x = t % TC, y = t / TC;
#pragma unroll
    for (int n = 0; n < N; n++) {
        const unsigned r = y + n * YS;
        const long long row = r0 + (long long)r;
        if ((n + 1) * YS > R && r >= R)
            continue;
        if (NEAR)
            held[n] = in[r * (unsigned)cols + x];
        else if (row >= 0 && row < (long long)rows && c0 + x < cols)
            held[n] = in[r * cols + x];
    }
}

/* Writes the pieces; `out` points to where the window's corner comes to lie. `start` is
 * the tile's first output row's place in the output, modulo sectors. */
template <class T, int TR, int TC, int Q, int PITCH, int THREADS, bool NEAR>
static BL_INLINE void write(T *out, const T *window, long long r0, bl_u64 c0, bl_u64 rows,
                            bl_u64 cols, unsigned start)
{
    enum { V = 16 / sizeof(T), A = 2 * V, K = TR / V, AT_ONCE = THREADS / K };
    const unsigned t = threadIdx.x, k = t % K;
#pragma unroll 4
    for (int n = 0; n < TC / AT_ONCE; n++) {
        const unsigned c = column<T, K>(t / K + n * AT_ONCE);
        /* Opaque, since some clangs make of it products of 1 bit, for A = 2, and fail. */
        const unsigned shift = bl_opaque(start + c * (unsigned)rows) % A;
        const unsigned w =
            A - 1 - shift + k * V; /* the vector's first row of the window */
        const long long r = r0 + (long long)w;
        Pack<T> pack;

        if (!NEAR && c0 + c >= cols)
            continue;
#pragma unroll
        for (int j = 0; j < V; j++)
            pack.element[j] = window[((w + j) % V * Q + (w + j) / V) * PITCH + c];
        if (NEAR) {
            store(out + (c * (unsigned)rows + w), pack);
        } else if (r >= 0 && r + V <= (long long)rows) {
            store(out + c * rows + w, pack);
        } else {
#pragma unroll
            for (int j = 0; j < V; j++)
                if (r + j >= 0 && r + j < (long long)rows)
                    out[c * rows + w + j] = pack.element[j];
        }
    }
}

/* A matrix whose first element is element `first` of the buffers. x is the block's place
 * along the grid's x: down the input's tiles, or across them. */
template <class T, int TR, int TC, int THREADS>
static BL_INLINE void transpose(const T *in, T *out, bl_u64 rows, bl_u64 cols,
                                bl_u64 first, unsigned x, unsigned down)
{
    enum { V = 16 / sizeof(T), A = 2 * V, R = TR + A - 1, Q = (R + V - 1) / V };
    enum { PITCH = TC + (sizeof(T) < 4 ? 4 / sizeof(T) : 1) };
    enum { YS = THREADS / TC, N = (R + YS - 1) / YS };
    enum { NEAR = 1 << 24 }; /* as R and TC are below 2^8 */
    extern __shared__ __align__(16) bl_u8 memory[];
    T *window = (T *)memory;
    const long long r0 = (long long)(down ? x : blockIdx.y) * TR - (A - 1);
    const bl_u64 c0 = (bl_u64)(down ? blockIdx.y : x) * TC;
    const unsigned start = (unsigned)(first + c0 * rows);
    const bool inside = r0 >= 0 && r0 + R <= (long long)rows && c0 + TC <= cols &&
                        rows < NEAR && cols < NEAR;
    const T *from = in + (long long)first + r0 * (long long)cols + (long long)c0;
    T *to = out + (long long)(first + c0 * rows) + r0;
    T held[N];

    if (inside)
        read<T, R, TC, YS, N, true>(held, from, r0, c0, rows, cols);
    else
        read<T, R, TC, YS, N, false>(held, from, r0, c0, rows, cols);
#pragma unroll
    for (int n = 0; n < N; n++) {
        const unsigned r = threadIdx.x / TC + n * YS;
        if ((n + 1) * YS <= R || r < R)
            window[(r % V * Q + r / V) * PITCH + threadIdx.x % TC] = held[n];
    }
    __syncthreads();
    if (inside)
        write<T, TR, TC, Q, PITCH, THREADS, true>(to, window, r0, c0, rows, cols, start);
    else
        write<T, TR, TC, Q, PITCH, THREADS, false>(to, window, r0, c0, rows, cols, start);
}

} /* namespace skew */

#define SKEW_ENTRY(elem, type, tr, tc, threads)                                          \
    extern "C" __global__ void __launch_bounds__(threads)                                \
        transpose_skew_e##elem##_##tr##x##tc(const type *in, type *out, bl_u64 rows,     \
                                             bl_u64 cols, unsigned down)                 \
    {                                                                                    \
        skew::transpose<type, tr, tc, threads>(in, out, rows, cols, 0, blockIdx.x,       \
                                               down);                                    \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(threads)                                \
        transpose_skew_e##elem##_##tr##x##tc##_batch(const type *in, type *out,          \
                                                     bl_u64 rows, bl_u64 cols,           \
                                                     unsigned down, bl_u64 batch)        \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        if (at.number < batch)                                                           \
            skew::transpose<type, tr, tc, threads>(in, out, rows, cols,                  \
                                                   at.number * rows * cols, at.x, down); \
    }

#endif /* TRANSPOSE_SKEW_CUH */
