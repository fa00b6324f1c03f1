/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_consts.c - a case's constants, which are its plugin's parameters.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/kernel_parts.h"
#include "load/hint.h"
#include "load/param.h"

#define REFUSE(maker, entry, ...)                                                        \
    bl_entry_error((maker)->raw, entry, (maker)->err, __VA_ARGS__)

/* "TILE" of "const.TILE"; NULL: it is no constant's key. */
static const char *const_name(const char *key, bool *define)
{
    *define = strncmp(key, "define.", 7) == 0;
    if (*define)
        return key + 7;
    return strncmp(key, "const.", 6) == 0 ? key + 6 : NULL;
}

static const char *const taken[] = {"rows",     "cols",     "elem",    "batch",
                                    "in",       "out",      "clock",   "scratch",
                                    "scratch1", "scratch2", "scratch3"};

static enum bl_status check_name(const struct bl_kernel_maker *maker,
                                 const struct bl_entry *entry, const char *name)
{
    const struct bl_kernel *kernel = maker->kernel;
    if (!bl_expr_is_name(name) || strchr(name, '.'))
        return REFUSE(maker, entry,
                      "a constant can't be called \"%.60s\"; take letters, digits and "
                      "'_', the first no digit, and no name of a function",
                      name);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return REFUSE(maker, entry,
                          "a constant can't be called %s: that is the lab's own", name);
    for (uint32_t i = 0; i < kernel->const_count; i++)
        if (strcmp(kernel->consts[i].name, name) == 0)
            return REFUSE(maker, entry, "there is a constant %s already: %s", name,
                          kernel->params[i].name);
    if (kernel->const_count == BL_KERNEL_CONSTS_MAX)
        return REFUSE(maker, entry, "more than %d constants", BL_KERNEL_CONSTS_MAX);
    return BL_OK;
}

static bool all_numbers(char *const *texts)
{
    int64_t number;
    for (; *texts; texts++)
        if (!bl_text_int(*texts, &number))
            return false;
    return true;
}

/* The parameter that the key sets. A define that is not a number in each of its values is
 * a choice of these. */
static enum bl_status add_const(struct bl_kernel_maker *maker,
                                const struct bl_entry *entry, const char *name,
                                bool define)
{
    struct bl_kernel *kernel = maker->kernel;
    const uint32_t at = kernel->const_count;
    struct banklab_param *param = &kernel->params[at];
    char **texts;
    size_t count;
    enum bl_status st = bl_sweep_expand(entry->value, &texts, &count, maker->err);
    if (st != BL_OK) {
        if (st == BL_E_INPUT)
            bl_error_prefix(maker->err, "%s", entry->key);
        return bl_entry_prefix(maker->raw, entry, maker->err);
    }
    *param = (struct banklab_param){.name = strdup(entry->key),
                                    .help = define ? "given to the compiler"
                                                   : "in expressions",
                                    .type = BANKLAB_PARAM_INT,
                                    .minimum = INT64_MIN,
                                    .maximum = INT64_MAX};
    kernel->consts[at].define = kernel->consts[at].selects = define;
    kernel->consts[at].entry = entry;
    if (define && !all_numbers(texts)) {
        kernel->consts[at].is_text = true;
        kernel->choices[at] = texts;
        param->type = BANKLAB_PARAM_CHOICE;
        param->choices = (const char *const *)texts;
        texts = NULL;
    } else if (!bl_text_int(texts[0], &param->default_value)) {
        st = REFUSE(maker, entry,
                    "%s takes a whole number, not \"%.80s\"; words are for "
                    "define.%s",
                    entry->key, texts[0], name);
    }
    bl_sweep_free(texts);
    if (!param->name)
        return bl_error_nomem(maker->err);
    kernel->const_count++;
    kernel->consts[at].name = param->name + (name - entry->key);
    return st;
}

/* The twin's value joins the choices of a text. */
static enum bl_status add_choice(struct bl_kernel *kernel, int at, const char *text,
                                 struct bl_error *err)
{
    char **texts = kernel->choices[at];
    size_t count = 0;
    while (texts[count])
        if (strcmp(texts[count++], text) == 0)
            return BL_OK;
    texts = realloc(texts, (count + 2) * sizeof *texts);
    if (!texts)
        return bl_error_nomem(err);
    kernel->choices[at] = texts;
    kernel->params[at].choices = (const char *const *)texts;
    texts[count] = strdup(text);
    texts[count + 1] = NULL;
    return texts[count] ? BL_OK : bl_error_nomem(err);
}

/* twin.NAME = VALUE */
static enum bl_status add_twin(struct bl_kernel_maker *maker,
                               const struct bl_entry *entry)
{
    struct bl_kernel *kernel = maker->kernel;
    const char *name = entry->key + 5, *names[BL_KERNEL_CONSTS_MAX];
    char hint[BL_HINT_SIZE];
    banklab_value value;
    int at = -1;
    for (uint32_t i = 0; i < kernel->const_count; i++) {
        names[i] = kernel->consts[i].name;
        if (strcmp(names[i], name) == 0)
            at = (int)i;
    }
    if (at < 0) {
        bl_hint_print(name, names, kernel->const_count, hint, sizeof hint);
        return REFUSE(maker, entry, "the case has no constant \"%.60s\"%s", name, hint);
    }
    if (kernel->consts[at].is_text && add_choice(kernel, at, entry->value, maker->err))
        return BL_E_NOMEM;
    if (bl_param_parse(&kernel->params[at], entry->value, &value, NULL) != BL_OK)
        return REFUSE(maker, entry, "%s takes one whole number, not \"%.80s\"",
                      entry->key, entry->value);
    kernel->twin[kernel->twin_count].name = kernel->params[at].name;
    kernel->twin[kernel->twin_count].value = strdup(entry->value);
    return kernel->twin[kernel->twin_count++].value ? BL_OK : bl_error_nomem(maker->err);
}

enum bl_status bl_kernel_read_consts(struct bl_kernel_maker *maker)
{
    struct bl_kernel *kernel = maker->kernel;
    const struct bl_section *section = maker->section;
    enum bl_status st = BL_OK;
    bool define;
    for (size_t i = 0; st == BL_OK && i < section->count; i++) {
        const struct bl_entry *entry = &section->entries[i];
        const char *name = const_name(entry->key, &define);
        if (!name)
            continue;
        st = check_name(maker, entry, name);
        if (st == BL_OK)
            st = add_const(maker, entry, name, define);
    }
    for (size_t i = 0; st == BL_OK && i < section->count; i++)
        if (strncmp(section->entries[i].key, "twin.", 5) == 0)
            st = add_twin(maker, &section->entries[i]);
    for (int i = 0; i <= BL_KERNEL_BATCH; i++)
        kernel->names[i] = taken[i];
    for (uint32_t i = 0; i < kernel->const_count; i++)
        kernel->names[BL_KERNEL_BATCH + 1 + i] =
            kernel->consts[i].is_text ? "" : kernel->consts[i].name;
    kernel->name_count = BL_KERNEL_BATCH + 1 + kernel->const_count;
    return st;
}

const struct bl_kernel_variant *bl_kernel_variant_find(const struct bl_kernel *kernel,
                                                       const banklab_value *params)
{
    for (size_t i = 0; i < kernel->variant_count; i++) {
        bool same = true;
        for (uint32_t c = 0; same && c < kernel->const_count; c++)
            same = !kernel->consts[c].selects ||
                   kernel->variants[i].values[c] == params[c].i;
        if (same)
            return &kernel->variants[i];
    }
    return NULL;
}
