/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.h - where plugins, profiles and arch files are looked for.
 *
 * When the program lies in a build tree (the file `core/build-tree` beside it, which
 * configure writes, names the source folder), that tree's plugins and conf are used;
 * otherwise the install folders given at compile time. Never the current directory.
 */
#ifndef BL_PATHS_H
#define BL_PATHS_H

#include <stddef.h>

#include "base/error.h"

struct bl_paths {
    char **plugin_dirs;          /* searched in this order; each holds NAME.so, or, in the
                                    build tree, NAME/.libs/NAME.so */
    const char **plugin_origins; /* "--plugin-dir", "BANKLAB_PLUGIN_PATH",
                                    "build tree", "installed" */
    size_t plugin_dir_count;
    char *conf_dir;           /* holds *.ini profiles, arch/ and devices/ */
    char *plugin_profile_dir; /* holds NAME/NAME.ini, plugins' own profiles */
};

/* `extra` are the --plugin-dir folders, first in the order. On BL_OK the caller ends
 * with bl_paths_free. */
enum bl_status bl_paths_find(const char *const *extra, size_t extra_count,
                             struct bl_paths *out, struct bl_error *err);
void bl_paths_free(struct bl_paths *paths);

/* conf_dir/sub/name.ini, fresh; NULL if memory ran out. */
char *bl_paths_conf(const struct bl_paths *paths, const char *sub, const char *name);

#endif
