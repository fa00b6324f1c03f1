/* SPDX-License-Identifier: Apache-2.0
 *
 * timing.h - times cases against each other on a device that has a clock.
 *
 * All are timed in rounds, one batch of each a round, so that what drifts hits all
 * alike; ratios are formed round by round. It stops when the 95 % interval of every
 * median is as narrow as `precision` asks, or after `max_time`, or after a number of
 * rounds that no further ones would add to.
 */
#ifndef BL_TIMING_H
#define BL_TIMING_H

#include "work/device.h"
#include "work/measure.h"
#include "work/stats.h"

/* What is timed. */
struct bl_subject {
    struct bl_timed_job job;
    struct bl_result *result; /* whose time this is */
    /* Filled by the timing. */
    bool timed;
    struct bl_timed_setup setup;
    double *samples; /* microseconds a run, one a round */
    struct bl_estimate us;
    struct bl_error why; /* where not timed */
};

/* A case that faults, hangs or kills its process in a round is lost, and the others are
 * timed from the start without it. */
struct bl_timing {
    struct bl_subject *subjects;
    size_t count;
    size_t rounds;
    enum bl_timing_end end;
    struct bl_device_state before, after; /* once warm, and at the end */
};

/* Called before each round and while adding, for a progress line. */
typedef void bl_timing_progress_fn(void *ctx, const char *what);

/* Times `count` subjects (the array is the caller's; end with bl_timing_free). A
 * subject that can't be timed has timed == false and the reason in `why`; not BL_OK
 * only if memory ran out. */
enum bl_status bl_timing_run(struct bl_device *dev, const struct bl_run_options *options,
                             bl_timing_progress_fn *progress, void *ctx,
                             struct bl_timing *timing, struct bl_error *err);
void bl_timing_free(struct bl_timing *timing);

/* The ratio of two timed subjects, round by round. */
enum bl_status bl_timing_ratio(const struct bl_timing *timing,
                               const struct bl_subject *self,
                               const struct bl_subject *other, struct bl_estimate *out,
                               struct bl_error *err);

#endif
