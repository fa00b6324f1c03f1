/* SPDX-License-Identifier: Apache-2.0
 *
 * bad.cu - kernels that are wrong in one thing each, and `right`, which they all would
 * be. All take 4-byte elements and blocks of 32 x 8 threads.
 */
#include "banklab/device.h"

enum { TILE = 32, BLOCK_ROWS = 8 };

#define KERNEL(name)                                                                     \
    extern "C" __global__ void __launch_bounds__(TILE *BLOCK_ROWS)                       \
        name(const bl_u32 *in, bl_u32 *out, bl_u64 rows, bl_u64 cols)
#define EACH_ROW(k) for (unsigned k = threadIdx.y; k < TILE; k += BLOCK_ROWS)

static BL_INLINE void fill(const bl_u32 *in, bl_u64 rows, bl_u64 cols, bl_u64 r0,
                           bl_u64 c0, bl_u32 (*tile)[TILE + 1])
{
    EACH_ROW(k)
    if (r0 + k < rows && c0 + threadIdx.x < cols)
        tile[k][threadIdx.x] = in[(r0 + k) * cols + c0 + threadIdx.x];
}

static BL_INLINE void drain(bl_u32 *out, bl_u64 rows, bl_u64 cols, bl_u64 r0, bl_u64 c0,
                            bl_u32 (*tile)[TILE + 1])
{
    EACH_ROW(k)
    if (c0 + k < cols && r0 + threadIdx.x < rows)
        out[(c0 + k) * rows + r0 + threadIdx.x] = tile[threadIdx.x][k];
}

KERNEL(right)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    fill(in, rows, cols, r0, c0, tile);
    __syncthreads();
    drain(out, rows, cols, r0, c0, tile);
}

/* The tile is read while other warps still write it. */
KERNEL(no_barrier)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    fill(in, rows, cols, r0, c0, tile);
    drain(out, rows, cols, r0, c0, tile);
}

/* Each block does all tiles of a column; the next one is written while other warps still
 * read the last one. */
KERNEL(no_reuse_barrier)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 c0 = (bl_u64)blockIdx.x * TILE;
    for (bl_u64 r0 = 0; r0 < rows; r0 += TILE) {
        fill(in, rows, cols, r0, c0, tile);
        __syncthreads();
        drain(out, rows, cols, r0, c0, tile);
    }
}

/* The threads beyond the edge are gone when they are needed to write. */
KERNEL(early_return)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    if (c0 + threadIdx.x >= cols)
        return;
    fill(in, rows, cols, r0, c0, tile);
    __syncthreads();
    drain(out, rows, cols, r0, c0, tile);
}

/* One row too many where the tile hangs over the edge. */
KERNEL(edge)
{
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r <= rows && c < cols)
            out[c * rows + r] = in[r * cols + c];
    }
}

/* Rotated where it is read only. */
KERNEL(one_side)
{
    __shared__ bl_u32 tile[TILE][TILE];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    EACH_ROW(k)
    tile[k][threadIdx.x] = r0 + k < rows && c0 + threadIdx.x < cols
                               ? in[(r0 + k) * cols + c0 + threadIdx.x]
                               : 0;
    __syncthreads();
    EACH_ROW(k)
    if (c0 + k < cols && r0 + threadIdx.x < rows)
        out[(c0 + k) * rows + r0 + threadIdx.x] =
            tile[threadIdx.x][(k + threadIdx.x) % TILE];
}

/* Indices of 32 bits. */
KERNEL(index_overflow)
{
    const unsigned c = blockIdx.x * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const unsigned r = blockIdx.y * TILE + k;
        if (r < rows && c < cols)
            out[c * (unsigned)rows + r] = in[r * (unsigned)cols + c];
    }
}

/* A copy, whose size comes in 32 bits, so that blocks far behind find nothing to do; and
 * whose plan knows no better. */
