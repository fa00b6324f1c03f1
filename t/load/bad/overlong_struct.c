/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: states a greater size than it has.
 */
#include "banklab/plugin.h"

#define NAME "overlong_struct"
#define HEAD                                                                             \
    .magic = BANKLAB_PLUGIN_MAGIC, .abi_major = BANKLAB_ABI_MAJOR,                       \
    .abi_minor = BANKLAB_ABI_MINOR, .struct_size = 4096
#include "fixture.h"
