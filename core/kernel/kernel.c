/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel.c - the form `plugin = kernel`: its keys, and the plugin of a case.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/kernel_parts.h"
#include "load/hint.h"
#include "work/kind.h"

enum { BYTES_MAX = 1 << 30 }; /* of expect_file and in_file */

static const struct bl_form_key keys[] = {
    {"file", "a .cu or a .ptx file", "the device code, from the profile's folder"},
    {"entry", "a kernel's name",
     "in C++ or PTX, as scale<float, TILE>; may be left out where there is one only"},
    {"kind", "transpose, copy or pattern",
     "what it does, which is checked; pattern needs expect_file"},
    {"grid", "1 to 3 expressions", "blocks in x, y, z: ceil(cols/32), ceil(rows/32)"},
    {"block", "1 to 3 expressions", "threads of a block in x, y, z: 32, 8"},
    {"shared", "an expression", "bytes of dynamic shared memory [0]"},
    {"args", "a list", "in the kernel's order: in, out, scratch, expressions, 1.5f"},
    {"const.NAME", "whole numbers", "a constant in expressions; may be a sweep"},
    {"define.NAME", "numbers or words", "the same, and -DNAME=VALUE for a .cu file"},
    {"twin.NAME", "a value",
     "what the constant is where the kernel is free of bank conflicts"},
    {"scratch", "an expression", "bytes of a zeroed buffer; scratch1 to scratch3 too"},
    {"expect_file", "a file", "the bytes that the output must hold"},
    {"in_file", "a file", "the bytes of the input, in place of pseudo-random ones"},
    {"cc", "a number", "the compute capability that a .cu file is compiled for [75]"},
    {"flags", "options", "more for the compiler, parted by blanks"},
    {"launch2.KEY", "as KEY",
     "entry, grid, block, shared and args of a second launch, up to launch16"},
};

static const char example[] = "Expressions are C's, of whole numbers, over rows, cols, "
                              "elem, batch and the constants.\n"
                              "\n"
                              "[case tiled]\n"
                              "plugin = kernel\n"
                              "file = my.cu\n"
                              "entry = transpose<float, TILE>\n"
                              "kind = transpose\n"
                              "const.TILE = 16, 32\n"
                              "grid = ceil(cols/TILE), ceil(rows/TILE)\n"
                              "block = TILE, 8\n"
                              "args = out, in, cols, rows\n";

unsigned bl_kernel_launch_key(const char *key, const char **rest)
{
    static const char *const of_launch[] = {"entry", "grid", "block", "shared", "args"};
    unsigned number = 1;
    *rest = key;
    if (strncmp(key, "launch", 6) == 0) {
        char *end;
        if (key[6] < '1' || key[6] > '9')
            return 0;
        number = (unsigned)strtoul(key + 6, &end, 10);
        if (*end != '.' || end - key > 8 || number < 2 || number > BANKLAB_MAX_LAUNCHES)
            return 0;
        *rest = end + 1;
    }
    for (size_t i = 0; i < sizeof of_launch / sizeof *of_launch; i++)
        if (strcmp(*rest, of_launch[i]) == 0)
            return number;
    return 0;
}

static bool takes(const char *key)
{
    static const char *const whole[] = {"file",     "kind",     "scratch",     "scratch1",
                                        "scratch2", "scratch3", "expect_file", "in_file",
                                        "cc",       "flags"};
    static const char *const parts[] = {"const.", "define.", "twin."};
    const char *rest;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(key, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(key, parts[i], strlen(parts[i])) == 0 && key[strlen(parts[i])])
            return true;
    return bl_kernel_launch_key(key, &rest) != 0;
}

/* ---- what is freed --------------------------------------------------------------------
 */

static void free_launch(struct bl_kernel_launch *launch)
{
    for (int i = 0; i < 3; i++) {
        bl_expr_free(launch->grid[i]);
        bl_expr_free(launch->block[i]);
    }
    bl_expr_free(launch->shared);
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        bl_expr_free(launch->args[i].expr);
        free(launch->args[i].text);
    }
}

void bl_kernel_free(void *own)
{
    struct bl_kernel *kernel = own;
    if (!kernel)
        return;
    for (uint32_t i = 0; i < kernel->const_count; i++) {
        free((char *)(uintptr_t)kernel->params[i].name);
        bl_sweep_free(kernel->choices[i]);
    }
    for (uint32_t i = 0; i < kernel->twin_count; i++)
        free((char *)(uintptr_t)kernel->twin[i].value);
    for (uint32_t i = 0; i < BANKLAB_MAX_LAUNCHES; i++)
        free_launch(&kernel->launches[i]);
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++)
        bl_expr_free(kernel->scratch[i]);
    for (size_t i = 0; i < kernel->code_count; i++) {
        bl_kernel_entries_free(&kernel->codes[i]->entries);
        free(kernel->codes[i]->text);
        free(kernel->codes[i]);
    }
    free(kernel->variants);
    free(kernel->expect);
    free(kernel->input);
    free(kernel->file);
    free(kernel->summary);
    free(kernel);
}

/* ---- a case's plugin
 * -------------------------------------------------------------------- */

/* A whole file that the key names, from the profile's folder. */
static enum bl_status read_bytes(const struct bl_kernel_maker *maker, const char *key,
                                 char **out, size_t *bytes)
{
    const struct bl_entry *entry = bl_section_find(maker->section, key);
    enum bl_status st;
    char *path;
    if (!entry)
        return BL_OK;
    path = bl_profile_file(maker->raw->path, entry->value);
    if (!path)
        return bl_error_nomem(maker->err);
    st = bl_text_read_file(path, BYTES_MAX, out, bytes, maker->err);
    free(path);
    if (st == BL_OK)
        return BL_OK;
    bl_error_prefix(maker->err, "%s", key);
    return bl_entry_prefix(maker->raw, entry, maker->err);
}

