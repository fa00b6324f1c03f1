/* SPDX-License-Identifier: Apache-2.0
 *
 * new.h - a folder for a new plugin, made of the templates in conf/templates:
 *
 *     transpose, copy, pattern   the plugin itself, one folder for each kind
 *     folder                     what it has besides when it stands alone
 *     tree                       what it has besides among banklab's own
 *
 * A template's file is called as it will be, with NAME for the plugin's name, and has in
 * its text @NAME@, @KIND@, and @PLUGIN@ for how a profile in the folder names the plugin.
 */
#ifndef BL_NEW_H
#define BL_NEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/paths.h"

struct bl_new {
    const char *name; /* of the plugin: a C identifier */
    const char *kind;
    /* Among banklab's own plugins, in the source tree that holds the current directory,
     * else in that of the build tree which the program runs from; and
     * plugins/Makefile.inc gets its line. Otherwise: in the current directory, alone. */
    bool in_tree;
};

/* What was made. */
struct bl_new_made {
    char *folder; /* "mine", or "/x/banklab/plugins/mine" */
    char **files; /* their names, sorted */
    size_t file_count;
};

/* Makes it. Whole or not at all: the folder is filled under another name and then
 * renamed; and nothing is ever overwritten. BL_E_INPUT: a name or a kind that can't be,
 * or a folder that is there. On BL_OK the caller ends with bl_new_made_free. */
enum bl_status bl_new_make(const struct bl_paths *paths, const struct bl_new *what,
                           struct bl_new_made *out, struct bl_error *err);
void bl_new_made_free(struct bl_new_made *made);

#endif
