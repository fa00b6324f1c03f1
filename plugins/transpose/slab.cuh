/* SPDX-License-Identifier: Apache-2.0
 *
 * slab.cuh - narrow matrices: one of the two sides is read or written as it lies in
 * memory, from the first byte to the last.
 *
 * With few columns a block takes whole rows, a slab of the input without gaps: linear
 * vectors of 16 bytes, five of a thread on their way at once. From shared memory it
 * gathers pieces of the output's rows, G elements an access. With few rows it is the
 * other way round: it reads pieces of the input's rows and scatters them, and the
 * output's slab is linear. Of small matrices of a batch a block takes several, linear in
 * and out. A single row or column is the same bytes in the same order.
 *
 * Shared memory has the order of the elements, but for a swizzle. Lanes next to each
 * other gather from G rows on, n elements a row; where G * n is even, their banks repeat.
 * So a unit (a word, or an element if that is wider) goes to its number XOR some bits of
 * the number of its G rows. The plan says which: those that make the lanes' banks differ,
 * and none below the bits in which the columns differ that a warp gathers from. The units
 * that the XOR mixes with each other are all of the same G rows; so a vector stays one,
 * its units exchanged. (Where G * n is twice an odd number, pairs of words stay pairs.)
 *
 * What is left are conflicts of elements below 4 bytes that are gathered one by one, as
 * the long side is odd; of small matrices whose sides are no powers of two; and of rows
 * so long that fewer accesses of a column than lanes fit.
 */
#ifndef TRANSPOSE_SLAB_CUH
#define TRANSPOSE_SLAB_CUH

#include "squares.cuh"

