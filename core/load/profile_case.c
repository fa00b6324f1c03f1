/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/param.h"
#include "load/plugin_form.h"
#include "load/profile_parts.h"
#include "load/run_keys.h"
#include "work/kind.h"

/* One key of a case and the values that it takes: more than one in a sweep. */
struct axis {
    const struct bl_entry *entry;
    const struct bl_problem_key *problem; /* NULL: a parameter or the arch */
    int param;                            /* -1: the arch */
    uint64_t *values;                     /* a parameter's as two's complement */
    char **texts;                         /* as written */
    size_t count;
};

/* A case section on its way to cases. */
struct maker {
    const struct bl_raw *raw;
    const struct bl_section *section;
    struct axis *axes; /* in the order of writing */
    size_t axis_count;
    struct bl_expect *expects;
    size_t expect_count;
};

/* ---- plugins ---- */

enum bl_status bl_raw_plugins(struct bl_raw *raw, struct bl_registry *reg,
                              struct bl_error *err)
{
    for (size_t i = 0; i < raw->case_count; i++) {
        struct bl_section *section = &raw->cases[i];
        const struct bl_entry *entry = bl_section_find(section, "plugin");
        enum bl_status st;
        char *path;
        if (!entry)
            return bl_error_at(err, BL_E_INPUT, raw->path, section->line,
                               "the case \"%s\" has no plugin; add a line plugin = NAME",
                               section->name);
        path = strchr(entry->value, '/') ? bl_profile_file(raw->path, entry->value)
                                         : strdup(entry->value);
        if (!path)
            return bl_error_nomem(err);
        st = bl_registry_find(reg, path, &section->plugin, err);
        free(path);
        if (st != BL_OK)
            return bl_entry_prefix(raw, entry, err);
        section->form = section->plugin->form;
    }
    return BL_OK;
}

enum bl_status bl_raw_forms(struct bl_raw *raw, struct bl_registry *reg,
                            struct bl_error *err)
{
    enum bl_status st = BL_OK;
    for (size_t i = 0; st == BL_OK && i < raw->case_count; i++)
        if (raw->cases[i].form)
            st = bl_registry_make(reg, raw, &raw->cases[i], &raw->cases[i].plugin, err);
    return st;
}

/* ---- keys ---- */

static enum bl_status unknown_key(const struct maker *maker, const struct bl_entry *entry,
                                  struct bl_error *err)
{
    const struct banklab_plugin *abi = &maker->section->plugin->abi;
    const struct bl_plugin_form *form = maker->section->form;
    const char *names[BL_PROFILE_KEYS_MAX] = {"plugin", "rows", "cols",        "elem",
                                              "batch",  "arch", "expect.FIELD"};
    char hint[BL_HINT_SIZE];
    size_t count = 7;
    if (strcmp(entry->key, "expect") == 0 || strncmp(entry->key, "expect_", 7) == 0)
        return bl_entry_error(maker->raw, entry, err,
                              "unknown key \"%s\"; an expectation is written "
                              "expect.FIELD = VALUE",
                              entry->key);
    for (uint32_t i = 0; i < abi->param_count && count < BL_PROFILE_KEYS_MAX; i++)
        names[count++] = abi->params[i].name;
    for (size_t i = 0; form && i < form->key_count && count < BL_PROFILE_KEYS_MAX; i++)
        names[count++] = form->keys[i].name;
    bl_hint_print(entry->key, names, count, hint, sizeof hint);
    return bl_entry_error(maker->raw, entry, err,
                          "unknown key \"%s\" in [case %s]: neither a key of every case "
                          "nor a parameter of %s%s",
                          entry->key, maker->section->name, abi->name, hint);
}

/* The value of an arch is which of the axis' texts it is. */
static enum bl_status read_arch(const struct axis *axis, size_t at, uint64_t *out,
                                struct bl_error *err)
{
    const struct bl_run_key *key = bl_run_key_find("arch");
    char *name = NULL;
    enum bl_status st = key->parse(axis->texts[at], &name);
    free(name);
    if (st == BL_E_NOMEM)
        return bl_error_nomem(err);
    if (st != BL_OK)
        return bl_error_set(err, st, "arch takes %s, not \"%.80s\"", key->takes,
                            axis->texts[at]);
    *out = at;
    for (size_t i = at; i-- > 0;)
        if (strcmp(axis->texts[i], axis->texts[at]) == 0)
            *out = i;
    return BL_OK;
}

/* One value of an axis from its text. */
static enum bl_status read_value(const struct maker *maker, const struct axis *axis,
                                 size_t at, uint64_t *out, struct bl_error *err)
{
    const char *text = axis->texts[at];
    banklab_value value;
    enum bl_status st;
    if (axis->problem)
        return bl_problem_parse(axis->problem, text, out, err);
    if (axis->param < 0)
        return read_arch(axis, at, out, err);
    st = bl_param_parse(&maker->section->plugin->abi.params[axis->param], text, &value,
                        err);
    if (st == BL_OK)
        *out = (uint64_t)value.i;
    return st;
}

