/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a parameter called like a key of every case.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "rows", .help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_reserved"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