namespace slab
{

/* How the units of elements T fill shared memory. */
template <class T> struct Unit {
    enum { BYTES = sizeof(T) < 4 ? 4 : sizeof(T), ELEMS = BYTES / sizeof(T) };
    enum { VECTOR = 16 / BYTES, V = 16 / sizeof(T) };
};

/* A number, small enough, divided by that whose magic number is 2^32 / it, rounded up. */
static BL_INLINE unsigned divide(unsigned number, unsigned magic)
{
    return (unsigned)((bl_u64)number * magic >> 32);
}

/* The bits that a unit's number is XORed with: its G rows' number, turned left by `turn`
 * bits, and of that the bits in `mask`. `magic` divides a unit's number by the units of G
 * rows. */
struct Swizzle {
    unsigned magic, turn, mask;
    BL_INLINE unsigned of_rows(unsigned number) const
    {
        return ((number << turn) | (number >> ((32 - turn) & 31))) & mask;
    }
    BL_INLINE unsigned of_unit(unsigned unit) const
    {
        return of_rows(divide(unit, magic));
    }
};

/* Where element e of the slab lies; where that is known, `bits` are its unit's. */
template <class T> static BL_INLINE unsigned place(unsigned e, unsigned bits)
{
    return (e / Unit<T>::ELEMS ^ bits) * Unit<T>::ELEMS + e % Unit<T>::ELEMS;
}
template <class T> static BL_INLINE unsigned place(unsigned e, const Swizzle &swizzle)
{
    return place<T>(e, swizzle.of_unit(e / Unit<T>::ELEMS));
}

static BL_INLINE void exchange(bool really, bl_u32 &a, bl_u32 &b)
{
    const bl_u32 was = a;
    a = really ? b : a;
    b = really ? was : b;
}

/* Vector v of the slab, whose units lie exchanged at `slot`. */
template <class T> struct Slot {
    unsigned slot, bits, bits2;
    BL_INLINE Slot(unsigned v, const Swizzle &swizzle)
    {
        enum { N = Unit<T>::VECTOR };
        bits = bits2 = swizzle.of_unit(N * v);
        if (N == 4) /* pairs of words may be of different rows */
            bits2 = swizzle.of_unit(N * v + 2);
        slot = v ^ bits / N;
    }
    BL_INLINE void exchange_units(Words<4> &v) const
    {
        enum { N = Unit<T>::VECTOR };
        if (N == 4) {
            exchange(bits & 1, v.w[0], v.w[1]);
            exchange(bits2 & 1, v.w[2], v.w[3]);
        }
        exchange(bits & (N / 2), v.w[0], v.w[2]);
        exchange(bits & (N / 2), v.w[1], v.w[3]);
    }
};

/* G elements of a row, in one access. */
template <class T, int G, bool SMALL = (sizeof(T) * G < 4)> union Piece {
    T element[G];
    Words<sizeof(T) * G / 4> words;
    BL_INLINE void read(const T *at)
    {
        load<true>(words, (const bl_u8 *)at);
    }
    BL_INLINE void write(T *at) const
    {
        store<true>((bl_u8 *)at, words);
    }
};
template <class T, int G> union Piece<T, G, true> {
    T element[1];
    BL_INLINE void read(const T *at)
    {
        element[0] = *at;
    }
    BL_INLINE void write(T *at) const
    {
        *at = element[0];
    }
};

/* A slab of so many elements comes in; `from` is at a vector's alignment. All loads of a
 * thread are on their way before the first store, if they are no more than F. */
template <class T>
static BL_INLINE void take(T *slab, const T *from, unsigned elems, const Swizzle &swizzle)
{
    enum { V = Unit<T>::V, F = 5 };
    const unsigned vectors = elems / V, threads = blockDim.x;
    for (unsigned first = threadIdx.x; first < vectors; first += F * threads) {
        Words<4> held[F];
#pragma unroll
        for (int f = 0; f < F; f++)
            if (first + f * threads < vectors)
                load<true>(held[f], (const bl_u8 *)from + (first + f * threads) * 16);
#pragma unroll
        for (int f = 0; f < F; f++)
            if (first + f * threads < vectors) {
                const Slot<T> at(first + f * threads, swizzle);
                at.exchange_units(held[f]);
                ((bl_u128 *)slab)[at.slot] = joined(held[f]);
            }
    }
    const unsigned e = vectors * V + threadIdx.x;
    if (e < elems)
        slab[place<T>(e, swizzle)] = from[e];
}

/* And goes out, but for its first `skip` elements, fewer than a vector's. */
template <class T>
static BL_INLINE void give(T *to, const T *slab, unsigned skip, unsigned elems,
                           const Swizzle &swizzle)
{
    enum { V = Unit<T>::V, F = 5 };
    const unsigned vectors = elems / V, t = threadIdx.x, tail = vectors * V + t;
    const unsigned threads = blockDim.x;
    for (unsigned first = t + (skip != 0); first < vectors; first += F * threads) {
        Words<4> held[F];
#pragma unroll
        for (int f = 0; f < F; f++)
            if (first + f * threads < vectors) {
                const Slot<T> at(first + f * threads, swizzle);
                split(held[f], ((const bl_u128 *)slab)[at.slot]);
                at.exchange_units(held[f]);
            }
#pragma unroll
        for (int f = 0; f < F; f++)
            if (first + f * threads < vectors)
                store<true>((bl_u8 *)to + (first + f * threads) * 16, held[f]);
    }
    if (skip && vectors && t >= skip && t < V)
        to[t] = slab[place<T>(t, swizzle)];
    if (tail >= skip && tail < elems)
        to[tail] = slab[place<T>(tail, swizzle)];
}

/* Block x's slab of a matrix that begins at element `first`, of `wide` times `narrow`
 * elements: G << log rows of the input with `narrow` columns, or if OUT of the output.
 * Thread t has the piece t modulo 2^log of each row of the other side. */
template <class T, int G, bool OUT, bool BATCH>
static BL_INLINE void transpose(const T *in, T *out, bl_u64 wide, unsigned narrow,
                                unsigned log, const Swizzle &swizzle, bl_u64 first,
                                unsigned x)
{
    enum { V = Unit<T>::V, ELEMS = Unit<T>::ELEMS, F = G == V ? 5 : 8 };
    extern __shared__ __align__(16) bl_u8 memory[];
    T *slab = (T *)memory;
    const bl_u64 r0 = (bl_u64)x * (G << log), start = first + r0 * narrow;
    const unsigned here = (unsigned)min((bl_u64)(G << log), wide - r0);
    /* What lies between the vector's alignment and the slab. */
    const unsigned skip = BATCH ? start % V : 0, elems = skip + here * narrow;
    const unsigned t = threadIdx.x, r = (t & ((1 << log) - 1)) * G;
    const unsigned step = blockDim.x >> log, e = skip + r * narrow;
    const unsigned bits = swizzle.of_rows(r / (G > ELEMS ? G : ELEMS));
    const bl_u64 row = first + r0 + r, walk = step * wide;

    if (!OUT)
        take(slab, in + (start - skip), elems, swizzle);
    else if (r < here) {
        const T *from = in + (row + (t >> log) * wide);
        for (unsigned c = t >> log; c < narrow; c += F * step) {
            Piece<T, G> held[F];
#pragma unroll
            for (int f = 0; f < F; f++, from += walk)
                if (c + f * step < narrow)
                    held[f].read(from);
#pragma unroll
            for (int f = 0; f < F; f++)
                if (c + f * step < narrow)
#pragma unroll
                    for (int j = 0; j < G; j++) {
                        const unsigned at = e + j * narrow + c + f * step;
                        slab[BATCH ? place<T>(at, swizzle) : place<T>(at, bits)] =
                            held[f].element[j];
                    }
        }
    }
    __syncthreads();
    if (OUT)
        give<T>(out + (start - skip), slab, skip, elems, swizzle);
    else if (r < here) {
        T *to = out + (row + (t >> log) * wide);
        for (unsigned c = t >> log; c < narrow; c += 4 * step) {
            Piece<T, G> held[4];
#pragma unroll
            for (int f = 0; f < 4; f++)
                if (c + f * step < narrow)
#pragma unroll
                    for (int j = 0; j < G; j++) {
                        const unsigned at = e + j * narrow + c + f * step;
                        held[f].element[j] =
                            slab[BATCH ? place<T>(at, swizzle) : place<T>(at, bits)];
                    }
#pragma unroll
            for (int f = 0; f < 4; f++, to += walk)
                if (c + f * step < narrow)
                    held[f].write(to);
        }
    }
}

/* V elements of the output, from its element e on, out of a slab of whole matrices. The
 * magic numbers divide by rows and by cols. */
template <class T, int V>
static BL_INLINE void gather(T to[V], const T *slab, unsigned e, unsigned rows,
                             unsigned cols, const Swizzle &swizzle, unsigned magic_rows,
                             unsigned magic_cols)
{
    const unsigned column = divide(e, magic_rows), number = divide(column, magic_cols);
    unsigned r = e - column * rows, c = column - number * cols;
    unsigned from = number * rows * cols + r * cols + c;

    if (rows % V == 0) { /* all of one column, and of rows with the same bits */
        const unsigned bits = swizzle.of_unit(from / Unit<T>::ELEMS);
#pragma unroll
        for (int j = 0; j < V; j++)
            to[j] = slab[place<T>(from + j * cols, bits)];
        return;
    }
#pragma unroll
    for (int j = 0; j < V; j++) {
        to[j] = slab[place<T>(from, swizzle)];
        from += cols;
        if (++r == rows) { /* the next column */
            r = 0;
            from -= rows * cols - 1;
            if (++c == cols) { /* the next matrix */
                c = 0;
                from += (rows - 1) * cols;
            }
        }
    }
}

/* Block by block `count` matrices of a batch. */
template <class T>
static BL_INLINE void pack(const T *in, T *out, unsigned rows, unsigned cols,
                           bl_u64 batch, unsigned count, const Swizzle &swizzle,
                           unsigned magic_rows, unsigned magic_cols)
{
    enum { V = Unit<T>::V, F = 2 };
    extern __shared__ __align__(16) bl_u8 memory[];
    T *slab = (T *)memory;
    const bl_u64 matrix = (bl_u64)blockIdx.x * count, first = matrix * (rows * cols);
    const unsigned elems = (unsigned)min((bl_u64)count, batch - matrix) * (rows * cols);
    const unsigned vectors = elems / V, t = threadIdx.x, threads = blockDim.x;

    take(slab, in + first, elems, swizzle);
    __syncthreads();
    for (unsigned v = t; v < vectors; v += F * threads) {
        Piece<T, V> held[F];
#pragma unroll
        for (int f = 0; f < F; f++)
            if (v + f * threads < vectors)
                gather<T, V>(held[f].element, slab, (v + f * threads) * V, rows, cols,
                             swizzle, magic_rows, magic_cols);
#pragma unroll
        for (int f = 0; f < F; f++)
            if (v + f * threads < vectors)
                held[f].write(out + first + (v + f * threads) * V);
    }
    if (t < elems % V)
        gather<T, 1>(out + first + vectors * V + t, slab, vectors * V + t, rows, cols,
                     swizzle, magic_rows, magic_cols);
}

} /* namespace slab */

