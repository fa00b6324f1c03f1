/* SPDX-License-Identifier: Apache-2.0
 *
 * rotate_reader - a transpose that rotates its tile on one side only.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "rotate_reader.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static const char *const tiles[] = {"16", "32", NULL};

enum { TILE };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help = "rows and columns of the tile",
              .unit = "elements",
              .type = BANKLAB_PARAM_INT,
              .choices = tiles,
              .minimum = 16,
              .maximum = 32,
              .default_value = 32},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t tile = (uint32_t)values[TILE].i;
    struct banklab_launch *launch;

    if (problem->rows % tile || problem->cols % tile)
        return banklab_unsupported(error, "needs rows and columns divisible by %u", tile);

    launch = banklab_launch_add(plan, "rotate_reader_t%u", tile);
    launch->grid[0] = (uint32_t)(problem->cols / tile);
    launch->grid[1] = (uint32_t)(problem->rows / tile);
    launch->block[0] = launch->block[1] = tile;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "rotate_reader",
    .kind = "transpose",
    .summary = "a wrong transpose: rotated for the reader alone",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
};
