/* SPDX-License-Identifier: Apache-2.0
 *
 * module.c - the double's modules and launches: kernels run on the model GPU.
 */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/program.h"
#include "model/tensor.h"

enum { SHARED_WITHOUT_OPT_IN = 48 << 10, PARAMS_MAX = 64 };

static void write_jit_log(unsigned count, CUjit_option *options, void **values,
                          const char *text)
{
    char *log = NULL;
    size_t size = 0;

    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
            log = values[i];
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            size = (size_t)(uintptr_t)values[i];
    }
    if (log && size)
        snprintf(log, size, "fake JIT, %s", text);
}

CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    CUmodule module;
    struct bl_error err;

    FAKE_BEGIN(fake_enter_context, "cuModuleLoadDataEx");
    module = calloc(1, sizeof *module);
    if (!module)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (bl_program_new("ptx", image, strlen(image), &module->program, &err) != BL_OK) {
        free(module);
        write_jit_log(count, options, values, err.text);
        return CUDA_ERROR_INVALID_PTX;
    }
    module->next = fake.modules;
    fake.modules = module;
    *out = module;
    return CUDA_SUCCESS;
}

static void free_function(CUfunction function)
{
    for (struct fake_cost *cost = function->costs, *next; cost; cost = next) {
        next = cost->next;
        free(cost);
    }
    free(function);
}

static void free_module(CUmodule module)
{
    for (CUfunction function = module->functions, next; function; function = next) {
        next = function->next;
        free_function(function);
    }
    bl_program_free(module->program);
    free(module);
}

