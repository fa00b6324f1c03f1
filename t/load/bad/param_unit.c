/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a unit of two lines.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .unit = "a\nb", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_unit"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
