/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/demangle.h"
#include "model/ptx.h"

void bl_kernel_entries_free(struct bl_kernel_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        struct bl_kernel_entry *entry = &entries->at[i];
        for (size_t p = 0; entry->params && p < entry->param_count; p++)
            free(entry->params[p].cxx);
        free(entry->params);
        free(entry->name);
        free(entry->shown);
    }
    free(entries->at);
    *entries = (struct bl_kernel_entries){NULL, 0};
}

/* ---- parameters -------------------------------------------------------------------- */

/* Where the list of parameters of "f<a(b)>(int, char)" opens; NULL: it has none. */
static const char *list_open(const char *shown)
{
    const char *at = shown + strlen(shown);
    int depth = 0;
    if (at == shown || at[-1] != ')')
        return NULL;
    while (at-- > shown) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* The n-th of a list in parentheses; fresh. NULL: there is none, or no memory. */
static char *list_item(const char *open, size_t n)
{
    const char *start = open + 1;
    int depth = 0;
    for (const char *at = open + 1; *at; at++) {
        const bool ends = depth == 0 && (*at == ',' || *at == ')');
        if (ends && n == 0)
            return at > start ? strndup(start, (size_t)(at - start)) : NULL;
        if (ends && n-- > 0)
            start = at + 1 + strspn(at + 1, " ");
        depth += strchr("(<[{", *at) != NULL;
        depth -= !ends && strchr(")>]}", *at) != NULL;
    }
    return NULL;
}

/* What C++ says of a type, of which only pointers and whole numbers matter. */
static void read_cxx(struct bl_entry_param *param)
{
    static const char *const whole[] = {"int", "long", "long long"};
    static const char *const natural[] = {"unsigned int", "unsigned long",
                                          "unsigned long long"};
    const char *text = param->cxx;
    const size_t length = strlen(text);
    static const char restricted[] = " __restrict";
    const size_t tail = sizeof restricted - 1;
    const bool cut = length > tail && strcmp(text + length - tail, restricted) == 0;
    const char last = text[length - 1 - (cut ? tail : 0)];
    param->is_pointer = last == '*' || last == '&';
    for (size_t i = 0; i < 3; i++) {
        param->is_signed |= strcmp(text, whole[i]) == 0;
        param->is_unsigned |= strcmp(text, natural[i]) == 0;
    }
    param->known = param->is_pointer || param->is_signed || param->is_unsigned;
}

static const char *type_text(enum bl_ptx_type type)
{
    const char *name = bl_ptx_type_name(type);
    return name ? name : "b8";
}

static uint32_t arg_type(const struct bl_ptx_var *var)
{
    if (var->size != bl_ptx_type_bytes(var->type))
        return 0; /* an array: a struct by value */
    switch (var->type) {
    case BL_T_U32:
    case BL_T_S32:
    case BL_T_B32: return BANKLAB_ARG_U32;
    case BL_T_U64:
    case BL_T_S64:
    case BL_T_B64: return BANKLAB_ARG_U64;
    case BL_T_F32: return BANKLAB_ARG_F32;
    case BL_T_F64: return BANKLAB_ARG_F64;
    default: return 0;
    }
}

static enum bl_status read_params(const struct bl_ptx_func *func, bool demangled,
                                  struct bl_kernel_entry *entry, struct bl_error *err)
{
    const char *open = demangled ? list_open(entry->shown) : NULL;
    entry->params = calloc(func->param_count + 1, sizeof *entry->params);
    if (!entry->params)
        return bl_error_nomem(err);
    entry->param_count = func->param_count;
    for (size_t i = 0; i < func->param_count; i++) {
        struct bl_entry_param *param = &entry->params[i];
        param->type = arg_type(func->params[i]);
        param->ptx = type_text(func->params[i]->type);
        param->bytes = func->params[i]->size;
        param->cxx = open ? list_item(open, i) : NULL;
        if (param->cxx)
            read_cxx(param);
    }
    return BL_OK;
}

/* ---- the module -------------------------------------------------------------------- */

static enum bl_status read_entry(const struct bl_demangler *demangler,
                                 const struct bl_ptx_func *func,
                                 struct bl_kernel_entry *entry, struct bl_error *err)
{
    char *demangled = bl_demangle(demangler, func->name);
    entry->name = strdup(func->name);
    entry->shown = demangled ? demangled : strdup(func->name);
    if (!entry->name || !entry->shown)
        return bl_error_nomem(err);
    return read_params(func, demangled != NULL, entry, err);
}

enum bl_status bl_kernel_entries_read(const char *file, const char *text, size_t length,
                                      struct bl_kernel_entries *out, struct bl_error *err)
{
    struct bl_kernel_entries entries = {NULL, 0};
    struct bl_demangler demangler;
    struct bl_ptx_module *module;
    enum bl_status st = bl_ptx_read(file, text, length, &module, err);
    if (st != BL_OK)
        return st;
    bl_demangler_open(&demangler);
    entries.at = calloc(module->func_count + 1, sizeof *entries.at);
    if (!entries.at)
        st = bl_error_nomem(err);
    for (size_t i = 0; st == BL_OK && i < module->func_count; i++) {
        const struct bl_ptx_func *func = module->funcs[i];
        if (func->is_entry && !func->is_extern)
            st = read_entry(&demangler, func, &entries.at[entries.count++], err);
    }
    bl_demangler_close(&demangler);
    bl_ptx_free(module);
    if (st != BL_OK) {
        bl_kernel_entries_free(&entries);
        return st;
    }
    *out = entries;
    return BL_OK;
}
