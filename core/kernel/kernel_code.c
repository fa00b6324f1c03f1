/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_code.c - a case's device code: for each set of values of the constants that
 * decide on it, a module, and in it the kernel of each launch.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/compile.h"
#include "kernel/kernel_parts.h"
#include "load/param.h"

enum { PTX_MAX = 256 << 20 };

#define REFUSE(maker, entry, ...)                                                        \
    bl_entry_error((maker)->raw, entry, (maker)->err, __VA_ARGS__)

static const struct bl_entry *entry_of(const struct bl_kernel_maker *maker,
                                       uint32_t launch)
{
    char key[32];
    snprintf(key, sizeof key, "%sentry", maker->kernel->launches[launch].key);
    return bl_section_find(maker->section, key);
}

/* ---- names with constants in them
 * -------------------------------------------------------- */

/* The constant that is called as the word; -1: none. */
static int find_const(const struct bl_kernel *kernel, const char *word, size_t length)
{
    for (uint32_t i = 0; i < kernel->const_count; i++)
        if (strlen(kernel->consts[i].name) == length &&
            strncmp(kernel->consts[i].name, word, length) == 0)
            return (int)i;
    return -1;
}

/* The next word at or after *at within the brackets of a template; its length, or 0. */
static size_t next_word(const char **at, int *depth)
{
    while (**at) {
        const size_t length =
            strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                        "WXYZ0123456789_");
        if (length > 0 && *depth > 0)
            return length;
        *depth += **at == '<';
        *depth -= **at == '>';
        *at += length ? length : 1;
    }
    return 0;
}

/* "scale<float, 32>" of "scale<float, TILE>"; fresh. NULL: no memory. */
static char *substitute(const struct bl_kernel *kernel, const int64_t *values,
                        const char *text)
{
    const char *at = text, *copied = text;
    char *out = NULL, value[128];
    size_t size, length;
    int depth = 0;
    FILE *to = open_memstream(&out, &size);
    if (!to)
        return NULL;
    while ((length = next_word(&at, &depth)) > 0) {
        const int found = find_const(kernel, at, length);
        if (found >= 0) {
            bl_param_print(&kernel->params[found], (banklab_value){values[found]}, value,
                           sizeof value);
            fprintf(to, "%.*s%s", (int)(at - copied), copied, value);
            copied = at + length;
        }
        at += length;
    }
    fputs(copied, to);
    if (fclose(to) != 0) {
        free(out);
        return NULL;
    }
    return out;
}

static void mark_selecting(const struct bl_kernel_maker *maker)
{
    struct bl_kernel *kernel = maker->kernel;
    for (uint32_t i = 0; i < kernel->launch_count; i++) {
        const struct bl_entry *entry = entry_of(maker, i);
        const char *at = entry ? entry->value : "";
        size_t length;
        int depth = 0;
        for (; (length = next_word(&at, &depth)) > 0; at += length) {
            const int found = find_const(kernel, at, length);
            if (found >= 0)
                kernel->consts[found].selects = true;
        }
    }
}

/* ---- variants
 * ------------------------------------------------------------------------------ */

static bool has_variant(const struct bl_kernel *kernel, const int64_t *values)
{
    for (size_t i = 0; i < kernel->variant_count; i++)
        if (memcmp(kernel->variants[i].values, values,
                   sizeof kernel->variants[i].values) == 0)
            return true;
    return false;
}

/* Adds the variant, if it is a new one. */
static enum bl_status add_variant(const struct bl_kernel_maker *maker,
                                  const int64_t values[BL_KERNEL_CONSTS_MAX])
{
    struct bl_kernel *kernel = maker->kernel;
    if (has_variant(kernel, values))
        return BL_OK;
    if (kernel->variant_count == BL_KERNEL_VARIANTS_MAX)
        return bl_error_at(maker->err, BL_E_INPUT, maker->raw->path, maker->section->line,
                           "the sweeps of the case \"%s\" ask for more than %d kernels; "
                           "sweep fewer values of what is compiled or named",
                           maker->section->name, BL_KERNEL_VARIANTS_MAX);
    memcpy(kernel->variants[kernel->variant_count++].values, values,
           sizeof kernel->variants->values);
    return BL_OK;
}

/* The values, and the same with the twin's settings. */
static enum bl_status add_with_twin(const struct bl_kernel_maker *maker,
                                    const int64_t values[BL_KERNEL_CONSTS_MAX])
{
    const struct bl_kernel *kernel = maker->kernel;
    int64_t twin[BL_KERNEL_CONSTS_MAX];
    enum bl_status st = add_variant(maker, values);
    memcpy(twin, values, sizeof twin);
    for (uint32_t t = 0; t < kernel->twin_count; t++)
        for (uint32_t i = 0; i < kernel->const_count; i++) {
            banklab_value value;
            if (!kernel->consts[i].selects ||
                strcmp(kernel->twin[t].name, kernel->params[i].name) != 0 ||
                bl_param_parse(&kernel->params[i], kernel->twin[t].value, &value, NULL))
                continue;
            twin[i] = value.i;
        }
    return st == BL_OK ? add_variant(maker, twin) : st;
}

