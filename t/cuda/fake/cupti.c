/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti.c - a test double of CUPTI's range profiler; see fake.h. It counts what the
 * double of the driver let the model run between push and pop.
 *
 *   FAKE_CUPTI_FAIL    CALL[:CODE]: CALL returns CODE (35, no permission)
 *   FAKE_CUPTI_LACKS   part of a metric's name: the chip lacks those that have it
 *   FAKE_CUPTI_PASSES  how often all ranges must be run (1)
 *   FAKE_CUPTI_DROPS   ranges dropped (0)
 *   FAKE_CUPTI_ADDS    wavefronts of shared loads that it counts too many (0)
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti_host.h"
#include "cupti_double.h"
#include "fake.h"

enum { RANGES_MAX = 4096, CONFIG_BYTES = 64 };

/* The profiler's object: there is one. */
struct CUpti_RangeProfiler_Object {
    bool enabled, configured, started, in_range;
    unsigned passes;
    size_t ranges, room; /* of this pass; that the data has room for */
    struct bl_counts before;
    struct data *data;
};
static struct CUpti_RangeProfiler_Object profiler;

/* What lies in a counter data image. */
struct data {
    size_t ranges;
    struct bl_counts at[];
};

CUptiResult fake_cupti_enter(const char *call)
{
    const char *fail = getenv("FAKE_CUPTI_FAIL");
    const size_t length = strlen(call);

    if (!fail || strncmp(fail, call, length) != 0)
        return CUPTI_SUCCESS;
    if (fail[length] == ':')
        return (CUptiResult)strtol(fail + length + 1, NULL, 10);
    return fail[length] ? CUPTI_SUCCESS : CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
}

struct bl_counts fake_cupti_counted(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *at;
    __typeof__(fake_cuda_counts) *ask;
    struct bl_counts counts = {0};

    if (library && (at = dlsym(library, "fake_cuda_counts"))) {
        memcpy(&ask, &at, sizeof ask);
        ask(&counts);
    }
    if (library)
        dlclose(library);
    return counts;
}

/* ---- metrics ------------------------------------------------------------------- */

/* Which sum of counts each metric is; a metric that is of none of them is 0 here. */
enum { SUMMANDS = 4 };
static const struct {
    const char *name;
    size_t offset[SUMMANDS]; /* in struct bl_counts; 0: no more */
} metrics[] = {
#define SHARED(kind, member) offsetof(struct bl_counts, shared_##kind.member)
#define GLOBAL(kind, member) offsetof(struct bl_counts, global_##kind.member)
#define WAVEFRONTS           "l1tex__data_pipe_lsu_wavefronts_mem_shared"
#define CONFLICTS            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
    {"smsp__inst_executed_op_shared_ld_pred_on_any.sum", {SHARED(load, requests)}},
    {WAVEFRONTS "_op_ld.sum", {SHARED(load, wavefronts)}},
    {CONFLICTS "_op_ld.sum", {SHARED(load, conflicts)}},
    {"smsp__inst_executed_op_shared_st_pred_on_any.sum", {SHARED(store, requests)}},
    {WAVEFRONTS "_op_st.sum", {SHARED(store, wavefronts)}},
    {CONFLICTS "_op_st.sum", {SHARED(store, conflicts)}},
    {"smsp__inst_executed_op_shared_atom_pred_on_any.sum", {SHARED(atomic, requests)}},
    {WAVEFRONTS "_op_atom.sum", {SHARED(atomic, wavefronts)}},
    {CONFLICTS "_op_atom.sum", {SHARED(atomic, conflicts)}},
    {WAVEFRONTS ".sum",
     {SHARED(load, wavefronts), SHARED(store, wavefronts), SHARED(atomic, wavefronts),
      SHARED(async, wavefronts)}},
    {WAVEFRONTS "_op_misc.sum", {0}},
    {"smsp__inst_executed_op_ldgsts_pred_on_any.sum", {SHARED(async, requests)}},
    {CONFLICTS "_op_ldgsts.sum", {SHARED(async, conflicts)}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", {GLOBAL(load, requests)}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", {GLOBAL(load, sectors)}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", {GLOBAL(store, requests)}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", {GLOBAL(store, sectors)}},
#undef SHARED
#undef GLOBAL
#undef WAVEFRONTS
#undef CONFLICTS
};

