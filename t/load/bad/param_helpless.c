/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a parameter without help.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_helpless"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
