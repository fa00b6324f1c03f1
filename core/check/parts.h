/* SPDX-License-Identifier: Apache-2.0
 *
 * parts.h - what the parts of a check share. Each adds its points; an error is of the
 * lab.
 */
#ifndef BL_CHECK_PARTS_H
#define BL_CHECK_PARTS_H

#include "check/check.h"
#include "check/probe.h"
#include "check/race.h"
#include "check/sample.h"

struct bl_check {
    const struct bl_plugin *plugin;
    struct bl_device *model, *gpu; /* gpu may be NULL */
    const struct bl_check_options *options;
    bl_check_progress_fn *progress; /* may be NULL */
    void *ctx;
    struct bl_sample sample;
    struct bl_races *races;
    struct bl_points *points;
};

/* "plan is pure" (pure.c): asked in turn, and in turn backwards, it answers the same. */
enum bl_status bl_check_pure(struct bl_check *check, struct bl_error *err);

/* "parameter NAME changes something", for each (effect.c). */
enum bl_status bl_check_effects(struct bl_check *check, struct bl_error *err);

/* The sample on the model, watched (runs.c). */
enum bl_status bl_check_runs(struct bl_check *check, struct bl_error *err);

/* Single blocks of a problem of more than 2^32 elements (huge.c); skipped where smaller
 * ones failed. */
enum bl_status bl_check_huge(struct bl_check *check, bool failed, struct bl_error *err);

/* The sample on the GPU, and against the model (on_gpu.c). */
enum bl_status bl_check_gpu(struct bl_check *check, struct bl_error *err);

/* The options of a run on `device` that is watched: one worker. */
struct bl_run_options bl_check_run_options(const struct bl_check *check);

#endif