static enum bl_status read_axis(const struct maker *maker, struct axis *axis,
                                struct bl_error *err)
{
    size_t count;
    enum bl_status st = bl_sweep_expand(axis->entry->value, &axis->texts, &count, err);
    if (st != BL_OK) {
        if (st == BL_E_INPUT)
            bl_error_prefix(err, "%s", axis->entry->key);
        return bl_entry_prefix(maker->raw, axis->entry, err);
    }
    axis->values = calloc(count, sizeof *axis->values);
    if (!axis->values)
        st = bl_error_nomem(err);
    for (size_t i = 0; st == BL_OK && i < count; i++) {
        st = read_value(maker, axis, i, &axis->values[i], err);
        if (st != BL_OK)
            st = bl_entry_prefix(maker->raw, axis->entry, err);
        for (size_t j = 0; st == BL_OK && j < i; j++)
            if (axis->values[i] == axis->values[j])
                st = bl_entry_error(maker->raw, axis->entry, err,
                                    "%s has the value %s twice", axis->entry->key,
                                    axis->texts[i]);
    }
    axis->count = count;
    return st;
}

static enum bl_status read_entries(struct maker *maker, struct bl_error *err)
{
    const struct bl_section *section = maker->section;
    enum bl_status st = BL_OK;
    maker->axes = calloc(section->count, sizeof *maker->axes);
    maker->expects = calloc(section->count, sizeof *maker->expects);
    if (!maker->axes || !maker->expects)
        return bl_error_nomem(err);
    for (size_t i = 0; st == BL_OK && i < section->count; i++) {
        const struct bl_entry *entry = &section->entries[i];
        struct axis *axis = &maker->axes[maker->axis_count];
        if (strcmp(entry->key, "plugin") == 0)
            continue;
        if (bl_expect_is_key(entry->key)) {
            st = bl_expect_parse(maker->raw, entry, &maker->expects[maker->expect_count],
                                 err);
            maker->expect_count += st == BL_OK;
            continue;
        }
        axis->entry = entry;
        axis->param = bl_plugin_param(section->plugin, entry->key);
        axis->problem = axis->param < 0 ? bl_problem_key_find(entry->key) : NULL;
        if (axis->param < 0 && section->form && section->form->takes(entry->key))
            continue; /* it went into the plugin */
        if (!axis->problem && axis->param < 0 && strcmp(entry->key, "arch") != 0)
            return unknown_key(maker, entry, err);
        maker->axis_count++;
        st = read_axis(maker, axis, err);
    }
    return st;
}

/* ---- cases ---- */

void bl_case_free(struct bl_case *of)
{
    free(of->name);
    free(of->params);
    free(of->arch);
    free(of->arch_at);
}

/* The value of an axis as it stands in a case's name. */
static void print_value(const struct maker *maker, const struct axis *axis, size_t at,
                        FILE *out)
{
    char text[BL_HINT_SIZE];
    if (!axis->problem && axis->param < 0) {
        fprintf(out, "arch=%s", axis->texts[at]);
        return;
    }
    if (axis->problem) {
        fprintf(out, "%s=%llu", axis->problem->name,
                (unsigned long long)axis->values[at]);
        return;
    }
    bl_param_print(&maker->section->plugin->abi.params[axis->param],
                   (banklab_value){(int64_t)axis->values[at]}, text, sizeof text);
    fprintf(out, "%s=%s", axis->entry->key, text);
}

