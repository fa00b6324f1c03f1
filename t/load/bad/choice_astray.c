/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a choice that leads nowhere.
 */
#include "banklab/plugin.h"

static const char *const choices[] = {"load", (const char *)8, NULL};
static const struct banklab_param table[] = {
    {.name = "op", .help = "words", .type = BANKLAB_PARAM_CHOICE, .choices = choices},
};

#define NAME   "choice_astray"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
