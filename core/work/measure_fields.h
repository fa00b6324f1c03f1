/* SPDX-License-Identifier: Apache-2.0
 *
 * measure_fields.h - one table of every reported field: it drives `expect.FIELD`,
 * the CSV's columns and the manual.
 *
 * Names are group_sub_field: shared_load_ways, global_store_sectors, time_median_us,
 * throughput_gbps, clock_cycles_per_access, slowdown_baseline_predicted,
 * slowdown_twin_data_stage, ...
 */
#ifndef BL_MEASURE_FIELDS_H
#define BL_MEASURE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "work/measure.h"

struct bl_field {
    const char *name;
    const char *unit; /* NULL: a count or ratio */
    const char *help;
    bool whole; /* printed without decimals */
    /* False: absent. */
    bool (*get)(const struct bl_result *result, double *out);
};

const struct bl_field *bl_field_find(const char *name);
const struct bl_field *bl_field_all(size_t *count);

/* The one field that is text and not in the table: `expect.verdict`, compared with
 * bl_verdict_name by = or !=. */
#define BL_FIELD_VERDICT "verdict"

/* Checks every expect of the result's case, whose verdict is the run's own. On the
 * first that is not met, or whose field is absent, sets FAIL and the detail, naming the
 * profile's line, the expectation and the value got.
 *
 * expect.verdict comes first. When it asks for another verdict than pass, and that is
 * what came, the case passes with the detail "failed as expected: ..." (the other
 * expects still hold: counts are there after a wrong result). Without it, a case that
 * did not pass keeps its verdict and no other expect is looked at. */
void bl_expect_check(const struct bl_profile *profile, struct bl_result *result);

#endif
