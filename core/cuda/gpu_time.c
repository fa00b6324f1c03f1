/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/gpu_time.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/cublas.h"
#include "cuda/gpu_pool.h"

/* A batch lasts at least this long: event resolution is about half a microsecond. */
#define BATCH_US 1000.0

/* A run at least this long hides the launch of the next one, and is enqueued as it is:
 * inside a graph the driver's copy takes a slower way (1 GiB on an NVIDIA H200, driver
 * 580.159, 2026-11-30: 777 us; a copy kernel beside it 504 us). */
#define DIRECT_US 200.0

/* Of a batch at least this long, what the case before left in the cache is nothing: 60 MB
 * are written back in some 15 us. */
#define LONG_US 100000.0

struct timed {
    struct bl_gpu_code code;
    struct banklab_plan plan;
    struct bl_gpu_buffers buffers; /* clock and scratch; input and output rotate */
    const struct bl_gpu_pool *pool;
    uint32_t sets, runs; /* which take turns; in a batch */
    bool led;            /* a batch follows a run that is not timed */
    struct bl_ask_timing ask;
    CUgraph graph;
    CUgraphExec exec;
    CUevent start, end;
};

struct bl_gpu_timer {
    struct bl_gpu *gpu;
    struct bl_gpu_pools pools;
    struct timed **cases;
    size_t count;
};

enum bl_status bl_gpu_timer_new(struct bl_gpu *gpu, struct bl_gpu_timer **out,
                                struct bl_error *err)
{
    struct bl_gpu_timer *timer = calloc(1, sizeof *timer);

    if (!timer)
        return bl_error_nomem(err);
    timer->gpu = gpu;
    *out = timer;
    return BL_OK;
}

/* Frees all that it can; the status is the first failure's. */
static enum bl_status free_case(struct bl_gpu *gpu, struct timed *timed,
                                enum bl_status status, struct bl_error *err)
{
#define DROP(member, call)                                                               \
    if (timed->member) {                                                                 \
        const CUresult result_ = gpu->api.call(timed->member);                           \
        if (status == BL_OK)                                                             \
            status = bl_cuda_check(&gpu->api, result_, #call, BL_E_FAULT, err);          \
    }
    DROP(exec, cuGraphExecDestroy)
    DROP(graph, cuGraphDestroy)
    DROP(start, cuEventDestroy)
    DROP(end, cuEventDestroy)
#undef DROP
    status = bl_gpu_release(gpu, &timed->buffers.clock, status, err);
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++)
        status = bl_gpu_release(gpu, &timed->buffers.scratch[i], status, err);
    status = bl_gpu_unload(gpu, &timed->code, status, err);
    free(timed);
    return status;
}

enum bl_status bl_gpu_timer_free(struct bl_gpu_timer *timer, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    if (!timer)
        return BL_OK;
    for (size_t i = 0; i < timer->count; i++)
        status = free_case(timer->gpu, timer->cases[i], status, err);
    if (status == BL_OK)
        status = bl_gpu_pools_clear(timer->gpu, &timer->pools, err);
    else
        bl_gpu_pools_clear(timer->gpu, &timer->pools, NULL);
    free(timer->cases);
    free(timer);
    return status;
}

/* ---- buffers ----------------------------------------------------------------- */

static enum bl_status private_buffers(struct bl_gpu *gpu, struct timed *timed,
                                      struct bl_error *err)
{
    const struct banklab_plan *plan = &timed->plan;
    enum bl_status status = BL_OK;

    if (plan->clock.warps)
        status = bl_gpu_alloc(gpu, plan->clock.warps * 16, &timed->buffers.clock, err);
    for (int i = 0; status == BL_OK && i < BANKLAB_MAX_SCRATCH; i++)
        if (plan->scratch_bytes[i])
            status = bl_gpu_alloc(gpu, plan->scratch_bytes[i], &timed->buffers.scratch[i],
                                  err);
    return status;
}

/* ---- batches ------------------------------------------------------------------- */

/* Enqueues run number `n` of a case. Scratch is zeroed before each run, as a plan is
 * promised: that belongs to the case's time. */
static enum bl_status enqueue(struct bl_gpu *gpu, struct timed *timed, uint32_t n,
                              struct bl_error *err)
{
    uint64_t offset = n % timed->sets * timed->pool->stride;
    enum bl_status status = BL_OK;

