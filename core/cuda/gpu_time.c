/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/gpu_time.h"

#include "cuda/cublas.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_POOLS = 64,
    MAX_SETS = 8192,
    /* Inputs and outputs together rotate through at least this many L2 caches. */
    L2_TIMES = 4,
    MAX_RUNS = MAX_SETS,
    SET_ALIGNMENT = 256
};

/* A batch lasts at least this long: event resolution is about half a microsecond. */
#define BATCH_US 1000.0

/* Buffers of one size, shared by the cases of that size: set i of the inputs lies at
 * input + i * stride, and so for the outputs. */
struct pool {
    uint64_t bytes, stride;
    uint32_t sets;
    CUdeviceptr input, output;
};

struct timed {
    struct bl_gpu_code code;
    struct banklab_plan plan;
    struct bl_gpu_buffers buffers; /* clock and scratch; input and output rotate */
    const struct pool *pool;
    uint32_t sets, runs;
    struct bl_ask_timing ask;
    CUgraph graph;
    CUgraphExec exec;
    CUevent start, end;
};

struct bl_gpu_timer {
    struct bl_gpu *gpu;
    struct pool *pools[MAX_POOLS];
    size_t pool_count;
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

static void free_case(struct bl_gpu *gpu, struct timed *timed)
{
    if (timed->exec)
        gpu->api.cuGraphExecDestroy(timed->exec);
    if (timed->graph)
        gpu->api.cuGraphDestroy(timed->graph);
    if (timed->start)
        gpu->api.cuEventDestroy(timed->start);
    if (timed->end)
        gpu->api.cuEventDestroy(timed->end);
    if (timed->buffers.clock)
        gpu->api.cuMemFree(timed->buffers.clock);
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++)
        if (timed->buffers.scratch[i])
            gpu->api.cuMemFree(timed->buffers.scratch[i]);
    bl_gpu_unload(gpu, &timed->code);
    free(timed);
}

static void free_pool(struct bl_gpu *gpu, struct pool *pool)
{
    if (pool->input)
        gpu->api.cuMemFree(pool->input);
    if (pool->output)
        gpu->api.cuMemFree(pool->output);
    free(pool);
}

void bl_gpu_timer_free(struct bl_gpu_timer *timer)
{
    if (!timer)
        return;
    for (size_t i = 0; i < timer->count; i++)
        free_case(timer->gpu, timer->cases[i]);
    for (size_t i = 0; i < timer->pool_count; i++)
        free_pool(timer->gpu, timer->pools[i]);
    free(timer->cases);
    free(timer);
}

/* ---- buffers ----------------------------------------------------------------- */

/* Random input: zeros can move faster than real data. splitmix64, a word a step. */
static void fill_random(uint64_t *words, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        words[i] = z ^ (z >> 31);
    }
}

static enum bl_status fill_pool(struct bl_gpu *gpu, struct pool *pool, uint64_t seed,
                                struct bl_error *err)
{
    size_t words = (size_t)(pool->bytes / 8 + 1);
    uint64_t *host = malloc(words * 8);
    enum bl_status status = BL_OK;

    if (!host)
        return bl_error_nomem(err);
    fill_random(host, words, seed);
    status = BL_CUDA(&gpu->api, err, cuMemAlloc, &pool->input, pool->sets * pool->stride);
    if (status == BL_OK)
        status =
            BL_CUDA(&gpu->api, err, cuMemAlloc, &pool->output, pool->sets * pool->stride);
    for (uint32_t i = 0; status == BL_OK && i < pool->sets; i++)
        status = BL_CUDA(&gpu->api, err, cuMemcpyHtoD, pool->input + i * pool->stride,
                         host, pool->bytes);
    free(host);
    return status;
}

static enum bl_status pool_for(struct bl_gpu_timer *timer,
                               const struct bl_ask_timing *ask, struct pool **out,
                               struct bl_error *err)
{
    uint64_t wanted = L2_TIMES * timer->gpu->l2_bytes, sets;
    struct pool *pool;
    enum bl_status status;

