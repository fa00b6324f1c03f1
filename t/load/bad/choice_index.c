/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a default beyond the choices.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"load", "store", NULL};

static const struct banklab_param table[] = {
    {.name = "op",
     .help = "what",
     .choices = choices,
     .default_value = 2,
     .type = BANKLAB_PARAM_CHOICE},
};

#define NAME   "choice_index"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
