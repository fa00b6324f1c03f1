/* SPDX-License-Identifier: Apache-2.0
 *
 * @NAME@ - a copy through shared memory with a stride between neighbouring threads.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "@NAME@.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { THREADS = 256 }; /* of a block */

enum { STRIDE };
static const struct banklab_param params[] = {
    [STRIDE] = {.name = "stride",
                .help = "distance between neighbouring threads",
                .unit = "elements",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 32,
                .default_value = 1},
};

/* The same kernel without bank conflicts. */
static const struct banklab_setting twin[] = {{"stride", "1"}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint64_t blocks = banklab_ceil_div(n, THREADS);
    const uint32_t stride = (uint32_t)values[STRIDE].i;
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "more blocks than a grid can have");

    launch = banklab_launch_add(plan, "@NAME@_e4");
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = THREADS;
    launch->shared_bytes = THREADS * stride * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, n);
    banklab_arg_u32(launch, stride);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "@NAME@",
    .kind = "copy",
    .summary = "copy through strided shared memory",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    BANKLAB_TWIN(twin),
    .plan = plan,
};
