/* SPDX-License-Identifier: Apache-2.0
 *
 * measure_fields.c - one table of every reported number.
 */
#include "work/measure_fields.h"

#include <string.h>

/* A getter: `present` says whether the number may be read. */
#define GET(name, present, value)                                                        \
    static bool get_##name(const struct bl_result *r, double *out)                       \
    {                                                                                    \
        if (!(present))                                                                  \
            return false;                                                                \
        *out = (double)(value);                                                          \
        return true;                                                                     \
    }

#define GET_SHARED(side, field)                                                          \
    GET(shared_##side##_##field, r->counts.shared_source != BL_SRC_NONE,                 \
        r->counts.shared_##side.field)
/* Counters alone know no ideal, and then it is 0. */
#define GET_IDEAL(space, side, sum)                                                      \
    GET(space##_##side##_ideal,                                                          \
        r->counts.space##_source != BL_SRC_NONE &&                                       \
            (r->counts.space##_##side.ideal > 0 || r->counts.space##_##side.sum == 0),   \
        r->counts.space##_##side.ideal)
#define GET_GLOBAL(side, field)                                                          \
    GET(global_##side##_##field, r->counts.global_source != BL_SRC_NONE,                 \
        r->counts.global_##side.field)

/* A case without a request has no worst one, and counters alone don't know it. */
#define GET_WAYS(side)                                                                   \
    GET(shared_##side##_ways,                                                            \
        r->counts.shared_source != BL_SRC_NONE && r->counts.shared_##side.ways > 0,      \
        r->counts.shared_##side.ways)

/* Only where the arch leaves a choice. */
#define GET_LEAST(side, field)                                                           \
    GET(shared_##side##_##field##_least,                                                 \
        r->counts.shared_source != BL_SRC_NONE &&                                        \
            r->counts.shared_##side.ways_least > 0,                                      \
        r->counts.shared_##side.field##_least)

/* What few kernels do is a number only where it was done. */
#define GET_RARE(side, field)                                                            \
    GET(shared_##side##_##field,                                                         \
        r->counts.shared_source != BL_SRC_NONE && r->counts.shared_##side.requests > 0,  \
        r->counts.shared_##side.field)

#define GET_SLOWDOWN(which)                                                              \
    GET(slowdown_##which##_ratio, r->which.present && r->which.has_ratio,                \
        r->which.ratio)                                                                  \
    GET(slowdown_##which##_low, r->which.present && r->which.has_ratio, r->which.low)    \
    GET(slowdown_##which##_high, r->which.present && r->which.has_ratio, r->which.high)  \
    GET(slowdown_##which##_predicted, r->which.present && r->which.has_predicted,        \
        r->which.predicted)                                                              \
    GET(slowdown_##which##_data_stage, r->which.present && r->which.has_data_stage,      \
        r->which.data_stage)

GET_SHARED(load, requests)
GET_SHARED(load, wavefronts)
GET_IDEAL(shared, load, wavefronts)
GET_SHARED(load, conflicts)
GET_WAYS(load)
GET_LEAST(load, wavefronts)
GET_LEAST(load, ways)
GET_SHARED(store, requests)
GET_SHARED(store, wavefronts)
GET_IDEAL(shared, store, wavefronts)
GET_SHARED(store, conflicts)
GET_WAYS(store)
GET_LEAST(store, wavefronts)
GET_LEAST(store, ways)
GET_RARE(atomic, requests)
GET_RARE(atomic, wavefronts)
GET_RARE(atomic, conflicts)
GET_WAYS(atomic)
GET_RARE(async, requests)
GET_RARE(async, wavefronts)
GET_RARE(async, conflicts)
GET_WAYS(async)
GET_GLOBAL(load, requests)
GET_GLOBAL(load, sectors)
GET_IDEAL(global, load, sectors)
GET_GLOBAL(store, requests)
GET_GLOBAL(store, sectors)
GET_IDEAL(global, store, sectors)
GET(data_stage_cycles, r->counts.has_cycles, r->counts.data_stage_cycles)
GET(blocks, r->counts.blocks > 0, r->counts.blocks)
GET(instructions, r->counts.instructions > 0, r->counts.instructions)
GET(block_shared_bytes, r->counts.block_shared > 0, r->counts.block_shared)
GET(time_median_us, r->time.source != BL_SRC_NONE, r->time.median_us)
GET(time_low_us, r->time.source != BL_SRC_NONE, r->time.low_us)
GET(time_high_us, r->time.source != BL_SRC_NONE, r->time.high_us)
GET(time_samples, r->time.source != BL_SRC_NONE, r->time.samples)
GET(throughput_gbps, r->throughput.has_gbps, r->throughput.gbps)
GET(throughput_percent_of_copy, r->throughput.has_percent, r->throughput.percent_of_copy)
GET(clock_cycles_per_access, r->clock.source != BL_SRC_NONE, r->clock.cycles_per_access)
GET_SLOWDOWN(baseline)
GET_SLOWDOWN(twin)

#define COUNT(name, help)                                                                \
    {                                                                                    \
#name, NULL, help, true, get_##name                                              \
    }
#define NUMBER(name, unit, help)                                                         \
    {                                                                                    \
#name, unit, help, false, get_##name                                             \
    }

/* In the order of the report's groups. */
static const struct bl_field fields[] = {
    COUNT(shared_load_requests, "shared memory loads: warp instructions"),
    COUNT(shared_load_wavefronts, "shared memory loads: wavefronts taken"),
    COUNT(shared_load_ideal, "shared memory loads: wavefronts without any conflict"),
    COUNT(shared_load_conflicts, "shared memory loads: wavefronts beyond one a phase"),
    COUNT(shared_load_ways, "shared memory loads: most wavefronts of one phase"),
    COUNT(shared_load_wavefronts_least, "the least, where the arch leaves it open"),
    COUNT(shared_load_ways_least, "the least, where the arch leaves it open"),
    COUNT(shared_store_requests, "shared memory stores: warp instructions"),
    COUNT(shared_store_wavefronts, "shared memory stores: wavefronts taken"),
    COUNT(shared_store_ideal, "shared memory stores: wavefronts without any conflict"),
    COUNT(shared_store_conflicts, "shared memory stores: wavefronts beyond one a phase"),
    COUNT(shared_store_ways, "shared memory stores: most wavefronts of one phase"),
    COUNT(shared_store_wavefronts_least, "the least, where the arch leaves it open"),
    COUNT(shared_store_ways_least, "the least, where the arch leaves it open"),
    COUNT(shared_atomic_requests, "shared memory atomics: warp instructions"),
    COUNT(shared_atomic_wavefronts, "shared memory atomics: wavefronts taken"),
    COUNT(shared_atomic_conflicts, "shared memory atomics: turns beyond one a phase"),
    COUNT(shared_atomic_ways, "shared memory atomics: most lanes that took turns"),
    COUNT(shared_async_requests, "cp.async: warp instructions"),
    COUNT(shared_async_wavefronts, "cp.async: wavefronts taken in shared memory"),
    COUNT(shared_async_conflicts, "cp.async: wavefronts beyond one a phase"),
    COUNT(shared_async_ways, "cp.async: most wavefronts of one phase"),
    COUNT(global_load_requests, "global memory loads: warp instructions"),
    COUNT(global_load_sectors, "global memory loads: sectors of 32 bytes touched"),
    COUNT(global_load_ideal, "global memory loads: sectors if every byte were needed"),
    COUNT(global_store_requests, "global memory stores: warp instructions"),
    COUNT(global_store_sectors, "global memory stores: sectors of 32 bytes touched"),
    COUNT(global_store_ideal, "global memory stores: sectors if every byte were needed"),
    {"data_stage_cycles", "cycles", "shared memory's data stage, all blocks", true,
     get_data_stage_cycles},
    COUNT(blocks, "blocks executed"),
    COUNT(instructions, "warp instructions executed"),
    {"block_shared_bytes", "bytes", "shared memory of a block, static and dynamic", true,
     get_block_shared_bytes},
    NUMBER(time_median_us, "us", "time of one run: median, or predicted"),
    NUMBER(time_low_us, "us", "time of one run: low end of the interval"),
    NUMBER(time_high_us, "us", "time of one run: high end of the interval"),
    COUNT(time_samples, "timed runs; 0 when the time is predicted"),
    NUMBER(throughput_gbps, "GB/s", "useful bytes, read and written, over the time"),
    NUMBER(throughput_percent_of_copy, "%",
           "throughput against a copy's in the same run"),
    NUMBER(clock_cycles_per_access, "cycles", "by the kernel's own clock readings"),
    NUMBER(slowdown_baseline_ratio, NULL, "measured time over the baseline's"),
    NUMBER(slowdown_baseline_low, NULL, "low end of that ratio's interval"),
    NUMBER(slowdown_baseline_high, NULL, "high end of that ratio's interval"),
    NUMBER(slowdown_baseline_predicted, NULL, "predicted time over the baseline's"),
    NUMBER(slowdown_baseline_data_stage, NULL, "data-stage cycles over the baseline's"),
    NUMBER(slowdown_twin_ratio, NULL, "measured time over the conflict-free twin's"),
    NUMBER(slowdown_twin_low, NULL, "low end of that ratio's interval"),
    NUMBER(slowdown_twin_high, NULL, "high end of that ratio's interval"),
    NUMBER(slowdown_twin_predicted, NULL, "predicted time over the twin's"),
    NUMBER(slowdown_twin_data_stage, NULL, "data-stage cycles over the twin's"),
};

const struct bl_field *bl_field_all(size_t *count)
{
    *count = sizeof fields / sizeof *fields;
    return fields;
}

const struct bl_field *bl_field_find(const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}
