/* SPDX-License-Identifier: Apache-2.0
 *
 * lines - threads that each walk a line of a matrix: along rows, down columns, or along
 * rows by way of shared memory. What they compute is written in lines.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "lines.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { SIDE = 32 }; /* as in the kernel */

enum walk { ALONG, DOWN, TURNED };
static const char *const walks[] = {"along", "down", "turned", NULL};

enum { WALK };
static const struct banklab_param params[] = {
    [WALK] = {.name = "walk",
              .help =
                  "along a row, down a column, or along a row turned in shared memory",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = walks},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t lines = values[WALK].i == DOWN ? problem->cols : problem->rows;
    const uint64_t blocks = banklab_ceil_div(lines, SIDE);
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch =
        banklab_launch_add(plan, "lines_e%u_%s", problem->elem, walks[values[WALK].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = SIDE;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return BANKLAB_OK;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t row = problem->cols * problem->elem;
    /* Bytes back to the element before on the line. */
    const uint64_t back = values[WALK].i == DOWN ? row : problem->elem;
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)error;
    for (uint64_t at = 0; at < problem->rows * row; at++) {
        const uint64_t gone = values[WALK].i == DOWN ? at : at % row;

        to[at] = (uint8_t)(from[at] ^ (gone < back ? 0 : to[at - back]));
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,    .name = "lines",
    .kind = "pattern",      .summary = "threads that walk rows or columns of a matrix",
    BANKLAB_PARAMS(params), BANKLAB_MODULES(modules),
    .plan = plan,           .reference = reference,
};
