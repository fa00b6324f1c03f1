/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

/* The grid's x is for columns, and here it is for rows. */
static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    struct banklab_launch *launch = bad_launch(problem, plan, "right");

    (void)values;
    (void)error;
    launch->grid[0] = (uint32_t)banklab_ceil_div(problem->rows, TILE);
    launch->grid[1] = (uint32_t)banklab_ceil_div(problem->cols, TILE);
    return BANKLAB_OK;
}
BAD_PLUGIN("swapped", "transpose")
