/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a choice without choices.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "op", .help = "what", .type = BANKLAB_PARAM_CHOICE},
};

#define NAME   "choice_null"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
