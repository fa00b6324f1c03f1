/* SPDX-License-Identifier: Apache-2.0
 *
 * thin.h - parameters and plan of transpose_thin; the kernels are in thin.cuh.
 */
#ifndef TRANSPOSE_THIN_H
#define TRANSPOSE_THIN_H

#include "banklab/plugin.h"

static const char *const thin_tiles[] = {"16x16", "16x32", "32x32", NULL};
static const char *const thin_vectors[] = {"8", "16", NULL};

enum { THIN_TILE, THIN_VECTOR };
static const struct banklab_param thin_params[] = {
    [THIN_TILE] = {.name = "tile",
                   .help = "rows x columns of the input; twice as many each way of bytes",
                   .unit = "elements",
                   .type = BANKLAB_PARAM_CHOICE,
                   .choices = thin_tiles,
                   .default_value = 1},
    [THIN_VECTOR] = {.name = "vector",
                     .help = "what a thread moves",
                     .unit = "bytes",
                     .type = BANKLAB_PARAM_INT,
                     .choices = thin_vectors,
                     .minimum = 8,
                     .maximum = 16,
                     .default_value = 16},
};

static inline int thin_plan(const struct banklab_problem *problem,
                            const banklab_value *values, struct banklab_plan *plan,
                            struct banklab_error *error)
{
    const uint32_t elem = problem->elem, vector = (uint32_t)values[THIN_VECTOR].i;
    const uint32_t scale = elem == 1 ? 2 : 1; /* whole sectors a row */
    const uint32_t rows = scale * (values[THIN_TILE].i == 2 ? 32 : 16);
    const uint32_t cols = scale * (values[THIN_TILE].i == 0 ? 16 : 32);
    const uint64_t across = banklab_ceil_div(problem->cols, cols);
    struct banklab_launch *launch;

    if (vector < elem)
        return banklab_unsupported(error, "an element of %u bytes has no vector of %u",
                                   elem, vector);
    if (problem->rows * elem % vector || problem->cols * elem % vector)
        return banklab_unsupported(error,
                                   "vectors need rows of a multiple of %u bytes, in the "
                                   "input and in the output; transpose_skew does others",
                                   vector);
    if (problem->rows > UINT32_MAX / elem / problem->cols || across > 65535)
        return banklab_unsupported(error,
                                   "it is for small matrices: of less than 2^32 bytes, "
                                   "which offsets of 32 bits reach, and of at most 65535 "
                                   "tiles across, %u columns each; transpose_skew does "
                                   "others",
                                   cols);
    launch = banklab_launch_add(plan, "transpose_thin_e%u_v%u_%ux%u", elem, vector, rows,
                                cols);
    launch->grid[0] = (uint32_t)banklab_ceil_div(problem->rows, rows);
    launch->grid[1] = (uint32_t)across;
    launch->block[0] = rows * cols * elem / vector;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, (uint32_t)problem->rows);
    banklab_arg_u32(launch, (uint32_t)problem->cols);
    return banklab_grid_batch(launch, problem, error);
}

#endif /* TRANSPOSE_THIN_H */
