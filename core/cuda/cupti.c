/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cupti.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti_host.h"
#include "cuda/cupti_library.h"

struct bl_cupti {
    struct bl_cupti_library library;
#define POINTER(member, symbol, block) CUptiResult (*member)(block *);
    BL_CUPTI_CALLS(POINTER)
#undef POINTER
    CUcontext context;
    void *host;
    uint8_t *availability, *config;
    size_t config_bytes;
    const char **names; /* those that this chip has */
    size_t *which;      /* their place among those asked for */
    size_t count;       /* how many it has */
    size_t asked;
};

/* Calls a CUPTI function on a block and passes a failure on as this function's. */
#define CUPTI(cupti, err, member, block)                                                 \
    do {                                                                                 \
        CUptiResult result_ = (cupti)->member(&(block));                                 \
        if (result_ != CUPTI_SUCCESS)                                                    \
            return bl_cupti_library_failed(&(cupti)->library, result_, #member, (err));  \
    } while (0)

static enum bl_status open_library(struct bl_cupti *cupti, struct bl_error *err)
{
    enum bl_status status = bl_cupti_library_open(&cupti->library, err);
    void *at;

    if (status != BL_OK)
        return status;
#define FIND(member, symbol, block)                                                      \
    status = bl_cupti_library_find(&cupti->library, #symbol, "12.6", &at, err);          \
    if (status != BL_OK)                                                                 \
        return status;                                                                   \
    memcpy(&cupti->member, &at, sizeof at);
    BL_CUPTI_CALLS(FIND)
#undef FIND
    return BL_OK;
}

static enum bl_status open_host(struct bl_cupti *cupti, struct bl_gpu *gpu,
                                struct bl_error *err)
{
    CUpti_Profiler_Initialize_Params initialize = {
        .structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CUpti_Device_GetChipName_Params chip = {
        .structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
        .deviceIndex = (size_t)gpu->ordinal};
    CUpti_Profiler_GetCounterAvailability_Params available = {
        .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE,
        .ctx = gpu->context};
    struct bl_host_initialize host = {.size = sizeof host};

    CUPTI(cupti, err, initialize, initialize);
    CUPTI(cupti, err, chip_name, chip);
    CUPTI(cupti, err, get_availability, available);
    cupti->availability = malloc(available.counterAvailabilityImageSize);
    if (!cupti->availability)
        return bl_error_nomem(err);
    available.pCounterAvailabilityImage = cupti->availability;
    CUPTI(cupti, err, get_availability, available);
    host.chip = chip.pChipName;
    host.availability = cupti->availability;
    CUPTI(cupti, err, host_initialize, host);
    cupti->host = host.host;
    return BL_OK;
}

/* A chip need not have every metric: those that it lacks are left out. */
static enum bl_status choose_metrics(struct bl_cupti *cupti, const char *const *names,
                                     size_t count, struct bl_error *err)
{
    struct bl_host_config_size size = {.size = sizeof size, .host = cupti->host};
    struct bl_host_config config = {.size = sizeof config, .host = cupti->host};

    cupti->names = calloc(count, sizeof *cupti->names);
    cupti->which = calloc(count, sizeof *cupti->which);
    if (!cupti->names || !cupti->which)
        return bl_error_nomem(err);
    cupti->asked = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i];
        struct bl_host_add_metrics add = {
            .size = sizeof add, .host = cupti->host, .names = &name, .count = 1};
        if (cupti->host_add(&add) == CUPTI_SUCCESS) {
            cupti->which[cupti->count] = i;
            cupti->names[cupti->count++] = name;
        }
    }
    if (cupti->count == 0)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: this chip has none of those wanted");
    CUPTI(cupti, err, host_config_size, size);
    cupti->config_bytes = size.bytes;
    cupti->config = calloc(1, size.bytes);
    if (!cupti->config)
        return bl_error_nomem(err);
    config.bytes = size.bytes;
    config.image = cupti->config;
    CUPTI(cupti, err, host_config, config);
    return BL_OK;
}

enum bl_status bl_cupti_open(struct bl_gpu *gpu, const char *const *names, size_t count,
                             struct bl_cupti **out, struct bl_error *err)
{
    struct bl_cupti *cupti = calloc(1, sizeof *cupti);
    enum bl_status status;

    if (!cupti)
        return bl_error_nomem(err);
    cupti->context = gpu->context;
    status = open_library(cupti, err);
    if (status == BL_OK)
        status = open_host(cupti, gpu, err);
    if (status == BL_OK)
        status = choose_metrics(cupti, names, count, err);
    if (status == BL_OK)
        *out = cupti;
    else
        bl_cupti_close(cupti);
    return status;
}

void bl_cupti_close(struct bl_cupti *cupti)
{
    if (!cupti)
        return;
    if (cupti->host) {
        struct bl_host_deinitialize host = {.size = sizeof host, .host = cupti->host};
        cupti->host_deinitialize(&host);
    }
    free(cupti->availability);
    free(cupti->config);
    free(cupti->names);
    free(cupti->which);
    free(cupti);
}

/* ---- counting --------------------------------------------------------------------- */

struct session {
    CUpti_RangeProfiler_Object *object;
    uint8_t *data;
    size_t bytes;
    size_t ranges;
};

static enum bl_status begin(struct bl_cupti *cupti, struct session *session,
                            struct bl_error *err)
{
    CUpti_RangeProfiler_Enable_Params enable = {
        .structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
        .ctx = cupti->context};
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pMetricNames = cupti->names,
        .numMetrics = cupti->count,
        .maxNumOfRanges = session->ranges,
        .maxNumRangeTreeNodes = (uint32_t)session->ranges};
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params data = {
        .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
    CUpti_RangeProfiler_SetConfig_Params config = {
        .structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .configSize = cupti->config_bytes,
        .pConfig = cupti->config,
        .range = CUPTI_UserRange,
        .replayMode = CUPTI_UserReplay,
        .maxRangesPerPass = session->ranges,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
        .targetNestingLevel = 1};

    CUPTI(cupti, err, enable, enable);
    session->object = enable.pRangeProfilerObject;
    size.pRangeProfilerObject = session->object;
    CUPTI(cupti, err, data_size, size);
    session->bytes = size.counterDataSize;
    session->data = calloc(1, session->bytes);
    if (!session->data)
        return bl_error_nomem(err);
    data.pRangeProfilerObject = session->object;
    data.counterDataSize = session->bytes;
    data.pCounterData = session->data;
    CUPTI(cupti, err, data_initialize, data);
    config.pRangeProfilerObject = session->object;
    config.counterDataImageSize = session->bytes;
    config.pCounterDataImage = session->data;
    CUPTI(cupti, err, configure, config);
    return BL_OK;
}

/* One range: a name of its own, by which the passes' values come together. */
static enum bl_status one_range(struct bl_cupti *cupti, struct session *session,
                                size_t range, bl_cupti_run *run, void *ctx,
                                struct bl_error *err)
{
    char name[24];
    CUpti_RangeProfiler_PushRange_Params push = {
        .structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object,
        .pRangeName = name};
    CUpti_RangeProfiler_PopRange_Params pop = {
        .structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};
    enum bl_status status;

    snprintf(name, sizeof name, "%zu", range);
    CUPTI(cupti, err, push, push);
    status = run(ctx, range, err);
    if (status != BL_OK)
        return status;
    CUPTI(cupti, err, pop, pop);
    return BL_OK;
}

static enum bl_status one_pass(struct bl_cupti *cupti, struct session *session,
                               bl_cupti_run *run, void *ctx, bool *done,
                               struct bl_error *err)
{
    CUpti_RangeProfiler_Start_Params start = {
        .structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};
    CUpti_RangeProfiler_Stop_Params stop = {
        .structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};

    CUPTI(cupti, err, start, start);
    for (size_t i = 0; i < session->ranges; i++) {
        enum bl_status status = one_range(cupti, session, i, run, ctx, err);
        if (status != BL_OK)
            return status;
    }
    CUPTI(cupti, err, stop, stop);
    *done = stop.isAllPassSubmitted;
    return BL_OK;
}

static enum bl_status collect(struct bl_cupti *cupti, struct session *session,
                              bl_cupti_run *run, void *ctx, struct bl_error *err)
{
    enum { MOST_PASSES = 64 };
    CUpti_RangeProfiler_DecodeData_Params decode = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
    bool done = false;

    for (int pass = 0; !done; pass++) {
        enum bl_status status;
        if (pass == MOST_PASSES)
            return bl_error_set(err, BL_E_UNSUPPORTED,
                                "no hardware counters: more than %d passes", MOST_PASSES);
        status = one_pass(cupti, session, run, ctx, &done, err);
        if (status != BL_OK)
            return status;
    }
    decode.pRangeProfilerObject = session->object;
    CUPTI(cupti, err, decode, decode);
    if (decode.numOfRangeDropped > 0)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: %zu of %zu ranges were dropped",
                            decode.numOfRangeDropped, session->ranges);
    return BL_OK;
}

