/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: the symbol is shorter than the prefix of the struct.
 */
#include "banklab/plugin.h"

BANKLAB_EXPORT extern const uint64_t banklab_plugin;
const uint64_t banklab_plugin = BANKLAB_PLUGIN_MAGIC;
