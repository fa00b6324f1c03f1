/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/counters.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti_host.h"

/* Names as Nsight Compute's metric reference gives them; .sum is over all SMs. */
enum metric {
    SHARED_LD_REQUESTS,
    SHARED_LD_WAVEFRONTS,
    SHARED_LD_CONFLICTS,
    SHARED_ST_REQUESTS,
    SHARED_ST_WAVEFRONTS,
    SHARED_ST_CONFLICTS,
    GLOBAL_LD_REQUESTS,
    GLOBAL_LD_SECTORS,
    GLOBAL_ST_REQUESTS,
    GLOBAL_ST_SECTORS,
    METRICS
};
static const char *const metric_names[METRICS] = {
    "smsp__inst_executed_op_shared_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
};

struct bl_counters {
    void *library;
#define POINTER(member, symbol, block) CUptiResult (*member)(block *);
    BL_CUPTI_CALLS(POINTER)
#undef POINTER
    CUptiResult (*result_text)(CUptiResult, const char **);
    CUcontext context;
    void *host;
    uint8_t *availability, *config;
    size_t config_bytes;
    const char *names[METRICS]; /* those that this chip has */
    enum metric which[METRICS];
    size_t count;
};

static enum bl_status failed(struct bl_counters *counters, CUptiResult result,
                             const char *call, struct bl_error *err)
{
    const char *text = NULL;

    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        return bl_error_set(
            err, BL_E_UNSUPPORTED,
            "no hardware counters: the driver lets only an administrator read them "
            "(ERR_NVGPUCTRPERM); run as root, or load the nvidia module with "
            "NVreg_RestrictProfilingToAdminUsers=0");
    counters->result_text(result, &text);
    return bl_error_set(err, BL_E_UNSUPPORTED, "no hardware counters: %s: %s", call,
                        text ? text : "failed");
}

/* Calls a CUPTI function on a block and passes a failure on as this function's. */
#define CUPTI(counters, err, member, block)                                              \
    do {                                                                                 \
        CUptiResult result_ = (counters)->member(&(block));                              \
        if (result_ != CUPTI_SUCCESS)                                                    \
            return failed((counters), result_, #member, (err));                          \
    } while (0)

static enum bl_status open_library(struct bl_counters *counters, struct bl_error *err)
{
    static const char *const names[] = {
        "libcupti.so.13",
        "libcupti.so.12",
        "libcupti.so",
        "/usr/local/cuda/lib64/libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
    };
    void *at;

    for (size_t i = 0; !counters->library && i < sizeof names / sizeof *names; i++)
        counters->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!counters->library)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: libcupti, a part of the CUDA Toolkit, "
                            "was not found; put its folder on LD_LIBRARY_PATH");
