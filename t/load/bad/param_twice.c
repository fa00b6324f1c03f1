/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: two parameters of one name.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT},
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_twice"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
