/* SPDX-License-Identifier: Apache-2.0
 *
 * profiles.h - the profiles that come with banklab and its plugins.
 */
#ifndef BL_PROFILES_H
#define BL_PROFILES_H

#include <stddef.h>

#include "base/error.h"
#include "base/paths.h"

struct cli_profile {
    char *name; /* of the file, without .ini; "claims/NAME" in that folder of conf_dir */
    char *path;
    char *title; /* its first comment, or "" */
    int folder;  /* 0: conf_dir, 1: plugin_profile_dir */
};

struct cli_profiles {
    struct cli_profile *at; /* by folder, then by name */
    size_t count;
};

/* All that are found; a folder that is not there holds none. */
enum bl_status cli_profiles_find(const struct bl_paths *paths, struct cli_profiles *out,
                                 struct bl_error *err);
void cli_profiles_free(struct cli_profiles *profiles);

/* The file that `text` stands for: itself if there is such a file, or if it holds a '/'
 * and is not "claims/..."; else the found profile of that name. Fresh. BL_E_INPUT with
 * the nearest name. */
enum bl_status cli_profile_path(const struct bl_paths *paths, const char *text,
                                char **out, struct bl_error *err);

#endif
