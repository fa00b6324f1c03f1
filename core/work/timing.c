/* SPDX-License-Identifier: Apache-2.0 */
#include "work/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROUNDS_MIN = 7,  /* fewer say nothing about an interval */
    ROUNDS_STEP = 4, /* between two looks at the intervals, at least */
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
        status = dev->ops->time_add(dev, &subject->job, options, &subject->setup,
                                    &subject->why);
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

/* The device was lost in a round, and what was measured with it. */
static void lose(struct bl_device *dev, struct bl_timing *timing, size_t lost,
                 const struct bl_error *why)
{
    size_t at = 0;

    for (size_t i = 0; i < timing->count; i++) {
        struct bl_subject *subject = &timing->subjects[i];
        if (!subject->timed)
            continue;
        if (at++ == lost || lost == BL_NO_JOB) {
            subject->timed = false;
            subject->why = *why;
        }
    }
    timing->rounds = 0;
    dev->ops->time_end(dev);
}

static bool one_round(struct bl_device *dev, struct bl_timing *timing, double *row,
                      size_t added)
{
    struct bl_error why;
    size_t at = 0, lost = BL_NO_JOB;

    if (dev->ops->time_round(dev, row, added, &lost, &why) != BL_OK) {
        lose(dev, timing, lost, &why);
        return false;
    }
    for (size_t i = 0; i < timing->count; i++)
        if (timing->subjects[i].timed)
            timing->subjects[i].samples[timing->rounds] = row[at++];
    timing->rounds++;
    return true;
}

/* What stays the same while timing. */
struct clockwork {
    struct bl_device *dev;
    const struct bl_run_options *options;
    bl_timing_progress_fn *progress;
    void *ctx;
    double *row; /* of a round */
};

/* Times what was added. *lost_out: the device was lost, and it is to be done again. */
static enum bl_status rounds(const struct clockwork *works, struct bl_timing *timing,
                             size_t added, bool *lost_out, struct bl_error *err)
{
    const double end = now_s() + works->options->max_time;
    size_t look = ROUNDS_MIN;

    *lost_out = false;
    for (;;) {
        enum bl_status status;
        bool narrow = false, late;
        char what[64];

        snprintf(what, sizeof what, "timing, round %zu", timing->rounds + 1);
        works->progress(works->ctx, what);
        *lost_out = !one_round(works->dev, timing, works->row, added);
        if (*lost_out)
            return BL_OK;
        late = now_s() > end && timing->rounds >= ROUNDS_MIN;
        if (!late && timing->rounds < look)
            continue;
        status = estimate(timing, &narrow, works->options->precision, err);
        timing->end = narrow ? BL_END_PRECISE : late ? BL_END_TIME : BL_END_ROUNDS;
        if (status != BL_OK || narrow || late || timing->rounds == ROUNDS_MAX)
            return status;
        /* A look costs more the more there is to see. */
        look += ROUNDS_STEP + look / 8;
        look = look < ROUNDS_MAX ? look : ROUNDS_MAX;
    }
}

static void look_at_state(struct bl_device *dev, struct bl_device_state *out)
{
    if (dev->ops->state)
        dev->ops->state(dev, out);
}

static enum bl_status time_all(const struct clockwork *works, struct bl_timing *timing,
                               struct bl_error *err)
{
    struct bl_device *dev = works->dev;
    enum bl_status status = BL_OK;
    bool lost = true;

    while (status == BL_OK && lost) {
        const size_t added =
            add_all(dev, works->options, works->progress, works->ctx, timing);
        if (!added)
            break;
        /* Now, since a GPU that has warmed up runs at other clocks than one at rest. */
        look_at_state(dev, &timing->before);
        status = rounds(works, timing, added, &lost, err);
        if (!lost)
            look_at_state(dev, &timing->after);
    }
    dev->ops->time_end(dev);
    return status;
}

enum bl_status bl_timing_run(struct bl_device *dev, const struct bl_run_options *options,
                             bl_timing_progress_fn *progress, void *ctx,
                             struct bl_timing *timing, struct bl_error *err)
{
    const struct clockwork works = {dev, options, progress, ctx,
                                    calloc(timing->count + 1, sizeof *works.row)};
    enum bl_status status = works.row ? BL_OK : bl_error_nomem(err);

    for (size_t i = 0; status == BL_OK && i < timing->count; i++) {
        struct bl_subject *subject = &timing->subjects[i];
        subject->timed = true;
        subject->samples = calloc(ROUNDS_MAX, sizeof *subject->samples);
        if (!subject->samples)
            status = bl_error_nomem(err);
    }
    if (status == BL_OK && timing->count)
        status = time_all(&works, timing, err);
    free(works.row);
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
