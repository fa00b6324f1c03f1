/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a least above the most.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad",
     .help = "words",
     .minimum = 3,
     .maximum = 2,
     .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_empty_range"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
