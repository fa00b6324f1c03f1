/* SPDX-License-Identifier: Apache-2.0 */
#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* `path` without its last part, fresh; NULL if memory ran out. */
static char *parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

bool bl_paths_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Takes over `dir`, NULL too. */
static enum bl_status add_dir(struct bl_paths *paths, char *dir, const char *origin,
                              struct bl_error *err)
{
    size_t n = paths->plugin_dir_count;
    char **dirs = realloc(paths->plugin_dirs, (n + 1) * sizeof *dirs);
    if (dirs)
        paths->plugin_dirs = dirs;
    const char **origins = realloc(paths->plugin_origins, (n + 1) * sizeof *origins);
    if (origins)
        paths->plugin_origins = origins;
    if (!dir || !dirs || !origins) {
        free(dir);
        return bl_error_nomem(err);
    }
    dirs[n] = dir;
    origins[n] = origin;
    paths->plugin_dir_count = n + 1;
    return BL_OK;
}

static enum bl_status add_plugin_path(struct bl_paths *paths, const char *list,
                                      struct bl_error *err)
{
    enum bl_status status = BL_OK;
    while (list && *list && status == BL_OK) {
        size_t length = strcspn(list, ":");
        /* The shell's habit of reading an empty entry as "here" is a trap. */
        if (length > 0)
            status = add_dir(paths, strndup(list, length), "BANKLAB_PLUGIN_PATH", err);
        list += length;
        list += *list == ':';
    }
    return status;
}

/* The build tree that holds `exe`: BUILD/core/banklab, with BUILD/core/build-tree
 * beside it. Both NULL where there is none. */
static enum bl_status find_tree(const char *exe, char **build, char **source,
                                struct bl_error *err)
{
    enum bl_status status = BL_OK;
    char *marker = NULL, *text = NULL, *top = NULL;
    size_t length;
    char *folder = parent_of(exe);
    /* Libtool keeps the program itself a folder deeper, and a script in its place. */
    const char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash && strcmp(slash, "/.libs") == 0) {
        char *up = parent_of(folder);
        free(folder);
        folder = up;
    }
    if (!folder || !(marker = bl_text_format("%s/build-tree", folder)) ||
        !(top = parent_of(folder))) {
        status = bl_error_nomem(err);
        goto out;
    }
    *build = *source = NULL;
    if (!bl_paths_is_file(marker))
        goto out;
    status = bl_text_read_file(marker, PATH_MAX, &text, &length, err);
    if (status != BL_OK)
        goto out;
    text[strcspn(text, "\r\n")] = '\0';
    if (text[0] != '/') {
        status = bl_error_at(err, BL_E_IO, marker, 1,
                             "the source folder's full path is expected here; run "
                             "configure again");
        goto out;
    }
    *build = top;
    *source = text;
    top = text = NULL;
out:
    free(folder);
    free(marker);
    free(text);
    free(top);
    return status;
}

/* The length of what two folders begin with alike, whole parts only. */
static size_t common_parts(const char *a, const char *b)
{
    size_t parts = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        parts = a[i] == '/' ? i : parts;
    if ((a[i] == '/' || !a[i]) && (b[i] == '/' || !b[i]))
        parts = i;
    return parts;
}

/* Where `dir`, an install folder, is for a program that lies at `exe`: an installation
 * may have been moved as a whole, as under DESTDIR. Fresh; NULL if memory ran out. */
static char *installed_dir(const char *exe, const char *dir)
{
    const size_t common = common_parts(BANKLAB_BIN_DIR, dir);
    const char *tail = &BANKLAB_BIN_DIR[common]; /* "/bin" */
    char *folder = parent_of(exe), *moved = NULL;
    size_t root = folder ? strlen(folder) : 0;
    struct stat st;
    if (folder && root >= strlen(tail) &&
        strcmp(folder + root - strlen(tail), tail) == 0) {
        root -= strlen(tail);
        moved = bl_text_format("%.*s%s", (int)root, folder, dir + common);
    }
    free(folder);
    if (moved && stat(moved, &st) == 0 && S_ISDIR(st.st_mode))
        return moved;
    free(moved);
    return strdup(dir);
}

enum bl_status bl_paths_find_from(const char *exe, const char *plugin_path,
                                  const char *const *extra, size_t extra_count,
                                  struct bl_paths *out, struct bl_error *err)
{
    struct bl_paths paths = {0};
    char *build = NULL, *source = NULL, *plugins;
    enum bl_status status = find_tree(exe, &build, &source, err);
    for (size_t i = 0; i < extra_count && status == BL_OK; i++)
        status = add_dir(&paths, strdup(extra[i]), "--plugin-dir", err);
    if (status == BL_OK)
        status = add_plugin_path(&paths, plugin_path, err);
    if (status != BL_OK)
        goto out;
    if (build) {
        plugins = bl_text_format("%s/plugins", build);
        paths.conf_dir = bl_text_format("%s/conf", source);
        paths.plugin_profile_dir = bl_text_format("%s/plugins", source);
        paths.include_dir = bl_text_format("%s/core/include", source);
        paths.source_dir = source;
        source = NULL;
    } else {
        plugins = installed_dir(exe, BANKLAB_PLUGIN_DIR);
        paths.conf_dir = installed_dir(exe, BANKLAB_CONF_DIR);
        paths.include_dir = installed_dir(exe, BANKLAB_INCLUDE_DIR);
        paths.plugin_profile_dir =
            paths.conf_dir ? bl_text_format("%s/plugins", paths.conf_dir) : NULL;
    }
    status = add_dir(&paths, plugins, build ? "build tree" : "installed", err);
    if (status == BL_OK &&
        (!paths.conf_dir || !paths.include_dir || !paths.plugin_profile_dir))
        status = bl_error_nomem(err);
out:
    free(build);
    free(source);
    if (status == BL_OK)
        *out = paths;
    else
        bl_paths_free(&paths);
    return status;
}

enum bl_status bl_paths_find(const char *const *extra, size_t extra_count,
                             struct bl_paths *out, struct bl_error *err)
{
    char exe[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length < 0)
        return bl_error_set(err, BL_E_IO, "/proc/self/exe: %s", strerror(errno));
    exe[length] = '\0';
    return bl_paths_find_from(exe, getenv("BANKLAB_PLUGIN_PATH"), extra, extra_count, out,
                              err);
}

void bl_paths_free(struct bl_paths *paths)
{
    for (size_t i = 0; i < paths->plugin_dir_count; i++)
        free(paths->plugin_dirs[i]);
    free(paths->plugin_dirs);
    free(paths->plugin_origins);
    free(paths->conf_dir);
    free(paths->include_dir);
    free(paths->plugin_profile_dir);
    free(paths->source_dir);
    *paths = (struct bl_paths){0};
}
