/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sass.h"

#include <stdlib.h>
#include <string.h>

#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include "cuda/cupti_library.h"

/* Executions are those with a lane active, its predicate true. */
enum metric {
    SHARED_LD,
    SHARED_ST,
    SHARED_ATOM,
    GLOBAL_LD,
    GLOBAL_ST,
    WAVEFRONTS, /* of any access to shared memory */
    IDEAL,
    SECTORS, /* of any access to global memory */
    SECTORS_IDEAL,
    /* Instructions that not every chip has. */
    NEEDED,
    LDMATRIX = NEEDED,
    STMATRIX,
    ASYNC,
    ASYNC_BYPASS, /* those among them that go past the first-level cache */
    METRICS
};
static const char *const metric_names[METRICS] = {
    "smsp__sass_inst_executed_op_shared_ld",
    "smsp__sass_inst_executed_op_shared_st",
    "smsp__sass_inst_executed_op_shared_atom",
    "smsp__sass_inst_executed_op_global_ld",
    "smsp__sass_inst_executed_op_global_st",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_sectors_mem_global_ideal",
    "smsp__sass_inst_executed_op_ldsm",
    "smsp__sass_inst_executed_op_shared_stsm",
    "smsp__sass_inst_executed_op_ldgsts",
    "smsp__sass_inst_executed_op_ldgsts_cache_bypass",
};

/* X(member, symbol, parameter block) */
#define CALLS(X)                                                                         \
    X(initialize, cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)             \
    X(chip_name, cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params)                \
    X(properties, cuptiSassMetricsGetProperties, CUpti_SassMetrics_GetProperties_Params) \
    X(configure, cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)           \
    X(enable, cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params)                    \
    X(size, cuptiSassMetricsGetDataProperties,                                           \
      CUpti_SassMetricsGetDataProperties_Params)                                         \
    X(flush, cuptiSassMetricsFlushData, CUpti_SassMetricsFlushData_Params)               \
    X(disable, cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params)

struct bl_sass {
    struct bl_cupti_library library;
#define POINTER(member, symbol, block) CUptiResult (*member)(block *);
    CALLS(POINTER)
#undef POINTER
    CUcontext context;
    int ordinal;
    uint64_t ids[METRICS];
    bool has[METRICS];
};

#define CUPTI(sass, err, member, block)                                                  \
    do {                                                                                 \
        CUptiResult result_ = (sass)->member(&(block));                                  \
        if (result_ != CUPTI_SUCCESS)                                                    \
            return bl_cupti_library_failed(&(sass)->library, result_, "SASS " #member,   \
                                           (err));                                       \
    } while (0)

static enum bl_status open_library(struct bl_sass *sass, struct bl_error *err)
{
    enum bl_status status = bl_cupti_library_open(&sass->library, err);
    void *at;

    if (status != BL_OK)
        return status;
#define FIND(member, symbol, block)                                                      \
    status = bl_cupti_library_find(&sass->library, #symbol, "12.6", &at, err);           \
    if (status != BL_OK)                                                                 \
        return status;                                                                   \
    memcpy(&sass->member, &at, sizeof at);
    CALLS(FIND)
#undef FIND
    return BL_OK;
}

static enum bl_status find_metrics(struct bl_sass *sass, struct bl_error *err)
{
    CUpti_Profiler_Initialize_Params initialize = {
        .structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CUpti_Device_GetChipName_Params chip = {
        .structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE,
        .deviceIndex = (size_t)sass->ordinal};

    CUPTI(sass, err, initialize, initialize);
    CUPTI(sass, err, chip_name, chip);
    for (int i = 0; i < METRICS; i++) {
        CUpti_SassMetrics_GetProperties_Params ask = {
            .structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
            .pChipName = chip.pChipName,
            .pMetricName = metric_names[i]};
        sass->has[i] = sass->properties(&ask) == CUPTI_SUCCESS;
        sass->ids[i] = ask.metric.metricId;
        if (i < NEEDED && !sass->has[i])
            return bl_error_set(err, BL_E_UNSUPPORTED,
                                "no counts by instruction: this chip has no %s",
                                metric_names[i]);
    }
    return BL_OK;
}

enum bl_status bl_sass_open(struct bl_gpu *gpu, struct bl_sass **out,
                            struct bl_error *err)
{
    struct bl_sass *sass = calloc(1, sizeof *sass);
    enum bl_status status;

