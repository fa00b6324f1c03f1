/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_vec - transpose in vectors of four elements (16 bytes at most): a quarter of
 * the instructions, and 16 bytes an access where elements have 4 bytes or more.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_vec.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem;
    const uint32_t vector = elem <= 4 ? 4 : 16 / elem; /* elements */
    /* Rows of both matrices must start at a vector's alignment. */
    const int whole = problem->rows % vector == 0 && problem->cols % vector == 0;
    const uint32_t tile = whole ? 16 * vector : 32;
    const uint64_t down = banklab_ceil_div(problem->rows, tile);
    struct banklab_launch *launch;

    (void)values; /* it has no parameters */
    if (down > INT32_MAX)
        return banklab_unsupported(error, "%llu tiles down: a grid has at most %d",
                                   (unsigned long long)down, INT32_MAX);

    if (whole) {
        launch = banklab_launch_add(plan, "transpose_vec_e%u", elem);
        launch->block[0] = launch->block[1] = 16;
    } else {
        launch = banklab_launch_add(plan, "transpose_vec_single_e%u", elem);
        launch->block[0] = 32;
        launch->block[1] = 8;
    }
    launch->grid[0] = (uint32_t)down;
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->cols, tile), 65535);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return banklab_grid_batch(launch, problem, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_vec",
    .kind = "transpose",
    .summary = "transpose by vectors of four, turned in registers",
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
