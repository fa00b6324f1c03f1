/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_text.c - words of a comparison that its views share.
 */
#include <config.h>

#include "compare/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"

const char *bl_cmp_verdict_name(enum bl_cmp_verdict verdict)
{
    static const char *const names[BL_CMP_VERDICTS] = {"", "faster", "slower", "same",
                                                       "undecided"};

    return names[verdict];
}

const char *bl_cmp_interval_name(enum bl_cmp_interval how)
{
    static const char *const names[] = {"exact", "medians", "rounds"};

    return names[how];
}

void bl_cmp_count_name(const struct bl_cmp_count *count, char *out, size_t size)
{
    const struct bl_saved_field *field = count->field;

    if (!field)
        snprintf(out, size, "%s.cycles_per_access", count->space);
    else if (field->side)
        snprintf(out, size, "%s.%s.%s", count->space, field->side, field->name);
    else
        snprintf(out, size, "%s.%s", count->space, field->name);
}

/* ---- what differs ----------------------------------------------------------------- */

struct list {
    FILE *out;
    const char *separator;
    bool begun;
};

static void next(struct list *list)
{
    fputs(list->begun ? list->separator : "", list->out);
    list->begun = true;
}

static void put_change(struct list *list, const char *what, const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return;
    next(list);
    fprintf(list->out, "%s %s -> %s", what, a, b);
}

static const char *param_text(const json_t *params, const char *name, char buffer[32])
{
    const json_t *value = json_object_get(params, name);

    if (!value)
        return "none";
    if (json_is_string(value))
        return json_string_value(value);
    snprintf(buffer, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return buffer;
}

static void put_params(struct list *list, const json_t *a, const json_t *b)
{
    char left[32], right[32];
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)a, name, value)
    {
        put_change(list, name, param_text(a, name, left), param_text(b, name, right));
    }
    json_object_foreach((json_t *)b, name, value)
    {
        if (!json_object_get(a, name))
            put_change(list, name, "none", param_text(b, name, right));
    }
}

static void put_shape(struct list *list, const struct bl_saved_case *of)
{
    if (of->batch != 1)
        fprintf(list->out, "%" PRIu64 " x ", of->batch);
    fprintf(list->out, "%" PRIu64 " x %" PRIu64 " x %" PRIu64, of->rows, of->cols,
            of->elem);
}

static void put_problem(struct list *list, const struct bl_saved_case *a,
                        const struct bl_saved_case *b)
{
    next(list);
    fputs("problem ", list->out);
    put_shape(list, a);
    fputs(" -> ", list->out);
    put_shape(list, b);
}

/* Ends the stream; the text, or NULL if memory ran out on the way. */
static char *finish(FILE *out, char **text)
{
    const bool bad = ferror(out) != 0;

    if (fclose(out) != 0 || bad) {
        free(*text);
        return NULL;
    }
    return *text;
}

char *bl_cmp_differs_text(const struct bl_cmp_pair *pair)
{
    const struct bl_saved_case *a = pair->a, *b = pair->b;
    char *text = NULL;
    size_t size = 0;
    struct list list = {open_memstream(&text, &size), ", ", false};

    if (!list.out)
        return NULL;
    if (a && b) {
        put_change(&list, "kind", a->kind, b->kind);
        put_change(&list, "plugin", a->plugin, b->plugin);
        put_change(&list, "arch", a->arch, b->arch);
        if (pair->differs & BL_CMP_PROBLEM)
            put_problem(&list, a, b);
        put_params(&list, a->params, b->params);
    }
    return finish(list.out, &text);
}

/* ---- why it failed ---------------------------------------------------------------- */

static void put_slow(struct list *list, const struct bl_comparison *comparison,
                     const struct bl_cmp_pair *pair)
{
    char limit[BL_FIGURE_MAX], low[BL_FIGURE_MAX];

    bl_figure_plain(comparison->options.fail_slower * 100, limit);
    bl_figure_real(pair->low, 4, low);
    next(list);
    if (pair->how == BL_CMP_EXACT)
        fprintf(list->out, "slower by more than %s %%: %s times, as predicted", limit,
                low);
    else
        fprintf(list->out, "slower by more than %s %%: its interval begins at %s", limit,
                low);
}

static void put_counts(struct list *list, const struct bl_cmp_pair *pair)
{
    char name[64];
    const char *separator = "more of ";

    next(list);
    for (size_t i = 0; i < pair->changed_count; i++) {
        if (!pair->changed[i].worse)
            continue;
        bl_cmp_count_name(&pair->changed[i], name, sizeof name);
        fprintf(list->out, "%s%s", separator, name);
        separator = ", ";
    }
}

char *bl_cmp_failed_text(const struct bl_comparison *comparison,
                         const struct bl_cmp_pair *pair)
{
    char *text = NULL;
    size_t size = 0;
    struct list list = {open_memstream(&text, &size), "; ", false};

    if (!list.out)
        return NULL;
    if (pair->failed & BL_CMP_BROKE) {
        next(&list);
        fprintf(list.out, "passed in A, but not in B (%s)",
                bl_verdict_name(pair->b->verdict));
    }
    if (pair->failed & BL_CMP_TOO_SLOW)
        put_slow(&list, comparison, pair);
    if (pair->failed & BL_CMP_COUNTS_ROSE)
        put_counts(&list, pair);
    return finish(list.out, &text);
}
