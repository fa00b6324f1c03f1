/* SPDX-License-Identifier: Apache-2.0
 *
 * runner.c - runs the cases of a profile.
 */
#include "work/runner.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "work/measure_fields.h"
#include "work/slowdown.h"
#include "work/stream.h"
#include "work/timed.h"
#include "work/trial.h"
#include "work/twin.h"

struct runner {
    const struct bl_profile *profile;
    struct bl_device *dev;
    bl_progress_fn *progress;
    void *ctx;
    struct bl_report *report;
    struct bl_twins twins;
    struct bl_trial_kept *kept; /* one a case; NULL where the device has no clock */
    struct bl_timed *timed;     /* NULL until timed */
    size_t done;
};

/* FNV-1a, of a label: inputs differ from case to case, and stay the same when cases
 * come or go around it. */
static uint64_t hash(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static struct bl_trial trial_of(const struct bl_profile *profile,
                                const struct bl_case *of, const char *label,
                                const banklab_value *params)
{
    return (struct bl_trial){
        .label = label,
        .plugin = of->plugin,
        .problem = &of->problem,
        .params = params,
        .arch = of->arch,
        .seed = bl_stream_seed(profile->run.seed, hash(label)),
    };
}

/* The case's arch where it is another one than the device's, else NULL. */
static const char *own_arch(const struct bl_device *dev, const struct bl_case *of)
{
    return of->arch && strcmp(of->arch, dev->desc.arch) != 0 ? of->arch : NULL;
}

static void run_one(struct runner *r, const char *label, const struct bl_case *of,
                    const banklab_value *params, struct bl_result *out,
                    struct bl_trial_kept *kept)
{
    const struct bl_trial trial = trial_of(r->profile, of, label, params);

    out->arch = own_arch(r->dev, of);
    if (r->progress)
        r->progress(r->ctx, r->done, r->profile->case_count + r->twins.run_count, label);
    bl_trial_run(r->dev, &r->profile->run, &trial, out, kept);
    r->done++;
}

static void run_cases(struct runner *r)
{
    for (size_t i = 0; i < r->profile->case_count; i++) {
        const struct bl_case *of = &r->profile->cases[i];
        struct bl_result *result = &r->report->results[i];

        result->of = of;
        run_one(r, of->name, of, of->params, result, r->kept ? &r->kept[i] : NULL);
    }
}

static enum bl_status run_twins(struct runner *r, struct bl_error *err)
{
    for (size_t i = 0; i < r->profile->case_count; i++) {
        const struct bl_twin_link *link = &r->twins.links[i];
        if (link->where == BL_TWIN_RUN && r->report->results[i].verdict == BL_PASS)
            r->twins.runs[link->index].wanted = true;
    }
    for (size_t i = 0; i < r->twins.run_count; i++) {
        struct bl_twin_run *run = &r->twins.runs[i];
        char *settings, *label;

        run->result.of = run->first;
        run->result.verdict = BL_SKIP;
        if (!run->wanted) {
            r->done++;
            continue;
        }
        if (r->kept && !(run->kept = calloc(1, sizeof *run->kept)))
            return bl_error_nomem(err);
        settings = bl_twin_text(run->first->plugin);
        label =
            settings ? bl_text_format("%s, twin %s", run->first->name, settings) : NULL;
        if (label)
            run_one(r, label, run->first, run->params, &run->result, run->kept);
        free(settings);
        free(label);
        if (!label)
            return bl_error_nomem(err);
    }
    return BL_OK;
}

static const struct bl_result *twin_of(const struct runner *r, size_t index)
{
    const struct bl_twin_link *link = &r->twins.links[index];

    switch (link->where) {
    case BL_TWIN_CASE: return &r->report->results[link->index];
    case BL_TWIN_RUN: return &r->twins.runs[link->index].result;
    case BL_TWIN_NONE: break;
    }
    return NULL;
}

static bool same_rules(const struct bl_result *a, const struct bl_result *b)
{
    return a->arch == b->arch || (a->arch && b->arch && strcmp(a->arch, b->arch) == 0);
}

/* Owns `against`. */
static enum bl_status compare(const struct runner *r, const struct bl_result *self,
                              const struct bl_result *other, char *against,
                              struct bl_slowdown *out, struct bl_error *err)
{
    struct bl_device_view view;
    enum bl_status status;

    if (!against)
        return bl_error_nomem(err);
    status = bl_device_view(r->dev, self->arch, &view, err);
    if (!status && same_rules(self, other))
        bl_slowdown_compare(view.rates, self, other, out);
    if (!status && r->timed)
        status = bl_timed_compare(r->timed, self, other, out, err);
    if (out->present)
        out->against = against;
    else
        free(against);
    return status;
}

static enum bl_status compare_case(struct runner *r, size_t index, struct bl_error *err)
{
    struct bl_result *result = &r->report->results[index];
    const struct bl_result *twin = twin_of(r, index);
    enum bl_status status = BL_OK;

    if (result->verdict != BL_PASS)
        return BL_OK;
    if (r->profile->baseline >= 0) {
        const struct bl_result *baseline = &r->report->results[r->profile->baseline];
        if (baseline->verdict == BL_PASS)
            status = compare(r, result, baseline, strdup(baseline->of->name),
                             &result->baseline, err);
    }
    if (!status && twin && twin->verdict == BL_PASS)
        status = compare(r, result, twin, bl_twin_text(result->of->plugin), &result->twin,
                         err);
    return status;
}

static void timing_progress(void *ctx, const char *what)
{
    struct runner *r = ctx;

    if (r->progress)
        r->progress(r->ctx, r->done, r->done + 1, what);
}

/* What a reader of the counts must know. */
static enum bl_status count_notes(struct runner *r, struct bl_error *err)
{
    static const char *const whats[] = {
        [BL_COUNTED_NOT] = "what was counted and the model differ; json has both",
        [BL_COUNTED_HARDWARE] =
            "the hardware counters and the model differ, as they do on "
            "a busy SM; json has both",
        [BL_COUNTED_INSTRUCTIONS] =
            "what instructions counted and the model differ; json "
            "has both",
    };
    const char *remark = r->dev->ops->remark ? r->dev->ops->remark(r->dev) : NULL;
    const struct bl_result *first = NULL;
    enum bl_status status = BL_OK;
    size_t differ = 0;
    const char *what;

    if (remark)
        status = bl_report_warn(r->report, err, "%s", remark);
    for (size_t i = 0; i < r->report->count; i++)
        if (bl_counts_differ(&r->report->results[i].counts) && differ++ == 0)
            first = &r->report->results[i];
    what = first ? whats[first->counts.counted] : NULL;
    if (differ == 1 && !status)
        status = bl_report_warn(r->report, err, "%s: %s", first->of->name, what);
    if (differ > 1 && !status)
        status = bl_report_warn(r->report, err, "%s and %zu more: %s", first->of->name,
                                differ - 1, what);
    return status;
}

/* An arch that there is not is an error of the profile: nothing runs then. */
static enum bl_status check_archs(const struct bl_profile *profile, struct bl_device *dev,
                                  struct bl_error *err)
{
    struct bl_device_view view;

    for (size_t i = 0; i < profile->case_count; i++) {
        const struct bl_case *of = &profile->cases[i];
        enum bl_status status =
            of->arch ? bl_device_view(dev, of->arch, &view, err) : BL_OK;
        if (status == BL_E_INPUT && of->arch_at)
            return bl_error_prefix(err, "%s", of->arch_at);
        if (status && status != BL_E_UNSUPPORTED)
            return status;
    }
    return BL_OK;
}

static enum bl_status run_all(struct runner *r, struct bl_error *err)
{
    struct bl_timed timed;
    enum bl_status status;

    run_cases(r);
    status = run_twins(r, err);
    if (!status && r->kept) {
        status = bl_timed_run(r->dev, r->report, r->kept, &r->twins, timing_progress, r,
                              &timed, err);
        if (!status)
            r->timed = &timed;
    }
    for (size_t i = 0; i < r->profile->case_count && !status; i++)
        status = compare_case(r, i, err);
    if (r->timed)
        bl_timed_free(&timed);
    r->timed = NULL;
    if (status)
        return status;
    status = count_notes(r, err);
    if (status)
        return status;
    bl_throughput_compare(r->report);
    /* Last, since an expectation may turn a verdict, and what is above asks whether a
     * result was right. */
    for (size_t i = 0; i < r->profile->case_count; i++)
        bl_expect_check(r->profile, &r->report->results[i]);
    return BL_OK;
}

static struct bl_report *report_new(const struct bl_profile *profile,
                                    const struct bl_device *dev)
{
    struct bl_report *report = calloc(1, sizeof *report);
    size_t rows;

    if (!report)
        return NULL;
    rows = dev->ops->time_add ? bl_timed_reference_rows(profile) : 0;
    report->results = calloc(profile->case_count + rows + 1, sizeof *report->results);
    report->references = calloc(rows + 1, sizeof *report->references);
    if (!report->results || !report->references) {
        bl_report_free(report);
        return NULL;
    }
    report->profile = profile;
    report->device = dev->desc;
    report->count = profile->case_count;
    return report;
}

enum bl_status bl_runner_run(const struct bl_profile *profile, struct bl_device *dev,
                             bl_progress_fn *progress, void *ctx, struct bl_report **out,
                             struct bl_error *err)
{
    struct runner r = {.profile = profile, .dev = dev, .progress = progress, .ctx = ctx};
    enum bl_status status = check_archs(profile, dev, err);

    if (!status)
        status = bl_twins_new(profile, &r.twins, err);
    if (status)
        return status;
    r.report = report_new(profile, dev);
    if (dev->ops->time_add)
        r.kept = calloc(profile->case_count + 1, sizeof *r.kept);
    status = r.report && (r.kept || !dev->ops->time_add) ? run_all(&r, err)
                                                         : bl_error_nomem(err);
    bl_twins_free(&r.twins);
    free(r.kept);
    if (status) {
        bl_report_free(r.report);
        return status;
    }
    *out = r.report;
    return BL_OK;
}

enum bl_status bl_runner_watch(const struct bl_profile *profile, size_t index,
                               struct bl_device *dev, const struct bl_watcher *watcher,
                               struct bl_result *out,
                               const struct banklab_module **module, struct bl_error *err)
{
    const struct bl_case *of = &profile->cases[index];
    struct bl_trial trial = trial_of(profile, of, of->name, of->params);
    struct bl_trial_kept kept = {.module = NULL};
    struct bl_result result = {.of = of, .arch = own_arch(dev, of)};

    if (!dev->ops->can_watch)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "only the model can be watched, not %s", dev->desc.name);
    trial.watcher = watcher;
    bl_trial_run(dev, &profile->run, &trial, &result, &kept);
    *out = result;
    *module = kept.module;
    return BL_OK;
}
