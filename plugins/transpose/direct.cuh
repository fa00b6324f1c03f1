/* SPDX-License-Identifier: Apache-2.0
 *
 * direct.cuh - squares of V x V elements, turned in registers, and nothing else:
 * no shared memory, no barrier.
 *
 * A thread reads a square as V vectors of 16 bytes, turns it and stores it as V vectors
 * of the transposed matrix. The lanes of a warp lie LX across x LY down. With 8 x 4 a
 * load is of whole lines, 128 bytes of each of four rows, and a store of 64 bytes of each
 * of eight: every sector is whole, as it is for all lanes that are at least two across
 * and two down. What grows without a tile to gather rows in is how many lines an
 * instruction touches.
 *
 * rows and cols are multiples of V, so that a square is inside or outside as a whole.
 */
#ifndef TRANSPOSE_DIRECT_CUH
#define TRANSPOSE_DIRECT_CUH

#include "squares.cuh"

namespace direct
{

enum { BYTES = 16, WORDS = 4 };

/* A block of WX x WY warps, side by side and one above the other, with S squares a
 * thread, one below the other. Of a block all offsets fit into 32 bits: the plan sees to
 * that. Blocks of one x after the other go down the input, so that their rows of the
 * output lie side by side. */
template <int ELEM, int LX, int WX, int WY, int S>
static BL_INLINE void transpose(const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols)
{
    enum { V = BYTES / ELEM, LY = 32 / LX, STEP = V * LY * WY };
    enum { TR = STEP * S, TC = V * LX * WX };
    const bl_u64 r0 = (bl_u64)blockIdx.x * TR, c0 = (bl_u64)blockIdx.y * TC;
    const unsigned high = (unsigned)min(rows - r0, (bl_u64)TR);
    const unsigned wide = (unsigned)min(cols - c0, (bl_u64)TC);
    const unsigned pitch = (unsigned)cols * ELEM, pitch_out = (unsigned)rows * ELEM;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned r = (warp / WX * LY + lane / LX) * V;
    const unsigned c = (warp % WX * LX + lane % LX) * V;
    Words<WORDS> read[S][V], turned[V];

    in += (r0 * cols + c0) * ELEM;
    out += (c0 * rows + r0) * ELEM;
#pragma unroll
    for (int s = 0; s < S; s++)
        if (r + s * STEP < high && c < wide)
#pragma unroll
            for (int i = 0; i < V; i++)
                load<true>(read[s][i], in + ((r + s * STEP + i) * pitch + c * ELEM));
#pragma unroll
    for (int s = 0; s < S; s++)
        if (r + s * STEP < high && c < wide) {
            Turn<ELEM, V>::turn(read[s], turned);
#pragma unroll
            for (int j = 0; j < V; j++)
                store<true>(out + ((c + j) * pitch_out + (r + s * STEP) * ELEM),
                            turned[j]);
        }
}

/* Squares numbered through all matrices, so that small ones fill whole warps too. In a
 * matrix they are counted in strips of `strip` squares across, and row by row down the
 * strip: where a strip is LX wide, a warp's lanes lie as above. Offsets have 64 bits. */
template <int ELEM, int S>
static BL_INLINE void packed(const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols,
                             unsigned batch, unsigned strip)
{
    enum { V = BYTES / ELEM };
    const unsigned down = (unsigned)(rows / V), across = (unsigned)(cols / V);
    const unsigned first = blockIdx.x * (blockDim.x * S) + threadIdx.x;
    const bl_u64 pitch = cols * ELEM, pitch_out = rows * ELEM;
    bool inside[S];
    bl_u64 from[S], to[S];
    Words<WORDS> read[S][V], turned[V];

#pragma unroll
    for (int s = 0; s < S; s++) {
        const unsigned number = first + s * blockDim.x;
        const unsigned matrix = number / (down * across);
        const unsigned square = number - matrix * (down * across);
        const unsigned left = square / (strip * down) * strip; /* squares before it */
        const unsigned place = square - left * down, width = min(strip, across - left);
        const unsigned y = place / width, x = left + place - y * width;
        const bl_u64 start = matrix * (rows * pitch);

        inside[s] = matrix < batch;
        from[s] = start + y * (V * pitch) + (bl_u64)x * BYTES;
        to[s] = start + x * (V * pitch_out) + (bl_u64)y * BYTES;
        if (inside[s])
#pragma unroll
            for (int i = 0; i < V; i++)
                load<true>(read[s][i], in + (from[s] + i * pitch));
    }
#pragma unroll
    for (int s = 0; s < S; s++)
        if (inside[s]) {
            Turn<ELEM, V>::turn(read[s], turned);
#pragma unroll
            for (int j = 0; j < V; j++)
                store<true>(out + (to[s] + j * pitch_out), turned[j]);
        }
}

} /* namespace direct */

/* Entry points: a grid of tiles, and numbered squares. */
#define DIRECT_GRID(elem, lx, ly, wx, wy, s)                                             \
    extern "C" __global__ void __launch_bounds__(32 * wx * wy)                           \
        transpose_direct_e##elem##_##lx##x##ly##_##wx##x##wy##_s##s(                     \
            const bl_u8 *in, bl_u8 *out, bl_u64 rows, bl_u64 cols)                       \
    {                                                                                    \
        direct::transpose<elem, lx, wx, wy, s>(in, out, rows, cols);                     \
    }
#define DIRECT_PACKED(elem, s)                                                           \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_direct_packed_e##elem##_s##s(const bl_u8 *in, bl_u8 *out, bl_u64 rows, \
                                               bl_u64 cols, unsigned batch,              \
                                               unsigned strip)                           \
    {                                                                                    \
        direct::packed<elem, s>(in, out, rows, cols, batch, strip);                      \
    }

#endif /* TRANSPOSE_DIRECT_CUH */