CUresult cuModuleUnload(CUmodule module)
{
    FAKE_BEGIN(fake_enter_context, "cuModuleUnload");
    for (CUmodule *at = &fake.modules; *at; at = &(*at)->next)
        if (*at == module) {
            *at = module->next;
            free_module(module);
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

void fake_modules_end(void)
{
    for (CUmodule module = fake.modules, next; module; module = next) {
        next = module->next;
        free_module(module);
    }
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)
{
    const char *const *kernels;
    size_t count;

    FAKE_BEGIN(fake_enter_context, "cuModuleGetFunction");
    count = bl_program_kernels(module->program, &kernels);
    for (size_t i = 0; i < count; i++) {
        CUfunction function;
        if (strcmp(kernels[i], name) != 0)
            continue;
        function = calloc(1, sizeof *function);
        if (!function)
            return CUDA_ERROR_OUT_OF_MEMORY;
        function->module = module;
        function->name = kernels[i];
        function->next = module->functions;
        module->functions = function;
        *out = function;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

static const struct bl_ptx_func *entry(CUfunction function)
{
    return bl_ptx_func_find(function->module->program->module, function->name);
}

CUresult cuFuncGetAttribute(int *out, CUfunction_attribute which, CUfunction function)
{
    struct bl_image *image;
    struct bl_error err;

    FAKE_BEGIN(fake_enter_context, "cuFuncGetAttribute");
    if (which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) {
        const char *threads = getenv("FAKE_CUDA_KERNEL_THREADS");
        *out = threads ? atoi(threads) : (int)fake.arch.max_threads;
        return CUDA_SUCCESS;
    }
    if (which != CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    if (bl_image_get(function->module->program, entry(function), &image, &err) != BL_OK)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (int)image->static_shared;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
    FAKE_BEGIN(fake_enter_context, "cuFuncSetAttribute");
    if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
        (uint64_t)value > fake.arch.max_shared)
        return CUDA_ERROR_INVALID_VALUE;
    function->dynamic = (uint32_t)value;
    return CUDA_SUCCESS;
}

/* ---- tensor maps ----------------------------------------------------------------- */

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type,
                                cuuint32_t rank, void *address, const cuuint64_t *dims,
                                const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill)
{
    static const uint32_t widths[] = {[CU_TENSOR_MAP_DATA_TYPE_UINT8] = 1,
                                      [CU_TENSOR_MAP_DATA_TYPE_UINT16] = 2,
                                      [CU_TENSOR_MAP_DATA_TYPE_UINT32] = 4,
                                      [CU_TENSOR_MAP_DATA_TYPE_UINT64] = 8};
    struct bl_tensor tensor;

    FAKE_BEGIN(fake_enter_context, "cuTensorMapEncodeTiled");
    if ((uintptr_t)out % BL_TENSOR_ALIGN || type >= sizeof widths / sizeof *widths ||
        !widths[type] || rank < 2 || rank > 3 || (uintptr_t)address % 16 ||
        strides[0] % 16 || steps[0] != 1 || steps[1] != 1 ||
        (rank == 3 && (dims[2] < 1 || strides[1] % 16 || box[2] < 1 || steps[2] != 1)) ||
        interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        promotion != CU_TENSOR_MAP_L2_PROMOTION_NONE ||
        fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
        return CUDA_ERROR_INVALID_VALUE;
    tensor = (struct bl_tensor){.address = (uintptr_t)address,
                                .dims = {dims[0], dims[1], rank == 3 ? dims[2] : 0},
                                .strides = {strides[0], rank == 3 ? strides[1] : 0},
                                .box = {box[0], box[1], rank == 3 ? box[2] : 0},
                                .elem = widths[type],
                                .swizzle = swizzle ? 16u << swizzle : 0};
    bl_tensor_encode(&tensor, (uint8_t *)out);
    return CUDA_SUCCESS;
}

/* ---- launches ------------------------------------------------------------------ */

static bool within_limits(CUfunction function, const struct bl_model_launch *launch)
{
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        if (launch->grid[i] == 0 || launch->grid[i] > fake.arch.max_grid[i] ||
            launch->block[i] == 0 || launch->block[i] > fake.arch.max_block[i])
            return false;
        threads *= launch->block[i];
    }
    return threads <= fake.arch.max_threads &&
           (launch->shared_bytes <= SHARED_WITHOUT_OPT_IN ||
            launch->shared_bytes <= function->dynamic);
}

/* The double's memory as the model sees it, under the double's addresses. */
static enum bl_status map_memory(struct bl_program *program, struct bl_memory **out,
                                 struct bl_error *err)
{
    struct bl_span *spans = calloc(fake.block_count + 1, sizeof *spans);
    enum bl_status status;

    if (!spans)
        return bl_error_nomem(err);
    for (size_t i = 0; i < fake.block_count; i++)
        spans[i] = (struct bl_span){.name = "block",
                                    .payload = fake.blocks[i].host,
                                    .bytes = fake.blocks[i].bytes};
    status = bl_memory_map(program, spans, fake.block_count, out, err);
    free(spans);
    if (status != BL_OK)
        return status;
    /* Variables come first, then the spans, in order. */
    for (size_t i = 0; i < fake.block_count; i++)
        (*out)->spans[(*out)->count - fake.block_count + i].address =
            fake.blocks[i].address;
    return BL_OK;
}

/* A formula of no meaning but that more work takes longer. */
static double cost_of(const struct bl_counts *counts)
{
    const uint64_t sectors = counts->global_load.sectors + counts->global_store.sectors;
    const uint64_t wavefronts =
        counts->shared_load.wavefronts + counts->shared_store.wavefronts;

    return 1 + (double)sectors * 32 / 90000 + (double)wavefronts / 4000;
}

static void add_shared(const struct bl_shared_counts *more, struct bl_shared_counts *sum)
{
    sum->requests += more->requests;
    sum->wavefronts += more->wavefronts;
    sum->ideal += more->ideal;
    sum->conflicts += more->conflicts;
}

static void add_counts(const struct bl_counts *more)
{
    struct bl_counts *sum = &fake.counts;

    add_shared(&more->shared_load, &sum->shared_load);
    add_shared(&more->shared_store, &sum->shared_store);
    add_shared(&more->shared_atomic, &sum->shared_atomic);
    add_shared(&more->shared_async, &sum->shared_async);
    sum->global_load.requests += more->global_load.requests;
    sum->global_load.sectors += more->global_load.sectors;
    sum->global_load.ideal += more->global_load.ideal;
    sum->global_store.requests += more->global_store.requests;
    sum->global_store.sectors += more->global_store.sectors;
    sum->global_store.ideal += more->global_store.ideal;
}

static struct fake_cost *find_cost(CUfunction function,
                                   const struct bl_model_launch *launch)
{
    struct fake_cost *cost = function->costs;

    while (cost && (memcmp(cost->grid, launch->grid, sizeof cost->grid) != 0 ||
                    memcmp(cost->block, launch->block, sizeof cost->block) != 0 ||
                    cost->shared != launch->shared_bytes))
        cost = cost->next;
    return cost;
}

/* Runs the kernel now. As on a GPU, a fault is told by the next call that waits. */
static void execute(CUfunction function, const struct bl_model_launch *launch)
{
    const struct bl_model_options options = {.arch = &fake.arch, .threads = 1};
    struct bl_counts counts = {0};
    struct fake_cost *cost = find_cost(function, launch);
    struct bl_memory *memory = NULL;
    struct bl_error err = {.text = ""};
    enum bl_status status;

    fake_log("run %s", function->name);
    status = map_memory(function->module->program, &memory, &err);
    if (status == BL_OK)
        status = bl_model_run(function->module->program, memory, launch, &options,
                              &counts, NULL, &err);
    bl_memory_unmap(memory);
    if (status != BL_OK) {
        fake_log("fault %s", err.text);
        fake.sticky =
            status == BL_E_FAULT ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED;
        return;
    }
    add_counts(&counts);
    if (!cost && (cost = calloc(1, sizeof *cost))) {
        memcpy(cost->grid, launch->grid, sizeof cost->grid);
        memcpy(cost->block, launch->block, sizeof cost->block);
        cost->shared = launch->shared_bytes;
        cost->next = function->costs;
        function->costs = cost;
    }
    if (cost)
        cost->us = cost_of(&counts);
    fake_land();
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                        unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream stream, void **params, void **extra)
{
    const struct bl_ptx_func *func;
    struct bl_model_arg args[PARAMS_MAX];
    struct bl_model_launch launch = {.grid = {gx, gy, gz},
                                     .block = {bx, by, bz},
                                     .shared_bytes = shared,
                                     .args = args};
    const struct fake_cost *cost;

    FAKE_BEGIN(fake_enter_context, "cuLaunchKernel");
    func = entry(function);
    launch.kernel = function->name;
    launch.arg_count = func->param_count;
    if (extra || func->param_count > PARAMS_MAX || !within_limits(function, &launch))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < func->param_count; i++)
        args[i] = (struct bl_model_arg){.size = (uint32_t)func->params[i]->size,
                                        .data = params[i]};
    if (!stream->capturing) {
        fake_deeds(function->name);
        if (fake.sticky == CUDA_SUCCESS)
            execute(function, &launch);
    }
    cost = find_cost(function, &launch);
    return fake_did(stream, function->name, cost ? cost->us : 1);
}