extern "C" __global__ void size_cut(const bl_u32 *in, bl_u32 *out, bl_u32 count)
{
    const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

/* The copy's index goes round at 2^32, to elements of the first block: the values are
 * right, the places are not. */
extern "C" __global__ void copy_overflow(const bl_u32 *in, bl_u32 *out, bl_u64 count)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

/* Shared memory that nobody has written: whatever is there is added. */
KERNEL(unwritten)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    EACH_ROW(k)
    if (r0 + k < rows && c0 + threadIdx.x < cols)
        tile[k][threadIdx.x] |= in[(r0 + k) * cols + c0 + threadIdx.x];
    __syncthreads();
    drain(out, rows, cols, r0, c0, tile);
}

/* A store just behind the output's end. */
KERNEL(guard)
{
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r < rows && c < cols)
            out[c * rows + r] = in[r * cols + c];
        if (r == rows - 1 && c == cols - 1)
            out[rows * cols] = 0;
    }
}

/* Each block also clears the element in which the next one begins. Where blocks come one
 * after another, the result is right. */
KERNEL(two_blocks)
{
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0 && c + TILE < cols)
        out[(c + TILE) * rows + blockIdx.y * TILE] = 0;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r < rows && c < cols)
            out[c * rows + r] = in[r * cols + c];
    }
}

/* Looks at what is there before it stores: whatever an earlier run has left. */
KERNEL(leftover)
{
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r < rows && c < cols && out[c * rows + r] != in[r * cols + c])
            out[c * rows + r] = in[r * cols + c];
    }
}

/* A barrier for half a warp. */
KERNEL(divergent)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    fill(in, rows, cols, r0, c0, tile);
    if (threadIdx.x < TILE / 2)
        __syncthreads();
    else
        drain(out, rows, cols, r0, c0, tile);
    drain(out, rows, cols, r0, c0, tile);
}

/* All lanes of a warp store to one place, each its own value; it is what a lane that may
 * be the last one stores. */
KERNEL(same_place)
{
    __shared__ bl_u32 last[BLOCK_ROWS];
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    last[threadIdx.y] = threadIdx.x;
    __syncwarp();
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r < rows && c < cols && last[threadIdx.y] < TILE)
            out[c * rows + r] = in[r * cols + c];
    }
}

/* Neighbouring lanes of a warp exchange elements, with nothing that makes them wait. */
KERNEL(no_warp_sync)
{
    __shared__ bl_u32 row[BLOCK_ROWS][TILE];
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    const bl_u64 other = (bl_u64)blockIdx.x * TILE + (threadIdx.x ^ 1);
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        row[threadIdx.y][threadIdx.x] = r < rows && c < cols ? in[r * cols + c] : 0;
        if (r < rows && other < cols)
            out[other * rows + r] = row[threadIdx.y][threadIdx.x ^ 1];
    }
}

/* Blocks draw numbers, and nothing puts the counter back. */
__device__ unsigned drawn;
KERNEL(counter)
{
    __shared__ unsigned mine;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        mine = atomicAdd(&drawn, 1u);
    __syncthreads();
    const bl_u64 c = (bl_u64)(mine % gridDim.x) * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)(mine / gridDim.x) * TILE + k;
        if (r < rows && c < cols)
            out[c * rows + r] = in[r * cols + c];
    }
}

/* Takes what it has read out of the input. */
extern "C" __global__ void input_writer(bl_u32 *in, bl_u32 *out, bl_u64 rows, bl_u64 cols)
{
    const bl_u64 c = (bl_u64)blockIdx.x * TILE + threadIdx.x;
    EACH_ROW(k)
    {
        const bl_u64 r = (bl_u64)blockIdx.y * TILE + k;
        if (r < rows && c < cols) {
            out[c * rows + r] = in[r * cols + c];
            in[r * cols + c] = 0;
        }
    }
}

/* A pitch that it takes and never looks at. */
extern "C" __global__ void __launch_bounds__(TILE *BLOCK_ROWS)
    pad_unread(const bl_u32 *in, bl_u32 *out, bl_u64 rows, bl_u64 cols, bl_u32 pitch)
{
    __shared__ bl_u32 tile[TILE][TILE + 1];
    const bl_u64 r0 = (bl_u64)blockIdx.y * TILE, c0 = (bl_u64)blockIdx.x * TILE;
    fill(in, rows, cols, r0, c0, tile);
    __syncthreads();
    drain(out, rows, cols, r0, c0, tile);
}
