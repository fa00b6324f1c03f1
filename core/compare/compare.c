/* SPDX-License-Identifier: Apache-2.0
 *
 * compare.c - two reports, or the cases of one, against each other.
 */
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"

/* ---- times ------------------------------------------------------------------------ */

static enum bl_cmp_verdict verdict_of(double low, double high, double tolerance)
{
    const double most = 1 + tolerance, least = 1 / most;

    if (low > most)
        return BL_CMP_SLOWER;
    if (high < least)
        return BL_CMP_FASTER;
    return low >= least && high <= most ? BL_CMP_SAME : BL_CMP_UNDECIDED;
}

static const char *source_words(const struct bl_saved_time *time)
{
    return strcmp(time->source, "gpu") == 0 ? "timed on a GPU" : "predicted";
}

/* Whether there are two times that may be compared; if not, why, unless neither side has
 * any. */
static bool have_times(struct bl_cmp_pair *pair)
{
    const struct bl_saved_time *a = &pair->a->time, *b = &pair->b->time;

    if (!a->source && !b->source)
        return false;
    if (!a->source || !b->source)
        snprintf(pair->why, sizeof pair->why, "only %s has a time",
                 a->source ? "A" : "B");
    else if (strcmp(a->source, b->source) != 0)
        snprintf(pair->why, sizeof pair->why, "A's time is %s, B's %s", source_words(a),
                 source_words(b));
    else if (!(a->low_us > 0) || !(b->low_us > 0))
        snprintf(pair->why, sizeof pair->why, "a time of 0");
    else
        return true;
    return false;
}

static void compare_times(struct bl_cmp_pair *pair, bool one_file, double tolerance)
{
    const struct bl_saved_time *a = &pair->a->time, *b = &pair->b->time;

    if (!have_times(pair))
        return;
    if (one_file && strcmp(a->source, "gpu") == 0 && pair->b->baseline &&
        strcmp(pair->b->baseline, pair->a->name) == 0) {
        pair->how = BL_CMP_ROUNDS;
        pair->ratio = pair->b->ratio;
        pair->low = pair->b->low;
        pair->high = pair->b->high;
    } else {
        pair->how = strcmp(a->source, "gpu") == 0 ? BL_CMP_MEDIANS : BL_CMP_EXACT;
        pair->ratio = b->median_us / a->median_us;
        pair->low = b->low_us / a->high_us;
        pair->high = b->high_us / a->low_us;
    }
    if (!isfinite(pair->ratio) || !isfinite(pair->low) || !isfinite(pair->high)) {
        snprintf(pair->why, sizeof pair->why, "their ratio is no number");
        return;
    }
    pair->has_ratio = true;
    pair->verdict = verdict_of(pair->low, pair->high, tolerance);
}

/* ---- pairs ------------------------------------------------------------------------ */

static unsigned differences(const struct bl_saved_case *a, const struct bl_saved_case *b)
{
    unsigned differs = 0;

    if (strcmp(a->plugin, b->plugin) != 0)
        differs |= BL_CMP_PLUGIN;
    if (!json_equal(a->params, b->params))
        differs |= BL_CMP_PARAMS;
    if (strcmp(a->kind, b->kind) != 0)
        differs |= BL_CMP_KIND;
    if (a->rows != b->rows || a->cols != b->cols || a->elem != b->elem ||
        a->batch != b->batch)
        differs |= BL_CMP_PROBLEM;
    if (strcmp(a->arch, b->arch) != 0)
        differs |= BL_CMP_ARCH;
    return differs;
}

static bool passed(const struct bl_saved_case *of)
{
    return of->verdict == BL_PASS;
}

static bool failed(const struct bl_saved_case *of)
{
    return of->verdict == BL_FAIL || of->verdict == BL_ERROR;
}

