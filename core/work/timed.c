/* SPDX-License-Identifier: Apache-2.0
 *
 * timed.c - what of a run is timed.
 */
#include "work/timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "work/kind.h"
#include "work/timed_notes.h"

const struct bl_plugin *bl_reference_plugin(uint32_t which)
{
    static const struct bl_plugin copy = {
        .abi = {.name = "memcpy",
                .kind = "copy",
                .summary = "the driver's device-to-device copy"},
        .origin = "reference"};
    static const struct bl_plugin geam = {
        .abi = {.name = "cublas",
                .kind = "transpose",
                .summary = "cuBLAS's matrix transpose, geam"},
        .origin = "reference"};

    return which == BL_REFERENCE_MEMCPY ? &copy : &geam;
}

size_t bl_timed_reference_rows(const struct bl_profile *profile)
{
    return profile->run.references ? 2 * profile->case_count : 0;
}

static struct bl_subject *add_subject(struct bl_timed *timed, struct bl_result *result,
                                      const char *label)
{
    struct bl_subject *subject = &timed->timing.subjects[timed->timing.count++];

    subject->result = result;
    subject->job.label = label;
    return subject;
}

static void add_kept(struct bl_timed *timed, struct bl_result *result,
                     const struct bl_case *of, const struct bl_trial_kept *kept)
{
    struct bl_subject *subject;

    if (result->verdict != BL_PASS || !kept || !kept->ready)
        return;
    subject = add_subject(timed, result, of->name);
    subject->job.module = kept->module;
    subject->job.plan = &kept->plan;
    subject->job.problem = &of->problem;
    subject->job.bytes = kept->bytes;
}

/* ---- references ------------------------------------------------------------------ */

bool bl_timed_moves_data(const struct bl_case *of)
{
    const struct bl_kind *kind = bl_kind_find(of->plugin->abi.kind);

    return kind && kind->useful_bytes(&of->problem) > 0;
}

/* A copy of each amount of data that a passing case moves. */
static void add_copies(struct bl_timed *timed, const struct bl_report *report,
                       const struct bl_trial_kept *kept)
{
    for (size_t i = 0; i < report->profile->case_count; i++) {
        struct bl_subject *subject;
        bool known = !kept[i].ready || report->results[i].verdict != BL_PASS ||
                     !bl_timed_moves_data(report->results[i].of);

        for (size_t c = 0; c < timed->timing.count && !known; c++)
            known = timed->timing.subjects[c].job.reference == BL_REFERENCE_MEMCPY &&
                    timed->timing.subjects[c].job.bytes == kept[i].bytes;
        if (known)
            continue;
        timed->copies[timed->copy_count].of = report->results[i].of;
        subject = add_subject(timed, &timed->copies[timed->copy_count++], "memcpy");
        subject->job.reference = BL_REFERENCE_MEMCPY;
        subject->job.problem = &report->results[i].of->problem;
        subject->job.bytes = kept[i].bytes;
    }
}

/* A new row of the report for a reference; NULL if memory ran out. Named after its
 * problem if the profile has more than one. */
static struct bl_result *add_row(struct bl_report *report, uint32_t which,
                                 const struct banklab_problem *problem)
{
    struct bl_case *of = &report->references[report->reference_count];
    const struct bl_plugin *plugin = bl_reference_plugin(which);
    struct bl_result *row = &report->results[report->count];
    char shape[BL_SHAPE_MAX];

    of->plugin = plugin;
    of->problem = *problem;
    of->name = bl_text_format("%s[%s x %u]", plugin->abi.name,
                              bl_problem_shape(problem, " x ", shape, sizeof shape),
                              (unsigned)problem->elem);
    if (!of->name)
        return NULL;
    report->reference_count++;
    report->count++;
    row->of = of;
    row->verdict = BL_SKIP;
    return row;
}

