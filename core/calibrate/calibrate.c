/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "work/stream.h"

static size_t weight(const struct bl_operation *op)
{
    switch (op->kind) {
    case BL_CAL_SHARED_LOAD:
    case BL_CAL_SHARED_STORE: return 8;
    case BL_CAL_GLOBAL_LOAD:
    case BL_CAL_GLOBAL_STORE:
    case BL_CAL_CP_ASYNC: return 3;
    default: return 2;
    }
}

static void compare(const struct bl_calibration *calibration, struct bl_cal_row *row,
                    struct bl_cal_sum *sum)
{
    bool counted = false, agrees = true;

    for (int i = 0; i < BL_NUMBERS; i++) {
        row->agrees[i] =
            bl_number_agrees(row->op, (enum bl_number)i, &row->expected, &row->got);
        agrees = agrees && row->agrees[i];
        counted = counted || (i != BL_NUMBER_CYCLES && !isnan(row->got.at[i]));
    }
    sum->patterns++;
    sum->counted += counted;
    sum->timed += !isnan(row->got.at[BL_NUMBER_CYCLES]) &&
                  !isnan(row->expected.at[BL_NUMBER_CYCLES]);
    sum->disagreements += !agrees;
    if (calibration->row)
        calibration->row(calibration->ctx, row);
}

/* An operation's patterns have a seed of their own: that one more operation comes changes
 * those of no other. */
static uint64_t seed_of(const struct bl_calibration *calibration,
                        const struct bl_operation *op)
{
    uint64_t label = 0;

    for (const char *at = op->name; *at; at++)
        label = label * 31 + (unsigned char)*at;
    return bl_stream_seed(calibration->seed, label);
}

static enum bl_status one(const struct bl_calibration *calibration,
                          struct bl_cal_device *device, const struct bl_operation *op,
                          size_t count, struct bl_cal_sum *sum, struct bl_error *err)
{
    struct bl_pattern *patterns = calloc(count, sizeof *patterns);
    struct bl_pattern_args *args = calloc(count, sizeof *args);
    struct bl_numbers *got = calloc(count, sizeof *got);
    enum bl_status status = patterns && args && got ? BL_OK : bl_error_nomem(err);

    for (size_t i = 0; status == BL_OK && i < count; i++) {
        bl_pattern_draw(op, seed_of(calibration, op), i, &patterns[i]);
        args[i] = patterns[i].args;
    }
    if (status == BL_OK)
        status = device->measure(device, op, args, count, got, err);
    for (size_t i = 0; status == BL_OK && i < count; i++) {
        struct bl_cal_row row = {.op = op, .pattern = &patterns[i], .got = got[i]};
        bl_numbers_expect(&device->arch, op, &args[i], &row.expected);
        compare(calibration, &row, sum);
    }
    if (status != BL_OK)
        bl_error_prefix(err, "%s", op->name);
    free(patterns);
    free(args);
    free(got);
    return status;
}

static void add(struct bl_cal_sum *to, const struct bl_cal_sum *from)
{
    to->patterns += from->patterns;
    to->counted += from->counted;
    to->timed += from->timed;
    to->disagreements += from->disagreements;
}

enum bl_status bl_calibrate(const struct bl_calibration *calibration,
                            struct bl_cal_device *device, struct bl_cal_sum *sum_out,
                            struct bl_error *err)
{
    size_t count, weights = 0, passed = 0, before = 0;
    const struct bl_operation *ops = bl_operation_all(&count);
    struct bl_cal_sum all = {0};

    for (size_t i = 0; i < count; i++)
        weights += ops[i].cc <= device->cc ? weight(&ops[i]) : 0;
    for (size_t i = 0; i < count; i++) {
        struct bl_cal_sum sum = {0};
        enum bl_status status;
        size_t until;
        if (ops[i].cc > device->cc)
            continue;
        /* Shares are rounded so that they add up. */
        passed += weight(&ops[i]);
        until = calibration->patterns * passed / weights;
        if (calibration->progress)
            calibration->progress(calibration->ctx, before, calibration->patterns,
                                  ops[i].name);
        status = one(calibration, device, &ops[i], until > before ? until - before : 1,
                     &sum, err);
        if (status != BL_OK)
            return status;
        before = until;
        add(&all, &sum);
        if (calibration->done)
            calibration->done(calibration->ctx, &ops[i], &sum);
    }
    *sum_out = all;
    return BL_OK;
}
