/* SPDX-License-Identifier: Apache-2.0
 *
 * direct.h - parameters and plan of transpose_direct; the kernels are in direct.cuh.
 */
#ifndef TRANSPOSE_DIRECT_H
#define TRANSPOSE_DIRECT_H

#include "banklab/plugin.h"

static const char *const direct_lanes[] = {"8x4", "4x8", NULL};
static const char *const direct_warps[] = {"1", "4", "8", NULL};

enum { DIRECT_LANES, DIRECT_WARPS, DIRECT_SQUARES };
static const struct banklab_param direct_params[] = {
    [DIRECT_LANES] = {.name = "lanes",
                      .help = "squares of a warp, across x down the input",
                      .type = BANKLAB_PARAM_CHOICE,
                      .choices = direct_lanes},
    [DIRECT_WARPS] = {.name = "warps",
                      .help =
                          "of a block: 1; 4, two each way; 8, two across and four down",
                      .type = BANKLAB_PARAM_INT,
                      .choices = direct_warps,
                      .minimum = 1,
                      .maximum = 8,
                      .default_value = 8},
    [DIRECT_SQUARES] = {.name = "squares",
                        .help = "a thread's, that are on their way at once",
                        .type = BANKLAB_PARAM_INT,
                        .minimum = 1,
                        .maximum = 2,
                        .default_value = 1},
};

/* How the lanes of a warp and the warps of a block lie. */
struct direct_shape {
    uint32_t across, down, warps_across, warps_down, squares;
};

static inline struct direct_shape direct_shape_of(const banklab_value *values)
{
    const uint32_t count = (uint32_t)values[DIRECT_WARPS].i;
    struct direct_shape shape = {.across = values[DIRECT_LANES].i == 0 ? 8 : 4};

    shape.down = 32 / shape.across;
    shape.warps_across = count > 1 ? 2 : 1;
    shape.warps_down = count / shape.warps_across;
    shape.squares = (uint32_t)values[DIRECT_SQUARES].i;
    return shape;
}

/* One matrix, large enough for a warp's lanes each way, and blocks whose bytes are less
 * than 2^32 apart: a grid of tiles. */
static inline int direct_grid(struct banklab_plan *plan,
                              const struct banklab_problem *problem,
                              const struct direct_shape *shape, uint32_t v)
{
    const uint32_t rows = v * shape->down * shape->warps_down * shape->squares;
    const uint32_t cols = v * shape->across * shape->warps_across;
    const uint64_t down = banklab_ceil_div(problem->rows, rows);
    const uint64_t across = banklab_ceil_div(problem->cols, cols);
    struct banklab_launch *launch;

    if (problem->rows < v * shape->down || problem->cols < v * shape->across ||
        down > INT32_MAX || across > 65535 ||
        problem->cols > UINT32_MAX / problem->elem / rows ||
        problem->rows > UINT32_MAX / problem->elem / cols)
        return 0;
    launch = banklab_launch_add(plan, "transpose_direct_e%u_%ux%u_%ux%u_s%u",
                                problem->elem, shape->across, shape->down,
                                shape->warps_across, shape->warps_down, shape->squares);
    launch->grid[0] = (uint32_t)down;
    launch->grid[1] = (uint32_t)across;
    launch->block[0] = 32 * shape->warps_across * shape->warps_down;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return 1;
}

/* All others: squares numbered through all matrices, in strips of equal width that are at
 * most a warp's lanes wide. */
static inline int direct_packed(struct banklab_plan *plan,
                                const struct banklab_problem *problem,
                                const struct direct_shape *shape, uint32_t v,
                                struct banklab_error *error)
{
    const uint64_t down = problem->rows / v, across = problem->cols / v;
    const uint64_t batch = banklab_batch(problem);
    const uint32_t threads = 32 * shape->warps_across * shape->warps_down;
    const uint32_t block = threads * shape->squares; /* squares */
    const uint64_t most = UINT32_MAX - block;        /* their numbers have 32 bits */
    struct banklab_launch *launch;

    if (down > most || across > most / down || batch > most / (down * across))
        return banklab_unsupported(error,
                                   "%llu x %llu x %llu squares of %u x %u elements: they "
                                   "are numbered in 32 bits",
                                   (unsigned long long)batch, (unsigned long long)down,
                                   (unsigned long long)across, v, v);
    launch = banklab_launch_add(plan, "transpose_direct_packed_e%u_s%u", problem->elem,
                                shape->squares);
    launch->grid[0] = (uint32_t)banklab_ceil_div(down * across * batch, block);
    launch->block[0] = threads;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, (uint32_t)batch);
    banklab_arg_u32(launch, (uint32_t)banklab_ceil_div(
                                across, banklab_ceil_div(across, shape->across)));
    return BANKLAB_OK;
}

static inline int direct_plan(const struct banklab_problem *problem,
                              const banklab_value *values, struct banklab_plan *plan,
                              struct banklab_error *error)
{
    const uint32_t v = 16 / problem->elem; /* elements of a vector */
    const struct direct_shape shape = direct_shape_of(values);

    if (problem->rows % v || problem->cols % v)
        return banklab_unsupported(error,
                                   "vectors need rows of a multiple of 16 bytes, %u "
                                   "elements, in the input and in the output; "
                                   "transpose_skew does others",
                                   v);
    if (banklab_batch(problem) == 1 && direct_grid(plan, problem, &shape, v))
        return BANKLAB_OK;
    return direct_packed(plan, problem, &shape, v, error);
}

#endif /* TRANSPOSE_DIRECT_H */
