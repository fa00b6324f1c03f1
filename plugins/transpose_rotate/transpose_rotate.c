/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_rotate - transpose through a tile whose rows are rotated: conflict-free
 * without padding.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_rotate.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static const char *const tiles[] = {"16", "32", "64", NULL};

enum { TILE };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help = "rows and columns of the tile",
              .unit = "elements",
              .type = BANKLAB_PARAM_INT,
              .choices = tiles,
              .minimum = 16,
              .maximum = 64,
              .default_value = 32},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t tile = (uint32_t)values[TILE].i;
    const uint64_t across = banklab_ceil_div(problem->cols, tile);
    struct banklab_launch *launch;

    if (across > INT32_MAX)
        return banklab_unsupported(error, "%llu tiles across: a grid has at most %d",
                                   (unsigned long long)across, INT32_MAX);

    launch = banklab_launch_add(plan, "transpose_rotate_e%u_t%u", problem->elem, tile);
    launch->grid[0] = (uint32_t)across;
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->rows, tile), 65535);
    launch->block[0] = tile;
    launch->block[1] = 256 / tile;
    launch->shared_bytes = tile * tile * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return banklab_grid_batch(launch, problem, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_rotate",
    .kind = "transpose",
    .summary = "transpose through a tile with rotated rows, no padding",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
