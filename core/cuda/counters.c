/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti.h"
#include "cuda/sass.h"

/* Requests are instructions that some lane carries out: the assembler puts loads that
 * none does before the wait for asynchronous copies.
 *
 * Names as Nsight Compute's metric reference gives them; .sum is over all SMs. */
enum metric {
    SHARED_LD_REQUESTS,
    SHARED_LD_WAVEFRONTS,
    SHARED_LD_CONFLICTS,
    SHARED_ST_REQUESTS,
    SHARED_ST_WAVEFRONTS,
    SHARED_ST_CONFLICTS,
    SHARED_ATOM_REQUESTS,
    SHARED_ATOM_WAVEFRONTS,
    SHARED_ATOM_CONFLICTS,
    /* What all have taken, and what is of none: asynchronous copies have no counter of
     * their own, and are the rest. */
    SHARED_ALL_WAVEFRONTS,
    SHARED_MISC_WAVEFRONTS,
    ASYNC_REQUESTS,
    ASYNC_CONFLICTS,
    /* Matrices: their wavefronts and conflicts are among loads' and stores', their
     * requests are not. A chip that hasn't the instruction has no counter of it. */
    LDMATRIX_REQUESTS,
    STMATRIX_REQUESTS,
    GLOBAL_LD_REQUESTS,
    GLOBAL_LD_SECTORS,
    GLOBAL_ST_REQUESTS,
    GLOBAL_ST_SECTORS,
    METRICS
};
static const char *const metric_names[METRICS] = {
    "smsp__inst_executed_op_shared_ld_pred_on_any.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "smsp__inst_executed_op_shared_st_pred_on_any.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "smsp__inst_executed_op_shared_atom_pred_on_any.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum",
    "smsp__inst_executed_op_ldgsts_pred_on_any.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
    "smsp__inst_executed_op_ldsm_pred_on_any.sum",
    "smsp__inst_executed_op_shared_stsm_pred_on_any.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
};

struct bl_counters { /* one of the two */
    struct bl_sass *sass;
    struct bl_cupti *cupti;
    struct bl_gpu *gpu;
    enum bl_counted by;
};

static enum bl_status open_hardware(struct bl_counters *counters, struct bl_error *err)
{
    return bl_cupti_open(counters->gpu, metric_names, METRICS, &counters->cupti, err);
}

enum bl_status bl_counters_open(struct bl_gpu *gpu, enum bl_counted by,
                                struct bl_counters **out, struct bl_error *err)
{
    struct bl_counters *counters = calloc(1, sizeof *counters);
    enum bl_status status = BL_E_UNSUPPORTED;

    if (!counters)
        return bl_error_nomem(err);
    counters->gpu = gpu;
    counters->by = by;
    if (by != BL_COUNTED_HARDWARE)
        status = bl_sass_open(gpu, &counters->sass, err);
    if (status == BL_E_UNSUPPORTED && by != BL_COUNTED_INSTRUCTIONS)
        status = open_hardware(counters, err);
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
    bl_sass_close(counters->sass);
    bl_cupti_close(counters->cupti);
    free(counters);
}

bool bl_counters_once(const struct bl_counters *counters)
{
    return counters->sass != NULL;
}

/* The three counters from `first` on. */
static struct bl_shared_counts three(const double value[METRICS], enum metric first)
{
    return (struct bl_shared_counts){.requests = (uint64_t)value[first],
                                     .wavefronts = (uint64_t)value[first + 1],
                                     .conflicts = (uint64_t)value[first + 2]};
}

static void fill_shared(const double value[METRICS], struct bl_counts *out)
{
    double ldmatrix = value[LDMATRIX_REQUESTS], stmatrix = value[STMATRIX_REQUESTS];
    double rest = value[SHARED_ALL_WAVEFRONTS] - value[SHARED_MISC_WAVEFRONTS] -
                  value[SHARED_LD_WAVEFRONTS] - value[SHARED_ST_WAVEFRONTS] -
                  value[SHARED_ATOM_WAVEFRONTS];

    out->shared_source = BL_SRC_COUNTER;
    out->shared_load = three(value, SHARED_LD_REQUESTS);
    out->shared_store = three(value, SHARED_ST_REQUESTS);
    out->shared_atomic = three(value, SHARED_ATOM_REQUESTS);
    out->shared_load.requests += isfinite(ldmatrix) ? (uint64_t)ldmatrix : 0;
    out->shared_store.requests += isfinite(stmatrix) ? (uint64_t)stmatrix : 0;
    /* The rest may be other than zero without a copy: other units use the stage too. */
    if (value[ASYNC_REQUESTS] > 0) {
        out->shared_async.requests = (uint64_t)value[ASYNC_REQUESTS];
        out->shared_async.wavefronts = rest > 0 ? (uint64_t)rest : 0;
        out->shared_async.conflicts = (uint64_t)value[ASYNC_CONFLICTS];
    }
}

/* A group has a source only if every number in it was counted. */
static void fill_counts(const double value[METRICS], struct bl_counts *out)
{
    bool shared = true, global = true;

    for (int i = 0; i < METRICS; i++)
        if (!isfinite(value[i]) && i != LDMATRIX_REQUESTS && i != STMATRIX_REQUESTS) {
            if (i < GLOBAL_LD_REQUESTS)
                shared = false;
            else
                global = false;
        }
    if (shared)
        fill_shared(value, out);
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

/* What turns out not to work by instructions is left to the hardware. */
static enum bl_status
count_instructions(struct bl_counters *counters,
                   enum bl_status (*run)(void *ctx, struct bl_error *err), void *ctx,
                   struct bl_counts *out, struct bl_error *err)
{
    enum bl_status status = bl_sass_count(counters->sass, run, ctx, out, err);

    if (status != BL_E_UNSUPPORTED || counters->by == BL_COUNTED_INSTRUCTIONS)
        return status;
    bl_sass_close(counters->sass);
    counters->sass = NULL;
    return open_hardware(counters, err);
}

enum bl_status bl_counters_count(struct bl_counters *counters,
                                 enum bl_status (*run)(void *ctx, struct bl_error *err),
                                 void *ctx, struct bl_counts *out, struct bl_error *err)
{
    struct whole whole = {run, ctx};
    double value[METRICS];
    enum bl_status status = BL_OK;

    if (counters->sass) {
        status = count_instructions(counters, run, ctx, out, err);
        if (status != BL_OK || counters->sass)
            return status;
    }
    if (!counters->cupti)
        return bl_error_set(err, BL_E_UNSUPPORTED, "no hardware counters");
    status = bl_cupti_count(counters->cupti, 1, run_whole, &whole, value, err);
    if (status != BL_OK)
        return status;
    memset(out, 0, sizeof *out);
    out->counted = BL_COUNTED_HARDWARE;
    fill_counts(value, out);
    return BL_OK;
}
