/* SPDX-License-Identifier: Apache-2.0
 *
 * timed.h - what of a run is timed on a device with a clock: the cases and twins that
 * passed, a device-to-device copy for each amount of data, and the references that the
 * profile names.
 */
#ifndef BL_TIMED_H
#define BL_TIMED_H

#include "work/timing.h"
#include "work/trial.h"
#include "work/twin.h"

struct bl_timed {
    struct bl_timing timing;
    struct bl_result *copies; /* one for each amount of data, in no row of its own */
    size_t copy_count;
};

/* A reference as a plugin that can't be planned: it gives a row its name and kind.
 * `which` is one BL_REFERENCE_*. */
const struct bl_plugin *bl_reference_plugin(uint32_t which);

/* Whether the case's kind moves its input to its output, so that bytes per second and
 * the state of the cache mean something. */
bool bl_timed_moves_data(const struct bl_case *of);

/* How many rows the references may add to a report of this profile. */
size_t bl_timed_reference_rows(const struct bl_profile *profile);

/* Times everything and fills the results' time and throughput, the report's note,
 * warnings and reference rows (its results have room for them). `kept` has one entry a
 * case. On BL_OK end with bl_timed_free. */
enum bl_status bl_timed_run(struct bl_device *dev, struct bl_report *report,
                            const struct bl_trial_kept *kept, struct bl_twins *twins,
                            bl_timing_progress_fn *progress, void *ctx,
                            struct bl_timed *out, struct bl_error *err);
void bl_timed_free(struct bl_timed *timed);

/* Fills the measured ratio of `self` over `other`, where both were timed. */
enum bl_status bl_timed_compare(const struct bl_timed *timed,
                                const struct bl_result *self,
                                const struct bl_result *other, struct bl_slowdown *out,
                                struct bl_error *err);

#endif
