/* SPDX-License-Identifier: Apache-2.0 */
#include "load/plugin_check.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/mapped.h"
#include "load/param.h"
#include "work/kind.h"

#define ELEMS_ALL                                                                        \
    (BANKLAB_ELEM(1) | BANKLAB_ELEM(2) | BANKLAB_ELEM(4) | BANKLAB_ELEM(8) |             \
     BANKLAB_ELEM(16))

/* All that is wrong with a plugin is said of its path. */
#define REFUSE(plugin, err, ...)                                                         \
    bl_error_at(err, BL_E_INPUT, (plugin)->path, 0, __VA_ARGS__)

/* One line of text that can stand in a table. */
static bool is_one_line(const char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            return false;
    return true;
}

/* A text that is there at all must lead somewhere and end. */
static enum bl_status check_text(const struct bl_plugin *plugin, const char *what,
                                 const char *text, struct bl_error *err)
{
    if (!text || bl_mapped_text(text))
        return BL_OK;
    return REFUSE(plugin, err,
                  "%s is no text: its pointer leads out of the plugin, or no NUL ends it",
                  what);
}

static enum bl_status check_texts(const struct bl_plugin *plugin, struct bl_error *err)
{
    const struct banklab_plugin *abi = &plugin->abi;
    enum bl_status st = check_text(plugin, "name", abi->name, err);
    if (st == BL_OK)
        st = check_text(plugin, "kind", abi->kind, err);
    return st == BL_OK ? check_text(plugin, "summary", abi->summary, err) : st;
}

static enum bl_status check_function(const struct bl_plugin *plugin, const char *what,
                                     const void *function, struct bl_error *err)
{
    if (!function || bl_mapped_code(function))
        return BL_OK;
    return REFUSE(plugin, err, "%s points to no code", what);
}

