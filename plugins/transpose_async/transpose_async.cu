/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_async.cu - a block walks over many tiles; while it turns one, cp.async brings
 * the next ones.
 *
 * Each thread copies vectors of 16 bytes of a tile's rows into shared memory, past its
 * registers and past the first-level cache (.cg), and commits one group a tile. There is
 * one buffer more than `stages`, the tiles on their way, so that one barrier of the block
 * is enough between two tiles:
 *
 *     before it   each thread has waited for its copies of the tile that is next, and has
 *                 read its squares of the tile before
 *     behind it   that one's buffer takes the tile `stages` on, and all of the next tile
 *                 is there
 *
 * A thread takes a square of V x V elements from shared memory, V vectors, turns it in
 * registers and stores it as V vectors of the output. The lanes of a warp take squares
 * one below the other: their vectors of the output lie side by side, rows of the whole
 * tile's height. So no second buffer has to gather rows, as in transpose_stream.
 *
 * Vectors of a row are permuted by the number of the row's square modulo 8. The eight
 * lanes that are served together have eight neighbours of a row to write, and eight
 * squares one below the other to read, all in one column: both lie in different banks,
 * for every width, since a tile has at least eight squares each way.
 *
 * rows and cols are multiples of V, so that a square is inside or outside as a whole.
 */
#include "../transpose/squares.cuh"
#include "../transpose/walk.cuh"

enum { PIECE = 16, WORDS = 4, SIDE = 8 /* vectors of all banks */, MOST_THREADS = 256 };

static BL_INLINE void copy_async(unsigned to, const bl_u8 *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"(to), "l"(from)
                 : "memory");
}

static BL_INLINE void commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

template <int GROUPS> static BL_INLINE void wait_but()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(GROUPS) : "memory");
}

/* Until all of the thread's groups have arrived but the last so many, which the
 * instruction takes as a constant. */
static BL_INLINE void wait_but(unsigned groups)
{
    switch (groups) {
    case 0: return wait_but<0>();
    case 1: return wait_but<1>();
    case 2: return wait_but<2>();
    default: return wait_but<3>();
    }
}

/* A tile of TR rows of the input, TC columns. Offsets from its first element have 32
 * bits: the plan sees to that. */
template <int ELEM, int TR, int TC> struct Tile {
    enum {
        V = PIECE / ELEM,
        DOWN = TR / V,
        ACROSS = TC / V,
        SQUARES = DOWN * ACROSS,
        THREADS = SQUARES < MOST_THREADS ? SQUARES : MOST_THREADS,
        HELD = SQUARES / THREADS, /* a thread's squares */
        COPIES = HELD * V,
        BYTES = TR * TC * ELEM
    };
    static_assert(DOWN % SIDE == 0 && ACROSS % SIDE == 0, "all banks both ways");
    static_assert(THREADS % DOWN == 0 && THREADS % ACROSS == 0, "whole rows and columns");
    static_assert(HELD == 1 || COPIES <= 8, "registers for the squares that are held");

    /* Where vector k of row r lies. */
    static BL_INLINE unsigned place(unsigned r, unsigned k)
    {
        return (r * ACROSS + (k ^ r / V % SIDE)) * PIECE;
    }

    /* By all threads of the block: the tile at `in`, of which the matrix has `high` rows
     * and `wide` columns, to come to `to`. */
    static BL_INLINE void bring(unsigned to, const bl_u8 *in, unsigned pitch,
                                unsigned high, unsigned wide)
    {
        const unsigned r = threadIdx.x / ACROSS, k = threadIdx.x % ACROSS;

        if (k * V < wide)
#pragma unroll
            for (unsigned n = 0; n < COPIES; n++) {
                const unsigned row = r + n * (THREADS / ACROSS);
                if (row < high)
                    copy_async(to + place(row, k), in + (row * pitch + k * PIECE));
            }
    }

    /* By all threads of the block: the tile at `from`, turned, to `out`. */
    static BL_INLINE void take(unsigned from, bl_u8 *out, unsigned pitch, unsigned high,
                               unsigned wide)
    {
        const unsigned i = threadIdx.x % DOWN, first = threadIdx.x / DOWN;
        Words<WORDS> read[HELD][V], turned[V];

#pragma unroll
        for (unsigned h = 0; h < HELD; h++) {
            const unsigned j = first + h * (THREADS / DOWN);
            if (i * V < high && j * V < wide)
#pragma unroll
                for (unsigned e = 0; e < V; e++)
                    split(read[h][e],
                          bl_shared_load<bl_u128>(from + place(i * V + e, j)));
        }
#pragma unroll
        for (unsigned h = 0; h < HELD; h++) {
            const unsigned j = first + h * (THREADS / DOWN);
            if (i * V < high && j * V < wide) {
                Turn<ELEM, V>::turn(read[h], turned);
#pragma unroll
                for (unsigned e = 0; e < V; e++)
                    store<true>(out + ((j * V + e) * pitch + i * PIECE), turned[e]);
            }
        }
    }
};