static enum bl_status read_kind(const struct bl_kernel_maker *maker,
                                const struct bl_kind **out)
{
    const struct bl_entry *entry = bl_section_find(maker->section, "kind");
    const bool expects = bl_section_find(maker->section, "expect_file") != NULL;
    const struct bl_kind *kind = bl_kind_find(entry ? entry->value : "pattern"), *all;
    const char *names[16];
    char hint[BL_HINT_SIZE];
    size_t count;
    if (!entry && !expects)
        return bl_error_at(
            maker->err, BL_E_INPUT, maker->raw->path, maker->section->line,
            "the case \"%s\" does not say what its kernel does; add kind = "
            "transpose or copy, or expect_file = FILE with the bytes that "
            "its output must hold",
            maker->section->name);
    if (!kind) {
        all = bl_kind_all(&count);
        for (size_t i = 0; i < count && i < 16; i++)
            names[i] = all[i].name;
        bl_hint_print(entry->value, names, count, hint, sizeof hint);
        return bl_entry_error(maker->raw, entry, maker->err, "unknown kind \"%.80s\"%s",
                              entry->value, hint);
    }
    if (!kind->reference && !expects)
        return bl_entry_error(maker->raw, entry, maker->err,
                              "kind = %s says not what the output must hold; add "
                              "expect_file = FILE with its bytes",
                              kind->name);
    *out = kind;
    return BL_OK;
}

static enum bl_status read_all(struct bl_kernel_maker *maker, const struct bl_kind **kind)
{
    struct bl_kernel *kernel = maker->kernel;
    enum bl_status st = read_kind(maker, kind);
    if (st == BL_OK)
        st = read_bytes(maker, "expect_file", &kernel->expect, &kernel->expect_bytes);
    if (st == BL_OK)
        st = read_bytes(maker, "in_file", &kernel->input, &kernel->input_bytes);
    if (st == BL_OK)
        st = bl_kernel_read_consts(maker);
    if (st == BL_OK)
        st = bl_kernel_read_launches(maker);
    return st == BL_OK ? bl_kernel_read_code(maker) : st;
}

static void fill(const struct bl_kernel *kernel, const struct bl_kind *kind,
                 struct bl_plugin *plugin)
{
    plugin->abi = (struct banklab_plugin){
        BANKLAB_PLUGIN_HEAD,
        .name = "kernel",
        .kind = kind->name,
        .summary = kernel->summary,
        .params = kernel->params,
        .param_count = kernel->const_count,
        .param_size = sizeof *kernel->params,
        .modules = &kernel->variants[0].module,
        .module_count = 1,
        .module_size = sizeof kernel->variants[0].module,
        .twin = kernel->twin_count ? kernel->twin : NULL,
        .twin_count = kernel->twin_count,
        .twin_size = sizeof *kernel->twin,
        .flags = kernel->batched ? BANKLAB_BATCHES : 0,
    };
    plugin->origin = "profile";
    plugin->made = &bl_kernel_made;
}

static enum bl_status make(struct bl_form_env *env, const struct bl_raw *raw,
                           const struct bl_section *section, struct bl_plugin **out,
                           struct bl_error *err)
{
    struct bl_plugin *plugin = calloc(1, sizeof *plugin);
    struct bl_kernel *kernel = calloc(1, sizeof *kernel);
    struct bl_kernel_maker maker = {env, raw, section, kernel, err};
    const struct bl_kind *kind;
    enum bl_status st = plugin && kernel ? read_all(&maker, &kind) : bl_error_nomem(err);
    if (st == BL_OK &&
        (!(plugin->path = strdup(kernel->file)) ||
         !(kernel->summary = bl_text_format("kernels of %s", kernel->file))))
        st = bl_error_nomem(err);
    if (st != BL_OK) {
        bl_kernel_free(kernel);
        bl_plugin_close(plugin);
        return st;
    }
    fill(kernel, kind, plugin);
    plugin->own = kernel;
    *out = plugin;
    return BL_OK;
}

/* ---- the form -------------------------------------------------------------------------
 */

static int plan_nothing(const struct banklab_problem *problem,
                        const banklab_value *params, struct banklab_plan *plan,
                        struct banklab_error *error)
{
    (void)problem;
    (void)params;
    (void)plan;
    strcpy(error->text, "it runs what a profile's case tells of a kernel, and no other");
    return BANKLAB_FAILED;
}

static const struct bl_plugin_form form = {
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .example = example,
    .takes = takes,
    .make = make,
};

static const struct bl_plugin kernel_plugin = {
    .abi = {BANKLAB_PLUGIN_HEAD, .name = "kernel", .kind = "pattern",
            .summary = "a kernel of a .cu or .ptx file, told in the profile, without C",
            .plan = plan_nothing},
    .path = (char *)(uintptr_t) "kernel",
    .origin = "built in",
    .form = &form,
};

const struct bl_plugin *const bl_plugin_forms[] = {&kernel_plugin, NULL};

bool bl_form_key_is(const char *key)
{
    for (size_t i = 0; bl_plugin_forms[i]; i++)
        if (bl_plugin_forms[i]->form->takes(key))
            return true;
    return false;
}
