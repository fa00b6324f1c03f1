/* SPDX-License-Identifier: Apache-2.0
 *
 * @NAME@ - a transpose through a tile in shared memory.
 *
 * After each row of the tile may lie unused elements, so that a column's are in different
 * banks.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "@NAME@.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { TILE = 32 }; /* as in the kernel */

enum { PAD };
static const struct banklab_param params[] = {
    [PAD] = {.name = "pad",
             .help = "unused elements after each row of the tile",
             .unit = "elements",
             .type = BANKLAB_PARAM_INT,
             .minimum = 0,
             .maximum = 8,
             .default_value = 0},
};

/* The same kernel without bank conflicts. */
static const struct banklab_setting twin[] = {{"pad", "1"}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t across = banklab_ceil_div(problem->cols, TILE);
    const uint64_t down = banklab_ceil_div(problem->rows, TILE);
    const uint32_t pitch = TILE + (uint32_t)values[PAD].i;
    struct banklab_launch *launch;

    if (across > INT32_MAX / down)
        return banklab_unsupported(error, "more tiles than a grid can have blocks");

    launch = banklab_launch_add(plan, "@NAME@_e4");
    launch->grid[0] = (uint32_t)(across * down);
    launch->block[0] = TILE;
    launch->block[1] = TILE;
    launch->shared_bytes = TILE * pitch * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, pitch);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "@NAME@",
    .kind = "transpose",
    .summary = "transpose through a shared-memory tile",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    BANKLAB_TWIN(twin),
    .plan = plan,
};
