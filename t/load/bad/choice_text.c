/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a choice that a profile can't write.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"load", "load,store", NULL};

static const struct banklab_param table[] = {
    {.name = "op", .help = "what", .choices = choices, .type = BANKLAB_PARAM_CHOICE},
};

#define NAME   "choice_text"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