static unsigned gates(const struct bl_comparison *made, const struct bl_cmp_pair *pair)
{
    const struct bl_cmp_options *options = &made->options;
    unsigned failures = 0;

    if ((options->has_fail_slower || options->has_fail_counts) && passed(pair->a) &&
        failed(pair->b))
        failures |= BL_CMP_BROKE;
    if (options->has_fail_slower && pair->has_ratio &&
        pair->low > 1 + options->fail_slower)
        failures |= BL_CMP_TOO_SLOW;
    for (size_t i = 0; options->has_fail_counts && i < pair->changed_count; i++)
        if (pair->changed[i].worse)
            failures |= BL_CMP_COUNTS_ROSE;
    return failures;
}

static enum bl_status fill(struct bl_comparison *made, struct bl_cmp_pair *pair,
                           struct bl_error *err)
{
    /* Cases of one file have kinds of their own: a transpose beside the copy of as many
     * bytes. */
    const unsigned apart = made->against ? BL_CMP_PROBLEM : BL_CMP_PROBLEM | BL_CMP_KIND;
    enum bl_status status = BL_OK;

    pair->differs = differences(pair->a, pair->b);
    if (pair->differs & apart) {
        snprintf(pair->why, sizeof pair->why, "another %s",
                 pair->differs & apart & BL_CMP_KIND ? "kind" : "problem");
    } else {
        compare_times(pair, made->against != NULL, made->options.tolerance);
        status = bl_compare_counts(pair, made->options.tolerance, err);
    }
    pair->failed = gates(made, pair);
    made->both++;
    made->verdicts[pair->verdict]++;
    made->with_changes += pair->changed_count > 0;
    made->broke += passed(pair->a) && !passed(pair->b);
    made->mended += !passed(pair->a) && passed(pair->b);
    return status;
}

static enum bl_status add(struct bl_comparison *made, const struct bl_saved_case *a,
                          const struct bl_saved_case *b, struct bl_error *err)
{
    struct bl_cmp_pair *pair = &made->pairs[made->count++];

    pair->a = a;
    pair->b = b;
    if (a && b)
        return fill(made, pair, err);
    made->only_a += a != NULL;
    made->only_b += b != NULL;
    return BL_OK;
}

static enum bl_status pair_files(struct bl_comparison *made, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < made->a->count && status == BL_OK; i++) {
        const struct bl_saved_case *of = &made->a->cases[i];

        status = add(made, of, bl_saved_find(made->b, of->name), err);
    }
    for (size_t i = 0; i < made->b->count && status == BL_OK; i++) {
        const struct bl_saved_case *of = &made->b->cases[i];

        if (!bl_saved_find(made->a, of->name))
            status = add(made, NULL, of, err);
    }
    if (status == BL_OK && made->both == 0)
        status = bl_error_set(err, BL_E_INPUT,
                              "%.200s and %.200s have no case in common: cases are "
                              "paired by their names",
                              made->a->path, made->b->path);
    return status;
}

static enum bl_status no_such_case(const struct bl_comparison *made, const char *name,
                                   struct bl_error *err)
{
    const char **names = calloc(made->a->count + 1, sizeof *names);
    char hint[BL_HINT_SIZE];

    if (!names)
        return bl_error_nomem(err);
    for (size_t i = 0; i < made->a->count; i++)
        names[i] = made->a->cases[i].name;
    bl_hint_print(name, names, made->a->count, hint, sizeof hint);
    free(names);
    return bl_error_set(err, BL_E_INPUT, "%.200s: there is no case \"%.80s\"%s",
                        made->a->path, name, hint);
}

static enum bl_status pair_cases(struct bl_comparison *made, struct bl_error *err)
{
    const char *name = made->options.against ? made->options.against : made->a->baseline;
    enum bl_status status = BL_OK;

    if (!name)
        return bl_error_set(
            err, BL_E_INPUT,
            "%.200s: the report has no baseline; --against=CASE says what "
            "its cases are compared with, a second report that they are "
            "compared with those of the same name",
            made->a->path);
    made->against = bl_saved_find(made->a, name);
    if (!made->against)
        return no_such_case(made, name, err);
    for (size_t i = 0; i < made->a->count && status == BL_OK; i++)
        if (&made->a->cases[i] != made->against)
            status = add(made, made->against, &made->a->cases[i], err);
    if (status == BL_OK && made->both == 0)
        status = bl_error_set(err, BL_E_INPUT,
                              "%.200s: \"%.80s\" is its only case; there is nothing to "
                              "compare it with",
                              made->a->path, name);
    return status;
}

