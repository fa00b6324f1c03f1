/* SPDX-License-Identifier: Apache-2.0
 *
 * copy - the plain copy: the ceiling that the transposes are held against.
 *
 * The kernel sees bytes: what an element is makes no difference to it.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "copy.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { BLOCK };
static const struct banklab_param params[] = {
    [BLOCK] = {.name = "block",
               .help = "threads a block, a multiple of 32",
               .type = BANKLAB_PARAM_INT,
               .minimum = 32,
               .maximum = 1024,
               .default_value = 256},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t threads = (uint32_t)values[BLOCK].i;
    const uint64_t matrix = problem->rows * problem->cols * problem->elem;
    const uint64_t bytes = banklab_batch(problem) * matrix;
    struct banklab_launch *launch;

    if (threads % 32 != 0)
        return banklab_unsupported(error, "block = %u is not a multiple of 32", threads);

    launch = banklab_launch_add(plan, "copy");
    launch->block[0] = threads;
    /* A thread for every 16 bytes, and at least one block for a tail of up to 15. */
    launch->grid[0] = banklab_at_most(banklab_ceil_div(bytes, 16 * threads), INT32_MAX);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, bytes);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,    .name = "copy",
    .kind = "copy",         .summary = "plain copy, 16 bytes a thread: the ceiling",
    BANKLAB_PARAMS(params), BANKLAB_MODULES(modules),
    .plan = plan,           .flags = BANKLAB_BATCHES,
};
