/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a default that is not among the numbers allowed.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"16", "32", NULL};

static const struct banklab_param table[] = {
    {.name = "tile",
     .help = "edge",
     .choices = choices,
     .default_value = 17,
     .type = BANKLAB_PARAM_INT},
};

#define NAME   "choice_default"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
