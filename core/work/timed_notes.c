/* SPDX-License-Identifier: Apache-2.0 */
#include "work/timed_notes.h"

#include "work/rates.h"

/* The SM clock before and after may differ by this much without a word: a GPU at rest
 * clocks down between two cases. */
#define CLOCK_TOLERANCE 0.03

static enum bl_status warn_of_clocks(struct bl_report *report, struct bl_error *err)
{
    const struct bl_device_state *a = &report->timing.before, *b = &report->timing.after;
    enum bl_status status = BL_OK;

    if (!a->present || !b->present)
        return BL_OK;
    if ((double)b->sm_mhz < (1 - CLOCK_TOLERANCE) * (double)a->sm_mhz)
        status = bl_report_warn(report, err,
                                "the SM clock fell from %u to %u MHz during the timing",
                                a->sm_mhz, b->sm_mhz);
    if (status == BL_OK && a->memory_mhz != b->memory_mhz)
        status = bl_report_warn(report, err,
                                "the memory clock moved from %u to %u MHz during the "
                                "timing",
                                a->memory_mhz, b->memory_mhz);
    if (status == BL_OK && (a->throttled[0] || b->throttled[0]))
        status = bl_report_warn(report, err, "the GPU was throttled: %s",
                                b->throttled[0] ? b->throttled : a->throttled);
    return status;
}

/* Above the memory's peak the cache served, whatever the profile meant to measure. */
static enum bl_status warn_of_peak(const struct bl_device *dev, struct bl_report *report,
                                   struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && dev->rates && dev->rates->peak_gbps > 0 &&
                       !report->profile->run.warm && i < report->count;
         i++) {
        const struct bl_result *result = &report->results[i];
        if (result->time.source == BL_SRC_GPU && result->throughput.has_gbps &&
            result->throughput.gbps > dev->rates->peak_gbps)
            status = bl_report_warn(report, err,
                                    "%s: %.0f GB/s are more than the memory's %.0f: a "
                                    "cache served part of it",
                                    result->of->name, result->throughput.gbps,
                                    dev->rates->peak_gbps);
    }
    return status;
}

enum bl_status bl_timed_note(const struct bl_device *dev, const struct bl_timing *timing,
                             struct bl_report *report, struct bl_error *err)
{
    enum bl_status status;

    if (timing->rounds == 0)
        return BL_OK;
    report->timing.present = true;
    report->timing.rounds = (uint32_t)timing->rounds;
    report->timing.precise = timing->precise;
    status = warn_of_clocks(report, err);
    if (status == BL_OK)
        status = warn_of_peak(dev, report, err);
    if (status == BL_OK && !timing->precise)
        status =
            bl_report_warn(report, err,
                           "timing stopped after %g s: some 95 %% intervals are wider "
                           "than %g %%",
                           report->profile->run.max_time, report->profile->run.precision);
    return status;
}
