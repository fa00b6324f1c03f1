/* SPDX-License-Identifier: Apache-2.0
 *
 * registry.h - finds plugins, checks them, keeps them loaded.
 *
 * A bad plugin that was merely found is one warning line and is skipped; one that the
 * profile names is an error. The first name wins; a shadowed duplicate is logged.
 */
#ifndef BL_REGISTRY_H
#define BL_REGISTRY_H

#include <stddef.h>

#include "banklab/plugin.h"
#include "base/error.h"
#include "base/paths.h"

/* A loaded plugin. `abi` is a copy of the plugin's struct in our own layout: fields
 * beyond the plugin's struct_size read as absent (zero), and the tables are
 * re-laid to our element sizes, so that the rest of the core never looks at sizes.
 *
 * Its code is called by the functions of plugin_calls.h, never through `abi`: a plugin
 * that the lab itself makes, of a profile's words, has `made` instead. */
struct bl_plugin {
    struct banklab_plugin abi;
    char *path;         /* of the .so; of a made one, the file with its device code */
    const char *origin; /* as in struct bl_paths; "profile" for a path given there */
    void *handle;       /* from dlopen */
    void *tables;       /* owned copies behind abi.params, .modules, .twin */
    const struct bl_plugin_made *made; /* plugin_calls.h; NULL: loaded from a .so */
    void *own;                         /* of a made one */
    const struct bl_plugin_form *form; /* plugin_form.h; NULL: it can be run as it is */
};

/* Opens and checks one .so: magic, ABI, struct size, name, kind, tables, `plan`.
 * `origin` is kept as a pointer. End with bl_plugin_close. */
enum bl_status bl_plugin_open(const char *path, const char *origin,
                              struct bl_plugin **out, struct bl_error *err);
void bl_plugin_close(struct bl_plugin *plugin);

/* The parameter's index in abi.params, or -1. */
int bl_plugin_param(const struct bl_plugin *plugin, const char *name);

typedef void bl_warn_fn(void *ctx, const char *text);

struct bl_registry;

/* An empty registry over `paths` (kept as a pointer). Warnings go to `warn`, one line
 * each without newline; NULL: dropped. */
enum bl_status bl_registry_new(const struct bl_paths *paths, bl_warn_fn *warn, void *ctx,
                               struct bl_registry **out, struct bl_error *err);
void bl_registry_free(struct bl_registry *reg);

/* The compiler of device code that the user named (kept as a pointer); NULL: none. */
void bl_registry_set_compiler(struct bl_registry *reg, const char *path);

/* The plugin called `name`: a form (plugin_form.h), or one that is found; or at the path
 * `name` if it holds a '/'. Loaded on first use; owned by the registry. Unknown:
 * BL_E_INPUT naming the nearest one known. */
enum bl_status bl_registry_find(struct bl_registry *reg, const char *name,
                                const struct bl_plugin **out, struct bl_error *err);

/* The plugin that the section, which names one of a form, describes; owned by the
 * registry. Errors have their place. */
struct bl_raw;
struct bl_section;
enum bl_status bl_registry_make(struct bl_registry *reg, const struct bl_raw *raw,
                                const struct bl_section *section,
                                const struct bl_plugin **out, struct bl_error *err);

/* Loads every plugin that can be found; bad ones are warned of. Forms are not among
 * them. */
enum bl_status bl_registry_scan(struct bl_registry *reg, struct bl_error *err);
size_t bl_registry_count(const struct bl_registry *reg);
const struct bl_plugin *bl_registry_at(const struct bl_registry *reg, size_t i);

#endif
