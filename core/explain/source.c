/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

enum { UP_MOST = 6, FILE_MOST = 16 << 20 };

struct file {
    char *name; /* as PTX has it */
    char *text; /* NULL: it can't be read */
    size_t length;
};

struct bl_sources {
    const struct bl_paths *paths;
    const char *plugin_path;
    struct file *files;
    size_t count;
};

enum bl_status bl_sources_new(const struct bl_paths *paths, const char *plugin_path,
                              struct bl_sources **out, struct bl_error *err)
{
    struct bl_sources *sources = calloc(1, sizeof *sources);

    if (!sources)
        return bl_error_nomem(err);
    sources->paths = paths;
    sources->plugin_path = plugin_path;
    *out = sources;
    return BL_OK;
}

void bl_sources_free(struct bl_sources *sources)
{
    for (size_t i = 0; sources && i < sources->count; i++) {
        free(sources->files[i].name);
        free(sources->files[i].text);
    }
    if (sources)
        free(sources->files);
    free(sources);
}

/* A file of that path that was not changed since the plugin was made. */
static bool is_good(const struct bl_sources *sources, const char *path)
{
    struct stat file, plugin;

    return stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
           stat(sources->plugin_path, &plugin) == 0 && file.st_mtime <= plugin.st_mtime;
}

/* Takes over `path` if it is good and then sets *out. False: memory ran out. */
static bool try_path(const struct bl_sources *sources, char *path, char **out)
{
    if (path && is_good(sources, path))
        *out = path;
    else
        free(path);
    return path;
}

static bool is_installed(const struct bl_sources *sources)
{
    const struct bl_paths *paths = sources->paths;
    const char *slash = strrchr(sources->plugin_path, '/');
    const size_t length = slash ? (size_t)(slash - sources->plugin_path) : 0;

    for (size_t i = 0; i < paths->plugin_dir_count; i++)
        if (strcmp(paths->plugin_origins[i], "installed") == 0 &&
            strlen(paths->plugin_dirs[i]) == length &&
            strncmp(paths->plugin_dirs[i], sources->plugin_path, length) == 0)
            return true;
    return false;
}

/* Where a file of the project was installed. False: memory ran out. */
static bool try_installed(const struct bl_sources *sources, const char *name, char **out)
{
    static const char headers[] = "core/include/";
    const bool is_header = strncmp(name, headers, sizeof headers - 1) == 0;
    const char *folder =
        is_header ? sources->paths->include_dir : sources->paths->conf_dir;

    if (!folder)
        return true;
    *out = bl_text_format("%s/%s", folder, is_header ? name + sizeof headers - 1 : name);
    return *out;
}

/* *out: fresh; NULL: there is none. */
static enum bl_status find(const struct bl_sources *sources, const char *name, char **out,
                           struct bl_error *err)
{
    const char *top = sources->paths->source_dir;
    char *folder = NULL;
    bool room = true;

    *out = NULL;
    if (name[0] == '/') {
        room = try_path(sources, strdup(name), out);
        return room ? BL_OK : bl_error_nomem(err);
    }
    if (is_installed(sources))
        return try_installed(sources, name, out) ? BL_OK : bl_error_nomem(err);
    folder = realpath(sources->plugin_path, NULL);
    for (int up = 0; folder && up <= UP_MOST && !*out && room; up++) {
        char *slash = strrchr(folder, '/');

        if (!slash || slash == folder)
            break;
        *slash = '\0';
        room = try_path(sources, bl_text_format("%s/%s", folder, name), out);
    }
    free(folder);
    if (room && !*out && top)
        room = try_path(sources, bl_text_format("%s/%s", top, name), out);
    return room ? BL_OK : bl_error_nomem(err);
}

static enum bl_status open_file(struct bl_sources *sources, const char *name,
                                const struct file **out, struct bl_error *err)
{
    struct file *files = realloc(sources->files, (sources->count + 1) * sizeof *files);
    struct file file = {.name = strdup(name)};
    char *path = NULL;
    enum bl_status status;

    if (files)
        sources->files = files;
    status = files && file.name ? find(sources, name, &path, err) : bl_error_nomem(err);
    if (status == BL_OK && path)
        status = bl_text_read_file(path, FILE_MOST, &file.text, &file.length, err);
    free(path);
    /* One that can't be read after all is as one that is not there. */
    if (status != BL_OK && status != BL_E_IO && status != BL_E_INPUT) {
        free(file.name);
        return status;
    }
    files[sources->count] = file;
    *out = &files[sources->count++];
    return BL_OK;
}

/* One space for each run of tabs and spaces. */
static void collapse(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        const bool space = *at == ' ' || *at == '\t';

        if (!space || at == text || (at[-1] != ' ' && at[-1] != '\t'))
            *to++ = space ? ' ' : *at;
    }
    *to = '\0';
}

char *bl_text_line(const char *text, size_t length, int line)
{
    const char *end = text + length, *stop;
    char *copy;

    for (int i = 1; i < line && text; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    if (!text || line < 1 || text >= end)
        return NULL;
    stop = memchr(text, '\n', (size_t)(end - text));
    copy = strndup(text, (size_t)((stop ? stop : end) - text));
    if (copy) {
        const char *start = bl_text_trim(copy);
        memmove(copy, start, strlen(start) + 1);
        collapse(copy);
    }
    return copy;
}

enum bl_status bl_sources_line(struct bl_sources *sources, const char *name, int line,
                               char **out, struct bl_error *err)
{
    const struct file *file = NULL;

    for (size_t i = 0; i < sources->count && !file; i++)
        if (strcmp(sources->files[i].name, name) == 0)
            file = &sources->files[i];
    if (!file) {
        enum bl_status status = open_file(sources, name, &file, err);

        if (status != BL_OK)
            return status;
    }
    *out = file->text ? bl_text_line(file->text, file->length, line) : NULL;
    return BL_OK;
}
