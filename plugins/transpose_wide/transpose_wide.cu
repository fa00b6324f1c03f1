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
#include "../transpose/tiles.cuh"

#define ENTRIES(elem, v, tr, tc, s)                                                      \
    TRANSPOSE_TILES_ENTRY(transpose_wide, elem, v, tr, tc, s, , false)                   \
    TRANSPOSE_TILES_ENTRY(transpose_wide, elem, v, tr, tc, s, _stream, true)

ENTRIES(1, 4, 64, 64, 1)
ENTRIES(1, 8, 64, 64, 1)
ENTRIES(1, 8, 128, 64, 1)
ENTRIES(1, 8, 64, 128, 1)
ENTRIES(1, 8, 128, 128, 1)
ENTRIES(1, 8, 128, 256, 1)
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
ENTRIES(16, 1, 16, 64, 4)
ENTRIES(16, 1, 32, 16, 4)
ENTRIES(16, 1, 32, 32, 4)
ENTRIES(16, 1, 64, 32, 4)
ENTRIES(16, 1, 32, 64, 4)

/* For rows or cols that are no multiple of V: single elements, in tiles of SIDE x SIDE
 * with an XOR swizzle, by SIDE x (256 / SIDE) threads; each has several loads on their
 * way. */
template <class T, int SIDE>
static BL_INLINE void single(const T *in, T *out, bl_u64 rows, bl_u64 cols, unsigned x,
                             unsigned order)
{
    enum { STEP = 256 / SIDE, STEPS = SIDE / STEP };
    const bl_u64 r0 = (bl_u64)(order == ORDER_DOWN ? x : blockIdx.y) * SIDE;
    const bl_u64 c0 = (bl_u64)(order == ORDER_DOWN ? blockIdx.y : x) * SIDE;
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
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_wide_single_e##elem(const type *in, type *out, bl_u64 rows,            \
                                      bl_u64 cols, unsigned order, unsigned ahead)       \
    {                                                                                    \
        single<type, elem == 16 ? 32 : 64>(in, out, rows, cols, blockIdx.x, order);      \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_wide_single_e##elem##_batch(const type *in, type *out, bl_u64 rows,    \
                                              bl_u64 cols, unsigned order,               \
                                              unsigned ahead, bl_u64 batch)              \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        const bl_u64 first = at.number * rows * cols;                                    \
        if (at.number < batch)                                                           \
            single<type, elem == 16 ? 32 : 64>(in + first, out + first, rows, cols,      \
                                               at.x, order);                             \
    }
BL_FOR_ELEMS(SINGLE)
