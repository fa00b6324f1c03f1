/* SPDX-License-Identifier: Apache-2.0 */
#include "work/timed_notes.h"

#include <time.h>

#include <math.h>

#include "work/rates.h"
#include "work/timed.h"

/* Clocks before and after may differ by this part without a word. */
#define CLOCK_TOLERANCE 0.03

/* A cold cache: the buffers that take turns are so many times as large as it. */
enum { COLD_TIMES = 4 };

static bool moved(uint32_t before, uint32_t after)
{
    return fabs((double)after - before) > CLOCK_TOLERANCE * before;
}

static enum bl_status warn_of_clocks(struct bl_report *report, struct bl_error *err)
{
    const struct bl_device_state *a = &report->timing.before, *b = &report->timing.after;
    enum bl_status status = BL_OK;

    if (!a->present || !b->present)
        return BL_OK;
    if (moved(a->sm_mhz, b->sm_mhz))
        status = bl_report_warn(report, err,
                                "the SM clock moved from %u to %u MHz during the timing",
                                a->sm_mhz, b->sm_mhz);
    if (status == BL_OK && moved(a->memory_mhz, b->memory_mhz))
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

/* A cold cache was asked for, and some of the data may have been in it all the same. */
static enum bl_status warn_of_cache(const struct bl_timing *timing,
                                    struct bl_report *report, struct bl_error *err)
{
    const double mib = 1 << 20;
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && !report->profile->run.warm && i < timing->count;
         i++) {
        const struct bl_subject *subject = &timing->subjects[i];
        const struct bl_timed_setup *setup = &subject->setup;

        if (!subject->timed || subject->job.reference == BL_REFERENCE_MEMCPY ||
            setup->rotated >= COLD_TIMES * setup->l2 ||
            !bl_timed_moves_data(subject->result->of))
            continue;
        status = bl_report_warn(
            report, err,
            "%s: the cache is not cold: %u sets of buffers, %.3g MiB, take turns, which "
            "%s "
            "of %.3g MiB",
            subject->job.label, setup->sets, (double)setup->rotated / mib,
            setup->rotated <= setup->l2 ? "fit in the L2 cache"
                                        : "are less than four times the L2 cache",
            (double)setup->l2 / mib);
    }
    return status;
}

static enum bl_status warn_of_end(const struct bl_timing *timing,
                                  struct bl_report *report, struct bl_error *err)
{
    const struct bl_run_options *run = &report->profile->run;

    if (timing->end == BL_END_TIME)
        return bl_report_warn(report, err,
                              "timing stopped after max_time, %g s: some 95 %% intervals "
                              "are wider than %g %%",
                              run->max_time, run->precision);
    if (timing->end == BL_END_ROUNDS)
        return bl_report_warn(report, err,
                              "timing stopped after %zu rounds: some 95 %% intervals are "
                              "wider than %g %%, and more rounds would not help",
                              timing->rounds, run->precision);
    return BL_OK;
}

enum bl_status bl_timed_note(const struct bl_device *dev, const struct bl_timing *timing,
                             struct bl_report *report, struct bl_error *err)
{
    enum bl_status status;

    if (timing->rounds == 0)
        return BL_OK;
    report->timing.present = true;
    report->timing.when = (int64_t)time(NULL);
    report->timing.rounds = (uint32_t)timing->rounds;
    report->timing.end = timing->end;
    report->timing.before = timing->before;
    report->timing.after = timing->after;
    status = warn_of_clocks(report, err);
    if (status == BL_OK)
        status = warn_of_peak(dev, report, err);
    if (status == BL_OK)
        status = warn_of_cache(timing, report, err);
    if (status == BL_OK)
        status = warn_of_end(timing, report, err);
    return status;
}