/* cuBLAS's transpose of each shape that a passing transpose has. */
static enum bl_status add_geams(struct bl_timed *timed, struct bl_report *report,
                                const struct bl_trial_kept *kept, struct bl_error *err)
{
    const size_t cases = report->profile->case_count;

    for (size_t i = 0; i < cases; i++) {
        const struct bl_case *of = report->results[i].of;
        bool known = !kept[i].ready || report->results[i].verdict != BL_PASS ||
                     strcmp(of->plugin->abi.kind, "transpose") != 0;
        struct bl_subject *subject;
        struct bl_result *row;

        for (size_t c = 0; c < timed->timing.count && !known; c++)
            known = timed->timing.subjects[c].job.reference == BL_REFERENCE_CUBLAS &&
                    bl_problem_same(timed->timing.subjects[c].job.problem, &of->problem);
        if (known)
            continue;
        row = add_row(report, BL_REFERENCE_CUBLAS, &of->problem);
        if (!row)
            return bl_error_nomem(err);
        subject = add_subject(timed, row, row->of->name);
        subject->job.reference = BL_REFERENCE_CUBLAS;
        subject->job.problem = &row->of->problem;
        subject->job.bytes = kept[i].bytes;
    }
    return BL_OK;
}

/* ---- results ---------------------------------------------------------------------- */

static const struct bl_subject *find(const struct bl_timed *timed,
                                     const struct bl_result *result)
{
    for (size_t i = 0; i < timed->timing.count; i++)
        if (timed->timing.subjects[i].result == result)
            return timed->timing.subjects[i].timed ? &timed->timing.subjects[i] : NULL;
    return NULL;
}

static const struct bl_subject *copy_of(const struct bl_timed *timed, uint64_t bytes)
{
    for (size_t i = 0; i < timed->timing.count; i++) {
        const struct bl_subject *subject = &timed->timing.subjects[i];
        if (subject->timed && subject->job.reference == BL_REFERENCE_MEMCPY &&
            subject->job.bytes == bytes)
            return subject;
    }
    return NULL;
}

static enum bl_status fill_result(const struct bl_timed *timed,
                                  const struct bl_subject *subject, struct bl_error *err)
{
    const struct bl_subject *copy = copy_of(timed, subject->job.bytes);
    struct bl_result *result = subject->result;
    struct bl_estimate ratio;
    enum bl_status status;

    result->time.source = BL_SRC_GPU;
    result->time.median_us = subject->us.median;
    result->time.low_us = subject->us.low;
    result->time.high_us = subject->us.high;
    result->time.samples = (uint32_t)timed->timing.rounds;
    memset(&result->throughput, 0, sizeof result->throughput);
    if (!bl_timed_moves_data(result->of))
        return BL_OK;
    result->throughput.has_gbps = true;
    result->throughput.gbps = 2.0 * (double)subject->job.bytes / subject->us.median / 1e3;
    if (!copy)
        return BL_OK;
    status = bl_timing_ratio(&timed->timing, copy, subject, &ratio, err);
    if (status == BL_OK) {
        result->throughput.has_percent = true;
        result->throughput.percent_of_copy = 100 * ratio.median;
    }
    return status;
}

/* Right once, and then it faulted, hung or killed its process. */
static void fail_timed(struct bl_subject *subject)
{
    struct bl_result *result = subject->result;

    bl_result_say(result, BL_FAIL, "while it was timed: %s", subject->why.text);
    memset(&result->time, 0, sizeof result->time);
    memset(&result->throughput, 0, sizeof result->throughput);
}

