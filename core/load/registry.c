/* SPDX-License-Identifier: Apache-2.0 */
#include "load/registry.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/plugin_form.h"

struct bl_registry {
    const struct bl_paths *paths;
    bl_warn_fn *warn;
    void *warn_ctx;
    struct bl_plugin **plugins;
    size_t count;
    size_t capacity;
    struct bl_plugin **made; /* of forms */
    size_t made_count;
    struct bl_form_env env;
};

/* Names of the plugins that files promise, sorted and each once. */
struct names {
    char **list;
    size_t count;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) static void warn(const struct bl_registry *reg,
                                                       const char *format, ...)
{
    char text[sizeof(((struct bl_error *)0)->text)];
    va_list ap;
    if (!reg->warn)
        return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    reg->warn(reg->warn_ctx, text);
}

/* Whatever has the name of a plugin counts as one, so that what is wrong with it is said:
 * it may be a folder, a pipe, or a link that leads nowhere. */
static bool is_there(const char *path, struct stat *info)
{
    return stat(path, info) == 0 || lstat(path, info) == 0;
}

/* The file of the plugin `name` in `dir`: installed, in a build tree, or in a folder of
 * its own. *out_path is NULL where there is none. */
static enum bl_status file_in(const char *dir, const char *name, char **out_path,
                              struct stat *info, struct bl_error *err)
{
    char *forms[] = {bl_text_format("%s/%s.so", dir, name),
                     bl_text_format("%s/%s/.libs/%s.so", dir, name, name),
                     bl_text_format("%s/%s/%s.so", dir, name, name)};
    enum bl_status st = BL_OK;
    *out_path = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (!forms[i])
            st = bl_error_nomem(err);
        else if (st == BL_OK && !*out_path && is_there(forms[i], info))
            *out_path = forms[i];
        else
            free(forms[i]);
    }
    if (st != BL_OK) {
        free(*out_path);
        *out_path = NULL;
    }
    return st;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

/* Takes over `name`. */
static enum bl_status names_add(struct names *names, char *name, struct bl_error *err)
{
    if (!name)
        return bl_error_nomem(err);
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 16;
        char **list = realloc(names->list, capacity * sizeof *list);
        if (!list) {
            free(name);
            return bl_error_nomem(err);
        }
        names->list = list;
        names->capacity = capacity;
    }
    names->list[names->count++] = name;
    return BL_OK;
}

static void names_sort(struct names *names)
{
    size_t kept = 0;
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_text);
    for (size_t i = 0; i < names->count; i++) {
        if (kept > 0 && strcmp(names->list[kept - 1], names->list[i]) == 0)
            free(names->list[i]);
        else
            names->list[kept++] = names->list[i];
    }
    names->count = kept;
}

/* The plugin that a folder's entry stands for: "x.so", or "x" with x.so below it. */
static enum bl_status names_add_entry(struct names *names, const char *dir,
                                      const char *entry, struct bl_error *err)
{
    size_t length = strlen(entry);
    struct stat info;
    char *path = NULL;
    enum bl_status st;
    if (entry[0] == '.')
        return BL_OK;
    if (length > 3 && strcmp(entry + length - 3, ".so") == 0)
        return names_add(names, strndup(entry, length - 3), err);
    st = file_in(dir, entry, &path, &info, err);
    if (st == BL_OK && path)
        st = names_add(names, strdup(entry), err);
    free(path);
    return st;
}

static enum bl_status names_find(const struct bl_registry *reg, struct names *names,
                                 struct bl_error *err)
{
    enum bl_status st = BL_OK;
    for (size_t i = 0; st == BL_OK && i < reg->paths->plugin_dir_count; i++) {
        const char *path = reg->paths->plugin_dirs[i];
        const struct dirent *entry;
        DIR *dir = opendir(path);
        if (!dir)
            continue; /* bl_registry_new said so where it matters */
        while (st == BL_OK && (entry = readdir(dir)) != NULL)
            st = names_add_entry(names, path, entry->d_name, err);
        closedir(dir);
    }
    names_sort(names);
    return st;
}

/* A folder that the user named and that can't be read is worth a word; the install
 * folder may well not be there yet. */
