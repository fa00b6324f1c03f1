/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_stream.cu - a block walks over many tiles; while it turns one, the next ones
 * are on their way.
 *
 * Bulk tensor copies bring and take whole tiles, ordered by thread 0. There are `stages`
 * buffers for tiles that come, each with a barrier that tells when its tile is there, and
 * two for turned tiles that go. Between two tiles stands one barrier of the block:
 *
 *     before it   the tile's buffer has been read, the turned tile written; and thread 0
 *                 has seen that the other turned tile's copy has read its buffer
 *     behind it   thread 0 orders the next tile into the first, and the copy out of the
 *                 second; the others go on with the next tile
 *
 * A tile's rows are multiples of 128 bytes, all banks, without a swizzle. What a thread
 * turns in registers is a square of N x N elements, rows of 16 bytes. Eight neighbouring
 * threads, which are served together, take squares along a diagonal: they lie in eight
 * different columns where they are read, and in eight where they are written, so that
 * neither conflicts.
 */
#include "banklab/bulk.h"
#include "../transpose/squares.cuh"
#include "../transpose/walk.cuh"

enum { PIECE = 16, SIDE = 8 /* squares of a diagonal */ };

/* A row of a square: 16 bytes. */
BL_INLINE Words<4> load_row(unsigned address)
{
    Words<4> row;
    split(row, bl_shared_load<bl_u128>(address));
    return row;
}

BL_INLINE void store_row(unsigned address, const Words<4> &row)
{
    bl_shared_store<bl_u128>(address, joined(row));
}

/* A tile of TR x TC elements, for a block of THREADS. */
template <int ELEM, int TR, int TC, int THREADS> struct Tile {
    enum {
        N = PIECE / ELEM,
        BYTES = TR * TC * ELEM,
        ACROSS = TC / N / SIDE,        /* runs of SIDE x SIDE squares side by side */
        RUNS = TR / N / SIDE * ACROSS, /* of 64 threads each, one square a thread */
        AT_ONCE = THREADS / (SIDE * SIDE),
        ROUNDS = RUNS / AT_ONCE,
        MOST =
            N < 8 ? 8 / N : 1, /* squares that a thread holds: up to 32 words, or one */
        HELD = ROUNDS < MOST ? ROUNDS : MOST
    };
    static_assert(TR * ELEM % 128 == 0 && TC * ELEM % 128 == 0, "rows of all banks");
    static_assert(RUNS % (AT_ONCE * HELD) == 0, "each thread turns as many squares");

    /* Of the thread's square in run `at`. */
    static BL_INLINE unsigned across(unsigned at)
    {
        return at % ACROSS * (SIDE * N);
    }
    static BL_INLINE unsigned down(unsigned at)
    {
        return at / ACROSS * (SIDE * N);
    }

    /* By all threads of the block: from `from`, turned, to `to`. */
    static BL_INLINE void turn(unsigned from, unsigned to)
    {
        const unsigned j = threadIdx.x % SIDE, i = j ^ threadIdx.x / SIDE % SIDE;
        const unsigned first = threadIdx.x / (SIDE * SIDE);

        from += (i * N * TC + j * N) * ELEM;
        to += (j * N * TR + i * N) * ELEM;
#pragma unroll
        for (unsigned round = 0; round < ROUNDS; round += HELD) {
            Words<4> held[HELD][N], turned[N];
#pragma unroll
            for (unsigned h = 0; h < HELD; h++) {
                const unsigned at = first + (round + h) * AT_ONCE;
#pragma unroll
                for (int k = 0; k < N; k++)
                    held[h][k] =
                        load_row(from + ((down(at) + k) * TC + across(at)) * ELEM);
            }
#pragma unroll
            for (unsigned h = 0; h < HELD; h++) {
                const unsigned at = first + (round + h) * AT_ONCE;
                Turn<ELEM, N>::turn(held[h], turned);
#pragma unroll
                for (int k = 0; k < N; k++)
                    store_row(to + ((across(at) + k) * TR + down(at)) * ELEM, turned[k]);
            }
        }
    }
};