/* False: the chip has no such metric. */
static bool metric(const char *name, const struct bl_counts *counts, double *out)
{
    const char *lacks = getenv("FAKE_CUPTI_LACKS");

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        if (strcmp(metrics[i].name, name) != 0 || (lacks && strstr(name, lacks)))
            continue;
        *out = 0;
        for (size_t s = 0; s < SUMMANDS && metrics[i].offset[s]; s++)
            *out +=
                (double)*(const uint64_t *)((const char *)counts + metrics[i].offset[s]);
        return true;
    }
    return false;
}

static void subtract_shared(struct bl_shared_counts *from,
                            const struct bl_shared_counts *what)
{
    from->requests -= what->requests;
    from->wavefronts -= what->wavefronts;
    from->ideal -= what->ideal;
    from->conflicts -= what->conflicts;
}

/* Each range is what came to the sum between its push and its pop. */
void fake_cupti_subtract(struct bl_counts *from, const struct bl_counts *what)
{
    subtract_shared(&from->shared_load, &what->shared_load);
    subtract_shared(&from->shared_store, &what->shared_store);
    subtract_shared(&from->shared_atomic, &what->shared_atomic);
    subtract_shared(&from->shared_async, &what->shared_async);
    from->global_load.requests -= what->global_load.requests;
    from->global_load.sectors -= what->global_load.sectors;
    from->global_load.ideal -= what->global_load.ideal;
    from->global_store.requests -= what->global_store.requests;
    from->global_store.sectors -= what->global_store.sectors;
    from->global_store.ideal -= what->global_store.ideal;
}

/* ---- the host's part ----------------------------------------------------------- */

