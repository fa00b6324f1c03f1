/* SPDX-License-Identifier: Apache-2.0
 *
 * slowdown.c - what results say about one another.
 */
#include "work/slowdown.h"

#include <string.h>

#include "work/kind.h"
#include "work/rates.h"

/* True and the quotient if both are there and positive. */
static bool ratio(double self, double other, double *out)
{
    if (!(self > 0) || !(other > 0))
        return false;
    *out = self / other;
    return true;
}

/* Both sides from counts, whatever a timer said: so a prediction stands beside a
 * measured ratio. */
static double predicted_us(const struct bl_rates *rates, const struct bl_result *result)
{
    struct bl_time time;

    memset(&time, 0, sizeof time);
    if (rates)
        bl_rates_predict(rates, &result->counts, &time);
    return time.source == BL_SRC_PREDICTED ? time.median_us : 0;
}

void bl_slowdown_compare(const struct bl_rates *rates, const struct bl_result *self,
                         const struct bl_result *other, struct bl_slowdown *out)
{
    out->has_predicted =
        ratio(predicted_us(rates, self), predicted_us(rates, other), &out->predicted);
    out->has_data_stage =
        self->counts.has_cycles && other->counts.has_cycles &&
        ratio((double)self->counts.data_stage_cycles,
              (double)other->counts.data_stage_cycles, &out->data_stage);
    out->present = out->has_ratio || out->has_predicted || out->has_data_stage;
}

/* The fastest copy of the same bytes that was timed the same way, or NULL. */
static const struct bl_result *copy_for(const struct bl_report *report,
                                        const struct bl_result *result, uint64_t bytes)
{
    const struct bl_result *best = NULL;

    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *copy = &report->results[i];
        uint64_t copied;

        if (copy->verdict != BL_PASS || !copy->throughput.has_gbps ||
            copy->time.source != result->time.source ||
            strcmp(copy->of->plugin->abi.kind, "copy") != 0 ||
            bl_kind_bytes(&copy->of->problem, &copied, NULL) != BL_OK || copied != bytes)
            continue;
        if (!best || copy->throughput.gbps > best->throughput.gbps)
            best = copy;
    }
    return best;
}

void bl_throughput_compare(struct bl_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        struct bl_result *result = &report->results[i];
        const struct bl_result *copy;
        uint64_t bytes;

        if (result->verdict != BL_PASS || !result->throughput.has_gbps ||
            result->throughput.has_percent || /* of a copy timed for that purpose */
            bl_kind_bytes(&result->of->problem, &bytes, NULL) != BL_OK)
            continue;
        copy = copy_for(report, result, bytes);
        if (!copy)
            continue;
        result->throughput.has_percent = true;
        result->throughput.percent_of_copy =
            100 * result->throughput.gbps / copy->throughput.gbps;
    }
}
