/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a struct shorter than that of ABI 1.0; no byte beyond it is there.
 */
#include "banklab/plugin.h"

#define NAME "short_struct"
#define NOTHING_EXPORTED
#include "fixture.h"

struct prefix {
    uint64_t magic;
    uint32_t abi_major, abi_minor;
    uint64_t struct_size;
    const char *name;
};

BANKLAB_EXPORT extern const struct prefix banklab_plugin;
const struct prefix banklab_plugin = {BANKLAB_PLUGIN_MAGIC, BANKLAB_ABI_MAJOR,
                                      BANKLAB_ABI_MINOR, sizeof(struct prefix), NAME};
