/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a module of more bytes than the plugin has.
 */
#include "banklab/plugin.h"

static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n";
static const struct banklab_module table[] = {
    {.text = text, .length = UINT64_C(1) << 30, .cc = 70},
};

#define NAME    "text_length"
#define MODULES BANKLAB_MODULES(table)
#include "fixture.h"
