/* SPDX-License-Identifier: Apache-2.0
 *
 * shared_matrix.cu - a small matrix in shared memory: who works by rows, who by columns,
 * and how far apart do the rows lie?
 *
 * Neighbouring threads store along a row, which never conflicts within the row. A warp
 * that is longer than a row covers several, and these conflict unless the pitch puts them
 * into different banks. Reading goes along rows again, or down columns, where neighbours
 * are a pitch apart, or down the first column alone, which takes only as many threads as
 * there are rows.
 */
#include "banklab/device.h"

enum { ROWS, COLUMNS, FIRST };

struct Matrix {
    unsigned width, height; /* elements in a row, rows; the block has a thread for each */
    unsigned pitch;         /* elements between the starts of rows */
    unsigned base;          /* where the first row starts, in elements */
};

/* in and out have n elements; a block's matrix is width * height of them, row by row, at
 * the end round and round. out[i] is what thread i read; a thread that reads nothing
 * writes the element that it stored. */
template <class T, int READ>
static BL_INLINE void run(const T *in, T *out, bl_u64 n, Matrix m)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *matrix = (T *)memory + m.base;
    const unsigned t = threadIdx.x;
    const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + t;
    T value = in[i % n];

    matrix[t / m.width * m.pitch + t % m.width] = value;
    __syncthreads();
    if (READ == ROWS)
        value = matrix[t / m.width * m.pitch + t % m.width];
    else if (READ == COLUMNS)
        value = matrix[t % m.height * m.pitch + t / m.height];
    else if (t < m.height)
        value = matrix[t * m.pitch];
    if (i < n)
        out[i] = value;
}

#define ENTRY(bytes, type, name, read)                                                   \
    extern "C" __global__ void shared_matrix_e##bytes##_##name(                          \
        const type *in, type *out, bl_u64 n, unsigned width, unsigned height,            \
        unsigned pitch, unsigned base)                                                   \
    {                                                                                    \
        run<type, read>(in, out, n, {width, height, pitch, base});                       \
    }
#define ENTRIES(bytes, type)                                                             \
    ENTRY(bytes, type, rows, ROWS)                                                       \
    ENTRY(bytes, type, columns, COLUMNS)                                                 \
    ENTRY(bytes, type, first, FIRST)
BL_FOR_ELEMS(ENTRIES)
