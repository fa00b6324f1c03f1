/* SPDX-License-Identifier: Apache-2.0
 *
 * source.h - lines of the CUDA source files that PTX names, where they can be read.
 *
 * A name that is not absolute is looked for from the plugin's folder and the folders
 * above it, then from the source folder of the build tree; never from the current one. A
 * file that was changed after the plugin was made is not believed: its lines are others.
 * Of an installed plugin it is what was installed with it, plugins/... below the profiles
 * and core/include/... among the headers; their times are those of the installation.
 */
#ifndef BL_SOURCE_H
#define BL_SOURCE_H

#include "base/error.h"
#include "base/paths.h"

struct bl_sources;

/* For the plugin at `plugin_path`; both pointers are the caller's and outlive it. */
enum bl_status bl_sources_new(const struct bl_paths *paths, const char *plugin_path,
                              struct bl_sources **out, struct bl_error *err);
void bl_sources_free(struct bl_sources *sources);

/* Line `line` (from 1) of the file that PTX calls `name`, without space at its ends, and
 * with one for each run of it, into *out: fresh, the caller's; NULL: it can't be had. An
 * error is want of memory. */
enum bl_status bl_sources_line(struct bl_sources *sources, const char *name, int line,
                               char **out, struct bl_error *err);

/* The same of a text in memory. NULL: no such line, or memory ran out. */
char *bl_text_line(const char *text, size_t length, int line);

#endif
