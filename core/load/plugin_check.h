/* SPDX-License-Identifier: Apache-2.0
 *
 * plugin_check.h - what must be true of a plugin's file before it is loaded, and of its
 * struct, whose prefix and size were found right, before anything in the core may rely
 * on it.
 */
#ifndef BL_PLUGIN_CHECK_H
#define BL_PLUGIN_CHECK_H

#include "load/registry.h"

/* Bounds that no sound plugin comes near; beyond them a count is taken for garbage. */
enum {
    BL_PLUGIN_PARAMS_MAX = 64,
    BL_PLUGIN_CHOICES_MAX = 256,
    BL_PLUGIN_MODULES_MAX = 64,
    BL_PLUGIN_NAME_MAX = 64
};

/* The file is a regular one with an ELF header, and as long as its segments say. dlopen
 * would wait for ever at a pipe, and be killed by the end of a file that is cut short. */
enum bl_status bl_plugin_check_file(const char *path, struct bl_error *err);

/* Identity, counts and functions of plugin->abi. Reads no table. */
enum bl_status bl_plugin_check_head(const struct bl_plugin *plugin, struct bl_error *err);

/* Parameters, modules and twin, once they are laid out in our own sizes. */
enum bl_status bl_plugin_check_tables(const struct bl_plugin *plugin,
                                      struct bl_error *err);

#endif
