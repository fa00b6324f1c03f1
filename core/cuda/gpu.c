/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/gpu.h"

#include <stdio.h>
#include <string.h>

#include "cuda/cublas.h"
#include "cuda/tensor_map.h"

static enum bl_status attribute(struct bl_gpu *gpu, CUdevice_attribute which,
                                uint32_t *out, struct bl_error *err)
{
    int value = 0;
    enum bl_status status =
        BL_CUDA(&gpu->api, err, cuDeviceGetAttribute, &value, which, gpu->device);

    if (status == BL_OK)
        *out = (uint32_t)value;
    return status;
}

static enum bl_status read_limits(struct bl_gpu *gpu, struct bl_error *err)
{
    struct bl_device_limits *limits = &gpu->limits;
    uint32_t major = 0, minor = 0, l2 = 0, shared = 0;
    const struct {
        CUdevice_attribute which;
        uint32_t *out;
    } wanted[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &gpu->sms},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &l2},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &limits->max_threads},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &limits->max_block[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &limits->max_block[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &limits->max_block[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &limits->max_grid[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &limits->max_grid[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &limits->max_grid[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        enum bl_status status = attribute(gpu, wanted[i].which, wanted[i].out, err);
        if (status != BL_OK)
            return status;
    }
    limits->cc = major * 10 + minor;
    limits->max_shared = shared;
    gpu->l2_bytes = l2;
    snprintf(gpu->desc.arch, sizeof gpu->desc.arch, "cc%u", limits->cc);
    return BL_OK;
}

static enum bl_status read_identity(struct bl_gpu *gpu, struct bl_error *err)
{
    enum bl_status status;
    int version = 0;

    snprintf(gpu->desc.backend, sizeof gpu->desc.backend, "cuda");
    status = BL_CUDA(&gpu->api, err, cuDeviceGetName, gpu->desc.name,
                     (int)sizeof gpu->desc.name, gpu->device);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuDeviceGetPCIBusId, gpu->bus_id,
                         (int)sizeof gpu->bus_id, gpu->device);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuDriverGetVersion, &version);
    if (status == BL_OK)
        snprintf(gpu->desc.driver, sizeof gpu->desc.driver, "CUDA %d.%d", version / 1000,
                 version % 1000 / 10);
    return status;
}

static enum bl_status find_device(struct bl_gpu *gpu, struct bl_error *err)
{
    enum bl_status status;
    int count = 0;

    status = BL_CUDA(&gpu->api, err, cuDeviceGetCount, &count);
    if (status != BL_OK)
        return status;
    if (count == 0)
        return bl_error_set(err, BL_E_UNSUPPORTED, "the NVIDIA driver sees no GPU");
    if (gpu->ordinal >= count)
        return bl_error_set(err, BL_E_INPUT,
                            "no GPU cuda:%d: there are %d, cuda:0 to cuda:%d",
                            gpu->ordinal, count, count - 1);
    return BL_CUDA(&gpu->api, err, cuDeviceGet, &gpu->device, gpu->ordinal);
}

static enum bl_status open_context(struct bl_gpu *gpu, struct bl_error *err)
{
    size_t unused = 0, total = 0;
    enum bl_status status;

    status =
        BL_CUDA(&gpu->api, err, cuDevicePrimaryCtxRetain, &gpu->context, gpu->device);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuCtxSetCurrent, gpu->context);
    if (status == BL_OK)
        status =
            BL_CUDA(&gpu->api, err, cuStreamCreate, &gpu->stream, CU_STREAM_NON_BLOCKING);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuMemGetInfo, &unused, &total);
    if (status == BL_OK)
        gpu->limits.memory = unused;
    return status;
}

enum bl_status bl_gpu_open(struct bl_gpu *gpu, int ordinal, struct bl_error *err)
{
    enum bl_status status;

