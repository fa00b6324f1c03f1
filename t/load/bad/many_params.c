/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a count of parameters that can't be right.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT, .maximum = 8},
};

#define NAME   "many_params"
#define PARAMS .params = table, .param_count = 100000, .param_size = sizeof table[0]
#include "fixture.h"
