/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: the magic of something else.
 */
#include "banklab/plugin.h"

#define NAME "wrong_magic"
#define HEAD                                                                             \
    .magic = 0x1234, .abi_major = BANKLAB_ABI_MAJOR, .abi_minor = BANKLAB_ABI_MINOR,     \
    .struct_size = sizeof(struct banklab_plugin)
#include "fixture.h"
