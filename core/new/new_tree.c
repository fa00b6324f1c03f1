/* SPDX-License-Identifier: Apache-2.0 */
#include "new/new_tree.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "new/new_folder.h"

enum { LIST_MAX = 1 << 20 }; /* bytes of plugins/Makefile.inc */

/* What only banklab's source tree has, all of it. */
static bool is_tree(const char *folder)
{
    static const char *const marks[] = {"plugins/Makefile.inc", "configure.ac",
                                        "core/include/banklab/plugin.h"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char *path = bl_text_format("%s/%s", folder, marks[i]);
        const bool there = path && bl_paths_is_file(path);

        free(path);
        if (!there)
            return false;
    }
    return true;
}

enum bl_status bl_new_tree_find(const struct bl_paths *paths, char **tree,
                                struct bl_error *err)
{
    char *folder = getcwd(NULL, 0);

    while (folder && *folder && !is_tree(folder))
        *strrchr(folder, '/') = '\0';
    if (folder && *folder) {
        *tree = folder;
        return BL_OK;
    }
    free(folder);
    if (!paths->source_dir)
        return bl_error_set(
            err, BL_E_INPUT,
            "--in-tree adds to banklab's own plugins, but this is not its "
            "source tree: call it from there, or leave --in-tree out");
    folder = strdup(paths->source_dir);
    if (!folder)
        return bl_error_nomem(err);
    *tree = folder;
    return BL_OK;
}

/* Whether the line stands in the text. */
static bool has_line(const char *text, const char *line)
{
    const size_t length = strlen(line);

    for (const char *at = text; (at = strstr(at, line)); at += length)
        if ((at == text || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
            return true;
    return false;
}

/* Replaces the file by `text`, keeping its permissions. */
static enum bl_status replace(const char *path, const char *text, struct bl_error *err)
{
    char *other = bl_text_format("%s.%ld", path, (long)getpid());
    struct stat info;
    enum bl_status status;

    if (!other)
        return bl_error_nomem(err);
    status = bl_new_write(other, text, strlen(text), err);
    if (status == BL_OK &&
        (stat(path, &info) != 0 || chmod(other, info.st_mode & 07777) != 0 ||
         rename(other, path) != 0))
        status = bl_error_set(err, BL_E_IO, "%s: %s", path, strerror(errno));
    if (status != BL_OK)
        unlink(other);
    free(other);
    return status;
}

enum bl_status bl_new_tree_include(const char *tree, const char *name,
                                   struct bl_error *err)
{
    char *path = bl_text_format("%s/plugins/Makefile.inc", tree);
    char *line = bl_text_format("include plugins/%s/Makefile.inc", name);
    char *text = NULL, *longer = NULL;
    size_t length;
    enum bl_status status = path && line ? BL_OK : bl_error_nomem(err);

    if (status == BL_OK)
        status = bl_text_read_file(path, LIST_MAX, &text, &length, err);
    if (status == BL_OK && !has_line(text, line)) {
        const bool ended = length == 0 || text[length - 1] == '\n';

        longer = bl_text_format("%s%s%s\n", text, ended ? "" : "\n", line);
        status = longer ? replace(path, longer, err) : bl_error_nomem(err);
    }
    free(path);
    free(line);
    free(text);
    free(longer);
    return status;
}
