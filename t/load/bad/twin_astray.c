/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a twin's value that leads nowhere.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT, .maximum = 8},
};
static const struct banklab_setting setting[] = {{"pad", (const char *)8}};

#define NAME   "twin_astray"
#define PARAMS BANKLAB_PARAMS(table)
#define TWIN   BANKLAB_TWIN(setting)
#include "fixture.h"
