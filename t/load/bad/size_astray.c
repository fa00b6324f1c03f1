/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: elements of a table so large that the second lies beyond the plugin.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "pad", .help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "size_astray"
#define PARAMS .params = table, .param_count = 2, .param_size = 0xffffffffu
#include "fixture.h"
