/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_table.c - a comparison for people: what broke, the times, what else differs.
 */
#include "compare/compare_grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures.h"

enum { NAMES_SHOWN = 8 };

/* An empty line, and a title. */
static void title(const struct bl_cmp_view *view, const char *text)
{
    fputc('\n', view->out);
    bl_cmp_tinted(view, BL_STRONG, text);
    fputc('\n', view->out);
}

static bool in_both(const struct bl_cmp_pair *pair)
{
    return pair->a && pair->b;
}

/* ---- verdicts of the cases
 * ------------------------------------------------------------- */

static enum bl_tint tint_of(const struct bl_saved_case *of)
{
    static const enum bl_tint tints[] = {BL_GOOD, BL_BAD, BL_WARN, BL_BAD};

    return tints[of->verdict];
}

static void print_changed_verdict(const struct bl_cmp_view *view,
                                  const struct bl_cmp_pair *pair)
{
    fputs("  ", view->out);
    bl_text_write(view->out, pair->b->name, " ");
    fprintf(view->out, ": %s -> ", bl_verdict_name(pair->a->verdict));
    bl_cmp_tinted(view, tint_of(pair->b), bl_verdict_name(pair->b->verdict));
    if (*pair->b->detail) {
        fputs(": ", view->out);
        bl_text_write(view->out, pair->b->detail, "\n      ");
    }
    fputc('\n', view->out);
}

/* What no longer passes first. */
static void print_verdicts(const struct bl_cmp_view *view)
{
    const struct bl_comparison *of = view->of;
    bool begun = false;

    for (int later = 0; later < 2; later++)
        for (size_t i = 0; i < of->count; i++) {
            const struct bl_cmp_pair *pair = &of->pairs[i];

            if (!in_both(pair) || pair->a->verdict == pair->b->verdict ||
                (pair->a->verdict != BL_PASS) != later)
                continue;
            if (!begun)
                title(view, "results that are not the same");
            begun = true;
            print_changed_verdict(view, pair);
        }
}

/* ---- below
 * ----------------------------------------------------------------------------- */

static void print_name(const struct bl_cmp_view *view, const struct bl_cmp_pair *pair,
                       size_t *shown)
{
    if (*shown < NAMES_SHOWN) {
        fputs(*shown ? ", " : "", view->out);
        bl_text_write(view->out, pair->b ? pair->b->name : pair->a->name, " ");
    }
    ++*shown;
}

static void put_more(const struct bl_cmp_view *view, size_t shown)
{
    if (shown > NAMES_SHOWN)
        fprintf(view->out, " and %zu more", shown - NAMES_SHOWN);
}

static void end_names(const struct bl_cmp_view *view, size_t shown)
{
    put_more(view, shown);
    fputc('\n', view->out);
}

/* An empty line before the first of the lines below the grid. */
static void begin(const struct bl_cmp_view *view, bool *begun)
{
    if (!*begun)
        fputc('\n', view->out);
    *begun = true;
}

/* Cases without a ratio, together by the reason. */
static void print_reasons(const struct bl_cmp_view *view, bool *begun)
{
    const struct bl_comparison *of = view->of;

    for (size_t i = 0; i < of->count; i++) {
        const char *why = of->pairs[i].why;
        size_t before = 0, shown = 0;

        while (before < i && strcmp(of->pairs[before].why, why) != 0)
            before++;
        if (!*why || before < i)
            continue;
        begin(view, begun);
        fprintf(view->out, "not compared: %s: ", why);
        for (size_t k = i; k < of->count; k++)
            if (strcmp(of->pairs[k].why, why) == 0)
                print_name(view, &of->pairs[k], &shown);
        end_names(view, shown);
    }
}

static void print_only(const struct bl_cmp_view *view, bool in_a, bool *begun)
{
    const struct bl_comparison *of = view->of;
    size_t shown = 0;

    if (!(in_a ? of->only_a : of->only_b))
        return;
    begin(view, begun);
    fprintf(view->out, "only in %s: ", in_a ? "A" : "B");
    for (size_t i = 0; i < of->count; i++)
        if (in_a ? !of->pairs[i].b : !of->pairs[i].a)
            print_name(view, &of->pairs[i], &shown);
    end_names(view, shown);
}

/* Cases of one file differ in what they do: that is what they are for. */
static char *differs_text(const struct bl_cmp_view *view, const struct bl_cmp_pair *pair)
{
    const unsigned own =
        view->of->against ? BL_CMP_PLUGIN | BL_CMP_PARAMS | BL_CMP_KIND : 0;

    return pair->differs & ~own ? bl_cmp_differs_text(pair) : strdup("");
}

/* Together by how they differ. */
static void print_texts(const struct bl_cmp_view *view, char *const *texts)
{
    const struct bl_comparison *of = view->of;
    bool begun = false;

    for (size_t i = 0; i < of->count; i++) {
        size_t before = 0, shown = 0;

        while (before < i && strcmp(texts[before], texts[i]) != 0)
            before++;
        if (!*texts[i] || before < i)
            continue;
        if (!begun)
            title(view, "cases that are not the same, A -> B");
        begun = true;
        fputs("  ", view->out);
        for (size_t k = i; k < of->count; k++)
            if (strcmp(texts[k], texts[i]) == 0)
                print_name(view, &of->pairs[k], &shown);
        put_more(view, shown);
        fputs(": ", view->out);
        bl_text_write(view->out, texts[i], " ");
        fputc('\n', view->out);
    }
}

