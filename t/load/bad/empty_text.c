/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a module of no length.
 */
#include "banklab/plugin.h"

static const struct banklab_module mods[] = {{.text = "x"}};

#define NAME    "empty_text"
#define MODULES BANKLAB_MODULES(mods)
#include "fixture.h"
