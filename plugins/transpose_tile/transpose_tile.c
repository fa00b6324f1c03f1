/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_tile - transpose through a square tile in shared memory, padded or not.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_tile.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static const char *const tiles[] = {"16", "32", "64", NULL};

enum { TILE, PAD };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help = "rows and columns of the tile",
              .unit = "elements",
              .type = BANKLAB_PARAM_INT,
              .choices = tiles,
              .minimum = 16,
              .maximum = 64,
              .default_value = 32},
    [PAD] = {.name = "pad",
             .help = "unused elements after each row of the tile",
             .unit = "elements",
             .type = BANKLAB_PARAM_INT,
             .minimum = 0,
             .maximum = 8,
             .default_value = 0},
};

/* A pitch of tile + 1 puts the elements of a column into different banks. */
static const struct banklab_setting twin[] = {{"pad", "1"}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t tile = (uint32_t)values[TILE].i;
    const uint32_t pitch = tile + (uint32_t)values[PAD].i;
    const uint64_t across = banklab_ceil_div(problem->cols, tile);
    struct banklab_launch *launch;

    if (across > INT32_MAX)
        return banklab_unsupported(error, "%llu tiles across: a grid has at most %d",
                                   (unsigned long long)across, INT32_MAX);

    launch = banklab_launch_add(plan, "transpose_tile_e%u_t%u", problem->elem, tile);
    launch->grid[0] = (uint32_t)across;
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->rows, tile), 65535);
    launch->block[0] = tile;
    launch->block[1] = 256 / tile;
    launch->shared_bytes = tile * pitch * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, pitch);
    return banklab_grid_batch(launch, problem, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_tile",
    .kind = "transpose",
    .summary = "transpose through a shared-memory tile, padded or not",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    BANKLAB_TWIN(twin),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