static void warn_of_dirs(const struct bl_registry *reg)
{
    for (size_t i = 0; i < reg->paths->plugin_dir_count; i++) {
        const char *origin = reg->paths->plugin_origins[i];
        DIR *dir = opendir(reg->paths->plugin_dirs[i]);
        if (dir)
            closedir(dir);
        else if (errno != ENOENT ||
                 (strcmp(origin, "installed") != 0 && strcmp(origin, "build tree") != 0))
            warn(reg, "plugin folder %s (%s): %s", reg->paths->plugin_dirs[i], origin,
                 strerror(errno));
    }
}

enum bl_status bl_registry_new(const struct bl_paths *paths, bl_warn_fn *warn_fn,
                               void *ctx, struct bl_registry **out, struct bl_error *err)
{
    struct bl_registry *reg = calloc(1, sizeof *reg);
    if (!reg)
        return bl_error_nomem(err);
    reg->paths = paths;
    reg->warn = warn_fn;
    reg->warn_ctx = ctx;
    reg->env = (struct bl_form_env){.paths = paths, .warn = warn_fn, .warn_ctx = ctx};
    warn_of_dirs(reg);
    *out = reg;
    return BL_OK;
}

void bl_registry_free(struct bl_registry *reg)
{
    if (!reg)
        return;
    for (size_t i = 0; i < reg->count; i++)
        bl_plugin_close(reg->plugins[i]);
    for (size_t i = 0; i < reg->made_count; i++)
        bl_plugin_close(reg->made[i]);
    free(reg->made);
    free(reg->plugins);
    free(reg);
}

/* Opens the file and keeps the plugin. */
static enum bl_status load(struct bl_registry *reg, const char *path, const char *origin,
                           const struct bl_plugin **out, struct bl_error *err)
{
    struct bl_plugin *plugin;
    enum bl_status st;
    if (reg->count == reg->capacity) {
        size_t capacity = reg->capacity ? reg->capacity * 2 : 16;
        struct bl_plugin **plugins = realloc(reg->plugins, capacity * sizeof *plugins);
        if (!plugins)
            return bl_error_nomem(err);
        reg->plugins = plugins;
        reg->capacity = capacity;
    }
    st = bl_plugin_open(path, origin, &plugin, err);
    if (st != BL_OK)
        return st;
    reg->plugins[reg->count++] = plugin;
    *out = plugin;
    return BL_OK;
}

/* The first file of that name; the later ones are told of. *out_path is NULL where
 * there is none. */
static enum bl_status resolve(const struct bl_registry *reg, const char *name,
                              char **out_path, const char **out_origin,
                              struct bl_error *err)
{
    const struct bl_paths *paths = reg->paths;
    enum bl_status st = BL_OK;
    struct stat first = {0};
    *out_path = NULL;
    for (size_t i = 0; i < paths->plugin_dir_count; i++) {
        struct stat info;
        char *path;
        st = file_in(paths->plugin_dirs[i], name, &path, &info, err);
        if (st != BL_OK)
            break;
        if (!path)
            continue;
        if (!*out_path) {
            *out_path = path;
            *out_origin = paths->plugin_origins[i];
            first = info;
            continue;
        }
        /* One file found through two folders hides nothing. */
        if (info.st_dev != first.st_dev || info.st_ino != first.st_ino)
            warn(reg, "plugin %s: %s is hidden by %s (%s)", name, path, *out_path,
                 *out_origin);
        free(path);
    }
    if (st != BL_OK) {
        free(*out_path);
        *out_path = NULL;
    }
    return st;
}

/* "no plugin called X; did you mean Y? (looked in A, B)" */
static enum bl_status unknown(const struct bl_registry *reg, const char *name,
                              struct bl_error *err)
{
    const struct bl_paths *paths = reg->paths;
    struct names names = {0};
    char hint[BL_HINT_SIZE], dirs[BL_HINT_SIZE] = "no plugin folder";
    enum bl_status st = names_find(reg, &names, err);
    for (size_t i = 0; st == BL_OK && bl_plugin_forms[i]; i++)
        st = names_add(&names, strdup(bl_plugin_forms[i]->abi.name), err);
    names_sort(&names);
    if (st == BL_OK) {
        size_t used = 0;
        bl_hint_print(name, (const char *const *)names.list, names.count, hint,
                      sizeof hint);
        for (size_t i = 0; i < paths->plugin_dir_count && used < sizeof dirs; i++)
            used += (size_t)snprintf(dirs + used, sizeof dirs - used, "%s%s (%s)",
                                     i ? ", " : "", paths->plugin_dirs[i],
                                     paths->plugin_origins[i]);
        st = bl_error_set(err, BL_E_INPUT, "no plugin called \"%.80s\"%s (looked in %s)",
                          name, hint, dirs);
    }
    names_free(&names);
    return st;
}

