/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin whose modules lack the last fields: they read as zero.
 */
#include "banklab/plugin.h"

struct older_module {
    const char *text;
    uint64_t length;
};

static const struct older_module older_modules[] = {{"// one", 6}, {"// two", 5}};

#define NAME "older"
#define MODULES                                                                          \
    .modules = (const void *)older_modules, .module_count = 2,                           \
    .module_size = sizeof older_modules[0]
#include "fixture.h"
