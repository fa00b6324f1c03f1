/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti_host.h - the part of CUPTI's profiler host API that the lab calls.
 *
 * CUDA 13.0's own cupti_profiler_host.h includes a C++ header and can't be read by a C
 * compiler, so the parameter blocks are declared here with the layout that CUPTI's
 * documentation gives them. `size` is the block's own size, `priv` is NULL.
 */
#ifndef BL_CUPTI_HOST_H
#define BL_CUPTI_HOST_H

#include <stddef.h>
#include <stdint.h>

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

struct bl_host_initialize {
    size_t size;
    void *priv;
    int profiler; /* 0: the range profiler */
    const char *chip;
    const uint8_t *availability;
    void *host; /* out */
};

struct bl_host_deinitialize {
    size_t size;
    void *priv;
    void *host;
};

struct bl_host_add_metrics {
    size_t size;
    void *priv;
    void *host;
    const char **names;
    size_t count;
};

struct bl_host_config_size {
    size_t size;
    void *priv;
    void *host;
    size_t bytes; /* out */
};

struct bl_host_config {
    size_t size;
    void *priv;
    void *host;
    size_t bytes;
    uint8_t *image;
};

struct bl_host_evaluate {
    size_t size;
    void *priv;
    void *host;
    const uint8_t *counters;
    size_t counter_bytes;
    size_t range;
    const char **names;
    size_t count;
    double *values; /* out */
};

/* X(member, symbol, parameter block) */
#define BL_CUPTI_CALLS(X)                                                                \
    X(initialize, cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)             \
    X(chip_name, cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params)                \
    X(get_availability, cuptiProfilerGetCounterAvailability,                             \
      CUpti_Profiler_GetCounterAvailability_Params)                                      \
    X(host_initialize, cuptiProfilerHostInitialize, struct bl_host_initialize)           \
    X(host_deinitialize, cuptiProfilerHostDeinitialize, struct bl_host_deinitialize)     \
    X(host_add, cuptiProfilerHostConfigAddMetrics, struct bl_host_add_metrics)           \
    X(host_config_size, cuptiProfilerHostGetConfigImageSize, struct bl_host_config_size) \
    X(host_config, cuptiProfilerHostGetConfigImage, struct bl_host_config)               \
    X(host_evaluate, cuptiProfilerHostEvaluateToGpuValues, struct bl_host_evaluate)      \
    X(enable, cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params)               \
    X(disable, cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)            \
    X(data_size, cuptiRangeProfilerGetCounterDataSize,                                   \
      CUpti_RangeProfiler_GetCounterDataSize_Params)                                     \
    X(data_initialize, cuptiRangeProfilerCounterDataImageInitialize,                     \
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params)                            \
    X(configure, cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)      \
    X(start, cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)                  \
    X(stop, cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params)                     \
    X(push, cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params)           \
    X(pop, cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params)              \
    X(decode, cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)

#endif
