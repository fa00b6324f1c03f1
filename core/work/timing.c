/* SPDX-License-Identifier: Apache-2.0 */
#include "work/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROUNDS_MIN = 7,  /* fewer say nothing about an interval */
    ROUNDS_STEP = 4, /* between two looks at the intervals */
    ROUNDS_MAX = 2000
};

static double now_s(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* Adds all that are to be timed. One that takes the device down with it (BL_E_FAULT)
 * loses those added before it: then all are added again without it. */
static size_t add_all(struct bl_device *dev, const struct bl_run_options *options,
                      bl_timing_progress_fn *progress, void *ctx,
                      struct bl_timing *timing)
{
    size_t added = 0;

    for (size_t i = 0; i < timing->count; i++) {
        struct bl_subject *subject = &timing->subjects[i];
        enum bl_status status;

        if (!subject->timed)
            continue;
        progress(ctx, subject->job.label);
        status = dev->ops->time_add(dev, &subject->job, options, &subject->why);
        subject->timed = status == BL_OK;
        added += subject->timed;
        if (status == BL_E_FAULT) {
            dev->ops->time_end(dev);
            added = 0;
            i = (size_t)-1;
        }
    }
    return added;
}

static enum bl_status estimate(struct bl_timing *timing, bool *narrow_out,
                               double precision, struct bl_error *err)
{
    bool narrow = true;

    for (size_t i = 0; i < timing->count; i++) {
        struct bl_subject *subject = &timing->subjects[i];
        enum bl_status status;

        if (!subject->timed)
            continue;
        status = bl_stats_estimate(subject->samples, timing->rounds, &subject->us, err);
        if (status != BL_OK)
            return status;
        if (subject->us.high - subject->us.low > subject->us.median * precision / 100)
            narrow = false;
    }
    *narrow_out = narrow;
    return BL_OK;
}

/* The device was lost in a round: nothing of this is a measurement. */
static void give_up(struct bl_timing *timing, const struct bl_error *why)
{
    for (size_t i = 0; i < timing->count; i++)
        if (timing->subjects[i].timed) {
            timing->subjects[i].timed = false;
            timing->subjects[i].why = *why;
        }
}

static bool one_round(struct bl_device *dev, struct bl_timing *timing, double *row,
                      size_t added)
{
    struct bl_error why;
    size_t at = 0;

    if (dev->ops->time_round(dev, row, added, &why) != BL_OK) {
        give_up(timing, &why);
        return false;
    }
    for (size_t i = 0; i < timing->count; i++)
        if (timing->subjects[i].timed)
            timing->subjects[i].samples[timing->rounds] = row[at++];
    timing->rounds++;
    return true;
}

static enum bl_status rounds(struct bl_device *dev, const struct bl_run_options *options,
                             bl_timing_progress_fn *progress, void *ctx,
                             struct bl_timing *timing, double *row, size_t added,
                             struct bl_error *err)
{
    const double end = now_s() + options->max_time;
    enum bl_status status = BL_OK;
    bool narrow = false;

    while (timing->rounds < ROUNDS_MAX) {
        char what[64];

        snprintf(what, sizeof what, "timing, round %zu", timing->rounds + 1);
        progress(ctx, what);
        if (!one_round(dev, timing, row, added))
            return BL_OK;
        if (timing->rounds < ROUNDS_MIN)
            continue;
        if (timing->rounds % ROUNDS_STEP == 0 || now_s() > end) {
            status = estimate(timing, &narrow, options->precision, err);
            if (status != BL_OK || narrow || now_s() > end)
                break;
        }
    }
    timing->precise = narrow;
    return status;
}

enum bl_status bl_timing_run(struct bl_device *dev, const struct bl_run_options *options,
                             bl_timing_progress_fn *progress, void *ctx,
                             struct bl_timing *timing, struct bl_error *err)
{
    double *row = calloc(timing->count + 1, sizeof *row);
    enum bl_status status = row ? BL_OK : bl_error_nomem(err);
    size_t added;

    for (size_t i = 0; status == BL_OK && i < timing->count; i++) {
        struct bl_subject *subject = &timing->subjects[i];
        subject->timed = true;
        subject->samples = calloc(ROUNDS_MAX, sizeof *subject->samples);
        if (!subject->samples)
            status = bl_error_nomem(err);
    }
    if (status == BL_OK) {
        added = add_all(dev, options, progress, ctx, timing);
        if (added)
            status = rounds(dev, options, progress, ctx, timing, row, added, err);
        dev->ops->time_end(dev);
    }
    free(row);
    return status;
}

void bl_timing_free(struct bl_timing *timing)
{
    for (size_t i = 0; i < timing->count; i++)
        free(timing->subjects[i].samples);
    free(timing->subjects);
    timing->subjects = NULL;
    timing->count = 0;
}

enum bl_status bl_timing_ratio(const struct bl_timing *timing,
                               const struct bl_subject *self,
                               const struct bl_subject *other, struct bl_estimate *out,
                               struct bl_error *err)
{
    double *ratios = malloc((timing->rounds + 1) * sizeof *ratios);
    enum bl_status status;

    if (!ratios)
        return bl_error_nomem(err);
    for (size_t i = 0; i < timing->rounds; i++)
        ratios[i] = self->samples[i] / other->samples[i];
    status = bl_stats_estimate(ratios, timing->rounds, out, err);
    free(ratios);
    return status;
}