/* The values of the constants from `at` on in all combinations. */
static enum bl_status add_variants(const struct bl_kernel_maker *maker, uint32_t at,
                                   int64_t values[BL_KERNEL_CONSTS_MAX])
{
    const struct bl_kernel *kernel = maker->kernel;
    enum bl_status st;
    char **texts;
    size_t count;
    while (at < kernel->const_count && !kernel->consts[at].selects)
        at++;
    if (at == kernel->const_count)
        return add_with_twin(maker, values);
    st = bl_sweep_expand(kernel->consts[at].entry->value, &texts, &count, maker->err);
    if (st != BL_OK)
        return st;
    for (size_t i = 0; st == BL_OK && i < count; i++) {
        banklab_value value;
        st = bl_param_parse(&kernel->params[at], texts[i], &value, maker->err);
        if (st != BL_OK) {
            bl_entry_prefix(maker->raw, kernel->consts[at].entry, maker->err);
            break;
        }
        values[at] = value.i;
        st = add_variants(maker, at + 1, values);
    }
    bl_sweep_free(texts);
    return st;
}

/* ---- code
 * ------------------------------------------------------------------------------------ */

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The compute capability to compile for. */
static enum bl_status read_cc(const struct bl_kernel_maker *maker, uint32_t *out)
{
    const struct bl_entry *entry = bl_section_find(maker->section, "cc");
    uint64_t number = 75;
    if (entry && (!bl_text_uint(entry->value, &number) || number < 10 || number > 999))
        return REFUSE(maker, entry,
                      "cc takes a compute capability without its dot, as 75 "
                      "or 90, not \"%.40s\"",
                      entry->value);
    *out = (uint32_t)number;
    return BL_OK;
}

/* "-DTILE=32" for each that the compiler is given; fresh, NULL-terminated. */
static enum bl_status make_defines(const struct bl_kernel *kernel, const int64_t *values,
                                   char ***out, struct bl_error *err)
{
    char **list = calloc(kernel->const_count + 1u, sizeof *list), value[128];
    size_t count = 0;
    if (!list)
        return bl_error_nomem(err);
    for (uint32_t i = 0; i < kernel->const_count; i++) {
        if (!kernel->consts[i].define)
            continue;
        bl_param_print(&kernel->params[i], (banklab_value){values[i]}, value,
                       sizeof value);
        list[count] = bl_text_format("-D%s=%s", kernel->consts[i].name, value);
        if (!list[count++]) {
            bl_sweep_free(list);
            return bl_error_nomem(err);
        }
    }
    *out = list;
    return BL_OK;
}

static enum bl_status compile(const struct bl_kernel_maker *maker, const int64_t *values,
                              struct bl_kernel_code *code)
{
    const struct bl_entry *flags = bl_section_find(maker->section, "flags");
    struct bl_compile job = {.source = maker->kernel->file,
                             .paths = maker->env->paths,
                             .compiler = maker->env->compiler,
                             .flags = flags ? flags->value : ""};
    char **defines = NULL;
    enum bl_status st = read_cc(maker, &job.cc);
    if (st == BL_OK)
        st = make_defines(maker->kernel, values, &defines, maker->err);
    if (st != BL_OK)
        return st;
    job.defines = defines;
    st = bl_compile(&job, maker->env, &code->text, &code->length, maker->err);
    bl_sweep_free(defines);
    return st == BL_OK
               ? st
               : bl_entry_prefix(maker->raw, bl_section_find(maker->section, "file"),
                                 maker->err);
}

/* What makes no sense of a file that is compiled already. */
static enum bl_status refuse_for_ptx(const struct bl_kernel_maker *maker)
{
    static const char *const keys[] = {"cc", "flags"};
    const struct bl_kernel *kernel = maker->kernel;
    for (uint32_t i = 0; i < kernel->const_count; i++)
        if (kernel->consts[i].define)
            return REFUSE(maker, kernel->consts[i].entry,
                          "%s is for the compiler, but %s is compiled already; const.%s "
                          "is for expressions",
                          kernel->params[i].name, kernel->file, kernel->consts[i].name);
    for (int i = 0; i < 2; i++)
        if (bl_section_find(maker->section, keys[i]))
            return REFUSE(maker, bl_section_find(maker->section, keys[i]),
                          "%s is for the compiler, but %s is compiled already", keys[i],
                          kernel->file);
    return BL_OK;
}

