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

/* Checks every expect of the result's case (verdict PASS before); on the first that
 * is not met, or whose field is absent, sets FAIL and the detail, naming the profile's
 * line, the expectation and the value got. */
void bl_expect_check(const struct bl_profile *profile, struct bl_result *result);

#endif