    timed->buffers.input = timed->pool->input + offset;
    timed->buffers.output = timed->pool->output + offset;
    if (timed->ask.reference == BL_REFERENCE_MEMCPY)
        return BL_CUDA(&gpu->api, err, cuMemcpyDtoDAsync, timed->buffers.output,
                       timed->buffers.input, timed->pool->bytes, gpu->stream);
    if (timed->ask.reference == BL_REFERENCE_CUBLAS)
        return bl_cublas_transpose(gpu->cublas, &timed->ask, timed->buffers.input,
                                   timed->buffers.output, err);
    for (int i = 0; status == BL_OK && i < BANKLAB_MAX_SCRATCH; i++)
        if (timed->buffers.scratch[i])
            status = BL_CUDA(&gpu->api, err, cuMemsetD8Async, timed->buffers.scratch[i],
                             0, timed->plan.scratch_bytes[i], gpu->stream);
    if (status == BL_OK)
        status = bl_gpu_launch(gpu, &timed->code, &timed->plan, &timed->buffers, err);
    return status;
}

static enum bl_status elapsed(struct bl_gpu *gpu, struct timed *timed, double *us_out,
                              struct bl_error *err)
{
    enum bl_status status;
    float ms = 0;

    status = BL_CUDA(&gpu->api, err, cuStreamSynchronize, gpu->stream);
    if (status == BL_OK)
        status =
            BL_CUDA(&gpu->api, err, cuEventElapsedTime, &ms, timed->start, timed->end);
    if (status == BL_OK)
        *us_out = ms * 1000.0;
    return status;
}

/* Warms up and times some runs without a graph, to choose how many a batch holds. What
 * runs for long needs no second try. */
static enum bl_status warm_up(struct bl_gpu *gpu, struct timed *timed, double *us_out,
                              struct bl_error *err)
{
    enum { TRIES = 3 };
    enum bl_status status = BL_OK;
    double us = 0;

    for (uint32_t i = 0; status == BL_OK && i < TRIES && us < timed->ask.most_us; i++) {
        status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->start, gpu->stream);
        if (status == BL_OK)
            status = enqueue(gpu, timed, i, err);
        if (status == BL_OK)
            status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->end, gpu->stream);
        if (status == BL_OK)
            status = elapsed(gpu, timed, &us, err);
    }
    if (status == BL_OK)
        *us_out = us;
    return status;
}

static enum bl_status capture(struct bl_gpu *gpu, struct timed *timed,
                              struct bl_error *err)
{
    enum bl_status status;
    struct bl_error first;

    status = BL_CUDA(&gpu->api, err, cuStreamBeginCapture, gpu->stream,
                     CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    if (status != BL_OK)
        return status;
    for (uint32_t i = 0; status == BL_OK && i < timed->runs; i++)
        status = enqueue(gpu, timed, i, &first);
    if (status != BL_OK && err)
        *err = first;
    /* A capture that was begun must be ended, whatever happened in it. */
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuStreamEndCapture, gpu->stream, &timed->graph);
    else
        gpu->api.cuStreamEndCapture(gpu->stream, &timed->graph);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuGraphInstantiateWithFlags, &timed->exec,
                         timed->graph, 0);
    return status;
}

/* One batch. A run before it, on its last set, is not timed, unless the batch is long:
 * what a run leaves in the L2 cache, up to all of it yet to be written back, is for the
 * next run to clear away. So each batch pays for its own case, not for the one timed
 * before it (on an NVIDIA H200, driver 580.159, 2026-11-30, kernels of 0.5 ms differed by
 * up to 2 % with what came before). */
static enum bl_status replay(struct bl_gpu *gpu, struct timed *timed, double *us_out,
                             struct bl_error *err)
{
    enum bl_status status = BL_OK;
    double us = 0;