template <int ELEM, int TR, int TC>
static BL_INLINE void transpose(const bl_u8 *in, bl_u8 *out, unsigned rows, unsigned cols,
                                unsigned tiles, unsigned stages)
{
    typedef Tile<ELEM, TR, TC> T;
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned buffers = bl_shared_address(shared);
    const unsigned end = buffers + (stages + 1) * T::BYTES;
    const unsigned down = (rows - 1) / TR + 1, across = (cols - 1) / TC + 1;
    const tile_at step = tile_of(gridDim.x, down, across);
    tile_at here = tile_of(blockIdx.x, down, across), ahead = here;
    unsigned coming = buffers, going = buffers;

    /* The tile `ahead`, if there is one, and a group in any case, so that their number
     * tells what has arrived. */
    auto bring = [&](unsigned number) {
        if (number < tiles) {
            const unsigned r0 = ahead.row * TR, c0 = ahead.col * TC;
            const bl_u64 row = (bl_u64)ahead.matrix * rows + r0;
            T::bring(coming, in + (row * cols + c0) * ELEM, cols * ELEM, rows - r0,
                     cols - c0);
        }
        commit();
        walk(ahead, step, down, across);
        coming = coming + T::BYTES == end ? buffers : coming + T::BYTES;
    };

    for (unsigned s = 0; s < stages; s++)
        bring(blockIdx.x + s * gridDim.x);
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const unsigned r0 = here.row * TR, c0 = here.col * TC;
        const bl_u64 col = (bl_u64)here.matrix * cols + c0;

        wait_but(stages - 1);
        __syncthreads();
        bring(tile + stages * gridDim.x);
        T::take(going, out + (col * rows + r0) * ELEM, rows * ELEM, rows - r0, cols - c0);
        walk(here, step, down, across);
        going = going + T::BYTES == end ? buffers : going + T::BYTES;
    }
}

#define ENTRY(elem, tr, tc)                                                              \
    extern "C" __global__ void __launch_bounds__(Tile<elem, tr, tc>::THREADS)            \
        transpose_async_e##elem##_##tr##x##tc(const bl_u8 *in, bl_u8 *out,               \
                                              unsigned rows, unsigned cols,              \
                                              unsigned tiles, unsigned stages)           \
    {                                                                                    \
        transpose<elem, tr, tc>(in, out, rows, cols, tiles, stages);                     \
    }

ENTRY(1, 128, 128)
ENTRY(1, 256, 128)
ENTRY(2, 64, 64)
ENTRY(2, 128, 64)
ENTRY(2, 128, 128)
ENTRY(4, 32, 32)
ENTRY(4, 64, 32)
ENTRY(4, 64, 64)
ENTRY(4, 128, 32)
ENTRY(8, 32, 32)
ENTRY(8, 64, 32)
ENTRY(8, 64, 64)
ENTRY(16, 32, 32)
ENTRY(16, 64, 32)
