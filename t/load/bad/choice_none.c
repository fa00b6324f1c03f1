/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: an empty list of choices.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {NULL};

static const struct banklab_param table[] = {
    {.name = "op", .help = "what", .choices = choices, .type = BANKLAB_PARAM_CHOICE},
};

#define NAME   "choice_none"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