static enum bl_status read_code(const struct bl_kernel_maker *maker,
                                const int64_t *values, struct bl_kernel_code *code)
{
    const struct bl_entry *file = bl_section_find(maker->section, "file");
    enum bl_status st;
    if (ends_in(maker->kernel->file, ".cu"))
        st = compile(maker, values, code);
    else
        st = bl_text_read_file(maker->kernel->file, PTX_MAX, &code->text, &code->length,
                               maker->err);
    if (st != BL_OK)
        return st == BL_E_NOMEM || ends_in(maker->kernel->file, ".cu")
                   ? st
                   : bl_entry_prefix(maker->raw, file, maker->err);
    st = bl_kernel_entries_read(maker->kernel->file, code->text, code->length,
                                &code->entries, maker->err);
    return st == BL_OK ? st : bl_entry_prefix(maker->raw, file, maker->err);
}

/* The code of the variant: what an earlier one with the same definitions has, else its
 * own. */
static enum bl_status find_code(const struct bl_kernel_maker *maker, size_t at)
{
    struct bl_kernel *kernel = maker->kernel;
    struct bl_kernel_variant *variant = &kernel->variants[at];
    struct bl_kernel_code *code;
    for (size_t i = 0; i < at; i++) {
        bool same = true;
        for (uint32_t c = 0; same && c < kernel->const_count; c++)
            same = !kernel->consts[c].define ||
                   kernel->variants[i].values[c] == variant->values[c];
        if (same) {
            variant->code = kernel->variants[i].code;
            return BL_OK;
        }
    }
    code = calloc(1, sizeof *code);
    if (!code)
        return bl_error_nomem(maker->err);
    kernel->codes[kernel->code_count++] = code;
    variant->code = code;
    return read_code(maker, variant->values, code);
}

static enum bl_status find_kernel(struct bl_kernel_maker *maker,
                                  struct bl_kernel_variant *variant, uint32_t launch)
{
    const struct bl_kernel *kernel = maker->kernel;
    const struct bl_entry *entry = entry_of(maker, launch);
    const struct bl_kernel_entry **out = &variant->kernels[launch];
    char *wanted = entry ? substitute(kernel, variant->values, entry->value) : NULL;
    enum bl_status st;
    if (entry && !wanted)
        return bl_error_nomem(maker->err);
    st = bl_kernel_entries_find(&variant->code->entries, kernel->file, wanted, out,
                                maker->err);
    free(wanted);
    if (st == BL_OK && strlen((*out)->name) >= BANKLAB_MAX_NAME)
        st = bl_error_set(
            maker->err, BL_E_INPUT,
            "the name of the kernel in PTX, %.140s..., has %zu bytes, and at "
            "most %d can be launched; a kernel with a shorter one, as extern "
            "\"C\" gives it, may call it",
            (*out)->name, strlen((*out)->name), BANKLAB_MAX_NAME - 1);
    if (st == BL_OK)
        return bl_kernel_check_args(maker, &kernel->launches[launch], *out);
    return bl_entry_prefix(
        maker->raw, entry ? entry : bl_section_find(maker->section, "file"), maker->err);
}

/* The file's path. */
static enum bl_status read_file(struct bl_kernel_maker *maker)
{
    const struct bl_entry *file = bl_section_find(maker->section, "file");
    if (!file)
        return bl_error_at(maker->err, BL_E_INPUT, maker->raw->path, maker->section->line,
                           "the case \"%s\" has no file; add a line file = NAME.cu or "
                           "NAME.ptx",
                           maker->section->name);
    if (!ends_in(file->value, ".cu") && !ends_in(file->value, ".ptx"))
        return REFUSE(maker, file,
                      "file takes a .cu file, to be compiled, or a .ptx file, "
                      "not \"%.200s\"",
                      file->value);
    maker->kernel->file = bl_profile_file(maker->raw->path, file->value);
    if (!maker->kernel->file)
        return bl_error_nomem(maker->err);
    return ends_in(file->value, ".ptx") ? refuse_for_ptx(maker) : BL_OK;
}

enum bl_status bl_kernel_read_code(struct bl_kernel_maker *maker)
{
    struct bl_kernel *kernel = maker->kernel;
    int64_t values[BL_KERNEL_CONSTS_MAX] = {0};
    enum bl_status st = read_file(maker);
    if (st != BL_OK)
        return st;
    mark_selecting(maker);
    kernel->variants = calloc(BL_KERNEL_VARIANTS_MAX, sizeof *kernel->variants);
    if (!kernel->variants)
        return bl_error_nomem(maker->err);
    st = add_variants(maker, 0, values);
    if (st == BL_OK) {
        struct bl_kernel_variant *fewer =
            realloc(kernel->variants, kernel->variant_count * sizeof *fewer);
        kernel->variants = fewer ? fewer : kernel->variants;
    }
    for (size_t i = 0; st == BL_OK && i < kernel->variant_count; i++) {
        struct bl_kernel_variant *variant = &kernel->variants[i];
        st = find_code(maker, i);
        for (uint32_t l = 0; st == BL_OK && l < kernel->launch_count; l++)
            st = find_kernel(maker, variant, l);
        variant->module = (struct banklab_module){.text = variant->code->text,
                                                  .length = variant->code->length};
    }
    return st;
}
