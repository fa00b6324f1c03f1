/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti.h"

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
    struct bl_cupti *cupti;
};

enum bl_status bl_counters_open(struct bl_gpu *gpu, struct bl_counters **out,
                                struct bl_error *err)
{
    struct bl_counters *counters = calloc(1, sizeof *counters);
    enum bl_status status;

    if (!counters)
        return bl_error_nomem(err);
    status = bl_cupti_open(gpu, metric_names, METRICS, &counters->cupti, err);
    if (status == BL_OK)
        *out = counters;
    else
        free(counters);
    return status;
}

void bl_counters_close(struct bl_counters *counters)
{
    if (!counters)
        return;
    bl_cupti_close(counters->cupti);
    free(counters);
}

/* A group has a source only if every number in it was counted. */
static void fill_counts(const double value[METRICS], struct bl_counts *out)
{
    bool shared = true, global = true;

    for (int i = 0; i < METRICS; i++)
        if (!isfinite(value[i])) {
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

struct whole {
    enum bl_status (*run)(void *ctx, struct bl_error *err);
    void *ctx;
};

static enum bl_status run_whole(void *ctx, size_t range, struct bl_error *err)
{
    struct whole *whole = ctx;

    (void)range;
    return whole->run(whole->ctx, err);
}

enum bl_status bl_counters_count(struct bl_counters *counters,
                                 enum bl_status (*run)(void *ctx, struct bl_error *err),
                                 void *ctx, struct bl_counts *out, struct bl_error *err)
{
    struct whole whole = {run, ctx};
    double value[METRICS];
    enum bl_status status =
        bl_cupti_count(counters->cupti, 1, run_whole, &whole, value, err);

    if (status != BL_OK)
        return status;
    memset(out, 0, sizeof *out);
    fill_counts(value, out);
    return BL_OK;
}
