/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

/* Does not survive a problem of one row. */
static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    (void)values;
    (void)error;
    bad_launch(problem, plan, "right");
    if (problem->rows / 2 == 0)
        __builtin_trap();
    return BANKLAB_OK;
}
BAD_PLUGIN("crash", "transpose")
