/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a module without text.
 */
#include "banklab/plugin.h"

static const struct banklab_module mods[] = {{.length = 5}};

#define NAME    "null_text"
#define MODULES BANKLAB_MODULES(mods)
#include "fixture.h"