static enum bl_status fill_results(struct bl_timed *timed, struct bl_report *report,
                                   struct bl_error *err)
{
    for (size_t i = 0; i < timed->timing.count; i++) {
        struct bl_subject *subject = &timed->timing.subjects[i];
        struct bl_result *result = subject->result;
        enum bl_status status = BL_OK;

        if (subject->timed)
            status = fill_result(timed, subject, err);
        if (status == BL_OK && subject->job.reference == BL_REFERENCE_CUBLAS)
            bl_result_say(result, subject->timed ? BL_PASS : BL_SKIP, "%s",
                          subject->timed ? "" : subject->why.text);
        else if (!subject->timed && !subject->job.reference &&
                 subject->why.status == BL_E_FAULT)
            fail_timed(subject);
        else if (status == BL_OK && !subject->timed)
            status = bl_report_warn(report, err, "%s was not timed: %s",
                                    subject->job.label, subject->why.text);
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

/* A named memcpy gets rows of its own; its time it has already. */
static enum bl_status add_copy_rows(struct bl_timed *timed, struct bl_report *report,
                                    struct bl_error *err)
{
    for (size_t i = 0; i < timed->copy_count; i++) {
        struct bl_result *row =
            add_row(report, BL_REFERENCE_MEMCPY, &timed->copies[i].of->problem);

        if (!row)
            return bl_error_nomem(err);
        row->time = timed->copies[i].time;
        row->throughput = timed->copies[i].throughput;
        bl_result_say(row, row->time.source == BL_SRC_GPU ? BL_PASS : BL_SKIP, "%s",
                      row->time.source == BL_SRC_GPU ? "" : "not timed");
    }
    return BL_OK;
}

static enum bl_status room(struct bl_timed *timed, const struct bl_report *report,
                           const struct bl_twins *twins, struct bl_error *err)
{
    const size_t cases = report->profile->case_count;

    memset(timed, 0, sizeof *timed);
    timed->timing.subjects =
        calloc(3 * cases + twins->run_count + 1, sizeof *timed->timing.subjects);
    timed->copies = calloc(cases + 1, sizeof *timed->copies);
    return timed->timing.subjects && timed->copies ? BL_OK : bl_error_nomem(err);
}

enum bl_status bl_timed_run(struct bl_device *dev, struct bl_report *report,
                            const struct bl_trial_kept *kept, struct bl_twins *twins,
                            bl_timing_progress_fn *progress, void *ctx,
                            struct bl_timed *out, struct bl_error *err)
{
    const struct bl_run_options *options = &report->profile->run;
    enum bl_status status = room(out, report, twins, err);

    for (size_t i = 0; status == BL_OK && i < report->profile->case_count; i++)
        add_kept(out, &report->results[i], report->results[i].of, &kept[i]);
    for (size_t i = 0; status == BL_OK && i < twins->run_count; i++)
        add_kept(out, &twins->runs[i].result, twins->runs[i].first, twins->runs[i].kept);
    if (status == BL_OK)
        add_copies(out, report, kept);
    if (status == BL_OK && (options->references & BL_REFERENCE_CUBLAS))
        status = add_geams(out, report, kept, err);
    if (status == BL_OK)
        status = bl_timing_run(dev, options, progress, ctx, &out->timing, err);
    if (status == BL_OK)
        status = fill_results(out, report, err);
    if (status == BL_OK && (options->references & BL_REFERENCE_MEMCPY))
        status = add_copy_rows(out, report, err);
    if (status == BL_OK)
        status = bl_timed_note(dev, &out->timing, report, err);
    if (status != BL_OK)
        bl_timed_free(out);
    return status;
}

void bl_timed_free(struct bl_timed *timed)
{
    bl_timing_free(&timed->timing);
    free(timed->copies);
    timed->copies = NULL;
}

enum bl_status bl_timed_compare(const struct bl_timed *timed,
                                const struct bl_result *self,
                                const struct bl_result *other, struct bl_slowdown *out,
                                struct bl_error *err)
{
    const struct bl_subject *a = find(timed, self), *b = find(timed, other);
    struct bl_estimate ratio;
    enum bl_status status;

    if (!a || !b)
        return BL_OK;
    status = bl_timing_ratio(&timed->timing, a, b, &ratio, err);
    if (status == BL_OK) {
        out->has_ratio = true;
        out->ratio = ratio.median;
        out->low = ratio.low;
        out->high = ratio.high;
        out->present = true;
    }
    return status;
}
