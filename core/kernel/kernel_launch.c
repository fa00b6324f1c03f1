/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_launch.c - a case's grids, blocks, arguments and buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/kernel_parts.h"

#define REFUSE(maker, entry, ...)                                                        \
    bl_entry_error((maker)->raw, entry, (maker)->err, __VA_ARGS__)

char *bl_kernel_item(const char **rest, bool *nomem)
{
    const char *start = *rest, *at = start;
    int depth = 0;
    char *item;
    if (!start)
        return NULL;
    for (; *at && (depth > 0 || *at != ','); at++) {
        depth += *at == '(';
        depth -= *at == ')';
    }
    item = strndup(start, (size_t)(at - start));
    *nomem |= !item;
    *rest = *at ? at + 1 : NULL;
    if (item) {
        const char *trimmed = bl_text_trim(item);
        memmove(item, trimmed, strlen(trimmed) + 1);
    }
    return item;
}

static enum bl_status read_expr(const struct bl_kernel_maker *maker,
                                const struct bl_entry *entry, const char *text,
                                struct bl_expr **out)
{
    struct bl_kernel *kernel = maker->kernel;
    enum bl_status st =
        bl_expr_read(text, kernel->names, kernel->name_count, out, maker->err);
    if (st == BL_OK)
        kernel->batched |= bl_expr_uses(*out, BL_KERNEL_BATCH);
    if (st == BL_OK || st == BL_E_NOMEM)
        return st;
    bl_error_prefix(maker->err, "%s", entry->key);
    return bl_entry_prefix(maker->raw, entry, maker->err);
}

/* One to three numbers. */
static enum bl_status read_shape(const struct bl_kernel_maker *maker,
                                 const struct bl_entry *entry, struct bl_expr *out[3])
{
    const char *rest = entry->value;
    enum bl_status st = BL_OK;
    bool nomem = false;
    int count = 0;
    char *item;
    while (st == BL_OK && (item = bl_kernel_item(&rest, &nomem)) != NULL) {
        if (count == 3)
            st = REFUSE(maker, entry,
                        "%s takes 1 to 3 expressions, for x, y and z: "
                        "\"%.80s\" is one too many",
                        entry->key, item);
        else if (!*item)
            st = REFUSE(maker, entry, "%s has nothing beside a comma", entry->key);
        else
            st = read_expr(maker, entry, item, &out[count++]);
        free(item);
    }
    return nomem ? bl_error_nomem(maker->err) : st;
}

static enum bl_status missing(const struct bl_kernel_maker *maker, const char *prefix,
                              const char *key, const char *example)
{
    return bl_error_at(maker->err, BL_E_INPUT, maker->raw->path, maker->section->line,
                       "the case \"%s\" has no %s%s; add a line as %s%s = %s",
                       maker->section->name, prefix, key, prefix, key, example);
}

/* The launch's key, whole. */
static const struct bl_entry *find(const struct bl_kernel_maker *maker,
                                   const struct bl_kernel_launch *launch, const char *key)
{
    char whole[32];
    snprintf(whole, sizeof whole, "%s%s", launch->key, key);
    return bl_section_find(maker->section, whole);
}

static enum bl_status read_launch(struct bl_kernel_maker *maker,
                                  struct bl_kernel_launch *launch)
{
    const struct bl_entry *grid = find(maker, launch, "grid");
    const struct bl_entry *block = find(maker, launch, "block");
    const struct bl_entry *shared = find(maker, launch, "shared");
    const struct bl_entry *args = find(maker, launch, "args");
    enum bl_status st;
    if (!grid)
        return missing(maker, launch->key, "grid", "ceil(cols/32), ceil(rows/32)");
    if (!block)
        return missing(maker, launch->key, "block", "32, 8");
    st = read_shape(maker, grid, launch->grid);
    if (st == BL_OK)
        st = read_shape(maker, block, launch->block);
    if (st == BL_OK && shared)
        st = read_expr(maker, shared, shared->value, &launch->shared);
    if (st == BL_OK && args)
        st = bl_kernel_read_args(maker, args, launch);
    return st;
}

/* scratch, scratch1, scratch2, scratch3 */
static enum bl_status read_scratch(struct bl_kernel_maker *maker)
{
    static const char *const keys[BANKLAB_MAX_SCRATCH] = {"scratch", "scratch1",
                                                          "scratch2", "scratch3"};
    enum bl_status st = BL_OK;
    for (int i = 0; st == BL_OK && i < BANKLAB_MAX_SCRATCH; i++) {
        const struct bl_entry *entry = bl_section_find(maker->section, keys[i]);
        if (entry)
            st = read_expr(maker, entry, entry->value, &maker->kernel->scratch[i]);
    }
    return st;
}

enum bl_status bl_kernel_read_launches(struct bl_kernel_maker *maker)
{
    struct bl_kernel *kernel = maker->kernel;
    enum bl_status st = read_scratch(maker);
    const char *rest;
    kernel->launch_count = 1;
    for (size_t i = 0; i < maker->section->count; i++) {
        unsigned number = bl_kernel_launch_key(maker->section->entries[i].key, &rest);
        if (number > kernel->launch_count)
            kernel->launch_count = number;
    }
    for (uint32_t i = 0; st == BL_OK && i < kernel->launch_count; i++) {
        struct bl_kernel_launch *launch = &kernel->launches[i];
        if (i > 0)
            snprintf(launch->key, sizeof launch->key, "launch%u.", i + 1);
        st = read_launch(maker, launch);
    }
    return st;
}
