/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_bulk.cu - tiles move by bulk tensor copies; threads only turn them round.
 *
 * A square is 8 x 8 blocks. A block is what one thread transposes in registers: as many
 * rows of 16 bytes as 16 bytes have elements, so that a square's rows are 128 bytes, all
 * banks. A tile is SIDE x SIDE squares, once as it was read and once transposed; a square
 * is moved by one copy, or, where the swizzle's span is less than 128 bytes, by several
 * side by side.
 *
 * Whoever works with a swizzled square must know where the copy put each 16 bytes: pieces
 * of a row are exchanged, by the row's number.
 */
#include "banklab/bulk.h"

enum { PIECE = 16, ROW = 128, PIECES = ROW / PIECE };

/* Four words of 16 bytes, of a row of a block. */
struct words {
    bl_u32 at[4];
};

BL_INLINE words load(unsigned address)
{
    words w;
    bl_u128 v = bl_shared_load<bl_u128>(address);
    w.at[0] = v.x, w.at[1] = v.y, w.at[2] = v.z, w.at[3] = v.w;
    return w;
}

BL_INLINE void store(unsigned address, const words &w)
{
    bl_shared_store<bl_u128>(address, make_uint4(w.at[0], w.at[1], w.at[2], w.at[3]));
}

/* Two words' halves or bytes by their numbers, as the permute instruction has them. */
BL_INLINE bl_u32 permute(bl_u32 a, bl_u32 b, bl_u32 which)
{
    bl_u32 to;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(to) : "r"(a), "r"(b), "r"(which));
    return to;
}

/* Word w of row e of the transposed block: elements e of rows 4 w .. 4 w + 3, or as many
 * as a word has. */
template <int BYTES, int N> struct turned {
    static BL_INLINE bl_u32 word(const words (&in)[N], int e, int w)
    {
        const int wide = BYTES / 4; /* words of an element */
        return in[w / wide].at[e * wide + w % wide];
    }
};
template <int N> struct turned<2, N> {
    static BL_INLINE bl_u32 word(const words (&in)[N], int e, int w)
    {
        return permute(in[2 * w].at[e / 2], in[2 * w + 1].at[e / 2],
                       e % 2 ? 0x7632 : 0x5410);
    }
};
template <int N> struct turned<1, N> {
    static BL_INLINE bl_u32 word(const words (&in)[N], int e, int w)
    {
        const bl_u32 pick = (e % 4) | (4 + e % 4) << 4;
        return permute(permute(in[4 * w].at[e / 4], in[4 * w + 1].at[e / 4], pick),
                       permute(in[4 * w + 2].at[e / 4], in[4 * w + 3].at[e / 4], pick),
                       0x5410);
    }
};

/* Where piece c of row r of a square lies. SPAN: of the swizzle, ROW if none. */
template <int SPAN, int MODE, int N> BL_INLINE unsigned place(unsigned r, unsigned c)
{
    enum { WIDE = SPAN / PIECE };
    const unsigned turn = MODE ? r * SPAN / ROW % WIDE : 0;
    return c / WIDE * (SPAN * PIECES * N) + r * SPAN + (c % WIDE ^ turn) * PIECE;
}

/* A box of matrix z of a batch, or of the only one there is. */
template <bool BATCH>
BL_INLINE void bring(unsigned to, bl_u64 map, int x, int y, int z, unsigned barrier)
{
    if (BATCH)
        bl_bulk_load(to, map, x, y, z, barrier);
    else
        bl_bulk_load(to, map, x, y, barrier);
}

template <bool BATCH> BL_INLINE void take(bl_u64 map, int x, int y, int z, unsigned from)
{
    if (BATCH)
        bl_bulk_store(map, x, y, z, from);
    else
        bl_bulk_store(map, x, y, from);
}

/* MODE: the swizzle's span in bytes, 0 for none. `number`: the block's tile, of matrix
 * z. */