template <int ELEM, int TR, int TC, int THREADS>
BL_INLINE void transpose(bl_u64 in, bl_u64 out, unsigned stages, unsigned down,
                         unsigned across, unsigned tiles)
{
    typedef Tile<ELEM, TR, TC, THREADS> T;
    enum {
        WORDS = ELEM == 16 ? 2 : 1 /* elements of the tensor for one of the matrix */
    };
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned coming = bl_shared_address(shared);
    const unsigned going = coming + stages * T::BYTES, barriers = going + 2 * T::BYTES;
    const tile_at step = tile_of(gridDim.x, down, across);
    tile_at here = tile_of(blockIdx.x, down, across), ahead = here;
    unsigned stage = 0, parity = 0, other = 0;

    /* A tile to come into the buffer of that stage. */
    auto bring = [&](unsigned s) {
        bl_mbarrier_expect(barriers + s * 8, T::BYTES);
        bl_bulk_load(coming + s * T::BYTES, in, (int)(ahead.col * TC * WORDS),
                     (int)(ahead.row * TR), (int)ahead.matrix, barriers + s * 8);
        walk(ahead, step, down, across);
    };

    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < stages; s++)
            bl_mbarrier_init(barriers + s * 8, 1);
        bl_bulk_fence();
        for (unsigned s = 0; s < stages && blockIdx.x + s * gridDim.x < tiles; s++)
            bring(s);
    }
    __syncthreads();
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned turned = going + other * T::BYTES;

        bl_mbarrier_wait(barriers + stage * 8, parity);
        T::turn(coming + stage * T::BYTES, turned);
        bl_bulk_fence();
        if (threadIdx.x == 0)
            bl_bulk_wait_read<0>();
        __syncthreads();
        if (threadIdx.x == 0) {
            if (tile + stages * gridDim.x < tiles)
                bring(stage);
            bl_bulk_store(out, (int)(here.row * TR * WORDS), (int)(here.col * TC),
                          (int)here.matrix, turned);
            bl_bulk_commit();
            walk(here, step, down, across);
        }
        other ^= 1;
        if (++stage == stages)
            stage = 0, parity ^= 1;
    }
    if (threadIdx.x == 0)
        bl_bulk_wait_read<0>();
}

#define ENTRY(elem, tr, tc, threads)                                                     \
    extern "C" __global__ void __launch_bounds__(threads)                                \
        transpose_stream_e##elem##_##tr##x##tc##_t##threads(                             \
            bl_tensor_map in, bl_tensor_map out, unsigned stages, unsigned down,         \
            unsigned across, unsigned tiles)                                             \
    {                                                                                    \
        BL_TENSOR_MAP(from, transpose_stream_e##elem##_##tr##x##tc##_t##threads, 0);     \
        BL_TENSOR_MAP(to, transpose_stream_e##elem##_##tr##x##tc##_t##threads, 1);       \
        transpose<elem, tr, tc, threads>(from, to, stages, down, across, tiles);         \
    }
#define ENTRIES(elem, tr, tc)                                                            \
    ENTRY(elem, tr, tc, 128)                                                             \
    ENTRY(elem, tr, tc, 256)

ENTRY(1, 128, 128, 64)
ENTRY(1, 256, 128, 128)
ENTRY(1, 128, 256, 128)
ENTRY(2, 64, 64, 64)
ENTRY(2, 128, 64, 128)
ENTRY(2, 64, 128, 128)
ENTRIES(2, 128, 128)
ENTRY(4, 64, 32, 128)
ENTRY(4, 32, 64, 128)
ENTRIES(4, 64, 64)
ENTRIES(4, 128, 32)
ENTRIES(4, 128, 64)
ENTRIES(4, 64, 128)
ENTRIES(8, 32, 32)
ENTRIES(8, 64, 32)
ENTRIES(8, 32, 64)
ENTRIES(8, 64, 64)
ENTRIES(16, 16, 32)
ENTRIES(16, 32, 16)
ENTRIES(16, 32, 32)
ENTRIES(16, 64, 32)
