/* SPDX-License-Identifier: Apache-2.0
 *
 * calibrate.h - draws access patterns, has them measured, and compares each number with
 * what the rules say.
 */
#ifndef BL_CALIBRATE_H
#define BL_CALIBRATE_H

#include <stdio.h>

#include "calibrate/draw.h"
#include "calibrate/numbers.h"

/* Who measures: the GPU (core/cuda/calibrate_gpu.h) or the model (calibrate_model.h). */
struct bl_cal_device {
    char name[128];         /* "NVIDIA H200" */
    char driver[32];        /* "" none */
    struct bl_arch arch;    /* whose rules are compared */
    uint32_t cc;            /* operations of later ones are left out */
    char no_counters[1024]; /* why there are none, once that is known; empty: there are */
    void *ctx;
    /* Measures `count` patterns of `op`; NaN where it has no number. */
    enum bl_status (*measure)(struct bl_cal_device *device, const struct bl_operation *op,
                              const struct bl_pattern_args *args, size_t count,
                              struct bl_numbers *out, struct bl_error *err);
    void (*close)(struct bl_cal_device *device);
};

/* One pattern, measured. */
struct bl_cal_row {
    const struct bl_operation *op;
    const struct bl_pattern *pattern;
    struct bl_numbers expected, got;
    bool agrees[BL_NUMBERS];
};

struct bl_cal_sum {
    size_t patterns, counted, timed;
    size_t disagreements; /* patterns with one or more */
};

struct bl_calibration {
    size_t patterns; /* of all operations together */
    uint64_t seed;
    /* Every pattern, and the end of an operation; progress. Each may be NULL. */
    void (*row)(void *ctx, const struct bl_cal_row *row);
    void (*done)(void *ctx, const struct bl_operation *op, const struct bl_cal_sum *sum);
    void (*progress)(void *ctx, size_t done, size_t total, const char *label);
    void *ctx;
};

/* Operations that the device has share the patterns: loads and stores get more, since
 * their rules have most to them. At least one each. */
enum bl_status bl_calibrate(const struct bl_calibration *calibration,
                            struct bl_cal_device *device, struct bl_cal_sum *sum_out,
                            struct bl_error *err);

/* The evidence: comment lines with `device`, `date` and how it was made, a header, and a
 * record a pattern: each number as measured, and as the rules say, empty where there is
 * none. */
void bl_cal_csv_header(FILE *out, const struct bl_cal_device *device,
                       const struct bl_calibration *calibration, const char *date);
void bl_cal_csv_row(FILE *out, const struct bl_cal_row *row);

#endif
