/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a parameter called like a key that every case has since 1.1.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "batch", .help = "words", .type = BANKLAB_PARAM_INT},
};

#define NAME   "param_batch"
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
