/* SPDX-License-Identifier: Apache-2.0
 *
 * vector_indices - a transpose by vectors with wrong indices, and with right ones.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "vector_indices.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { SIDE = 32 }; /* as in the kernel */

static const char *const kinds[] = {"misaligned", "overlapping", "right", NULL};

enum { INDICES };
static const struct banklab_param params[] = {
    [INDICES] = {.name = "indices",
                 .help = "what is wrong with them",
                 .type = BANKLAB_PARAM_CHOICE,
                 .choices = kinds},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    struct banklab_launch *launch;

    if (problem->rows % SIDE || problem->cols % SIDE)
        return banklab_unsupported(error, "needs rows and columns divisible by %d", SIDE);

    launch = banklab_launch_add(plan, "vector_indices_%s", kinds[values[INDICES].i]);
    launch->grid[0] = (uint32_t)(problem->cols / SIDE);
    launch->grid[1] = (uint32_t)(problem->rows / SIDE);
    launch->block[0] = SIDE / 4;
    launch->block[1] = SIDE;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "vector_indices",
    .kind = "transpose",
    .summary = "a wrong transpose: four elements a thread, indices of one",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
};