    if (!sass)
        return bl_error_nomem(err);
    sass->context = gpu->context;
    sass->ordinal = gpu->ordinal;
    status = open_library(sass, err);
    if (status == BL_OK)
        status = find_metrics(sass, err);
    if (status == BL_OK)
        *out = sass;
    else
        bl_sass_close(sass);
    return status;
}

void bl_sass_close(struct bl_sass *sass)
{
    free(sass);
}

static enum bl_status begin(struct bl_sass *sass, struct bl_error *err)
{
    CUpti_SassMetrics_Config configs[METRICS];
    CUpti_SassMetricsSetConfig_Params configure = {
        .structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
        .pConfigs = configs,
        .deviceIndex = (uint32_t)sass->ordinal};
    CUpti_SassMetricsEnable_Params enable = {
        .structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE,
        .ctx = sass->context,
        .enableLazyPatching = 1};

    for (int i = 0; i < METRICS; i++)
        if (sass->has[i])
            configs[configure.numOfMetricConfig++] = (CUpti_SassMetrics_Config){
                sass->ids[i], CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    CUPTI(sass, err, configure, configure);
    CUPTI(sass, err, enable, enable);
    return BL_OK;
}

/* ---- records ----------------------------------------------------------------------- */

/* One instruction: a record of CUPTI's is one metric of it, if that is of its kind. */
struct instruction {
    uint32_t cubin, function, pc;
    uint64_t value[METRICS];
};

static int by_place(const void *a, const void *b)
{
    const struct instruction *x = a, *y = b;

    if (x->cubin != y->cubin)
        return x->cubin < y->cubin ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void add_values(const struct bl_sass *sass, const CUpti_SassMetrics_Data *record,
                       size_t instances, struct instruction *to)
{
    to->cubin = record->cubinCrc;
    to->function = record->functionIndex;
    to->pc = record->pcOffset;
    for (size_t k = 0; k < instances; k++)
        for (int i = 0; i < METRICS; i++)
            if (sass->has[i] && record->pInstanceValues[k].metricId == sass->ids[i])
                to->value[i] += record->pInstanceValues[k].value;
}

static void add_shared(struct bl_shared_counts *to, uint64_t requests,
                       const uint64_t value[METRICS])
{
    to->requests += requests;
    to->wavefronts += value[WAVEFRONTS];
    to->ideal += value[IDEAL];
    to->conflicts += value[WAVEFRONTS] - value[IDEAL];
}

static void add_global(struct bl_global_counts *to, uint64_t requests,
                       const uint64_t value[METRICS])
{
    to->requests += requests;
    to->sectors += value[SECTORS];
    to->ideal += value[SECTORS_IDEAL];
}

/* An instruction of a generic address is among both memories': it counts for those that
 * it touched. */
static void add_instruction(const uint64_t value[METRICS], struct bl_counts *out)
{
    uint64_t loads = value[SHARED_LD] + value[LDMATRIX];
    uint64_t stores = value[SHARED_ST] + value[STMATRIX];

    if (value[ASYNC]) {
        /* CUPTI has wavefronts of copies past the cache too, which hardware shows none
         * of. */
        if (value[ASYNC_BYPASS])
            out->shared_async.requests += value[ASYNC];
        else
            add_shared(&out->shared_async, value[ASYNC], value);
        add_global(&out->global_load, value[ASYNC], value);
        return;
    }
    if (value[SHARED_ATOM])
        add_shared(&out->shared_atomic, value[SHARED_ATOM], value);
    else if (value[WAVEFRONTS] && loads)
        add_shared(&out->shared_load, loads, value);
    else if (value[WAVEFRONTS] && stores)
        add_shared(&out->shared_store, stores, value);
    if (value[SECTORS] && value[GLOBAL_LD])
        add_global(&out->global_load, value[GLOBAL_LD], value);
    else if (value[SECTORS] && value[GLOBAL_ST])
        add_global(&out->global_store, value[GLOBAL_ST], value);
}

static void add_all(struct instruction *at, size_t count, struct bl_counts *out)
{
    qsort(at, count, sizeof *at, by_place);
    for (size_t i = 0; i < count;) {
        uint64_t value[METRICS] = {0};
        size_t first = i;

        for (; i < count && by_place(&at[first], &at[i]) == 0; i++)
            for (int m = 0; m < METRICS; m++)
                value[m] += at[i].value[m];
        add_instruction(value, out);
    }
}

/* `records` with room for their values, which one block holds. */
static enum bl_status flush(struct bl_sass *sass, size_t count, size_t instances,
                            CUpti_SassMetrics_Data *records,
                            CUpti_SassMetrics_InstanceValue *values, struct bl_error *err)
{
    CUpti_SassMetricsFlushData_Params ask = {
        .structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
        .ctx = sass->context,
        .numOfPatchedInstructionRecords = count,
        .numOfInstances = instances,
        .pMetricsData = records};

    for (size_t i = 0; i < count; i++) {
        records[i].structSize = sizeof records[i];
        records[i].pInstanceValues = values + i * instances;
    }
    CUPTI(sass, err, flush, ask);
    return BL_OK;
}

static enum bl_status collect(struct bl_sass *sass, struct bl_counts *out,
                              struct bl_error *err)
{
    CUpti_SassMetricsGetDataProperties_Params size = {
        .structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE,
        .ctx = sass->context};
    CUpti_SassMetrics_InstanceValue *values = NULL;
    CUpti_SassMetrics_Data *records = NULL;
    struct instruction *at = NULL;
    enum bl_status status;
    size_t count, instances;

    CUPTI(sass, err, size, size);
    count = size.numOfPatchedInstructionRecords;
    instances = size.numOfInstances;
    /* A kernel that accesses no memory at all has none; a second call too. */
    records = calloc(count + 1, sizeof *records);
    values = calloc(count * instances + 1, sizeof *values);
    at = calloc(count + 1, sizeof *at);
    status = records && values && at ? BL_OK : bl_error_nomem(err);
    if (status == BL_OK && count > 0)
        status = flush(sass, count, instances, records, values, err);
    if (status == BL_OK) {
        for (size_t i = 0; i < count; i++)
            add_values(sass, &records[i], instances, &at[i]);
        add_all(at, count, out);
        /* CUPTI's contract: the names are the caller's. */
        for (size_t i = 0; i < count; i++)
            free((void *)(uintptr_t)records[i].functionName);
    }
    free(records);
    free(values);
    free(at);
    return status;
}

enum bl_status bl_sass_count(struct bl_sass *sass,
                             enum bl_status (*run)(void *ctx, struct bl_error *err),
                             void *ctx, struct bl_counts *out, struct bl_error *err)
{
    CUpti_SassMetricsDisable_Params disable = {
        .structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE, .ctx = sass->context};
    struct bl_counts counts = {.shared_source = BL_SRC_COUNTER,
                               .global_source = BL_SRC_COUNTER,
                               .counted = BL_COUNTED_INSTRUCTIONS};
    enum bl_status status = begin(sass, err);

    if (status != BL_OK)
        return status;
    status = run(ctx, err);
    if (status == BL_OK)
        status = collect(sass, &counts, err);
    if (status != BL_OK)
        return status;
    CUPTI(sass, err, disable, disable);
    *out = counts;
    return BL_OK;
}
