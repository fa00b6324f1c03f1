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
#include "banklab/device.h"

/* A vector of W words, in registers. */
template <int W> struct Words {
    bl_u32 w[W];
};

/* A vector as one number, and back. */
static BL_INLINE bl_u32 joined(const Words<1> &v)
{
    return v.w[0];
}
static BL_INLINE bl_u64 joined(const Words<2> &v)
{
    return (bl_u64)v.w[1] << 32 | v.w[0];
}
static BL_INLINE bl_u128 joined(const Words<4> &v)
{
    return make_uint4(v.w[0], v.w[1], v.w[2], v.w[3]);
}
static BL_INLINE void split(Words<1> &to, bl_u32 v)
{
    to.w[0] = v;
}
static BL_INLINE void split(Words<2> &to, bl_u64 v)
{
    to.w[0] = (bl_u32)v;
    to.w[1] = (bl_u32)(v >> 32);
}
static BL_INLINE void split(Words<4> &to, bl_u128 v)
{
    to.w[0] = v.x;
    to.w[1] = v.y;
    to.w[2] = v.z;
    to.w[3] = v.w;
}

/* What moves a vector of W words; and its accesses of data that is used once (.cs: the
 * first to be evicted). */
template <int W> struct Move;
#define MOVE(W, type)                                                                    \
    template <> struct Move<W> {                                                         \
        typedef type number;                                                             \
        STREAM_##W                                                                       \
    };
#define STREAM_1                                                                         \
    static BL_INLINE void load(Words<1> &to, const void *at)                             \
    {                                                                                    \
        asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(to.w[0]) : "l"(at));            \
    }                                                                                    \
    static BL_INLINE void store(void *at, const Words<1> &v)                             \
    {                                                                                    \
        asm volatile("st.global.cs.u32 [%0], %1;" : : "l"(at), "r"(v.w[0]) : "memory");  \
    }
#define STREAM_2                                                                         \
    static BL_INLINE void load(Words<2> &to, const void *at)                             \
    {                                                                                    \
        asm volatile("ld.global.cs.v2.u32 {%0, %1}, [%2];"                               \
                     : "=r"(to.w[0]), "=r"(to.w[1])                                      \
                     : "l"(at));                                                         \
    }                                                                                    \
    static BL_INLINE void store(void *at, const Words<2> &v)                             \
    {                                                                                    \
        asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};"                               \
                     :                                                                   \
                     : "l"(at), "r"(v.w[0]), "r"(v.w[1])                                 \
                     : "memory");                                                        \
    }
#define STREAM_4                                                                         \
    static BL_INLINE void load(Words<4> &to, const void *at)                             \
    {                                                                                    \
        asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"                       \
                     : "=r"(to.w[0]), "=r"(to.w[1]), "=r"(to.w[2]), "=r"(to.w[3])        \
                     : "l"(at));                                                         \
    }                                                                                    \
    static BL_INLINE void store(void *at, const Words<4> &v)                             \
    {                                                                                    \
        asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};"                       \
                     :                                                                   \
                     : "l"(at), "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3])       \
                     : "memory");                                                        \
    }
MOVE(1, bl_u32)
MOVE(2, bl_u64)
MOVE(4, bl_u128)

template <bool STREAM, int W> static BL_INLINE void load(Words<W> &to, const bl_u8 *at)
{
    if (STREAM)
        Move<W>::load(to, at);
    else
        split(to, *(const typename Move<W>::number *)at);
}
template <bool STREAM, int W> static BL_INLINE void store(bl_u8 *at, const Words<W> &v)
{
    if (STREAM)
        Move<W>::store(at, v);
    else
        *(typename Move<W>::number *)at = joined(v);
}

/* Bytes picked out of two words. */
template <int PICK> static BL_INLINE bl_u32 pick(bl_u32 a, bl_u32 b)
{
    bl_u32 to;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(to) : "r"(a), "r"(b), "n"(PICK));
    return to;
}

/* turned[j]'s element i becomes in[i]'s element j. */
template <int ELEM, int V> struct Turn;
template <int V> struct Turn<4, V> {
    static BL_INLINE void turn(const Words<V> in[V], Words<V> turned[V])
    {
#pragma unroll
        for (int i = 0; i < V; i++)
#pragma unroll
            for (int j = 0; j < V; j++)
                turned[j].w[i] = in[i].w[j];
    }
};
template <int V> struct Turn<8, V> {
    static BL_INLINE void turn(const Words<2 * V> in[V], Words<2 * V> turned[V])
    {
#pragma unroll
        for (int i = 0; i < V; i++)
#pragma unroll
            for (int j = 0; j < V; j++) {
                turned[j].w[2 * i] = in[i].w[2 * j];
                turned[j].w[2 * i + 1] = in[i].w[2 * j + 1];
            }
    }
};
template <int V> struct Turn<16, V> {
    static BL_INLINE void turn(const Words<4> in[1], Words<4> turned[1])
    {
        turned[0] = in[0];
    }
};
template <int V> struct Turn<2, V> {
    static BL_INLINE void turn(const Words<V / 2> in[V], Words<V / 2> turned[V])
    {
#pragma unroll
        for (int i = 0; i < V / 2; i++)
#pragma unroll
            for (int j = 0; j < V / 2; j++) {
                const bl_u32 a = in[2 * i].w[j], b = in[2 * i + 1].w[j];
                turned[2 * j].w[i] = pick<0x5410>(a, b);
                turned[2 * j + 1].w[i] = pick<0x7632>(a, b);
            }
    }
};
template <int V> struct Turn<1, V> {
    static BL_INLINE void turn(const Words<V / 4> in[V], Words<V / 4> turned[V])
    {
#pragma unroll
        for (int i = 0; i < V / 4; i++)
#pragma unroll
            for (int j = 0; j < V / 4; j++) {
                const bl_u32 a = in[4 * i].w[j], b = in[4 * i + 1].w[j];
                const bl_u32 c = in[4 * i + 2].w[j], d = in[4 * i + 3].w[j];
                const bl_u32 ab = pick<0x5140>(a, b), cd = pick<0x5140>(c, d);
                const bl_u32 AB = pick<0x7362>(a, b), CD = pick<0x7362>(c, d);
                turned[4 * j].w[i] = pick<0x5410>(ab, cd);
                turned[4 * j + 1].w[i] = pick<0x7632>(ab, cd);
                turned[4 * j + 2].w[i] = pick<0x5410>(AB, CD);
                turned[4 * j + 3].w[i] = pick<0x7632>(AB, CD);
            }
    }
};

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
