/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

static const struct banklab_param params[] = {{.name = "pad",
                                               .help = "passed, and never read",
                                               .type = BANKLAB_PARAM_INT,
                                               .minimum = 0,
                                               .maximum = 8}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    struct banklab_launch *launch = bad_launch(problem, plan, "pad_unread");

    (void)error;
    banklab_arg_u32(launch, TILE + (uint32_t)values[0].i);
    return BANKLAB_OK;
}
BAD_PLUGIN("pad_unread", "transpose", BANKLAB_PARAMS(params))