CUptiResult cuptiGetResultString(CUptiResult result, const char **out)
{
    *out = result == CUPTI_ERROR_INVALID_OPERATION ? "CUPTI_ERROR_INVALID_OPERATION"
                                                   : "CUPTI_ERROR_UNKNOWN";
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
{
    BEGIN("cuptiProfilerInitialize", SIZED(CUpti_Profiler_Initialize_Params));
    return CUPTI_SUCCESS;
}

EXPORT(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params)
{
    BEGIN("cuptiDeviceGetChipName", SIZED(CUpti_Device_GetChipName_Params));
    params->pChipName = "double";
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params)
{
    BEGIN("cuptiProfilerGetCounterAvailability",
          SIZED(CUpti_Profiler_GetCounterAvailability_Params));
    if (params->pCounterAvailabilityImage)
        memset(params->pCounterAvailabilityImage, 1, 8);
    params->counterAvailabilityImageSize = 8;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostInitialize, struct bl_host_initialize)
{
    BEGIN("cuptiProfilerHostInitialize", params->size == sizeof *params);
    if (strcmp(params->chip, "double") != 0 || params->availability[7] != 1)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->host = calloc(1, 1);
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostDeinitialize, struct bl_host_deinitialize)
{
    free(params->host);
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostConfigAddMetrics, struct bl_host_add_metrics)
{
    static const struct bl_counts none;
    double ignored;

    BEGIN("cuptiProfilerHostConfigAddMetrics", params->size == sizeof *params);
    for (size_t i = 0; i < params->count; i++)
        if (!metric(params->names[i], &none, &ignored))
            return CUPTI_ERROR_INVALID_METRIC_NAME;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostGetConfigImageSize, struct bl_host_config_size)
{
    BEGIN("cuptiProfilerHostGetConfigImageSize", params->size == sizeof *params);
    params->bytes = CONFIG_BYTES;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostGetConfigImage, struct bl_host_config)
{
    BEGIN("cuptiProfilerHostGetConfigImage",
          params->size == sizeof *params && params->bytes == CONFIG_BYTES);
    memset(params->image, 0x17, params->bytes);
    return CUPTI_SUCCESS;
}

EXPORT(cuptiProfilerHostEvaluateToGpuValues, struct bl_host_evaluate)
{
    const struct data *data = (const void *)params->counters;

    BEGIN("cuptiProfilerHostEvaluateToGpuValues", params->size == sizeof *params);
    if (params->range >= data->ranges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    for (size_t i = 0; i < params->count; i++)
        if (!metric(params->names[i], &data->at[params->range], &params->values[i]))
            return CUPTI_ERROR_INVALID_METRIC_NAME;
    return CUPTI_SUCCESS;
}

/* ---- the profiler -------------------------------------------------------------- */

EXPORT(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params)
{
    BEGIN("cuptiRangeProfilerEnable", SIZED(CUpti_RangeProfiler_Enable_Params));
    if (profiler.enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    profiler = (struct CUpti_RangeProfiler_Object){.enabled = true};
    params->pRangeProfilerObject = &profiler;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)
{
    BEGIN("cuptiRangeProfilerDisable", SIZED(CUpti_RangeProfiler_Disable_Params));
    params->pRangeProfilerObject->enabled = false;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerGetCounterDataSize,
       CUpti_RangeProfiler_GetCounterDataSize_Params)
{
    BEGIN("cuptiRangeProfilerGetCounterDataSize",
          SIZED(CUpti_RangeProfiler_GetCounterDataSize_Params));
    if (params->maxNumOfRanges > RANGES_MAX ||
        params->maxNumRangeTreeNodes < params->maxNumOfRanges)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->counterDataSize =
        sizeof(struct data) + params->maxNumOfRanges * sizeof(struct bl_counts);
    params->pRangeProfilerObject->room = params->maxNumOfRanges;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerCounterDataImageInitialize,
       CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
{
    BEGIN("cuptiRangeProfilerCounterDataImageInitialize",
          SIZED(CUpti_RangeProfiler_CounterDataImage_Initialize_Params));
    memset(params->pCounterData, 0, params->counterDataSize);
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;

    BEGIN("cuptiRangeProfilerSetConfig", SIZED(CUpti_RangeProfiler_SetConfig_Params));
    if (!object->enabled || params->configSize != CONFIG_BYTES ||
        params->pConfig[CONFIG_BYTES - 1] != 0x17 || params->range != CUPTI_UserRange ||
        params->replayMode != CUPTI_UserReplay || params->maxRangesPerPass > object->room)
        return CUPTI_ERROR_INVALID_PARAMETER;
    object->data = (void *)params->pCounterDataImage;
    object->configured = true;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;

    BEGIN("cuptiRangeProfilerStart", SIZED(CUpti_RangeProfiler_Start_Params));
    if (!object->configured || object->started)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->started = true;
    object->ranges = 0;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;

    BEGIN("cuptiRangeProfilerPushRange", SIZED(CUpti_RangeProfiler_PushRange_Params));
    if (!object->started || object->in_range || object->ranges == object->room)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->in_range = true;
    object->before = fake_cupti_counted();
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;
    const char *adds = getenv("FAKE_CUPTI_ADDS");
    struct bl_counts counts = fake_cupti_counted();

    BEGIN("cuptiRangeProfilerPopRange", SIZED(CUpti_RangeProfiler_PopRange_Params));
    if (!object->in_range)
        return CUPTI_ERROR_INVALID_OPERATION;
    fake_cupti_subtract(&counts, &object->before);
    counts.shared_load.wavefronts += adds ? strtoul(adds, NULL, 10) : 0;
    object->data->at[object->ranges++] = counts;
    object->in_range = false;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;
    const char *passes = getenv("FAKE_CUPTI_PASSES");

    BEGIN("cuptiRangeProfilerStop", SIZED(CUpti_RangeProfiler_Stop_Params));
    if (!object->started || object->in_range)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->started = false;
    params->isAllPassSubmitted =
        ++object->passes >= (passes ? strtoul(passes, NULL, 10) : 1);
    return CUPTI_SUCCESS;
}

EXPORT(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)
{
    struct CUpti_RangeProfiler_Object *object = params->pRangeProfilerObject;
    const char *drops = getenv("FAKE_CUPTI_DROPS");

    BEGIN("cuptiRangeProfilerDecodeData", SIZED(CUpti_RangeProfiler_DecodeData_Params));
    if (object->started)
        return CUPTI_ERROR_INVALID_OPERATION;
    object->data->ranges = object->ranges;
    params->numOfRangeDropped = drops ? strtoul(drops, NULL, 10) : 0;
    return CUPTI_SUCCESS;
}
