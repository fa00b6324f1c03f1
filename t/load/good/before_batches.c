/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of 1.0, which ends before the flags, with a parameter whose name has become a
 * key of every case.
 */
#include "banklab/plugin.h"

static const struct banklab_param table[] = {
    {.name = "batch",
     .help = "words",
     .type = BANKLAB_PARAM_INT,
     .minimum = 1,
     .maximum = 8,
     .default_value = 4},
};

#define NAME "before_batches"
#define HEAD                                                                             \
    .magic = BANKLAB_PLUGIN_MAGIC, .abi_major = BANKLAB_ABI_MAJOR, .abi_minor = 0,       \
    .struct_size = offsetof(struct banklab_plugin, flags)
#define PARAMS BANKLAB_PARAMS(table)
#include "fixture.h"
