/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles.h - plans launches of the kernels of tiles.cuh.
 */
#ifndef TRANSPOSE_TILES_H
#define TRANSPOSE_TILES_H

#include "banklab/plugin.h"

/* As in tiles.cuh. */
enum tiles_order {
    TILES_DOWN,   /* the next block has the tile below */
    TILES_ACROSS, /* the one to the right */
    TILES_BLOCKS  /* the one below in a block of 16 x 16 tiles */
};
enum { TILES_BLOCK_SIDE = 16 };

/* A kernel: tiles of rows x cols elements, squares of v x v, so many a thread. */
struct tiles_shape {
    uint32_t elem, v, rows, cols, squares;
};

/* How many tiles ahead to fetch into the L2 cache. Blocks that go down come to the tile
 * to the right when a column of tiles is done: what is fetched ahead must stay until
 * then. On an NVIDIA H200 (60 MB of L2) columns of up to 4 MiB gain 0.5 to 1.5 %, one of
 * 8 MiB loses up to 9 %; and what is in the cache anyway gains nothing. */
static inline uint32_t tiles_ahead(const struct banklab_problem *problem,
                                   const struct tiles_shape *shape)
{
    const uint64_t row = (uint64_t)shape->cols * shape->elem; /* bytes */
    const uint64_t most = UINT64_C(4) << 20, least = UINT64_C(32) << 20;
    return problem->rows <= most / row &&
           problem->cols >= least / shape->elem / problem->rows;
}

/* Blocks for all tiles, and the arguments but for the batch. */
static inline int tiles_cover(struct banklab_launch *launch,
                              const struct banklab_problem *problem, uint32_t rows,
                              uint32_t cols, enum tiles_order order, uint32_t ahead,
                              struct banklab_error *error)
{
    const uint64_t down = banklab_ceil_div(problem->rows, rows);
    const uint64_t across = banklab_ceil_div(problem->cols, cols);
    const uint64_t side = TILES_BLOCK_SIDE;
    uint64_t x, y;

    /* A grid has less room in y, and blocks of tiles take more than there are. */
    if (order == TILES_BLOCKS && (banklab_ceil_div(across, side) > 65535 ||
                                  down > INT32_MAX / (side * side) * side))
        order = across > 65535 ? TILES_ACROSS : TILES_DOWN;
    if (order == TILES_DOWN && across > 65535)
        order = TILES_ACROSS;
    else if (order == TILES_ACROSS && down > 65535)
        order = TILES_DOWN;
    x = order == TILES_DOWN     ? down
        : order == TILES_ACROSS ? across
                                : banklab_ceil_div(down, side) * side * side;
    y = order == TILES_DOWN     ? across
        : order == TILES_ACROSS ? down
                                : banklab_ceil_div(across, side);
    if (x > INT32_MAX || y > 65535)
        return banklab_unsupported(error,
                                   "%llu x %llu tiles of %u x %u: a grid has room for %d "
                                   "one way and 65535 the other",
                                   (unsigned long long)down, (unsigned long long)across,
                                   rows, cols, INT32_MAX);
    launch->grid[0] = (uint32_t)x;
    launch->grid[1] = (uint32_t)y;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, order);
    banklab_arg_u32(launch, ahead);
    return banklab_grid_batch(launch, problem, error);
}

/* Whether the problem's rows, in and out, are whole vectors. */
static inline int tiles_fit(const struct banklab_problem *problem,
                            const struct tiles_shape *shape)
{
    return problem->rows % shape->v == 0 && problem->cols % shape->v == 0;
}

/* A launch of PLUGIN's kernel for the shape; suffix: "" or "_stream". */
static inline int tiles_launch(struct banklab_plan *plan, const char *plugin,
                               const struct banklab_problem *problem,
                               const struct tiles_shape *shape, const char *suffix,
                               enum tiles_order order, uint32_t ahead,
                               struct banklab_error *error)
{
    struct banklab_launch *launch =
        banklab_launch_add(plan, "%s_e%u_v%u_%ux%u%s", plugin, shape->elem, shape->v,
                           shape->rows, shape->cols, suffix);
    launch->block[0] = shape->rows / shape->v / shape->squares * (shape->cols / shape->v);
    launch->shared_bytes = shape->rows * shape->cols * shape->elem;
    return tiles_cover(launch, problem, shape->rows, shape->cols, order, ahead, error);
}

#endif /* TRANSPOSE_TILES_H */