    for (size_t i = 0; i < timer->pool_count; i++)
        if (timer->pools[i]->bytes == ask->bytes) {
            *out = timer->pools[i];
            return BL_OK;
        }
    if (timer->pool_count == MAX_POOLS)
        return bl_error_set(err, BL_E_INPUT, "more than %d problem sizes in one profile",
                            MAX_POOLS);
    pool = calloc(1, sizeof *pool);
    if (!pool)
        return bl_error_nomem(err);
    pool->bytes = ask->bytes;
    pool->stride = (ask->bytes + SET_ALIGNMENT - 1) / SET_ALIGNMENT * SET_ALIGNMENT;
    /* One set more than needed, so that what is rotated out is really out. */
    sets = wanted / (2 * ask->bytes) + 2;
    pool->sets = (uint32_t)(sets < MAX_SETS ? sets : MAX_SETS);
    status = fill_pool(timer->gpu, pool, ask->seed, err);
    if (status != BL_OK) {
        free_pool(timer->gpu, pool);
        return status;
    }
    timer->pools[timer->pool_count++] = pool;
    *out = pool;
    return BL_OK;
}

static enum bl_status private_buffers(struct bl_gpu *gpu, struct timed *timed,
                                      struct bl_error *err)
{
    const struct banklab_plan *plan = &timed->plan;
    enum bl_status status = BL_OK;

    if (plan->clock.warps)
        status = BL_CUDA(&gpu->api, err, cuMemAlloc, &timed->buffers.clock,
                         plan->clock.warps * 16);
    for (int i = 0; status == BL_OK && i < BANKLAB_MAX_SCRATCH; i++)
        if (plan->scratch_bytes[i])
            status = BL_CUDA(&gpu->api, err, cuMemAlloc, &timed->buffers.scratch[i],
                             plan->scratch_bytes[i]);
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

/* Warms up and times some runs without a graph, to choose how many a batch holds. */
static enum bl_status warm_up(struct bl_gpu *gpu, struct timed *timed, double *us_out,
                              struct bl_error *err)
{
    enum { TRIES = 3 };
    enum bl_status status = BL_OK;
    double us = 0;

    for (uint32_t i = 0; status == BL_OK && i < TRIES; i++) {
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

static enum bl_status replay(struct bl_gpu *gpu, struct timed *timed, double *us_out,
                             struct bl_error *err)
{
    enum bl_status status;
    double us = 0;

    status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->start, gpu->stream);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuGraphLaunch, timed->exec, gpu->stream);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuEventRecord, timed->end, gpu->stream);
    if (status == BL_OK)
        status = elapsed(gpu, timed, &us, err);
    if (status == BL_OK)
        *us_out = us / timed->runs;
    return status;
}

/* Whole turns through the sets, so that every batch touches each set equally often. */
static uint32_t runs_for(double us, uint32_t sets)
{
    double wanted = BATCH_US / (us > 0.1 ? us : 0.1);
    uint32_t turns = (uint32_t)(wanted / sets) + 1;

    if ((uint64_t)turns * sets > MAX_RUNS)
        turns = MAX_RUNS / sets;
    return turns * sets;
}

static enum bl_status prepare(struct bl_gpu_timer *timer, struct timed *timed,
                              const struct bl_ask_timing *timing,
                              struct bl_timing_card *out, struct bl_error *err)
{
    struct bl_gpu *gpu = timer->gpu;
    struct pool *pool = NULL;
    enum bl_status status;
    double us = 0;

    if ((status = pool_for(timer, timing, &pool, err)) != BL_OK ||
        (status = private_buffers(gpu, timed, err)) != BL_OK ||
        (status = BL_CUDA(&gpu->api, err, cuEventCreate, &timed->start, 0)) != BL_OK ||
        (status = BL_CUDA(&gpu->api, err, cuEventCreate, &timed->end, 0)) != BL_OK)
        return status;
    timed->pool = pool;
    timed->sets = timing->warm ? 1 : pool->sets;
    if ((status = warm_up(gpu, timed, &us, err)) != BL_OK)
        return status;
    out->first_us = us;
    timed->runs = runs_for(us, timed->sets);
    if ((status = capture(gpu, timed, err)) != BL_OK ||
        (status = replay(gpu, timed, &us, err)) != BL_OK)
        return status;
    out->sets = timed->sets;
    out->runs = timed->runs;
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
        free_case(timer->gpu, timed);
    return status;
}

enum bl_status bl_gpu_timer_round(struct bl_gpu_timer *timer, double *out,
                                  struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && i < timer->count; i++)
        status = replay(timer->gpu, timer->cases[i], &out[i], err);
    return status;
}

size_t bl_gpu_timer_count(const struct bl_gpu_timer *timer)
{
    return timer->count;
}
