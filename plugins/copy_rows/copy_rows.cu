/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_rows.cu - a matrix, row by row, by blocks of any width: what alignment is worth.
 *
 * A thread moves one element. A warp touches whole sectors only if its part of a row
 * starts and ends at a multiple of 32 bytes: that takes a block whose width is a multiple
 * of it, and rows that start there. Elements at the end of each row may be unused, as in
 * a matrix whose rows were made longer to start well; they are not read.
 */
#include "banklab/device.h"

/* in and out are rows x cols:
 *     out[r][c] = c < used ? in[r][c] : 0 */
template <class T>
static BL_INLINE void run(const T *in, T *out, bl_u64 rows, bl_u64 cols, bl_u64 used)
{
    const bl_u64 c = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;

    /* A grid has at most 65,535 blocks in y: a block goes on further down. */
    if (c < cols)
        for (bl_u64 r = (bl_u64)blockIdx.y * blockDim.y + threadIdx.y; r < rows;
             r += (bl_u64)gridDim.y * blockDim.y)
            out[r * cols + c] = c < used ? in[r * cols + c] : bl_zero<T>();
}

#define ENTRY(bytes, type)                                                               \
    extern "C" __global__ void copy_rows_e##bytes(const type *in, type *out,             \
                                                  bl_u64 rows, bl_u64 cols, bl_u64 used) \
    {                                                                                    \
        run<type>(in, out, rows, cols, used);                                            \
    }
BL_FOR_ELEMS(ENTRY)
