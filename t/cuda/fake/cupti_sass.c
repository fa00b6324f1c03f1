/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti_sass.c - a test double of CUPTI's SASS metrics; see fake.h. It has one record for
 * each metric of each kind of access, as if a kernel had one instruction of each. Like
 * the real one it has records for the first time only that a process counts.
 *
 *   FAKE_CUPTI_FAIL, FAKE_CUPTI_LACKS   as in cupti.c
 *   FAKE_SASS_ADDS     wavefronts of shared loads that it counts too many (0)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include "cupti_double.h"

enum { RECORDS = 32, METRICS_MAX = 32 };

#define AT(member) offsetof(struct bl_counts, member)
#define EXECUTED   "smsp__sass_inst_executed_op_"
#define WAVEFRONTS "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"
#define SECTORS    "smsp__sass_sectors_mem_global"

/* The records; those of one pc are one instruction's. In the order of CUPTI: by metric.
 */
static const struct {
    const char *metric;
    uint32_t pc;
    size_t offset;
} records[] = {
    {EXECUTED "shared_ld", 0x10, AT(shared_load.requests)},
    {EXECUTED "shared_st", 0x20, AT(shared_store.requests)},
    {EXECUTED "shared_atom", 0x30, AT(shared_atomic.requests)},
    {EXECUTED "ldgsts", 0x40, AT(shared_async.requests)},
    {EXECUTED "global_ld", 0x50, AT(global_load.requests)},
    {EXECUTED "global_st", 0x60, AT(global_store.requests)},
    {WAVEFRONTS, 0x10, AT(shared_load.wavefronts)},
    {WAVEFRONTS, 0x20, AT(shared_store.wavefronts)},
    {WAVEFRONTS, 0x30, AT(shared_atomic.wavefronts)},
    {WAVEFRONTS, 0x40, AT(shared_async.wavefronts)},
    {WAVEFRONTS "_ideal", 0x10, AT(shared_load.ideal)},
    {WAVEFRONTS "_ideal", 0x20, AT(shared_store.ideal)},
    {WAVEFRONTS "_ideal", 0x30, AT(shared_atomic.ideal)},
    {WAVEFRONTS "_ideal", 0x40, AT(shared_async.ideal)},
    {SECTORS, 0x50, AT(global_load.sectors)},
    {SECTORS, 0x60, AT(global_store.sectors)},
    {SECTORS "_ideal", 0x50, AT(global_load.ideal)},
    {SECTORS "_ideal", 0x60, AT(global_store.ideal)},
};
enum { RECORD_COUNT = sizeof records / sizeof *records };

static struct {
    bool configured, enabled, spent;
    uint64_t ids[METRICS_MAX];
    size_t count;
    struct bl_counts before;
} sass;

/* A metric's id: of its first record, from 1; 0: there is no such metric. */
static uint64_t id_of(const char *name)
{
    const char *lacks = getenv("FAKE_CUPTI_LACKS");

    if (!(lacks && strstr(name, lacks)))
        for (uint64_t i = 0; i < RECORD_COUNT; i++)
            if (strcmp(records[i].metric, name) == 0)
                return i + 1;
    return 0;
}

EXPORT(cuptiSassMetricsGetProperties, CUpti_SassMetrics_GetProperties_Params)
{
    BEGIN("cuptiSassMetricsGetProperties", SIZED(CUpti_SassMetrics_GetProperties_Params));
    params->metric.metricId = id_of(params->pMetricName);
    return params->metric.metricId ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

EXPORT(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)
{
    BEGIN("cuptiSassMetricsSetConfig", SIZED(CUpti_SassMetricsSetConfig_Params));
    if (sass.configured || params->numOfMetricConfig > METRICS_MAX)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    sass.configured = true;
    sass.count = params->numOfMetricConfig;
    for (size_t i = 0; i < sass.count; i++) {
        if (!params->pConfigs[i].metricId)
            return CUPTI_ERROR_INVALID_PARAMETER;
        sass.ids[i] = params->pConfigs[i].metricId;
    }
    return CUPTI_SUCCESS;
}

EXPORT(cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params)
{
    BEGIN("cuptiSassMetricsEnable", SIZED(CUpti_SassMetricsEnable_Params));
    if (!sass.configured || sass.enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    sass.enabled = true;
    sass.before = fake_cupti_counted();
    return CUPTI_SUCCESS;
}

static bool configured(const char *metric)
{
    for (size_t i = 0; i < sass.count; i++)
        if (sass.ids[i] == id_of(metric))
            return true;
    return false;
}

EXPORT(cuptiSassMetricsGetDataProperties, CUpti_SassMetricsGetDataProperties_Params)
{
    BEGIN("cuptiSassMetricsGetDataProperties",
          SIZED(CUpti_SassMetricsGetDataProperties_Params));
    if (!sass.enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    params->numOfPatchedInstructionRecords = 0;
    for (size_t i = 0; i < RECORD_COUNT && !sass.spent; i++)
        params->numOfPatchedInstructionRecords += configured(records[i].metric);
    params->numOfInstances = params->numOfPatchedInstructionRecords ? 1 : 0;
    return CUPTI_SUCCESS;
}

static uint64_t value_of(const struct bl_counts *counts, size_t record)
{
    const char *adds = getenv("FAKE_SASS_ADDS");
    uint64_t value;

    memcpy(&value, (const char *)counts + records[record].offset, sizeof value);
    if (records[record].offset == AT(shared_load.wavefronts) && adds)
        value += strtoul(adds, NULL, 10);
    /* A copy is no load, though the model counts its reads among them. */
    if (records[record].offset == AT(global_load.requests))
        value -= counts->shared_async.requests;
    return value;
}

EXPORT(cuptiSassMetricsFlushData, CUpti_SassMetricsFlushData_Params)
{
    struct bl_counts counts = fake_cupti_counted();
    size_t n = 0;

    BEGIN("cuptiSassMetricsFlushData", SIZED(CUpti_SassMetricsFlushData_Params));
    fake_cupti_subtract(&counts, &sass.before);
    for (size_t i = 0; i < RECORD_COUNT; i++) {
        CUpti_SassMetrics_Data *to = &params->pMetricsData[n];
        if (!configured(records[i].metric))
            continue;
        if (n++ == params->numOfPatchedInstructionRecords ||
            to->structSize != sizeof *to || params->numOfInstances != 1)
            return CUPTI_ERROR_INVALID_PARAMETER;
        to->cubinCrc = 17;
        to->functionIndex = 1;
        to->functionName = strdup("kernel");
        to->pcOffset = records[i].pc;
        to->pInstanceValues[0] = (CUpti_SassMetrics_InstanceValue){
            id_of(records[i].metric), value_of(&counts, i)};
    }
    sass.spent = true;
    return CUPTI_SUCCESS;
}

EXPORT(cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params)
{
    BEGIN("cuptiSassMetricsDisable", SIZED(CUpti_SassMetricsDisable_Params));
    sass.enabled = false;
    params->numOfDroppedRecords = 0;
    return CUPTI_SUCCESS;
}