/* So many bytes as they are. */
#define SLAB_COPY()                                                                      \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_slab_copy(const bl_u8 *in, bl_u8 *out, bl_u64 bytes)                   \
    {                                                                                    \
        const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;                  \
        const bl_u64 vectors = bytes / 16;                                               \
        if (i < vectors)                                                                 \
            ((bl_u128 *)out)[i] = ((const bl_u128 *)in)[i];                              \
        if (i < bytes % 16)                                                              \
            out[vectors * 16 + i] = in[vectors * 16 + i];                                \
    }

/* Few columns, and few rows. */
#define SLAB_SIDE(elem, type, g, side, turned)                                           \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_slab_##side##_e##elem##_g##g(                                          \
            const type *in, type *out, bl_u64 wide, unsigned narrow, unsigned log,       \
            unsigned magic, unsigned turn, unsigned mask)                                \
    {                                                                                    \
        const slab::Swizzle swizzle = {magic, turn, mask};                               \
        slab::transpose<type, g, turned, false>(in, out, wide, narrow, log, swizzle, 0,  \
                                                blockIdx.x);                             \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_slab_##side##_e##elem##_g##g##_batch(                                  \
            const type *in, type *out, bl_u64 wide, unsigned narrow, unsigned log,       \
            unsigned magic, unsigned turn, unsigned mask, bl_u64 batch)                  \
    {                                                                                    \
        const slab::Swizzle swizzle = {magic, turn, mask};                               \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        if (at.number < batch)                                                           \
            slab::transpose<type, g, turned, true>(in, out, wide, narrow, log, swizzle,  \
                                                   at.number * wide * narrow, at.x);     \
    }
