/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t count = problem->rows * problem->cols;
    struct banklab_launch *launch = banklab_launch_add(plan, "copy_overflow");

    (void)values;
    (void)error;
    launch->block[0] = 256;
    launch->grid[0] = banklab_at_most(banklab_ceil_div(count, 256), INT32_MAX);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, count);
    return BANKLAB_OK;
}
BAD_PLUGIN("copy_overflow", "copy")