/* "strides", or "strides[stride=3,elem=4]" with the swept keys. NULL: no memory. */
static char *make_name(const struct maker *maker, const size_t *at)
{
    char *text = NULL;
    size_t length;
    bool failed, swept = false;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs(maker->section->name, out);
    for (size_t i = 0; i < maker->axis_count; i++) {
        if (maker->axes[i].count < 2)
            continue;
        fputc(swept ? ',' : '[', out);
        print_value(maker, &maker->axes[i], at[i], out);
        swept = true;
    }
    if (swept)
        fputc(']', out);
    failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* The problem of a case before its own keys: the kind's, then the profile's. */
static struct banklab_problem problem_default(const struct maker *maker,
                                              const struct banklab_problem *defaults)
{
    struct banklab_problem problem =
        bl_kind_find(maker->section->plugin->abi.kind)->defaults;
    problem.struct_size = sizeof problem;
    if (defaults->rows)
        problem.rows = defaults->rows;
    if (defaults->cols)
        problem.cols = defaults->cols;
    if (defaults->elem)
        problem.elem = defaults->elem;
    if (defaults->batch)
        problem.batch = defaults->batch;
    return problem;
}

/* False: no memory. */
static bool put_arch(const struct maker *maker, const struct axis *axis, size_t at,
                     struct bl_case *out)
{
    out->arch = strdup(axis->texts[at]);
    out->arch_at = bl_entry_place(maker->raw, axis->entry);
    return out->arch && out->arch_at;
}

/* One case: the values at `at` of the axes. */
static enum bl_status make_case(const struct maker *maker, const size_t *at,
                                const struct banklab_problem *defaults,
                                struct bl_case *out, struct bl_error *err)
{
    const struct banklab_plugin *abi = &maker->section->plugin->abi;
    struct bl_case made = {.plugin = maker->section->plugin,
                           .problem = problem_default(maker, defaults),
                           .expects = maker->expects,
                           .expect_count = maker->expect_count,
                           .line = maker->section->line};
    enum bl_status st = BL_OK;
    uint64_t bytes;
    made.name = make_name(maker, at);
    made.params = calloc(abi->param_count + 1u, sizeof *made.params);
    if (!made.name || !made.params) {
        bl_case_free(&made);
        return bl_error_nomem(err);
    }
    for (uint32_t i = 0; i < abi->param_count; i++)
        made.params[i].i = abi->params[i].default_value;
    for (size_t i = 0; i < maker->axis_count; i++) {
        const struct axis *axis = &maker->axes[i];
        if (axis->problem)
            bl_problem_put(axis->problem, axis->values[at[i]], &made.problem);
        else if (axis->param < 0 && !put_arch(maker, axis, at[i], &made))
            st = bl_error_nomem(err);
        else if (axis->param >= 0)
            made.params[axis->param].i = (int64_t)axis->values[at[i]];
    }
    if (st == BL_OK) {
        st = bl_kind_bytes(&made.problem, &bytes, err);
        if (st != BL_OK)
            bl_error_prefix(err, "%s:%d: case \"%s\"", maker->raw->path, made.line,
                            made.name);
    }
    if (st != BL_OK) {
        bl_case_free(&made);
        return st;
    }
    *out = made;
    return BL_OK;
}

/* How many cases the section makes, which must fit with those that are there. */
static enum bl_status count_cases(const struct maker *maker, size_t have, size_t *out,
                                  struct bl_error *err)
{
    size_t total = 1;
    for (size_t i = 0; i < maker->axis_count; i++) {
        total *= maker->axes[i].count; /* at most 65536 * 4096 */
        if (have + total > BL_PROFILE_CASES_MAX)
            return bl_entry_error(maker->raw, maker->axes[i].entry, err,
                                  "the sweeps make more than %d cases in all; sweep "
                                  "fewer values",
                                  BL_PROFILE_CASES_MAX);
    }
    if (have + total > BL_PROFILE_CASES_MAX)
        return bl_error_at(err, BL_E_INPUT, maker->raw->path, maker->section->line,
                           "more than %d cases in all; sweep fewer values",
                           BL_PROFILE_CASES_MAX);
    *out = total;
    return BL_OK;
}

/* Steps to the next point of the cross product; the last axis turns fastest. */
static void step(const struct maker *maker, size_t *at)
{
    for (size_t i = maker->axis_count; i-- > 0;) {
        if (++at[i] < maker->axes[i].count)
            return;
        at[i] = 0;
    }
}

/* The expects pass to the profile with the first case that is made. */
static enum bl_status make_cases(struct maker *maker,
                                 const struct banklab_problem *defaults,
                                 struct bl_profile *profile, struct bl_error *err)
{
    size_t *at = calloc(maker->axis_count + 1, sizeof *at);
    size_t total = 0;
    struct bl_case *cases;
    enum bl_status st = count_cases(maker, profile->case_count, &total, err);
    if (!at)
        st = bl_error_nomem(err);
    if (st != BL_OK)
        goto out;
    cases = realloc(profile->cases, (profile->case_count + total) * sizeof *cases);
    if (!cases) {
        st = bl_error_nomem(err);
        goto out;
    }
    profile->cases = cases;
    for (size_t i = 0; st == BL_OK && i < total; i++) {
        st = make_case(maker, at, defaults, &cases[profile->case_count], err);
        profile->case_count += st == BL_OK;
        step(maker, at);
    }
out:
    free(at);
    return st;
}

static void maker_free(struct maker *maker)
{
    for (size_t i = 0; maker->axes && i < maker->axis_count; i++) {
        free(maker->axes[i].values);
        bl_sweep_free(maker->axes[i].texts);
    }
    free(maker->axes);
    if (maker->expects)
        bl_expect_free(maker->expects, maker->expect_count);
    free(maker->expects);
}

enum bl_status bl_cases_make(const struct bl_raw *raw,
                             const struct banklab_problem *defaults,
                             struct bl_profile *profile, struct bl_error *err)
{
    enum bl_status st = BL_OK;
    for (size_t i = 0; st == BL_OK && i < raw->case_count; i++) {
        struct maker maker = {.raw = raw, .section = &raw->cases[i]};
        size_t before = profile->case_count;
        st = read_entries(&maker, err);
        if (st == BL_OK)
            st = make_cases(&maker, defaults, profile, err);
        if (profile->case_count > before)
            maker.expects = NULL;
        maker_free(&maker);
    }
    return st;
}