template <int BYTES, int MODE, bool BATCH>
BL_INLINE void transpose(bl_u64 in, bl_u64 out, unsigned side, unsigned diagonal,
                         unsigned down, unsigned number, int z)
{
    enum {
        N = PIECE / BYTES,          /* rows of a block */
        SPAN = MODE ? MODE : ROW,   /* bytes of a copy's rows */
        ROWS = PIECES * N,          /* of a square; its columns too */
        SQUARE = ROW * ROWS,        /* bytes */
        LANES = SPAN / BYTES,       /* columns of a copy */
        WORDS = BYTES == 16 ? 2 : 1 /* elements of the tensor for one of the matrix */
    };
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned tile = bl_shared_address(shared), squares = side * side;
    const unsigned turned_tile = tile + squares * SQUARE;
    const unsigned barrier = turned_tile + squares * SQUARE;
    const int row = (int)((number % down) * side * ROWS);
    const int col = (int)((number / down) * side * ROWS);
    words held[N];

    if (threadIdx.x == 0)
        bl_mbarrier_init(barrier, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        bl_mbarrier_expect(barrier, squares * SQUARE);
        for (unsigned s = 0; s < squares; s++)
            for (unsigned p = 0; p < ROW / SPAN; p++)
                bring<BATCH>(tile + s * SQUARE + p * SPAN * ROWS, in,
                             (col + (int)(s % side * ROWS + p * LANES)) * WORDS,
                             row + (int)(s / side * ROWS), z, barrier);
    }
    bl_mbarrier_wait(barrier, 0);

    /* A thread has one block: j across, i down. */
    const unsigned s = threadIdx.x / (PIECES * PIECES), y = s / side, x = s % side;
    const unsigned j = threadIdx.x % PIECES;
    const unsigned c = threadIdx.x / PIECES % PIECES, i = diagonal ? j ^ c : c;
#pragma unroll
    for (int k = 0; k < N; k++)
        held[k] = load(tile + s * SQUARE + place<SPAN, MODE, N>(i * N + k, j));
#pragma unroll
    for (int e = 0; e < N; e++) {
        words w;
#pragma unroll
        for (int k = 0; k < 4; k++)
            w.at[k] = turned<BYTES, N>::word(held, e, k);
        store(turned_tile + (x * side + y) * SQUARE + place<SPAN, MODE, N>(j * N + e, i),
              w);
    }
    bl_bulk_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned q = 0; q < squares; q++)
            for (unsigned p = 0; p < ROW / SPAN; p++)
                take<BATCH>(out, (row + (int)(q % side * ROWS + p * LANES)) * WORDS,
                            col + (int)(q / side * ROWS), z,
                            turned_tile + q * SQUARE + p * SPAN * ROWS);
        bl_bulk_commit();
        bl_bulk_wait_read<0>();
    }
}

#define ENTRY(bytes, mode)                                                               \
    extern "C" __global__ void __launch_bounds__(256) transpose_bulk_e##bytes##_s##mode( \
        bl_tensor_map in, bl_tensor_map out, unsigned side, unsigned diagonal,           \
        unsigned down)                                                                   \
    {                                                                                    \
        BL_TENSOR_MAP(from, transpose_bulk_e##bytes##_s##mode, 0);                       \
        BL_TENSOR_MAP(to, transpose_bulk_e##bytes##_s##mode, 1);                         \
        transpose<bytes, mode, false>(from, to, side, diagonal, down, blockIdx.x, 0);    \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(256)                                    \
        transpose_bulk_e##bytes##_s##mode##_batch(bl_tensor_map in, bl_tensor_map out,   \
                                                  unsigned side, unsigned diagonal,      \
                                                  unsigned down, bl_u64 batch)           \
    {                                                                                    \
        const bl_matrix at = bl_matrix_of_block(batch);                                  \
        BL_TENSOR_MAP(from, transpose_bulk_e##bytes##_s##mode##_batch, 0);               \
        BL_TENSOR_MAP(to, transpose_bulk_e##bytes##_s##mode##_batch, 1);                 \
        if (at.number < batch)                                                           \
            transpose<bytes, mode, true>(from, to, side, diagonal, down, at.x,           \
                                         (int)at.number);                                \
    }
#define ENTRIES(bytes, type)                                                             \
    ENTRY(bytes, 0) ENTRY(bytes, 32) ENTRY(bytes, 64) ENTRY(bytes, 128)
BL_FOR_ELEMS(ENTRIES)
