/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a parameter without a name.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_nameless"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
