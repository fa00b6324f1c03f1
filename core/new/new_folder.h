/* SPDX-License-Identifier: Apache-2.0
 *
 * new_folder.h - fills a folder with what templates give.
 */
#ifndef BL_NEW_FOLDER_H
#define BL_NEW_FOLDER_H

#include "new/new.h"

/* Makes `folder`, which must not be there, and its files, of conf_dir/templates/KIND and
 * of conf_dir/templates/BESIDES. made->files is appended to. On an error what was made is
 * still there, and made->files has it. */
enum bl_status bl_new_fill(const struct bl_paths *paths, const struct bl_new *what,
                           const char *besides, const char *folder,
                           struct bl_new_made *made, struct bl_error *err);

/* Removes the files and the folder. */
void bl_new_remove(const char *folder, const struct bl_new_made *made);

/* A whole new file; it must not be there. */
enum bl_status bl_new_write(const char *path, const char *text, size_t length,
                            struct bl_error *err);

#endif