static enum bl_status check_name(const struct bl_plugin *plugin, struct bl_error *err)
{
    const char *name = plugin->abi.name;
    const char *slash = strrchr(plugin->path, '/');
    const char *base = slash ? slash + 1 : plugin->path;
    size_t length = strlen(base);
    if (!name || !*name)
        return REFUSE(plugin, err, "no name; set .name to the file's base name");
    if (length > 3 && strcmp(base + length - 3, ".so") == 0)
        length -= 3;
    if (strlen(name) != length || strncmp(name, base, length) != 0)
        return REFUSE(plugin, err,
                      "calls itself \"%.80s\", but its file is %s; both must agree: "
                      "name it \"%.*s\" or build %.80s.so",
                      name, base, (int)length, base, name);
    if (length > BL_PLUGIN_NAME_MAX ||
        strspn(name,
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
            length)
        return REFUSE(plugin, err,
                      "the name \"%.80s\" must be at most %d letters, digits, '_' or '-'",
                      name, BL_PLUGIN_NAME_MAX);
    return BL_OK;
}

static enum bl_status check_kind(const struct bl_plugin *plugin, struct bl_error *err)
{
    const struct banklab_plugin *abi = &plugin->abi;
    const struct bl_kind *kind, *all;
    const char *names[16];
    char hint[BL_HINT_SIZE];
    size_t count;
    if (!abi->kind)
        return REFUSE(plugin, err,
                      "no kind; set .kind to \"transpose\", \"copy\" or "
                      "\"pattern\"");
    kind = bl_kind_find(abi->kind);
    if (!kind) {
        all = bl_kind_all(&count);
        if (count > sizeof names / sizeof names[0])
            count = sizeof names / sizeof names[0];
        for (size_t i = 0; i < count; i++)
            names[i] = all[i].name;
        bl_hint_print(abi->kind, names, count, hint, sizeof hint);
        return REFUSE(plugin, err, "unknown kind \"%.80s\"%s", abi->kind, hint);
    }
    if (!kind->reference && !abi->reference)
        return REFUSE(plugin, err,
                      "no reference; a plugin of kind \"%s\" must say itself what the "
                      "output must hold",
                      kind->name);
    return BL_OK;
}

/* A table's pointer, count and element size, before it is read. */
static enum bl_status check_table(const struct bl_plugin *plugin, const char *what,
                                  const char *macro, const void *table, uint32_t count,
                                  uint32_t size, uint32_t most, struct bl_error *err)
{
    if (count == 0)
        return BL_OK;
    if (!table)
        return REFUSE(plugin, err,
                      "%s_count is %" PRIu32 ", but there is no table; use %s", what,
                      count, macro);
    if (size == 0)
        return REFUSE(plugin, err, "%s_size is 0; use %s, which sets it", what, macro);
    if (count > most)
        return REFUSE(plugin, err,
                      "%s_count is %" PRIu32 "; at most %" PRIu32 " make sense", what,
                      count, most);
    if (!bl_mapped_bytes(table, (uint64_t)count * size))
        return REFUSE(plugin, err,
                      "the table of %" PRIu32 " times %" PRIu32
                      " bytes leads out of the plugin; use %s, which sets all three",
                      count, size, macro);
    return BL_OK;
}

enum bl_status bl_plugin_check_head(const struct bl_plugin *plugin, struct bl_error *err)
{
    const struct banklab_plugin *abi = &plugin->abi;
    enum bl_status st = check_texts(plugin, err);
    if (st == BL_OK)
        st = check_name(plugin, err);
    if (st == BL_OK)
        st = check_kind(plugin, err);
    if (st != BL_OK)
        return st;
    if (!abi->summary || !*abi->summary || !is_one_line(abi->summary))
        return REFUSE(plugin, err, "no summary; set .summary to one line of text");
    if (abi->elems & ~ELEMS_ALL)
        return REFUSE(plugin, err,
                      "elems is 0x%" PRIx32 "; it may only hold BANKLAB_ELEM of 1, 2, 4, "
                      "8 and 16",
                      abi->elems);
    if (!abi->plan)
        return REFUSE(plugin, err,
                      "no plan; set .plan to the function that plans the "
                      "launches");
    st = check_function(plugin, "plan", (const void *)(uintptr_t)abi->plan, err);
    if (st == BL_OK)
        st = check_function(plugin, "reference", (const void *)(uintptr_t)abi->reference,
                            err);
    if (st != BL_OK)
        return st;
    st = check_table(plugin, "param", "BANKLAB_PARAMS", abi->params, abi->param_count,
                     abi->param_size, BL_PLUGIN_PARAMS_MAX, err);
    if (st == BL_OK)
        st = check_table(plugin, "module", "BANKLAB_MODULES", abi->modules,
                         abi->module_count, abi->module_size, BL_PLUGIN_MODULES_MAX, err);
    if (st == BL_OK)
        st = check_table(plugin, "twin", "BANKLAB_TWIN", abi->twin, abi->twin_count,
                         abi->twin_size, BL_PLUGIN_PARAMS_MAX, err);
    if (st == BL_OK && abi->module_count == 0)
        return REFUSE(plugin, err,
                      "no device code; list at least one PTX module with "
                      "BANKLAB_MODULES");
    return st;
}

/* Names that a profile's case uses for other things. `batch` is one since 1.1. */
static bool is_case_key(const char *name, uint32_t minor)
{
    static const char *const taken[] = {"plugin", "rows", "cols",
                                        "elem",   "arch", "expect"};
    if (minor >= 1 && strcmp(name, "batch") == 0)
        return true;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

static enum bl_status check_param_name(const struct bl_plugin *plugin, uint32_t at,
                                       struct bl_error *err)
{
    const char *name = plugin->abi.params[at].name;
    if (check_text(plugin, "a parameter's name", name, err) != BL_OK)
        return BL_E_INPUT;
    if (!name || !*name)
        return REFUSE(plugin, err, "parameter %" PRIu32 " has no name", at);
    if (!islower((unsigned char)*name) || strlen(name) > BL_PLUGIN_NAME_MAX ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return REFUSE(plugin, err,
                      "the parameter name \"%.80s\" must be lower-case letters, digits "
                      "and '_', the first a letter, at most %d",
                      name, BL_PLUGIN_NAME_MAX);
    if (is_case_key(name, plugin->abi.abi_minor))
        return REFUSE(plugin, err,
                      "a parameter can't be called \"%s\": that is a key of every case",
                      name);
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(name, plugin->abi.params[i].name) == 0)
            return REFUSE(plugin, err, "two parameters are called \"%s\"", name);
    return BL_OK;
}

/* A choice must be writable in a profile, where commas and ranges make sweeps. */
static bool choice_is_writable(const char *text)
{
    return *text && strlen(text) <= BL_PLUGIN_NAME_MAX && !strstr(text, "..") &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                        "_.+-") == strlen(text);
}

static enum bl_status check_choices(const struct bl_plugin *plugin,
                                    const struct banklab_param *param,
                                    struct bl_error *err)
{
    size_t count;
    for (count = 0;; count++) {
        const char *choice;
        int64_t number;
        if (!bl_mapped_bytes(&param->choices[count], sizeof choice))
            return REFUSE(plugin, err,
                          "the choices of parameter %s lead out of the plugin; does NULL "
                          "end them?",
                          param->name);
        choice = param->choices[count];
        if (!choice)
            break;
        if (check_text(plugin, "a choice", choice, err) != BL_OK)
            return BL_E_INPUT;
        if (count == BL_PLUGIN_CHOICES_MAX)
            return REFUSE(plugin, err,
                          "parameter %s has more than %d choices; does NULL end them?",
                          param->name, BL_PLUGIN_CHOICES_MAX);
        if (param->type == BANKLAB_PARAM_INT && !bl_text_int(choice, &number))
            return REFUSE(plugin, err,
                          "parameter %s is a whole number, but one of its choices is "
                          "\"%.80s\"",
                          param->name, choice);
        if (!choice_is_writable(choice))
            return REFUSE(plugin, err,
                          "the choice \"%.80s\" of parameter %s must be at most %d "
                          "letters, digits, '_', '-', '+' or single '.'",
                          choice, param->name, BL_PLUGIN_NAME_MAX);
        for (size_t i = 0; i < count; i++)
            if (strcmp(choice, param->choices[i]) == 0)
                return REFUSE(plugin, err, "parameter %s has the choice \"%s\" twice",
                              param->name, choice);
    }
    if (count == 0)
        return REFUSE(plugin, err, "parameter %s has an empty list of choices",
                      param->name);
    if (param->type == BANKLAB_PARAM_CHOICE &&
        (param->default_value < 0 || (uint64_t)param->default_value >= count))
        return REFUSE(plugin, err,
                      "the default of parameter %s is choice %" PRId64
                      ", but they are 0..%zu",
                      param->name, param->default_value, count - 1);
    return BL_OK;
}

static enum bl_status check_param(const struct bl_plugin *plugin,
                                  const struct banklab_param *param, struct bl_error *err)
{
    char text[32], domain[BL_HINT_SIZE];
    banklab_value value = {param->default_value};
    enum bl_status st = BL_OK;
    if (param->type != BANKLAB_PARAM_INT && param->type != BANKLAB_PARAM_CHOICE)
        return REFUSE(plugin, err,
                      "parameter %s has the unknown type %" PRIu32
                      "; use BANKLAB_PARAM_INT or BANKLAB_PARAM_CHOICE",
                      param->name, param->type);
    if (check_text(plugin, "a parameter's help", param->help, err) != BL_OK ||
        check_text(plugin, "a parameter's unit", param->unit, err) != BL_OK)
        return BL_E_INPUT;
    if (!param->help || !*param->help || !is_one_line(param->help))
        return REFUSE(plugin, err, "parameter %s has no help; set .help to one line",
                      param->name);
    if (param->unit && !is_one_line(param->unit))
        return REFUSE(plugin, err, "the unit of parameter %s must be one line",
                      param->name);
    if (param->type == BANKLAB_PARAM_CHOICE && !param->choices)
        return REFUSE(plugin, err,
                      "parameter %s is a choice without choices; set .choices to a "
                      "NULL-terminated list of names",
                      param->name);
    if (param->choices)
        st = check_choices(plugin, param, err);
    else if (param->minimum > param->maximum)
        return REFUSE(plugin, err,
                      "parameter %s has minimum %" PRId64 " above maximum %" PRId64,
                      param->name, param->minimum, param->maximum);
    if (st != BL_OK || param->type == BANKLAB_PARAM_CHOICE)
        return st;
    bl_param_print(param, value, text, sizeof text);
    if (bl_param_parse(param, text, &value, NULL) != BL_OK) {
        bl_param_domain(param, domain, sizeof domain);
        return REFUSE(plugin, err, "the default %s of parameter %s is not in %s", text,
                      param->name, domain);
    }
    return BL_OK;
}

static enum bl_status check_twin(const struct bl_plugin *plugin, uint32_t at,
                                 struct bl_error *err)
{
    const struct banklab_plugin *abi = &plugin->abi;
    const struct banklab_setting *set = &abi->twin[at];
    const char *names[BL_PLUGIN_PARAMS_MAX];
    char hint[BL_HINT_SIZE];
    banklab_value value;
    int param;
    if (!set->name || !set->value)
        return REFUSE(plugin, err, "setting %" PRIu32 " of the twin has no name or value",
                      at);
    if (check_text(plugin, "a setting's name", set->name, err) != BL_OK ||
        check_text(plugin, "a setting's value", set->value, err) != BL_OK)
        return BL_E_INPUT;
    param = bl_plugin_param(plugin, set->name);
    if (param < 0) {
        for (uint32_t i = 0; i < abi->param_count; i++)
            names[i] = abi->params[i].name;
        bl_hint_print(set->name, names, abi->param_count, hint, sizeof hint);
        return REFUSE(plugin, err, "the twin sets an unknown parameter \"%.80s\"%s",
                      set->name, hint);
    }
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(set->name, abi->twin[i].name) == 0)
            return REFUSE(plugin, err, "the twin sets %s twice", set->name);
    if (bl_param_parse(&abi->params[param], set->value, &value, err) != BL_OK)
        return bl_error_prefix(err, "%s: twin", plugin->path);
    return BL_OK;
}

enum bl_status bl_plugin_check_tables(const struct bl_plugin *plugin,
                                      struct bl_error *err)
{
    const struct banklab_plugin *abi = &plugin->abi;
    enum bl_status st = BL_OK;
    for (uint32_t i = 0; st == BL_OK && i < abi->param_count; i++) {
        st = check_param_name(plugin, i, err);
        if (st == BL_OK)
            st = check_param(plugin, &abi->params[i], err);
    }
    for (uint32_t i = 0; st == BL_OK && i < abi->module_count; i++) {
        const struct banklab_module *module = &abi->modules[i];
        if (!module->text || module->length == 0)
            st = REFUSE(plugin, err, "module %" PRIu32 " has no PTX text", i);
        else if (!bl_mapped_bytes(module->text, module->length))
            st = REFUSE(plugin, err,
                        "the text of module %" PRIu32 ", %" PRIu64
                        " bytes, leads out of the plugin",
                        i, module->length);
    }
    for (uint32_t i = 0; st == BL_OK && i < abi->twin_count; i++)
        st = check_twin(plugin, i, err);
    return st;
}