/* What is loaded already: by its path if `path`, else by its name if it was searched
 * for. */
static const struct bl_plugin *loaded(const struct bl_registry *reg, const char *name,
                                      bool path)
{
    for (size_t i = 0; i < reg->count; i++) {
        const struct bl_plugin *plugin = reg->plugins[i];
        bool from_profile = strcmp(plugin->origin, "profile") == 0;
        if (path == from_profile &&
            strcmp(path ? plugin->path : plugin->abi.name, name) == 0)
            return plugin;
    }
    return NULL;
}

static enum bl_status find_searched(struct bl_registry *reg, const char *name,
                                    const struct bl_plugin **out, struct bl_error *err)
{
    const char *origin;
    char *path;
    enum bl_status st = resolve(reg, name, &path, &origin, err);
    if (st != BL_OK)
        return st;
    if (!path)
        return unknown(reg, name, err);
    st = load(reg, path, origin, out, err);
    free(path);
    return st;
}

void bl_registry_set_compiler(struct bl_registry *reg, const char *path)
{
    reg->env.compiler = path;
}

enum bl_status bl_registry_make(struct bl_registry *reg, const struct bl_raw *raw,
                                const struct bl_section *section,
                                const struct bl_plugin **out, struct bl_error *err)
{
    struct bl_plugin **made =
        realloc(reg->made, (reg->made_count + 1) * sizeof *reg->made);
    enum bl_status st;
    if (!made)
        return bl_error_nomem(err);
    reg->made = made;
    st = section->form->make(&reg->env, raw, section, &made[reg->made_count], err);
    if (st == BL_OK)
        *out = made[reg->made_count++];
    return st;
}

enum bl_status bl_registry_find(struct bl_registry *reg, const char *name,
                                const struct bl_plugin **out, struct bl_error *err)
{
    const struct bl_plugin *known;
    bool path = strchr(name, '/') != NULL;
    for (size_t i = 0; bl_plugin_forms[i]; i++) {
        if (strcmp(bl_plugin_forms[i]->abi.name, name) == 0) {
            *out = bl_plugin_forms[i];
            return BL_OK;
        }
    }
    known = loaded(reg, name, path);
    if (known) {
        *out = known;
        return BL_OK;
    }
    if (path)
        return load(reg, name, "profile", out, err);
    return find_searched(reg, name, out, err);
}

static int by_name(const void *a, const void *b)
{
    const struct bl_plugin *left = *(struct bl_plugin *const *)a;
    const struct bl_plugin *right = *(struct bl_plugin *const *)b;
    int order = strcmp(left->abi.name, right->abi.name);
    return order ? order : strcmp(left->path, right->path);
}

enum bl_status bl_registry_scan(struct bl_registry *reg, struct bl_error *err)
{
    struct names names = {0};
    enum bl_status st = names_find(reg, &names, err);
    for (size_t i = 0; st == BL_OK && i < names.count; i++) {
        const struct bl_plugin *plugin = loaded(reg, names.list[i], false);
        struct bl_error why = {BL_OK, ""};
        if (plugin)
            continue;
        st = find_searched(reg, names.list[i], &plugin, &why);
        if (st == BL_E_NOMEM) {
            bl_error_nomem(err);
        } else if (st != BL_OK) {
            warn(reg, "skipped: %s", why.text);
            st = BL_OK;
        }
    }
    names_free(&names);
    if (reg->count)
        qsort(reg->plugins, reg->count, sizeof(struct bl_plugin *), by_name);
    return st;
}

size_t bl_registry_count(const struct bl_registry *reg)
{
    return reg->count;
}

const struct bl_plugin *bl_registry_at(const struct bl_registry *reg, size_t i)
{
    return reg->plugins[i];
}
