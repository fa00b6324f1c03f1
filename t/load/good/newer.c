/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of a later minor: its struct and its tables' elements are longer.
 */
#include "banklab/plugin.h"

struct newer_param {
    struct banklab_param known;
    uint64_t added[3];
};

static const struct newer_param newer_params[] = {
    {{.name = "first", .help = "one", .type = BANKLAB_PARAM_INT, .maximum = 1}, {7}},
    {{.name = "second", .help = "two", .type = BANKLAB_PARAM_INT, .maximum = 2}, {7}},
};

#define NAME "newer"
#define NOTHING_EXPORTED
#include "fixture.h"

struct newer_plugin {
    struct banklab_plugin known;
    uint64_t added[8];
};

BANKLAB_EXPORT extern const struct newer_plugin banklab_plugin;
const struct newer_plugin banklab_plugin = {
    {.magic = BANKLAB_PLUGIN_MAGIC,
     .abi_major = BANKLAB_ABI_MAJOR,
     .abi_minor = 7,
     .struct_size = sizeof(struct newer_plugin),
     .name = NAME,
     .kind = KIND,
     .summary = SUMMARY,
     .params = &newer_params[0].known,
     .param_count = BANKLAB_COUNT(newer_params),
     .param_size = sizeof newer_params[0],
     BANKLAB_MODULES(fixture_modules),
     .plan = fixture_plan},
    {1, 2, 3, 4, 5, 6, 7, 8},
};
