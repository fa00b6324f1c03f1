/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

/* One block for all tiles of a column. */
static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    (void)values;
    (void)error;
    bad_launch(problem, plan, "no_reuse_barrier")->grid[1] = 1;
    return BANKLAB_OK;
}
BAD_PLUGIN("no_reuse_barrier", "transpose")
