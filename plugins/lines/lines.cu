/* SPDX-License-Identifier: Apache-2.0
 *
 * lines.cu - each thread walks a line of a matrix, and writes at every step the XOR of
 * what it has seen so far.
 *
 *     along    a row: neighbouring threads are a whole row apart, 32 sectors an access
 *     down     a column: neighbouring threads stand side by side, whole sectors
 *     turned   a row, as `along`; but the warp brings 32 x 32 elements at a time into
 *              shared memory side by side, walks there, and writes them back side by side
 */
#include "banklab/device.h"

enum { SIDE = 32 }; /* lines of a block, one a thread; side of the tile */

/* `lines` lines that start `start` elements apart, of `length` elements `step` apart. */
template <class T>
static BL_INLINE void walk(const T *in, T *out, bl_u64 lines, bl_u64 start, bl_u64 length,
                           bl_u64 step)
{
    const bl_u64 line = (bl_u64)blockIdx.x * SIDE + threadIdx.x;
    T seen = bl_zero<T>();

    if (line < lines)
        for (bl_u64 k = 0; k < length; k++) {
            seen = bl_xor(seen, in[line * start + k * step]);
            out[line * start + k * step] = seen;
        }
}

template <class T>
static BL_INLINE void turned(const T *in, T *out, bl_u64 rows, bl_u64 cols)
{
    __shared__ T tile[SIDE][SIDE + 1]; /* the odd pitch frees columns of conflicts */
    const unsigned lane = threadIdx.x;
    const bl_u64 r0 = (bl_u64)blockIdx.x * SIDE;
    const unsigned height = rows - r0 < SIDE ? (unsigned)(rows - r0) : SIDE;
    T seen = bl_zero<T>();

    for (bl_u64 c0 = 0; c0 < cols; c0 += SIDE) {
        const unsigned width = cols - c0 < SIDE ? (unsigned)(cols - c0) : SIDE;
        if (lane < width)
            for (unsigned r = 0; r < height; r++)
                tile[r][lane] = in[(r0 + r) * cols + c0 + lane];
        __syncthreads();
        if (lane < height)
            for (unsigned c = 0; c < width; c++)
                tile[lane][c] = seen = bl_xor(seen, tile[lane][c]);
        __syncthreads();
        if (lane < width)
            for (unsigned r = 0; r < height; r++)
                out[(r0 + r) * cols + c0 + lane] = tile[r][lane];
        __syncthreads(); /* the tile has been read: it may be filled again */
    }
}

#define ENTRIES(bytes, type)                                                             \
    extern "C" __global__ void __launch_bounds__(SIDE)                                   \
        lines_e##bytes##_along(const type *in, type *out, bl_u64 rows, bl_u64 cols)      \
    {                                                                                    \
        walk<type>(in, out, rows, cols, cols, 1);                                        \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(SIDE)                                   \
        lines_e##bytes##_down(const type *in, type *out, bl_u64 rows, bl_u64 cols)       \
    {                                                                                    \
        walk<type>(in, out, cols, 1, rows, cols);                                        \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(SIDE)                                   \
        lines_e##bytes##_turned(const type *in, type *out, bl_u64 rows, bl_u64 cols)     \
    {                                                                                    \
        turned<type>(in, out, rows, cols);                                               \
    }
BL_FOR_ELEMS(ENTRIES)