/* Ranges stand in the data in the order in which they were first seen. */
static enum bl_status evaluate(struct bl_cupti *cupti, struct session *session,
                               double *values, struct bl_error *err)
{
    double *packed = calloc(cupti->count, sizeof *packed);
    struct bl_host_evaluate ask = {.size = sizeof ask,
                                   .host = cupti->host,
                                   .counters = session->data,
                                   .counter_bytes = session->bytes,
                                   .names = cupti->names,
                                   .count = cupti->count,
                                   .values = packed};
    CUptiResult result = CUPTI_SUCCESS;

    if (!packed)
        return bl_error_nomem(err);
    for (size_t r = 0; r < session->ranges && result == CUPTI_SUCCESS; r++) {
        double *to = values + r * cupti->asked;
        for (size_t i = 0; i < cupti->asked; i++)
            to[i] = NAN;
        ask.range = r;
        result = cupti->host_evaluate(&ask);
        for (size_t i = 0; i < cupti->count; i++)
            to[cupti->which[i]] = packed[i];
    }
    free(packed);
    return result == CUPTI_SUCCESS
               ? BL_OK
               : bl_cupti_library_failed(&cupti->library, result, "host_evaluate", err);
}

enum bl_status bl_cupti_count(struct bl_cupti *cupti, size_t ranges, bl_cupti_run *run,
                              void *ctx, double *values, struct bl_error *err)
{
    struct session session = {.ranges = ranges};
    enum bl_status status;

    status = begin(cupti, &session, err);
    if (status == BL_OK)
        status = collect(cupti, &session, run, ctx, err);
    if (status == BL_OK)
        status = evaluate(cupti, &session, values, err);
    if (session.object) {
        CUpti_RangeProfiler_Disable_Params disable = {
            .structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
            .pRangeProfilerObject = session.object};
        cupti->disable(&disable);
    }
    free(session.data);
    return status;
}