    if (timed->led)
        status = enqueue(gpu, timed, timed->runs - 1, err);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->start, gpu->stream);
    if (status == BL_OK && timed->exec)
        status = BL_CUDA(&gpu->api, err, cuGraphLaunch, timed->exec, gpu->stream);
    for (uint32_t i = 0; status == BL_OK && !timed->exec && i < timed->runs; i++)
        status = enqueue(gpu, timed, i, err);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->end, gpu->stream);
    if (status == BL_OK)
        status = elapsed(gpu, timed, &us, err);
    if (status == BL_OK && !(us > 0))
        return bl_error_set(err, BL_E_INTERNAL, "the GPU's clock stood still");
    if (status == BL_OK)
        *us_out = us / timed->runs;
    return status;
}

/* Whole turns through the sets, so that every batch touches each set equally often. But
 * a batch must end well within the time after which a case is taken to hang: what runs
 * for long has fewer sets. */
static void choose_runs(struct timed *timed, double us)
{
    const double least = BATCH_US / (us > 0.1 ? us : 0.1);
    const double most = timed->ask.most_us / (us > 0.1 ? us : 0.1);
    uint32_t turns = (uint32_t)(least / timed->sets) + 1;

    if (timed->sets > most)
        timed->sets = most > 1 ? (uint32_t)most : 1;
    if ((double)turns * timed->sets > most)
        turns = 1;
    if ((uint64_t)turns * timed->sets > BL_POOL_MOST_SETS)
        turns = BL_POOL_MOST_SETS / timed->sets;
    timed->runs = turns * timed->sets;
    timed->led = timed->runs * us < LONG_US;
}

static enum bl_status prepare(struct bl_gpu_timer *timer, struct timed *timed,
                              const struct bl_ask_timing *timing,
                              struct bl_timing_card *out, struct bl_error *err)
{
    struct bl_gpu *gpu = timer->gpu;
    enum bl_status status;
    double us = 0;

    status = bl_gpu_pool_get(gpu, &timer->pools, timing, &timed->pool, err);
    if (status != BL_OK || (status = private_buffers(gpu, timed, err)) != BL_OK ||
        (status = BL_CUDA(&gpu->api, err, cuEventCreate, &timed->start, 0)) != BL_OK ||
        (status = BL_CUDA(&gpu->api, err, cuEventCreate, &timed->end, 0)) != BL_OK)
        return status;
    timed->sets = timed->pool->sets;
    if ((status = warm_up(gpu, timed, &us, err)) != BL_OK)
        return status;
    out->first_us = us;
    choose_runs(timed, us);
    if ((us < DIRECT_US && (status = capture(gpu, timed, err)) != BL_OK) ||
        (status = replay(gpu, timed, &us, err)) != BL_OK)
        return status;
    out->sets = timed->sets;
    out->runs = timed->runs;
    out->rotated = timed->sets * 2 * timed->pool->bytes;
    return BL_OK;
}

enum bl_status bl_gpu_timer_add(struct bl_gpu_timer *timer, const struct bl_ask_code *ask,
                                const char *ptx, const struct bl_ask_timing *timing,
                                struct bl_timing_card *out, struct bl_error *err)
{
    struct timed **more =
        realloc(timer->cases, (timer->count + 1) * sizeof *timer->cases);
    struct timed *timed = calloc(1, sizeof *timed);
    enum bl_status status = BL_OK;

    if (more)
        timer->cases = more;
    if (!more || !timed) {
        free(timed);
        return bl_error_nomem(err);
    }
    timed->plan = ask->plan;
    timed->ask = *timing;
    if (timing->reference == BL_REFERENCE_CUBLAS && !timer->gpu->cublas)
        status = bl_cublas_open(timer->gpu->stream, &timer->gpu->cublas, err);
    if (!timing->reference)
        status = bl_gpu_load(timer->gpu, ask->label, ptx, ask->ptx_bytes, &ask->plan,
                             &timed->code, err);
    if (status == BL_OK)
        status = prepare(timer, timed, timing, out, err);
    if (status == BL_OK)
        timer->cases[timer->count++] = timed;
    else
        free_case(timer->gpu, timed, status, err);
    return status;
}

enum bl_status bl_gpu_timer_round(struct bl_gpu_timer *timer, double *out,
                                  volatile uint32_t *place, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; status == BL_OK && i < timer->count; i++) {
        *place = i;
        status = replay(timer->gpu, timer->cases[i], &out[i], err);
    }
    return status;
}

size_t bl_gpu_timer_count(const struct bl_gpu_timer *timer)
{
    return timer->count;
}
