/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a choice that stands twice.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"load", "load", NULL};

static const struct banklab_param table[] = {
    {.name = "op", .help = "what", .choices = choices, .type = BANKLAB_PARAM_CHOICE},
};

#define NAME   "choice_twice"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