#define SLAB_SIDES(elem, type, g)                                                        \
    SLAB_SIDE(elem, type, g, columns, false)                                             \
    SLAB_SIDE(elem, type, g, rows, true)

#define SLAB_PACK(elem, type)                                                            \
    extern "C" __global__ void __launch_bounds__(256) transpose_slab_pack_e##elem(       \
        const type *in, type *out, unsigned rows, unsigned cols, bl_u64 batch,           \
        unsigned count, unsigned magic_rows, unsigned magic_cols, unsigned magic,        \
        unsigned turn, unsigned mask)                                                    \
    {                                                                                    \
        const slab::Swizzle swizzle = {magic, turn, mask};                               \
        slab::pack(in, out, rows, cols, batch, count, swizzle, magic_rows, magic_cols);  \
    }

/* All of them: what slab.h can plan. */
#define SLAB_ENTRIES()                                                                   \
    SLAB_COPY()                                                                          \
    SLAB_SIDES(1, bl_u8, 1)                                                              \
    SLAB_SIDES(1, bl_u8, 4)                                                              \
    SLAB_SIDES(1, bl_u8, 16)                                                             \
    SLAB_SIDES(2, bl_u16, 1)                                                             \
    SLAB_SIDES(2, bl_u16, 2)                                                             \
    SLAB_SIDES(2, bl_u16, 8)                                                             \
    SLAB_SIDES(4, bl_u32, 1)                                                             \
    SLAB_SIDES(4, bl_u32, 4)                                                             \
    SLAB_SIDES(8, bl_u64, 1)                                                             \
    SLAB_SIDES(8, bl_u64, 2)                                                             \
    SLAB_SIDES(16, bl_u128, 1)                                                           \
    BL_FOR_ELEMS(SLAB_PACK)

#endif /* TRANSPOSE_SLAB_CUH */