/* ---- notes ------------------------------------------------------------------------ */

/* Takes a fresh text; NULL is want of memory. */
static bool note(struct bl_comparison *made, char *text)
{
    char **notes = realloc(made->notes, (made->note_count + 1) * sizeof *notes);

    if (notes)
        made->notes = notes;
    if (!notes || !text) {
        free(text);
        return false;
    }
    notes[made->note_count++] = text;
    return true;
}

static const char *or_none(const char *text)
{
    return text && *text ? text : "none";
}

static bool note_other(struct bl_comparison *made, const char *what, const char *a,
                       const char *b)
{
    return strcmp(or_none(a), or_none(b)) == 0 ||
           note(made,
                bl_text_format("another %s: A %s, B %s", what, or_none(a), or_none(b)));
}

static bool note_warnings(struct bl_comparison *made, const char *which,
                          const struct bl_saved *of)
{
    bool ok = true;

    for (size_t i = 0; i < of->warning_count; i++)
        ok = ok && note(made, bl_text_format("%s warns: %s", which, of->warnings[i]));
    return ok;
}

static enum bl_status add_notes(struct bl_comparison *made, struct bl_error *err)
{
    const struct bl_saved *a = made->a, *b = made->b;
    bool ok = true;

    if (!made->against)
        ok = note_other(made, "device", a->device, b->device) &&
             note_other(made, "arch", a->arch, b->arch) &&
             note_other(made, "driver", a->driver, b->driver) &&
             note_other(made, "device file of predictions", a->rates, b->rates) &&
             note_other(made, "banklab", a->version, b->version) &&
             note_other(made, "seed of the inputs", a->seed, b->seed) &&
             note_warnings(made, "A", a) && note_warnings(made, "B", b);
    else
        ok = note_warnings(made, "the report", a);
    return ok ? BL_OK : bl_error_nomem(err);
}

/* ---- all of it -------------------------------------------------------------------- */

enum bl_status bl_compare(const struct bl_saved *a, const struct bl_saved *b,
                          const struct bl_cmp_options *options, struct bl_comparison *out,
                          struct bl_error *err)
{
    const size_t most = a->count + (b ? b->count : 0);
    struct bl_comparison made = {.a = a, .b = b ? b : a, .options = *options};
    enum bl_status status;

    made.pairs = calloc(most ? most : 1, sizeof *made.pairs);
    if (!made.pairs)
        return bl_error_nomem(err);
    status = b ? pair_files(&made, err) : pair_cases(&made, err);
    if (status == BL_OK)
        status = add_notes(&made, err);
    if (status == BL_OK)
        *out = made;
    else
        bl_compare_free(&made);
    return status;
}

void bl_compare_free(struct bl_comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        free(comparison->pairs[i].changed);
    for (size_t i = 0; i < comparison->note_count; i++)
        free(comparison->notes[i]);
    free(comparison->pairs);
    free(comparison->notes);
}

bool bl_compare_failed(const struct bl_comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->pairs[i].failed)
            return true;
    return false;
}

enum bl_status bl_compare_gates(const struct bl_comparison *comparison,
                                struct bl_error *err)
{
    bool times = false, counts = false;

    for (size_t i = 0; i < comparison->count; i++) {
        times |= comparison->pairs[i].has_ratio;
        counts |= comparison->pairs[i].gated;
    }
    if (comparison->options.has_fail_slower && !times)
        return bl_error_set(err, BL_E_INPUT,
                            "--fail-slower: no case has two times that can be compared, "
                            "so that nothing was tested");
    if (comparison->options.has_fail_counts && !counts)
        return bl_error_set(err, BL_E_INPUT,
                            "--fail-counts: no case has counts by one source and one "
                            "arch's rules on both sides, so that nothing was tested");
    return BL_OK;
}
