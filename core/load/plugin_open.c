/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/plugin_calls.h"
#include "load/plugin_check.h"
#include "load/registry.h"

#define SYMBOL "banklab_plugin"

/* What ABI 1.0 had: the prefix that is read alone, and the whole struct. These stay as
 * they are when a later minor adds fields. */
#define PREFIX_SIZE (offsetof(struct banklab_plugin, struct_size) + sizeof(uint64_t))
#define SIZE_1_0                                                                         \
    (offsetof(struct banklab_plugin, reference) +                                        \
     sizeof(((struct banklab_plugin *)0)->reference))

static enum bl_status open_object(const char *path, void **out, struct bl_error *err)
{
    /* Without a '/' dlopen would search the system's library folders. */
    char *name = bl_text_format("%s%s", strchr(path, '/') ? "" : "./", path);
    const char *why;
    size_t length;
    if (!name)
        return bl_error_nomem(err);
    *out = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    length = strlen(name);
    why = *out ? NULL : dlerror();
    if (!*out) {
        if (!why)
            why = "dlopen gave no reason";
        else if (strncmp(why, name, length) == 0 && why[length] == ':')
            why += length + 1 + (why[length + 1] == ' ');
        bl_error_set(err, BL_E_INPUT, "%s: cannot be loaded: %s%s", path, why,
                     strstr(why, "undefined symbol")
                         ? "; a plugin links nothing from the lab and must bring all "
                           "that it calls"
                         : "");
    }
    free(name);
    return *out ? BL_OK : BL_E_INPUT;
}

/* The symbol's size as the ELF file states it, or 0 where that is not known. */
static uint64_t symbol_size(const void *symbol, int *is_code)
{
    Dl_info info;
    void *extra = NULL;
    const ElfW(Sym) * entry;
    *is_code = 0;
    if (!dladdr1(symbol, &info, &extra, RTLD_DL_SYMENT) || !extra || !info.dli_sname ||
        strcmp(info.dli_sname, SYMBOL) != 0)
        return 0;
    entry = extra;
    *is_code = ELF64_ST_TYPE(entry->st_info) == STT_FUNC;
    return entry->st_size;
}

/* The frozen prefix alone, then the size that it states. */
static enum bl_status check_prefix(const struct banklab_plugin *head, uint64_t size,
                                   const char *path, struct bl_error *err)
{
    if (head->magic != BANKLAB_PLUGIN_MAGIC)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: wrong magic 0x%016" PRIx64 " in " SYMBOL
                            ", not 0x%016" PRIx64 "; start it with BANKLAB_PLUGIN_HEAD",
                            path, head->magic, BANKLAB_PLUGIN_MAGIC);
    if (head->abi_major != BANKLAB_ABI_MAJOR)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: built for plugin ABI %" PRIu32 ".%" PRIu32
                            ", but this lab has %u.%u; build it against this lab's "
                            "banklab/plugin.h",
                            path, head->abi_major, head->abi_minor, BANKLAB_ABI_MAJOR,
                            BANKLAB_ABI_MINOR);
    if (head->struct_size < SIZE_1_0)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: struct_size is %" PRIu64
                            ", but ABI 1.0 already has %zu bytes; use "
                            "BANKLAB_PLUGIN_HEAD, which sets it",
                            path, head->struct_size, SIZE_1_0);
    if (size != 0 && head->struct_size > size)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: struct_size is %" PRIu64 ", but " SYMBOL
                            " has only %" PRIu64 " bytes",
                            path, head->struct_size, size);
    return BL_OK;
}

