/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a parameter's name with a capital.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "Pad", .help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_badly_named"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
