/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h - whether a plugin keeps the contract of banklab/plugin.h: each rule is a
 * point, and a point that fails says what broke it, where, and what would be right.
 *
 * A plugin is run under many problems and settings (sample.h) on the model, while the
 * race detector looks on (race.h); it is planned often (probe.h); and single blocks of a
 * problem of more than 2^32 elements are run (huge.h). On a GPU, the same sample is run
 * there too.
 */
#ifndef BL_CHECK_H
#define BL_CHECK_H

#include <stdio.h>

#include "base/error.h"
#include "base/paths.h"
#include "load/profile.h"
#include "load/registry.h"
#include "work/device.h"

struct bl_check_options {
    struct bl_run_options run; /* device, arch, seed, steps, timeout */
    size_t limit;              /* most runs a plugin, on each device */
};

enum bl_point_state { BL_POINT_OK, BL_POINT_FAILED, BL_POINT_SKIPPED };

struct bl_point {
    enum bl_point_state state;
    char *name;
    char *why;    /* of a skip */
    char **lines; /* what is to be said below it */
    size_t line_count;
};

struct bl_points {
    struct bl_point *at;
    size_t count;
    bool lost; /* memory ran out, and something is missing */
};

/* Adds a point. */
__attribute__((format(printf, 3, 4))) void bl_points_add(struct bl_points *points,
                                                         enum bl_point_state state,
                                                         const char *format, ...);
/* Why the last point is skipped. */
__attribute__((format(printf, 2, 3))) void bl_points_why(struct bl_points *points,
                                                         const char *format, ...);
/* Says something below the last point. */
__attribute__((format(printf, 2, 3))) void bl_points_say(struct bl_points *points,
                                                         const char *format, ...);
void bl_points_free(struct bl_points *points);
size_t bl_points_failed(const struct bl_points *points);
/* As TAP: plan, points, what is said of them. */
enum bl_status bl_points_print(const struct bl_points *points, FILE *out,
                               struct bl_error *err);

/* Called before each run: done of total, and what comes. */
typedef void bl_check_progress_fn(void *ctx, size_t done, size_t total,
                                  const char *label);

/* Defaults of every profile, and the limit's. End with bl_check_options_free. */
enum bl_status bl_check_options_init(struct bl_check_options *options,
                                     struct bl_error *err);
void bl_check_options_free(struct bl_check_options *options);

/* Adds the plugin's points. `model` is a model; `gpu` another device that options->run
 * asks for, or NULL. An error is of the lab, not of the plugin. */
enum bl_status bl_check_plugin(const struct bl_plugin *plugin, struct bl_device *model,
                               struct bl_device *gpu,
                               const struct bl_check_options *options,
                               bl_check_progress_fn *progress, void *ctx,
                               struct bl_points *points, struct bl_error *err);

#endif
