/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/gpu_patterns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti.h"

enum {
    /* What a pass of the profiler holds. */
    RANGES_A_PASS = 256,
    /* Patterns a launch: their readings take 1.5 KB each and pass. */
    CLOCK_BATCH = 4096
};
static const uint32_t magic = 0x40000000;

struct bl_gpu_patterns {
    struct bl_gpu *gpu;
    char *ptx; /* of `module`: the next question is often about the same */
    CUmodule module;
    CUdeviceptr global;
};

enum bl_status bl_gpu_patterns_new(struct bl_gpu *gpu, struct bl_gpu_patterns **out,
                                   struct bl_error *err)
{
    struct bl_gpu_patterns *patterns = calloc(1, sizeof *patterns);
    enum bl_status status;

    if (!patterns)
        return bl_error_nomem(err);
    patterns->gpu = gpu;
    status = BL_CUDA(&gpu->api, err, cuMemAlloc, &patterns->global, BL_PATTERN_GLOBAL);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuMemsetD8Async, patterns->global, 0,
                         BL_PATTERN_GLOBAL, gpu->stream);
    if (status == BL_OK)
        *out = patterns;
    else
        bl_gpu_patterns_free(patterns);
    return status;
}

static void forget_module(struct bl_gpu_patterns *patterns)
{
    if (patterns->module)
        patterns->gpu->api.cuModuleUnload(patterns->module);
    patterns->module = NULL;
    free(patterns->ptx);
    patterns->ptx = NULL;
}

void bl_gpu_patterns_free(struct bl_gpu_patterns *patterns)
{
    if (!patterns)
        return;
    forget_module(patterns);
    if (patterns->global)
        patterns->gpu->api.cuMemFree(patterns->global);
    free(patterns);
}

static enum bl_status find_kernel(struct bl_gpu_patterns *patterns, const char *kind,
                                  const char *op, uint32_t shared_bytes, CUfunction *out,
                                  struct bl_error *err)
{
    const struct bl_cuda_api *api = &patterns->gpu->api;
    enum bl_status status;
    char name[64];

    snprintf(name, sizeof name, "%s_%s", kind, op);
    status = BL_CUDA(api, err, cuModuleGetFunction, out, patterns->module, name);
    if (status == BL_OK)
        status =
            BL_CUDA(api, err, cuFuncSetAttribute, *out,
                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared_bytes);
    return status == BL_OK ? BL_OK : bl_error_prefix(err, "kernel %s", name);
}

static enum bl_status load(struct bl_gpu_patterns *patterns, const char *ptx,
                           struct bl_error *err)
{
    if (patterns->module && strcmp(patterns->ptx, ptx) == 0)
        return BL_OK;
    forget_module(patterns);
    patterns->ptx = strdup(ptx);
    if (!patterns->ptx)
        return bl_error_nomem(err);
    return bl_gpu_compile(patterns->gpu, "patterns", ptx, &patterns->module, err);
}

/* ---- counting --------------------------------------------------------------------- */

struct counting {
    struct bl_gpu_patterns *patterns;
    CUfunction kernel;
    const struct bl_pattern_args *args; /* of the pass's first range */
};

static enum bl_status count_one(void *ctx, size_t range, struct bl_error *err)
{
    struct counting *counting = ctx;
    struct bl_gpu *gpu = counting->patterns->gpu;
    struct bl_pattern_args args = counting->args[range];
    uint32_t value = magic;
    void *arguments[] = {&args, &counting->patterns->global, &value};
    enum bl_status status =
        BL_CUDA(&gpu->api, err, cuLaunchKernel, counting->kernel, 1, 1, 1, 32, 1, 1,
                BL_PATTERN_SHARED, gpu->stream, arguments, NULL);

    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuStreamSynchronize, gpu->stream);
    return status;
}

static enum bl_status count(struct bl_gpu_patterns *patterns,
                            const struct bl_ask_patterns *ask, const char *const *names,
                            const struct bl_pattern_args *args, double *values,
                            struct bl_error *err)
{
    struct counting counting = {.patterns = patterns};
    struct bl_cupti *cupti = NULL;
    const size_t ranges = ask->ranges ? ask->ranges : RANGES_A_PASS;
    enum bl_status status =
        find_kernel(patterns, "count", ask->op, BL_PATTERN_SHARED, &counting.kernel, err);

    if (status == BL_OK)
        status = bl_cupti_open(patterns->gpu, names, ask->metrics, &cupti, err);
    for (size_t at = 0; status == BL_OK && at < ask->count; at += ranges) {
        size_t n = ask->count - at < ranges ? ask->count - at : ranges;
        counting.args = args + at;
        /* The first launch of a kernel uploads it: not within a range. */
        if (at == 0)
            status = count_one(&counting, 0, err);
        if (status == BL_OK)
            status = bl_cupti_count(cupti, n, count_one, &counting,
                                    values + at * ask->metrics, err);
    }
    bl_cupti_close(cupti);
    return status;
}

