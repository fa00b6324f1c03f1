/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: elements of no size.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT, .maximum = 8},
};

#define NAME   "zero_size"
#define PARAMS .params = table, .param_count = 1
#include "fixture.h"
