/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a number's choice that is none.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"16", "big", NULL};

static const struct banklab_param table[] = {
    {.name = "tile",
     .help = "edge",
     .choices = choices,
     .default_value = 16,
     .type = BANKLAB_PARAM_INT},
};

#define NAME   "choice_number"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