/* ---- the clock -------------------------------------------------------------------- */

/* The quickest pass: from the first warp's start to the last one's end. */
static double best_pass(const uint64_t *readings, uint32_t passes)
{
    uint64_t best = UINT64_MAX;

    for (uint32_t p = 0; p < passes; p++) {
        uint64_t start = UINT64_MAX, end = 0;
        for (uint32_t w = 0; w < BL_PATTERN_WARPS; w++, readings += 2) {
            start = readings[0] < start ? readings[0] : start;
            end = readings[1] > end ? readings[1] : end;
        }
        best = end - start < best ? end - start : best;
    }
    return (double)best / (BL_PATTERN_WARPS * BL_PATTERN_ACCESSES);
}

struct clocking {
    CUfunction kernel;
    CUdeviceptr args, readings;
    uint64_t *host;
    size_t readings_each; /* bytes a pattern */
};

static enum bl_status clock_batch(struct bl_gpu_patterns *patterns,
                                  struct clocking *clocking,
                                  const struct bl_pattern_args *args, size_t count,
                                  uint32_t passes, double *cycles, struct bl_error *err)
{
    struct bl_gpu *gpu = patterns->gpu;
    uint32_t value = magic;
    void *arguments[] = {&clocking->args, &patterns->global, &clocking->readings, &passes,
                         &value};
    enum bl_status status =
        bl_gpu_upload(gpu, clocking->args, args, count * sizeof *args, err);

    /* All the shared memory that a block may have: so each SM has one block. */
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuLaunchKernel, clocking->kernel,
                         (unsigned)count, 1, 1, 32 * BL_PATTERN_WARPS, 1, 1,
                         (unsigned)gpu->limits.max_shared, gpu->stream, arguments, NULL);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuStreamSynchronize, gpu->stream);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuMemcpyDtoH, clocking->host, clocking->readings,
                         count * clocking->readings_each);
    for (size_t i = 0; status == BL_OK && i < count; i++)
        cycles[i] = best_pass(clocking->host + i * clocking->readings_each / 8, passes);
    return status;
}

static enum bl_status clock_all(struct bl_gpu_patterns *patterns,
                                const struct bl_ask_patterns *ask,
                                const struct bl_pattern_args *args, double *cycles,
                                struct bl_error *err)
{
    struct bl_gpu *gpu = patterns->gpu;
    size_t batch = ask->count < CLOCK_BATCH ? ask->count : CLOCK_BATCH;
    struct clocking clocking = {.readings_each =
                                    (size_t)ask->passes * BL_PATTERN_WARPS * 2 * 8};
    enum bl_status status =
        find_kernel(patterns, "clock", ask->op, (uint32_t)gpu->limits.max_shared,
                    &clocking.kernel, err);

    clocking.host = malloc(batch * clocking.readings_each);
    if (status == BL_OK && !clocking.host)
        status = bl_error_nomem(err);
    if (status == BL_OK)
        status =
            BL_CUDA(&gpu->api, err, cuMemAlloc, &clocking.args, batch * sizeof *args);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuMemAlloc, &clocking.readings,
                         batch * clocking.readings_each);
    for (size_t at = 0; status == BL_OK && at < ask->count; at += batch) {
        size_t n = ask->count - at < batch ? ask->count - at : batch;
        status =
            clock_batch(patterns, &clocking, args + at, n, ask->passes, cycles + at, err);
    }
    if (clocking.args)
        gpu->api.cuMemFree(clocking.args);
    if (clocking.readings)
        gpu->api.cuMemFree(clocking.readings);
    free(clocking.host);
    return status;
}

enum bl_status bl_gpu_patterns_run(struct bl_gpu_patterns *patterns,
                                   const struct bl_ask_patterns *ask, const char *ptx,
                                   const char *const *names,
                                   const struct bl_pattern_args *args, double *values,
                                   double *cycles, struct bl_error *why_out,
                                   struct bl_error *err)
{
    enum bl_status status = load(patterns, ptx, err);

    memset(why_out, 0, sizeof *why_out);
    for (size_t i = 0; i < (size_t)ask->count * ask->metrics; i++)
        values[i] = NAN;
    if (status == BL_OK && ask->passes)
        status = clock_all(patterns, ask, args, cycles, err);
    if (status == BL_OK && ask->metrics) {
        status = count(patterns, ask, names, args, values, why_out);
        if (status == BL_E_UNSUPPORTED)
            return BL_OK;
        if (status != BL_OK)
            *err = *why_out;
    }
    return status;
}
