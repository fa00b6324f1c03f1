/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a type that there is not.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = 9},
};

#define NAME   "param_type"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