    memset(gpu, 0, sizeof *gpu);
    gpu->ordinal = ordinal;
    status = bl_cuda_api_open(&gpu->api, err);
    if (status != BL_OK)
        return status;
    if ((status = find_device(gpu, err)) != BL_OK ||
        (status = read_identity(gpu, err)) != BL_OK ||
        (status = read_limits(gpu, err)) != BL_OK ||
        (status = open_context(gpu, err)) != BL_OK)
        bl_gpu_close(gpu);
    return status;
}

void bl_gpu_close(struct bl_gpu *gpu)
{
    bl_cublas_close(gpu->cublas);
    if (gpu->stream)
        gpu->api.cuStreamDestroy(gpu->stream);
    if (gpu->context)
        gpu->api.cuDevicePrimaryCtxRelease(gpu->device);
    bl_cuda_api_close(&gpu->api);
    memset(gpu, 0, sizeof *gpu);
}

/* ---- memory ---------------------------------------------------------------- */

enum bl_status bl_gpu_alloc(struct bl_gpu *gpu, uint64_t bytes, CUdeviceptr *out,
                            struct bl_error *err)
{
    CUdeviceptr at = 0;
    CUresult result = gpu->api.cuMemAlloc(&at, bytes);
    enum bl_status status = result == CUDA_ERROR_OUT_OF_MEMORY ? BL_E_INPUT : BL_E_FAULT;
    size_t unused = 0, total = 0;

    status = bl_cuda_check(&gpu->api, result, "cuMemAlloc", status, err);
    if (status == BL_OK) {
        *out = at;
    } else if (status == BL_E_INPUT && err &&
               gpu->api.cuMemGetInfo(&unused, &total) == CUDA_SUCCESS) {
        const struct bl_error driver = *err;
        bl_error_set(err, status,
                     "%llu bytes of GPU memory, of which %zu are free: %.200s",
                     (unsigned long long)bytes, unused, driver.text);
    }
    return status;
}

enum bl_status bl_gpu_release(struct bl_gpu *gpu, CUdeviceptr *at, enum bl_status status,
                              struct bl_error *err)
{
    if (*at) {
        const CUresult result = gpu->api.cuMemFree(*at);
        *at = 0;
        if (status == BL_OK)
            status = bl_cuda_check(&gpu->api, result, "cuMemFree", BL_E_FAULT, err);
    }
    return status;
}

/* ---- code ------------------------------------------------------------------ */

enum { JIT_LOG_BYTES = 700 }; /* what an error's text has room for */

enum bl_status bl_gpu_compile(struct bl_gpu *gpu, const char *name, const char *ptx,
                              CUmodule *out, struct bl_error *err)
{
    char log[JIT_LOG_BYTES] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult result = gpu->api.cuModuleLoadDataEx(out, ptx, 2, options, values);

    if (result == CUDA_SUCCESS)
        return BL_OK;
    bl_cuda_check(&gpu->api, result, "cuModuleLoadDataEx", BL_E_INPUT, err);
    if (log[0]) {
        struct bl_error driver = *err;
        log[sizeof log - 1] = '\0';
        bl_error_set(err, BL_E_INPUT, "%s: %.200s\n%s", name, driver.text, log);
    } else {
        bl_error_prefix(err, "%s", name);
    }
    return err->status;
}

static enum bl_status opt_in(struct bl_gpu *gpu, CUfunction kernel,
                             const struct banklab_launch *launch, struct bl_error *err)
{
    int fixed = 0, threads = 0;
    enum bl_status status;
    uint64_t block = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];

    status = BL_CUDA(&gpu->api, err, cuFuncGetAttribute, &fixed,
                     CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuFuncGetAttribute, &threads,
                         CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel);
    if (status != BL_OK)
        return status;
    if ((uint64_t)fixed + launch->shared_bytes > gpu->limits.max_shared)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "kernel %s: %d static + %u dynamic bytes of shared memory; a "
                            "block may have %llu",
                            launch->kernel, fixed, launch->shared_bytes,
                            (unsigned long long)gpu->limits.max_shared);
    if (block > (uint64_t)threads)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "kernel %s: blocks of %llu threads; its registers allow %d",
                            launch->kernel, (unsigned long long)block, threads);
    return BL_CUDA(&gpu->api, err, cuFuncSetAttribute, kernel,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   (int)launch->shared_bytes);
}