static bool print_differs(const struct bl_cmp_view *view)
{
    const struct bl_comparison *of = view->of;
    char **texts = calloc(of->count ? of->count : 1, sizeof *texts);
    bool ok = texts != NULL;

    for (size_t i = 0; ok && i < of->count; i++)
        ok = (texts[i] = differs_text(view, &of->pairs[i])) != NULL;
    if (ok)
        print_texts(view, texts);
    for (size_t i = 0; texts && i < of->count; i++)
        free(texts[i]);
    free(texts);
    return ok;
}

static void print_value(const struct bl_cmp_view *view, const struct bl_cmp_count *count,
                        struct bl_saved_count value, double clock)
{
    char figure[BL_FIGURE_MAX] = "-";

    if (!count->field)
        bl_figure_real(clock, 2, figure);
    else if (value.has)
        bl_figure_real((double)value.value, 0, figure);
    fputs(figure, view->out);
}

/* "shared load" of shared.load.ways, "shared" of shared.cycles. */
static void print_place(const struct bl_cmp_view *view, const struct bl_cmp_count *count)
{
    fputs(count->space, view->out);
    if (count->field && count->field->side)
        fprintf(view->out, " %s", count->field->side);
}

static bool same_place(const struct bl_cmp_count *a, const struct bl_cmp_count *b)
{
    const char *left = a->field && a->field->side ? a->field->side : "";
    const char *right = b->field && b->field->side ? b->field->side : "";

    return strcmp(a->space, b->space) == 0 && strcmp(left, right) == 0;
}

/* A line a place: "shared load: wavefronts 4 -> 128, conflicts 0 -> 124". */
static void print_pair_counts(const struct bl_cmp_view *view,
                              const struct bl_cmp_pair *pair)
{
    fputs("  ", view->out);
    bl_text_write(view->out, pair->b->name, " ");
    fputc('\n', view->out);
    for (size_t i = 0; i < pair->changed_count; i++) {
        const struct bl_cmp_count *count = &pair->changed[i];

        if (i == 0 || !same_place(count - 1, count)) {
            fputs(i ? "\n    " : "    ", view->out);
            print_place(view, count);
            fputs(": ", view->out);
        } else {
            fputs(", ", view->out);
        }
        bl_tint_begin(view->out, view->style, count->worse ? BL_WARN : BL_PLAIN);
        fprintf(view->out, "%s ", count->field ? count->field->name : "cycles an access");
        print_value(view, count, count->a, count->clock_a);
        fputs(" -> ", view->out);
        print_value(view, count, count->b, count->clock_b);
        bl_tint_end(view->out, view->style, count->worse ? BL_WARN : BL_PLAIN);
    }
    fputc('\n', view->out);
}

static bool mixed(const char *source)
{
    return source && strcmp(source, "mixed") == 0;
}

static void print_counts(const struct bl_cmp_view *view)
{
    bool begun = false, any_mixed = false;

    for (size_t i = 0; i < view->of->count; i++) {
        const struct bl_cmp_pair *pair = &view->of->pairs[i];

        if (pair->changed_count == 0)
            continue;
        if (!begun)
            title(view, "counts that are not the same, A -> B");
        begun = true;
        any_mixed |= mixed(pair->shared_source) || mixed(pair->global_source);
        print_pair_counts(view, pair);
    }
    if (any_mixed)
        fputs("  some are a counter's on one side and the model's on the other\n",
              view->out);
}

static bool print_failures(const struct bl_cmp_view *view)
{
    bool begun = false;

    for (size_t i = 0; i < view->of->count; i++) {
        const struct bl_cmp_pair *pair = &view->of->pairs[i];
        char *text;

        if (!pair->failed)
            continue;
        text = bl_cmp_failed_text(view->of, pair);
        if (!text)
            return false;
        if (!begun)
            fputc('\n', view->out);
        begun = true;
        bl_cmp_tinted(view, BL_BAD, "FAIL ");
        bl_text_write(view->out, pair->b->name, " ");
        fputs(": ", view->out);
        bl_text_write(view->out, text, " ");
        fputc('\n', view->out);
        free(text);
    }
    return true;
}

static void print_summary(const struct bl_cmp_view *view)
{
    const struct bl_comparison *of = view->of;
    const char *separator = ": ";

    fprintf(view->out, "\n%zu case%s", of->both, of->both == 1 ? "" : "s");
    for (int i = BL_CMP_NONE + 1; i < BL_CMP_VERDICTS; i++) {
        if (!of->verdicts[i])
            continue;
        fprintf(view->out, "%s%zu %s", separator, of->verdicts[i],
                bl_cmp_verdict_name((enum bl_cmp_verdict)i));
        separator = ", ";
    }
    if (of->verdicts[BL_CMP_NONE]) {
        fprintf(view->out, "%s%zu without a ratio", separator, of->verdicts[BL_CMP_NONE]);
        separator = ", ";
    }
    if (of->with_changes)
        fprintf(view->out, "; %zu with other counts", of->with_changes);
    if (of->broke)
        fprintf(view->out, "; %zu passed in A alone", of->broke);
    if (of->mended)
        fprintf(view->out, "; %zu passed in B alone", of->mended);
    fputc('\n', view->out);
}

enum bl_status bl_compare_table(const struct bl_comparison *comparison,
                                const struct bl_style *style, FILE *out,
                                struct bl_error *err)
{
    const struct bl_cmp_view view = {comparison, style, out};
    bool begun = false, ok;

    bl_cmp_head(&view);
    print_verdicts(&view);
    ok = bl_cmp_grid(&view);
    print_reasons(&view, &begun);
    print_only(&view, true, &begun);
    print_only(&view, false, &begun);
    ok = print_differs(&view) && ok;
    print_counts(&view);
    ok = print_failures(&view) && ok;
    print_summary(&view);
    return ok ? bl_report_flush(out, err) : bl_error_nomem(err);
}
