/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a twin that sets no parameter of the plugin.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT, .maximum = 8},
};
static const struct banklab_setting settings[] = {{"pda", "1"}};

#define NAME   "twin_unknown"
#define PARAMS BANKLAB_PARAMS(table)
#define TWIN   BANKLAB_TWIN(settings)
#include "fixture.h"
