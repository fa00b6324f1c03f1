/* SPDX-License-Identifier: Apache-2.0
 *
 * skew.h - parameters and plan of transpose_skew; the kernels are in skew.cuh.
 */
#ifndef TRANSPOSE_SKEW_H
#define TRANSPOSE_SKEW_H

#include <stdio.h>
#include <string.h>

#include "banklab/plugin.h"

static const char *const skew_tiles[] = {"best",   "32x32",   "64x64",
                                         "128x64", "128x128", NULL};

enum { SKEW_TILE };
static const struct banklab_param skew_params[] = {
    [SKEW_TILE] =
        {.name = "tile",
         .help = "rows x columns of the input in a tile; best: by the element's width",
         .unit = "elements",
         .type = BANKLAB_PARAM_CHOICE,
         .choices = skew_tiles},
};

/* The kernels that there are; the first of a width is its best. */
static const struct skew_shape {
    uint32_t elem, rows, cols, threads;
} skew_shapes[] = {
    {1, 128, 128, 512}, {2, 128, 64, 256}, {2, 64, 64, 256},   {2, 128, 128, 512},
    {4, 64, 64, 256},   {4, 128, 64, 256}, {4, 128, 128, 512}, {8, 64, 64, 256},
    {8, 32, 32, 128},   {8, 128, 64, 512}, {16, 32, 32, 128},  {16, 64, 64, 256},
};

/* NULL: there is none. Its name, "64x64", comes to stand in `name`. */
static inline const struct skew_shape *skew_find(uint32_t elem, int64_t tile,
                                                 char name[32])
{
    for (size_t i = 0; i < sizeof skew_shapes / sizeof *skew_shapes; i++) {
        const struct skew_shape *shape = &skew_shapes[i];
        snprintf(name, 32, "%ux%u", shape->rows, shape->cols);
        if (shape->elem == elem && (tile == 0 || strcmp(name, skew_tiles[tile]) == 0))
            return shape;
    }
    return NULL;
}

static inline int skew_plan(const struct banklab_problem *problem,
                            const banklab_value *values, struct banklab_plan *plan,
                            struct banklab_error *error)
{
    const uint32_t elem = problem->elem, vector = 16 / elem, sector = 32 / elem;
    char name[32];
    const struct skew_shape *shape = skew_find(elem, values[SKEW_TILE].i, name);
    uint64_t down, across;
    uint32_t window, pitch;
    struct banklab_launch *launch;
    int turned;

    if (!shape)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s; "
                                   "tile = best has one for each width",
                                   elem, skew_tiles[values[SKEW_TILE].i]);
    /* The last piece of a row may be shifted off its tile, unless no row is shifted. */
    down = banklab_ceil_div(problem->rows + (problem->rows % sector ? sector - 1 : 0),
                            shape->rows);
    across = banklab_ceil_div(problem->cols, shape->cols);
    turned = across > 65535; /* a grid has less room in y */
    if (down > (turned ? 65535 : INT32_MAX) || across > INT32_MAX)
        return banklab_unsupported(error,
                                   "%llu x %llu tiles of %s: a grid has room for %d one "
                                   "way and 65535 the other",
                                   (unsigned long long)down, (unsigned long long)across,
                                   name, INT32_MAX);
    launch = banklab_launch_add(plan, "transpose_skew_e%u_%s", elem, name);
    launch->grid[0] = (uint32_t)(turned ? across : down);
    launch->grid[1] = (uint32_t)(turned ? down : across);
    launch->block[0] = shape->threads;
    /* Rows of the window, as the kernel sorts them, and elements from row to row. */
    window = (uint32_t)banklab_ceil_div(shape->rows + sector - 1, vector) * vector;
    pitch = shape->cols + (elem < 4 ? 4 / elem : 1);
    launch->shared_bytes = window * pitch * elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, !turned);
    return banklab_grid_batch(launch, problem, error);
}

#endif /* TRANSPOSE_SKEW_H */
