/* SPDX-License-Identifier: Apache-2.0 */
#include "base/paths.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char *bl_paths_conf(const struct bl_paths *paths, const char *sub, const char *name)
{
    return sub ? bl_text_format("%s/%s/%s.ini", paths->conf_dir, sub, name)
               : bl_text_format("%s/%s.ini", paths->conf_dir, name);
}

char *bl_paths_plugin_profile(const struct bl_paths *paths, const char *plugin)
{
    const char *dir = paths->plugin_profile_dir;
    char *path = bl_text_format("%s/%s/%s.ini", dir, plugin, plugin);
    if (path && !bl_paths_is_file(path)) {
        free(path);
        path = bl_text_format("%s/%s.ini", dir, plugin);
    }
    return path;
}

void bl_paths_names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The length of NAME in "NAME.ini"; 0 if the entry is none, or hidden. */
static size_t stem_length(const char *entry)
{
    size_t length = strlen(entry);
    if (entry[0] == '.' || length <= 4 || strcmp(entry + length - 4, ".ini") != 0)
        return 0;
    return length - 4;
}

enum bl_status bl_paths_conf_names(const struct bl_paths *paths, const char *sub,
                                   char ***names, size_t *count, struct bl_error *err)
{
    enum bl_status status = BL_OK;
    char **found = NULL;
    size_t n = 0;
    DIR *dir = NULL;
    char *folder = sub ? bl_text_format("%s/%s", paths->conf_dir, sub)
                       : bl_text_format("%s", paths->conf_dir);
    if (!folder) {
        status = bl_error_nomem(err);
        goto out;
    }
    dir = opendir(folder);
    if (!dir && errno != ENOENT) {
        status = bl_error_set(err, BL_E_IO, "%s: %s", folder, strerror(errno));
        goto out;
    }
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = stem_length(entry->d_name);
        if (length == 0)
            continue;
        char **more = realloc(found, (n + 1) * sizeof *found);
        if (more)
            found = more;
        if (!more || !(found[n] = strndup(entry->d_name, length))) {
            status = bl_error_nomem(err);
            goto out;
        }
        n++;
    }
    if (n > 1)
        qsort(found, n, sizeof *found, by_name);
    *names = found;
    *count = n;
    found = NULL;
out:
    if (found)
        bl_paths_names_free(found, n);
    if (dir)
        closedir(dir);
    free(folder);
    return status;
}

/* A name is no path, nor a hidden file: "../x" must not lead out of the folder. */
static bool is_plain(const char *name)
{
    if (*name == '\0' || *name == '.')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("_-.", *name))
            return false;
    return true;
}

static enum bl_status unknown_name(const struct bl_paths *paths, const char *sub,
                                   const char *what, const char *name,
                                   struct bl_error *err)
{
    char **names = NULL, *list = NULL;
    size_t count = 0;
    enum bl_status status = bl_paths_conf_names(paths, sub, &names, &count, err);
    if (status != BL_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        char *longer =
            bl_text_format("%s%s%s", list ? list : "", list ? ", " : "", names[i]);
        free(list);
        list = longer;
        if (!list) {
            status = bl_error_nomem(err);
            goto out;
        }
    }
    const char *near = bl_text_nearest(name, (const char *const *)names, count);
    status =
        bl_error_set(err, BL_E_INPUT, "unknown %s '%s'%s%s%s; %s/%s has: %s", what, name,
                     near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
                     paths->conf_dir, sub, list ? list : "nothing");
out:
    free(list);
    bl_paths_names_free(names, count);
    return status;
}

enum bl_status bl_paths_conf_find(const struct bl_paths *paths, const char *sub,
                                  const char *what, const char *name, char **out,
                                  struct bl_error *err)
{
    if (!is_plain(name))
        return unknown_name(paths, sub, what, name, err);
    char *path = bl_paths_conf(paths, sub, name);
    if (!path)
        return bl_error_nomem(err);
    if (!bl_paths_is_file(path)) {
        free(path);
        return unknown_name(paths, sub, what, name, err);
    }
    *out = path;
    return BL_OK;
}
