/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a default out of range.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad",
     .help = "words",
     .maximum = 8,
     .default_value = 9,
     .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_default"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