enum bl_status bl_gpu_load(struct bl_gpu *gpu, const char *name, const char *ptx,
                           size_t length, const struct banklab_plan *plan,
                           struct bl_gpu_code *out, struct bl_error *err)
{
    enum bl_status status;

    (void)length; /* the worker keeps PTX with a NUL behind it, which the driver needs */
    memset(out, 0, sizeof *out);
    status = bl_gpu_compile(gpu, name, ptx, &out->module, err);
    for (uint32_t i = 0; status == BL_OK && i < plan->launch_count; i++) {
        const struct banklab_launch *launch = &plan->launches[i];
        CUresult result =
            gpu->api.cuModuleGetFunction(&out->kernels[i], out->module, launch->kernel);
        if (result == CUDA_ERROR_NOT_FOUND)
            status = bl_error_set(err, BL_E_INPUT, "%s: no kernel '%s' in its PTX", name,
                                  launch->kernel);
        else
            status =
                bl_cuda_check(&gpu->api, result, "cuModuleGetFunction", BL_E_INPUT, err);
        if (status == BL_OK)
            status = opt_in(gpu, out->kernels[i], launch, err);
    }
    if (status != BL_OK)
        bl_gpu_unload(gpu, out, status, err);
    return status;
}

enum bl_status bl_gpu_unload(struct bl_gpu *gpu, struct bl_gpu_code *code,
                             enum bl_status status, struct bl_error *err)
{
    if (code->module) {
        const CUresult result = gpu->api.cuModuleUnload(code->module);
        if (status == BL_OK)
            status = bl_cuda_check(&gpu->api, result, "cuModuleUnload", BL_E_FAULT, err);
    }
    memset(code, 0, sizeof *code);
    return status;
}

/* ---- launches ---------------------------------------------------------------- */

static CUdeviceptr *buffer_of(struct bl_gpu_buffers *buffers, uint32_t role)
{
    switch (role) {
    case BANKLAB_INPUT: return &buffers->input;
    case BANKLAB_OUTPUT: return &buffers->output;
    case BANKLAB_CLOCK: return &buffers->clock;
    default: return &buffers->scratch[role - BANKLAB_SCRATCH0];
    }
}

union value {
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
};

static void fill_argument(const struct banklab_arg *arg,
                          const struct bl_gpu_buffers *buffers, union value *out)
{
    struct bl_gpu_buffers copy = *buffers;

    switch (arg->type) {
    case BANKLAB_ARG_BUFFER: out->u64 = *buffer_of(&copy, (uint32_t)arg->value.u); break;
    case BANKLAB_ARG_U32: out->u32 = (uint32_t)arg->value.u; break;
    case BANKLAB_ARG_U64: out->u64 = arg->value.u; break;
    case BANKLAB_ARG_F32: out->f32 = (float)arg->value.f; break;
    default: out->f64 = arg->value.f; break;
    }
}

/* Tensor maps are the buffers' too: they are made anew for each launch. */
static enum bl_status fill_maps(const struct bl_gpu *gpu, const struct banklab_plan *plan,
                                const struct bl_gpu_buffers *buffers,
                                struct bl_tensor_map maps[BANKLAB_MAX_TENSORS],
                                struct bl_error *err)
{
    struct bl_gpu_buffers copy = *buffers;
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; i < plan->tensor_count && status == BL_OK; i++)
        status =
            bl_gpu_tensor_map(&gpu->api, &plan->tensors[i],
                              *buffer_of(&copy, plan->tensors[i].role), &maps[i], err);
    return status;
}