/* Checks before any byte beyond what is known to be there is read, then copies. */
static enum bl_status copy_struct(struct bl_plugin *plugin, struct bl_error *err)
{
    const void *symbol = dlsym(plugin->handle, SYMBOL);
    struct banklab_plugin head = {0};
    enum bl_status st;
    uint64_t size;
    int is_code;
    if (!symbol)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: no symbol " SYMBOL "; a plugin exports it: "
                            "BANKLAB_EXPORT const struct banklab_plugin " SYMBOL,
                            plugin->path);
    size = symbol_size(symbol, &is_code);
    if (is_code)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: " SYMBOL " is a function; it must be data, a const "
                            "struct banklab_plugin",
                            plugin->path);
    if (size != 0 && size < PREFIX_SIZE)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: " SYMBOL " has only %" PRIu64
                            " bytes; it must be a const struct banklab_plugin",
                            plugin->path, size);
    memcpy(&head, symbol, PREFIX_SIZE);
    st = check_prefix(&head, size, plugin->path, err);
    if (st != BL_OK)
        return st;
    memcpy(&plugin->abi, symbol,
           head.struct_size < sizeof plugin->abi ? head.struct_size : sizeof plugin->abi);
    return BL_OK;
}

/* Copies `count` elements of their size to ours: what they lack reads as zero, what
 * they have beyond ours is left out. */
static void relay(void *to, size_t ours, const void *from, size_t theirs, size_t count)
{
    size_t both = ours < theirs ? ours : theirs;
    for (size_t i = 0; i < count; i++)
        memcpy((char *)to + i * ours, (const char *)from + i * theirs, both);
}

static enum bl_status copy_tables(struct bl_plugin *plugin, struct bl_error *err)
{
    struct banklab_plugin *abi = &plugin->abi;
    /* In the order of their alignment, the same for all three: pointers lead each. */
    struct {
        struct banklab_param params[BL_PLUGIN_PARAMS_MAX];
        struct banklab_module modules[BL_PLUGIN_MODULES_MAX];
        struct banklab_setting twin[BL_PLUGIN_PARAMS_MAX];
    } *tables = calloc(1, sizeof *tables);
    if (!tables)
        return bl_error_nomem(err);
    relay(tables->params, sizeof tables->params[0], abi->params, abi->param_size,
          abi->param_count);
    relay(tables->modules, sizeof tables->modules[0], abi->modules, abi->module_size,
          abi->module_count);
    relay(tables->twin, sizeof tables->twin[0], abi->twin, abi->twin_size,
          abi->twin_count);
    plugin->tables = tables;
    abi->params = abi->param_count ? tables->params : NULL;
    abi->param_size = sizeof tables->params[0];
    abi->modules = tables->modules;
    abi->module_size = sizeof tables->modules[0];
    abi->twin = abi->twin_count ? tables->twin : NULL;
    abi->twin_size = sizeof tables->twin[0];
    abi->struct_size = sizeof *abi;
    return BL_OK;
}

enum bl_status bl_plugin_open(const char *path, const char *origin,
                              struct bl_plugin **out, struct bl_error *err)
{
    struct bl_plugin *plugin = calloc(1, sizeof *plugin);
    enum bl_status st = BL_E_NOMEM;
    if (!plugin || !(plugin->path = strdup(path))) {
        bl_error_nomem(err);
        goto out;
    }
    plugin->origin = origin;
    st = bl_plugin_check_file(path, err);
    if (st == BL_OK)
        st = open_object(path, &plugin->handle, err);
    if (st == BL_OK)
        st = copy_struct(plugin, err);
    if (st == BL_OK)
        st = bl_plugin_check_head(plugin, err);
    if (st == BL_OK)
        st = copy_tables(plugin, err);
    if (st == BL_OK)
        st = bl_plugin_check_tables(plugin, err);
    if (st == BL_OK) {
        *out = plugin;
        plugin = NULL;
    }
out:
    bl_plugin_close(plugin);
    return st;
}

void bl_plugin_close(struct bl_plugin *plugin)
{
    if (!plugin)
        return;
    if (plugin->handle)
        dlclose(plugin->handle);
    if (plugin->made)
        plugin->made->close(plugin->own);
    free(plugin->tables);
    free(plugin->path);
    free(plugin);
}

int bl_plugin_param(const struct bl_plugin *plugin, const char *name)
{
    for (uint32_t i = 0; i < plugin->abi.param_count; i++)
        if (strcmp(plugin->abi.params[i].name, name) == 0)
            return (int)i;
    return -1;
}
