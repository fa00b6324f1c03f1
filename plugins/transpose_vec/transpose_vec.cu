/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_vec.cu - four elements an access, on the way in, through the tile and out.
 *
 * A thread reads a little square of V x V elements as V vectors, turns it in its
 * registers, and puts it into shared memory as V vectors of the transposed tile, from
 * where the block writes whole rows. V is 4 for elements of up to 4 bytes, 2 for 8 and 1
 * for 16, so that a vector is 4, 8 or 16 bytes. The tile is 16 x 16 squares, one a
 * thread: 64 x 64 elements for V = 4.
 *
 * Vectors need their alignment: rows and cols must be multiples of V. For other problems
 * there is the second kernel below, which moves single elements.
 */
#include "banklab/device.h"

enum { SIDE = 16 }; /* squares along a side of the tile; the block is SIDE x SIDE */

/* What moves at once, as one number, and how many elements are in it. */
template <class T> struct Vector;
template <> struct Vector<bl_u8> {
    typedef bl_u32 type;
};
template <> struct Vector<bl_u16> {
    typedef bl_u64 type;
};
template <> struct Vector<bl_u32> {
    typedef bl_u128 type;
};
template <> struct Vector<bl_u64> {
    typedef bl_u128 type;
};
template <> struct Vector<bl_u128> {
    typedef bl_u128 type;
};

/* The same bytes seen as a vector and as its elements. Both live in registers. */
template <class T> union Pack {
    typename Vector<T>::type vector;
    T element[sizeof(typename Vector<T>::type) / sizeof(T)];
};

/* Where vector k of the tile's transposed row r lies. Storing, neighbouring lanes are V
 * rows apart, which is the same bank: r / V permutes the vectors of a row, so that they
 * come to lie in different ones. Vectors of 4 bytes fill only half the banks with a row;
 * there the store's second half-warp needs the other half, hence the odd rows. */
template <class T, int V> static BL_INLINE unsigned place(unsigned r, unsigned k)
{
    const unsigned square = r / V;
    if (sizeof(T) * V == 4)
        r ^= square & 1;
    return r * SIDE + (k ^ square % SIDE);
}

template <class T>
static BL_INLINE void transpose(const T *__restrict__ in, T *__restrict__ out,
                                bl_u64 rows, bl_u64 cols, unsigned x)
{
    typedef typename Vector<T>::type Wide;
    enum { V = sizeof(Wide) / sizeof(T), TILE = SIDE * V };
    __shared__ Wide tile[TILE * SIDE];
    /* Consecutive blocks go down the input: their output rows lie side by side. */
    const bl_u64 r0 = (bl_u64)x * TILE;

    for (bl_u64 c0 = (bl_u64)blockIdx.y * TILE; c0 < cols;
         c0 += (bl_u64)gridDim.y * TILE) {
        const unsigned tx = bl_opaque(threadIdx.x), ty = bl_opaque(threadIdx.y);
        /* rows and cols are multiples of V: a square is inside or outside as a whole. */
        if (r0 + ty * V < rows && c0 + tx * V < cols) {
            const T *from = in + (r0 + ty * V) * cols + c0 + tx * V;
            Pack<T> read[V], turned[V];
#pragma unroll
            for (int i = 0; i < V; i++)
                read[i].vector = *(const Wide *)(from + i * cols);
#pragma unroll
            for (int i = 0; i < V; i++)
#pragma unroll
                for (int j = 0; j < V; j++)
                    turned[j].element[i] = read[i].element[j];
#pragma unroll
            for (int j = 0; j < V; j++)
                tile[place<T, V>(tx * V + j, ty)] = turned[j].vector;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < V; i++) {
            const unsigned r = ty + i * SIDE; /* row of the transposed tile */
            if (c0 + r < cols && r0 + tx * V < rows)
                *(Wide *)(out + (c0 + r) * rows + r0 + tx * V) = tile[place<T, V>(r, tx)];
        }
        __syncthreads(); /* the tile has been read: it may be filled again */
    }
}

/* For rows or cols that are no multiple of V: single elements through a 32 x 32 tile with
 * an XOR swizzle, by 32 x 8 threads, in the same order of blocks. */
template <class T>
static BL_INLINE void transpose_single(const T *__restrict__ in, T *__restrict__ out,
                                       bl_u64 rows, bl_u64 cols, unsigned x)
{
    enum { TILE = 32, BLOCK_ROWS = 8, STEPS = TILE / BLOCK_ROWS };
    __shared__ T tile[TILE * TILE];
    const bl_u64 r0 = (bl_u64)x * TILE;

    for (bl_u64 c0 = (bl_u64)blockIdx.y * TILE; c0 < cols;
         c0 += (bl_u64)gridDim.y * TILE) {
        const unsigned tx = bl_opaque(threadIdx.x), ty = bl_opaque(threadIdx.y);
        T held[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const unsigned r = ty + k * BLOCK_ROWS;
            if (r0 + r < rows && c0 + tx < cols)
                held[k] = in[(r0 + r) * cols + c0 + tx];
        }
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const unsigned r = ty + k * BLOCK_ROWS;
            if (r0 + r < rows && c0 + tx < cols)
                tile[r * TILE + (tx ^ r)] = held[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const unsigned c = ty + k * BLOCK_ROWS;
            if (c0 + c < cols && r0 + tx < rows)
                out[(c0 + c) * rows + r0 + tx] = tile[tx * TILE + (c ^ tx)];
        }
        __syncthreads();
    }
}

#define ENTRIES(bytes, type)                                                             \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_vec_e##bytes(const type *in, type *out, bl_u64 rows, bl_u64 cols)      \
    {                                                                                    \
        transpose(in, out, rows, cols, blockIdx.x);                                      \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256) transpose_vec_e##bytes##_batch(    \
        const type *in, type *out, bl_u64 rows, bl_u64 cols, bl_u64 batch)               \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            transpose(in + first, out + first, rows, cols, at.x);                        \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256) transpose_vec_single_e##bytes(     \
        const type *in, type *out, bl_u64 rows, bl_u64 cols)                             \
    {                                                                                    \
        transpose_single(in, out, rows, cols, blockIdx.x);                               \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_vec_single_e##bytes##_batch(const type *in, type *out, bl_u64 rows,    \
                                              bl_u64 cols, bl_u64 batch)                 \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            transpose_single(in + first, out + first, rows, cols, at.x);                 \
    }
BL_FOR_ELEMS(ENTRIES)