#define FIND(member, symbol, block)                                                      \
    if (!(at = dlsym(counters->library, #symbol)))                                       \
        return bl_error_set(err, BL_E_UNSUPPORTED,                                       \
                            "no hardware counters: this libcupti has no " #symbol        \
                            "; CUDA 12.6 or newer is needed");                           \
    memcpy(&counters->member, &at, sizeof at);
    BL_CUPTI_CALLS(FIND)
#undef FIND
    if (!(at = dlsym(counters->library, "cuptiGetResultString")))
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: a broken libcupti");
    memcpy(&counters->result_text, &at, sizeof at);
    return BL_OK;
}

static enum bl_status open_host(struct bl_counters *counters, struct bl_gpu *gpu,
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

    CUPTI(counters, err, initialize, initialize);
    CUPTI(counters, err, chip_name, chip);
    CUPTI(counters, err, get_availability, available);
    counters->availability = malloc(available.counterAvailabilityImageSize);
    if (!counters->availability)
        return bl_error_nomem(err);
    available.pCounterAvailabilityImage = counters->availability;
    CUPTI(counters, err, get_availability, available);
    host.chip = chip.pChipName;
    host.availability = counters->availability;
    CUPTI(counters, err, host_initialize, host);
    counters->host = host.host;
    return BL_OK;
}

/* A chip need not have every metric: those that it lacks are left out, and their group
 * stays without a source. */
static enum bl_status choose_metrics(struct bl_counters *counters, struct bl_error *err)
{
    struct bl_host_config_size size = {.size = sizeof size, .host = counters->host};
    struct bl_host_config config = {.size = sizeof config, .host = counters->host};

    for (int i = 0; i < METRICS; i++) {
        const char *name = metric_names[i];
        struct bl_host_add_metrics add = {
            .size = sizeof add, .host = counters->host, .names = &name, .count = 1};
        if (counters->host_add(&add) == CUPTI_SUCCESS) {
            counters->which[counters->count] = (enum metric)i;
            counters->names[counters->count++] = name;
        }
    }
    if (counters->count == 0)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "no hardware counters: this chip has none of those wanted");
    CUPTI(counters, err, host_config_size, size);
    counters->config_bytes = size.bytes;
    counters->config = calloc(1, size.bytes);
    if (!counters->config)
        return bl_error_nomem(err);
    config.bytes = size.bytes;
    config.image = counters->config;
    CUPTI(counters, err, host_config, config);
    return BL_OK;
}

enum bl_status bl_counters_open(struct bl_gpu *gpu, struct bl_counters **out,
                                struct bl_error *err)
{
    struct bl_counters *counters = calloc(1, sizeof *counters);
    enum bl_status status;

    if (!counters)
        return bl_error_nomem(err);
    counters->context = gpu->context;
    status = open_library(counters, err);
    if (status == BL_OK)
        status = open_host(counters, gpu, err);
    if (status == BL_OK)
        status = choose_metrics(counters, err);
    if (status == BL_OK)
        *out = counters;
    else
        bl_counters_close(counters);
    return status;
}

void bl_counters_close(struct bl_counters *counters)
{
    if (!counters)
        return;
    if (counters->host) {
        struct bl_host_deinitialize host = {.size = sizeof host, .host = counters->host};
        counters->host_deinitialize(&host);
    }
    /* The library stays: CUPTI does not take being unloaded under a live context. */
    free(counters->availability);
    free(counters->config);
    free(counters);
}

/* ---- counting --------------------------------------------------------------------- */

struct session {
    CUpti_RangeProfiler_Object *object;
    uint8_t *data;
    size_t bytes;
};

static enum bl_status begin(struct bl_counters *counters, struct session *session,
                            struct bl_error *err)
{
    CUpti_RangeProfiler_Enable_Params enable = {
        .structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE,
        .ctx = counters->context};
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pMetricNames = counters->names,
        .numMetrics = counters->count,
        .maxNumOfRanges = 1,
        .maxNumRangeTreeNodes = 1};
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params data = {
        .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
    CUpti_RangeProfiler_SetConfig_Params config = {
        .structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .configSize = counters->config_bytes,
        .pConfig = counters->config,
        .range = CUPTI_UserRange,
        .replayMode = CUPTI_UserReplay,
        .maxRangesPerPass = 1,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
        .targetNestingLevel = 1};

    CUPTI(counters, err, enable, enable);
    session->object = enable.pRangeProfilerObject;
    size.pRangeProfilerObject = session->object;
    CUPTI(counters, err, data_size, size);
    session->bytes = size.counterDataSize;
    session->data = calloc(1, session->bytes);
    if (!session->data)
        return bl_error_nomem(err);
    data.pRangeProfilerObject = session->object;
    data.counterDataSize = session->bytes;
    data.pCounterData = session->data;
    CUPTI(counters, err, data_initialize, data);
    config.pRangeProfilerObject = session->object;
    config.counterDataImageSize = session->bytes;
    config.pCounterDataImage = session->data;
    CUPTI(counters, err, configure, config);
    return BL_OK;
}

static enum bl_status one_pass(struct bl_counters *counters, struct session *session,
                               enum bl_status (*run)(void *, struct bl_error *),
                               void *ctx, bool *done, struct bl_error *err)
{
    CUpti_RangeProfiler_Start_Params start = {
        .structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};
    CUpti_RangeProfiler_PushRange_Params push = {
        .structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object,
        .pRangeName = "case"};
    CUpti_RangeProfiler_PopRange_Params pop = {
        .structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};
    CUpti_RangeProfiler_Stop_Params stop = {
        .structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
        .pRangeProfilerObject = session->object};
    enum bl_status status;

    CUPTI(counters, err, start, start);
    CUPTI(counters, err, push, push);
    status = run(ctx, err);
    if (status != BL_OK)
        return status;
    CUPTI(counters, err, pop, pop);
    CUPTI(counters, err, stop, stop);
    *done = stop.isAllPassSubmitted;
    return BL_OK;
}

static enum bl_status collect(struct bl_counters *counters, struct session *session,
                              enum bl_status (*run)(void *, struct bl_error *), void *ctx,
                              double values[METRICS], struct bl_error *err)
{
    enum { MOST_PASSES = 64 };
    CUpti_RangeProfiler_DecodeData_Params decode = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
    struct bl_host_evaluate evaluate = {.size = sizeof evaluate, .host = counters->host};
    bool done = false;

    for (int pass = 0; !done; pass++) {
        enum bl_status status;
        if (pass == MOST_PASSES)
            return bl_error_set(err, BL_E_UNSUPPORTED,
                                "no hardware counters: more than %d passes", MOST_PASSES);
        status = one_pass(counters, session, run, ctx, &done, err);
        if (status != BL_OK)
            return status;
    }
    decode.pRangeProfilerObject = session->object;
    CUPTI(counters, err, decode, decode);
    evaluate.counters = session->data;
    evaluate.counter_bytes = session->bytes;
    evaluate.names = counters->names;
    evaluate.count = counters->count;
    evaluate.values = values;
    CUPTI(counters, err, host_evaluate, evaluate);
    return BL_OK;
}

/* A group has a source only if every number in it was counted. */
static void fill_counts(const double value[METRICS], const bool has[METRICS],
                        struct bl_counts *out)
{
    bool shared = true, global = true;

    for (int i = 0; i < METRICS; i++)
        if (!has[i] || !isfinite(value[i])) {
            if (i < GLOBAL_LD_REQUESTS)
                shared = false;
            else
                global = false;
        }
    if (shared) {
        out->shared_source = BL_SRC_COUNTER;
        out->shared_load.requests = (uint64_t)value[SHARED_LD_REQUESTS];
        out->shared_load.wavefronts = (uint64_t)value[SHARED_LD_WAVEFRONTS];
        out->shared_load.conflicts = (uint64_t)value[SHARED_LD_CONFLICTS];
        out->shared_store.requests = (uint64_t)value[SHARED_ST_REQUESTS];
        out->shared_store.wavefronts = (uint64_t)value[SHARED_ST_WAVEFRONTS];
        out->shared_store.conflicts = (uint64_t)value[SHARED_ST_CONFLICTS];
    }
    if (global) {
        out->global_source = BL_SRC_COUNTER;
        out->global_load.requests = (uint64_t)value[GLOBAL_LD_REQUESTS];
        out->global_load.sectors = (uint64_t)value[GLOBAL_LD_SECTORS];
        out->global_store.requests = (uint64_t)value[GLOBAL_ST_REQUESTS];
        out->global_store.sectors = (uint64_t)value[GLOBAL_ST_SECTORS];
    }
}

enum bl_status bl_counters_count(struct bl_counters *counters,
                                 enum bl_status (*run)(void *ctx, struct bl_error *err),
                                 void *ctx, struct bl_counts *out, struct bl_error *err)
{
    double packed[METRICS] = {0}, value[METRICS] = {0};
    struct session session = {0};
    bool has[METRICS] = {false};
    enum bl_status status;

    status = begin(counters, &session, err);
    if (status == BL_OK)
        status = collect(counters, &session, run, ctx, packed, err);
    if (session.object) {
        CUpti_RangeProfiler_Disable_Params disable = {
            .structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
            .pRangeProfilerObject = session.object};
        counters->disable(&disable);
    }
    free(session.data);
    if (status != BL_OK)
        return status;
    for (size_t i = 0; i < counters->count; i++) {
        value[counters->which[i]] = packed[i];
        has[counters->which[i]] = true;
    }
    memset(out, 0, sizeof *out);
    fill_counts(value, has, out);
    return BL_OK;
}
