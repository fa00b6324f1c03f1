/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_naive - reads along rows, writes along columns: no bank conflict, since no
 * shared memory, but 32 sectors for every store of a warp.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_naive.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { TILE = 32, BLOCK_ROWS = 8 }; /* as in the kernel */

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t across = banklab_ceil_div(problem->cols, TILE);
    struct banklab_launch *launch;

    (void)values; /* it has no parameters */
    if (across > INT32_MAX)
        return banklab_unsupported(error, "%llu tiles across: a grid has at most %d",
                                   (unsigned long long)across, INT32_MAX);

    launch = banklab_launch_add(plan, "transpose_naive_e%u", problem->elem);
    launch->grid[0] = (uint32_t)across;
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->rows, TILE), 65535);
    launch->block[0] = TILE;
    launch->block[1] = BLOCK_ROWS;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return banklab_grid_batch(launch, problem, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,      .name = "transpose_naive",
    .kind = "transpose",      .summary = "transpose straight through global memory",
    BANKLAB_MODULES(modules), .plan = plan,
    .flags = BANKLAB_BATCHES,
};
