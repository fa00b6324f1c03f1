/* SPDX-License-Identifier: Apache-2.0
 *
 * new_tree.h - banklab's own source tree, as far as a new plugin touches it.
 */
#ifndef BL_NEW_TREE_H
#define BL_NEW_TREE_H

#include "base/error.h"
#include "base/paths.h"

/* The source tree that holds the current directory, else the build tree's; fresh.
 * BL_E_INPUT: there is neither. */
enum bl_status bl_new_tree_find(const struct bl_paths *paths, char **tree,
                                struct bl_error *err);

/* Appends "include plugins/NAME/Makefile.inc" to the tree's plugins/Makefile.inc, unless
 * it is there: to a copy, which then takes its place. */
enum bl_status bl_new_tree_include(const char *tree, const char *name,
                                   struct bl_error *err);

#endif
