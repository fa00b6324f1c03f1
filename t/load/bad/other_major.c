/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: of another ABI major.
 */
#include "banklab/plugin.h"

#define NAME "other_major"
#define HEAD                                                                             \
    .magic = BANKLAB_PLUGIN_MAGIC, .abi_major = 2, .abi_minor = 3,                       \
    .struct_size = sizeof(struct banklab_plugin)
#include "fixture.h"