enum bl_status bl_gpu_launch(struct bl_gpu *gpu, const struct bl_gpu_code *code,
                             const struct banklab_plan *plan,
                             const struct bl_gpu_buffers *buffers, struct bl_error *err)
{
    struct bl_tensor_map maps[BANKLAB_MAX_TENSORS];
    enum bl_status status = fill_maps(gpu, plan, buffers, maps, err);

    if (status != BL_OK)
        return status;
    for (uint32_t i = 0; i < plan->launch_count; i++) {
        const struct banklab_launch *launch = &plan->launches[i];
        union value values[BANKLAB_MAX_ARGS];
        void *pointers[BANKLAB_MAX_ARGS];

        for (uint32_t a = 0; a < launch->arg_count; a++) {
            const struct banklab_arg *arg = &launch->args[a];
            const bool is_map = arg->type == BANKLAB_ARG_TENSOR_MAP;
            if (!is_map)
                fill_argument(arg, buffers, &values[a]);
            pointers[a] = is_map ? (void *)&maps[arg->value.u] : (void *)&values[a];
        }
        status =
            BL_CUDA(&gpu->api, err, cuLaunchKernel, code->kernels[i], launch->grid[0],
                    launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                    launch->block[2], launch->shared_bytes, gpu->stream, pointers, NULL);
        if (status != BL_OK)
            return bl_error_prefix(err, "kernel %s", launch->kernel);
    }
    return BL_OK;
}

/* ---- one checked run ----------------------------------------------------------- */

enum bl_status bl_gpu_upload(struct bl_gpu *gpu, CUdeviceptr to, const void *from,
                             size_t bytes, struct bl_error *err)
{
    enum bl_status status = BL_CUDA(&gpu->api, err, cuMemcpyHtoD, to, from, bytes);

    /* Of pageable memory that call only says that the bytes were read: their last part
     * may still be on its way, and the stream, which does not wait for the default one,
     * would launch before it lands. */
    return status == BL_OK ? BL_CUDA(&gpu->api, err, cuCtxSynchronize) : status;
}

static enum bl_status upload(struct bl_gpu *gpu, const struct bl_regions *regions,
                             CUdeviceptr images[BL_REGION_MAX],
                             struct bl_gpu_buffers *buffers, struct bl_error *err)
{
    for (size_t i = 0; i < regions->count; i++) {
        const struct bl_region *region = &regions->at[i];
        size_t bytes = region->bytes + 2 * BL_GUARD_BYTES;
        enum bl_status status;

        status = bl_gpu_alloc(gpu, bytes, &images[i], err);
        if (status == BL_OK)
            status = bl_gpu_upload(gpu, images[i], region->image, bytes, err);
        if (status != BL_OK)
            return bl_error_prefix(err, "the buffer %s", region->name);
        *buffer_of(buffers, region->role) = images[i] + BL_GUARD_BYTES;
    }
    return BL_OK;
}

static enum bl_status download(struct bl_gpu *gpu, struct bl_regions *regions,
                               const CUdeviceptr images[BL_REGION_MAX],
                               struct bl_error *err)
{
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < regions->count && status == BL_OK; i++)
        status = BL_CUDA(&gpu->api, err, cuMemcpyDtoH, regions->at[i].image, images[i],
                         regions->at[i].bytes + 2 * BL_GUARD_BYTES);
    return status;
}

enum bl_status bl_gpu_run(struct bl_gpu *gpu, const struct bl_gpu_code *code,
                          const struct banklab_plan *plan, struct bl_regions *regions,
                          bool keep, struct bl_error *err)
{
    CUdeviceptr images[BL_REGION_MAX] = {0};
    struct bl_gpu_buffers buffers = {0};
    enum bl_status status;

    status = upload(gpu, regions, images, &buffers, err);
    if (status == BL_OK)
        status = bl_gpu_launch(gpu, code, plan, &buffers, err);
    if (status == BL_OK)
        status = BL_CUDA(&gpu->api, err, cuStreamSynchronize, gpu->stream);
    if (status == BL_OK && keep)
        status = download(gpu, regions, images, err);
    for (size_t i = 0; i < regions->count; i++)
        status = bl_gpu_release(gpu, &images[i], status, err);
    return status;
}
