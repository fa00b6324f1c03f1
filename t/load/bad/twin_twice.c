/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a twin that sets a parameter twice.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT, .maximum = 8},
};
static const struct banklab_setting settings[] = {{"pad", "1"}, {"pad", "2"}};

#define NAME   "twin_twice"
#define PARAMS BANKLAB_PARAMS(table)
#define TWIN   BANKLAB_TWIN(settings)
#include "fixture.h"
