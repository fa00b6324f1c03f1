/* SPDX-License-Identifier: Apache-2.0
 *
 * profiles.c - the profiles that come with banklab and its plugins.
 */
#include "cli/profiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "load/hint.h"

/* The first comment that says something, without its mark; "" if none comes before
 * the first section. Fresh; NULL if memory ran out. */
static char *read_title(const char *path)
{
    char line[256], *title = NULL;
    FILE *in = fopen(path, "r");

    while (in && !title && fgets(line, sizeof line, in)) {
        char *text = line + strspn(line, " \t\xef\xbb\xbf");
        const bool comment = *text == ';' || *text == '#';

        if (*text && !comment && !strchr("\r\n", *text))
            break;
        text += strspn(text, ";# \t");
        text[strcspn(text, "\r\n")] = '\0';
        if (*text && !strstr(text, "SPDX-"))
            title = strdup(text);
    }
    if (in)
        fclose(in);
    return title ? title : strdup("");
}

/* Folders of conf_dir with profiles in them, which are called "claims/NAME". */
static const char *const shelves[] = {"claims", "kernels"};

/* Takes over `name` and `path`. */
static enum bl_status add(struct cli_profiles *profiles, char *name, char *path,
                          int folder, struct bl_error *err)
{
    struct cli_profile *at;
    char *title = path ? read_title(path) : NULL;

    at = realloc(profiles->at, (profiles->count + 1) * sizeof *at);
    if (at)
        profiles->at = at;
    if (!at || !name || !path || !title) {
        free(name);
        free(path);
        free(title);
        return bl_error_nomem(err);
    }
    at[profiles->count++] = (struct cli_profile){name, path, title, folder};
    return BL_OK;
}

/* conf/NAME.ini, or plugins/NAME/NAME.ini. */
static enum bl_status add_entry(struct cli_profiles *profiles, const char *dir,
                                const char *entry, int folder, struct bl_error *err)
{
    const size_t length = strlen(entry);
    const bool ini = length > 4 && strcmp(entry + length - 4, ".ini") == 0;
    char *path;

    if (entry[0] == '.' || (folder == 0 && !ini))
        return BL_OK;
    path = folder == 0 ? bl_text_format("%s/%s", dir, entry)
                       : bl_text_format("%s/%s/%s.ini", dir, entry, entry);
    if (path && !bl_paths_is_file(path)) {
        free(path);
        return BL_OK;
    }
    return add(profiles, strndup(entry, folder == 0 ? length - 4 : length), path, folder,
               err);
}

/* conf/SHELF/NAME.ini */
static enum bl_status add_shelf(struct cli_profiles *profiles, const char *conf_dir,
                                const char *shelf, struct bl_error *err)
{
    enum bl_status status = BL_OK;
    const struct dirent *entry;
    char *path = bl_text_format("%s/%s", conf_dir, shelf);
    DIR *dir = path ? opendir(path) : NULL;

    if (!path)
        return bl_error_nomem(err);
    while (status == BL_OK && dir && (entry = readdir(dir))) {
        const size_t length = strlen(entry->d_name);

        if (entry->d_name[0] != '.' && length > 4 &&
            strcmp(entry->d_name + length - 4, ".ini") == 0)
            status =
                add(profiles,
                    bl_text_format("%s/%.*s", shelf, (int)(length - 4), entry->d_name),
                    bl_text_format("%s/%s", path, entry->d_name), 0, err);
    }
    if (dir)
        closedir(dir);
    free(path);
    return status;
}

static enum bl_status add_folder(struct cli_profiles *profiles, const char *path,
                                 int folder, struct bl_error *err)
{
    enum bl_status status = BL_OK;
    const struct dirent *entry;
    DIR *dir = opendir(path);

    if (!dir)
        return BL_OK;
    while (status == BL_OK && (entry = readdir(dir)))
        status = add_entry(profiles, path, entry->d_name, folder, err);
    closedir(dir);
    return status;
}

static int by_folder_and_name(const void *left, const void *right)
{
    const struct cli_profile *a = left, *b = right;

    return a->folder != b->folder ? a->folder - b->folder : strcmp(a->name, b->name);
}

enum bl_status cli_profiles_find(const struct bl_paths *paths, struct cli_profiles *out,
                                 struct bl_error *err)
{
    struct cli_profiles found = {NULL, 0};
    enum bl_status status = add_folder(&found, paths->conf_dir, 0, err);

    for (size_t i = 0; status == BL_OK && i < sizeof shelves / sizeof *shelves; i++)
        status = add_shelf(&found, paths->conf_dir, shelves[i], err);
    if (status == BL_OK)
        status = add_folder(&found, paths->plugin_profile_dir, 1, err);
    if (status != BL_OK) {
        cli_profiles_free(&found);
        return status;
    }
    if (found.count)
        qsort(found.at, found.count, sizeof *found.at, by_folder_and_name);
    *out = found;
    return BL_OK;
}

void cli_profiles_free(struct cli_profiles *profiles)
{
    for (size_t i = 0; i < profiles->count; i++) {
        free(profiles->at[i].name);
        free(profiles->at[i].path);
        free(profiles->at[i].title);
    }
    free(profiles->at);
    *profiles = (struct cli_profiles){NULL, 0};
}

static enum bl_status unknown(const struct cli_profiles *profiles, const char *text,
                              struct bl_error *err)
{
    const char **names = calloc(profiles->count + 1, sizeof *names);
    char hint[BL_HINT_SIZE];
    size_t count = 0;

    if (!names)
        return bl_error_nomem(err);
    for (size_t i = 0; i < profiles->count; i++) {
        bool known = false;

        for (size_t j = 0; j < count && !known; j++)
            known = strcmp(names[j], profiles->at[i].name) == 0;
        if (!known)
            names[count++] = profiles->at[i].name;
    }
    bl_hint_print(text, names, count, hint, sizeof hint);
    free(names);
    return bl_error_set(err, BL_E_INPUT,
                        "%s: no such file, and no profile of that name%s", text, hint);
}

/* "transpose", or "transpose.ini", is called `name`. */
static bool is_called(const char *text, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(text, name, length) == 0 &&
           (text[length] == '\0' || strcmp(text + length, ".ini") == 0);
}

/* "claims/..." */
static bool is_on_shelf(const char *text)
{
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) {
        const size_t length = strlen(shelves[i]);

        if (strncmp(text, shelves[i], length) == 0 && text[length] == '/')
            return true;
    }
    return false;
}

enum bl_status cli_profile_path(const struct bl_paths *paths, const char *text,
                                char **out, struct bl_error *err)
{
    struct cli_profiles profiles;
    enum bl_status status;
    struct stat info;
    char *path = NULL;

    if ((strchr(text, '/') && !is_on_shelf(text)) ||
        (stat(text, &info) == 0 && !S_ISDIR(info.st_mode))) {
        path = strdup(text);
        if (!path)
            return bl_error_nomem(err);
        *out = path;
        return BL_OK;
    }
    status = cli_profiles_find(paths, &profiles, err);
    if (status != BL_OK)
        return status;
    for (size_t i = 0; i < profiles.count && !path; i++) {
        if (is_called(text, profiles.at[i].name)) {
            path = profiles.at[i].path;
            profiles.at[i].path = NULL;
        }
    }
    if (path)
        *out = path;
    else
        status = unknown(&profiles, text, err);
    cli_profiles_free(&profiles);
    return status;
}
