/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.h - where plugins, profiles and arch files are looked for.
 *
 * When the program lies in a build tree (the file `core/build-tree` beside it, which
 * configure writes, names the source folder), that tree's plugins and conf are used;
 * otherwise the install folders given at compile time; of an installation that was moved
 * as a whole, those that lie by the program as they did. Never the current directory.
 */
#ifndef BL_PATHS_H
#define BL_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct bl_paths {
    char **plugin_dirs;          /* searched in this order; each holds NAME.so, or, in the
                                    build tree, NAME/.libs/NAME.so */
    const char **plugin_origins; /* "--plugin-dir", "BANKLAB_PLUGIN_PATH",
                                    "build tree", "installed" */
    size_t plugin_dir_count;
    char *source_dir;  /* of the build tree; NULL: it does not run from one */
    char *conf_dir;    /* holds *.ini profiles, arch/ and devices/ */
    char *include_dir; /* holds banklab/device.h, for kernels */
    /* Plugins' own profiles: NAME/NAME.ini in the build tree, NAME.ini installed. */
    char *plugin_profile_dir;
};

/* `extra` are the --plugin-dir folders, first in the order; then $BANKLAB_PLUGIN_PATH,
 * parted by colons, empty entries ignored. Whether folders are there is not looked at.
 * BL_E_IO: this program's own place, or what its build tree's marker says, can't be
 * read. On BL_OK the caller ends with bl_paths_free. */
enum bl_status bl_paths_find(const char *const *extra, size_t extra_count,
                             struct bl_paths *out, struct bl_error *err);
void bl_paths_free(struct bl_paths *paths);

/* The same for a program that lies at `exe` (absolute), with `plugin_path` (NULL: none)
 * for $BANKLAB_PLUGIN_PATH. */
enum bl_status bl_paths_find_from(const char *exe, const char *plugin_path,
                                  const char *const *extra, size_t extra_count,
                                  struct bl_paths *out, struct bl_error *err);

/* conf_dir/sub/name.ini, fresh; without sub where that is NULL. NULL if memory ran
 * out. */
char *bl_paths_conf(const struct bl_paths *paths, const char *sub, const char *name);

/* The plugin's own profile, fresh: the place where it is, or, where there is none, where
 * it would be installed. NULL if memory ran out. */
char *bl_paths_plugin_profile(const struct bl_paths *paths, const char *plugin);

/* What one may name: NAME of every conf_dir/sub/NAME.ini, sorted. *names is fresh and
 * freed by bl_paths_names_free; a folder that is not there has none. */
enum bl_status bl_paths_conf_names(const struct bl_paths *paths, const char *sub,
                                   char ***names, size_t *count, struct bl_error *err);
void bl_paths_names_free(char **names, size_t count);

/* The path of conf_dir/sub/name.ini, fresh, after checking that there is such a file.
 * BL_E_INPUT: there is none; `what` ("arch") says what it would be, and the nearest name
 * and those that there are are listed. */
enum bl_status bl_paths_conf_find(const struct bl_paths *paths, const char *sub,
                                  const char *what, const char *name, char **out,
                                  struct bl_error *err);

/* Whether a regular file is there. */
bool bl_paths_is_file(const char *path);

#endif
