/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/calibrate_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/code.h"
#include "model/model.h"

enum {
    PASSES = 1, /* the model's clock errs in none */
    READINGS = PASSES * BL_PATTERN_WARPS * 2,
    STEPS = 1000000 /* of a block: far more than a pattern takes */
};
static const uint32_t magic = 0x40000000;

struct on_model {
    const struct banklab_module *module; /* that `program` is of */
    struct bl_program *program;
    struct bl_memory *memory;
    struct bl_span spans[3];
    /* What kernels see: global memory, one pattern, its readings. */
    uint8_t *global, *args, *readings;
};

enum { GLOBAL, ARGS, CLOCK };

static enum bl_status load(struct on_model *on, const struct banklab_module *module,
                           struct bl_error *err)
{
    if (on->module == module)
        return BL_OK;
    if (on->memory)
        bl_memory_unmap(on->memory);
    bl_program_free(on->program);
    on->memory = NULL;
    on->program = NULL;
    on->module = NULL;
    enum bl_status status =
        bl_program_new("patterns.ptx", module->text, module->length, &on->program, err);
    if (status == BL_OK)
        status = bl_memory_map(on->program, on->spans, 3, &on->memory, err);
    if (status == BL_OK)
        on->module = module;
    return status;
}

static enum bl_status launch(struct bl_cal_device *device, const char *kind,
                             const struct bl_operation *op, uint32_t threads,
                             const struct bl_model_arg *args, size_t arg_count,
                             struct bl_counts *counts, struct bl_error *err)
{
    struct on_model *on = device->ctx;
    char kernel[64];
    struct bl_model_launch launch = {.kernel = kernel,
                                     .grid = {1, 1, 1},
                                     .block = {threads, 1, 1},
                                     .shared_bytes = BL_PATTERN_SHARED,
                                     .args = args,
                                     .arg_count = arg_count};
    struct bl_model_options options = {
        .arch = &device->arch, .threads = 1, .steps = STEPS};
    snprintf(kernel, sizeof kernel, "%s_%s", kind, op->name);
    return bl_model_run(on->program, on->memory, &launch, &options, counts, NULL, err);
}

static enum bl_status count(struct bl_cal_device *device, const struct bl_operation *op,
                            const struct bl_pattern_args *pattern, struct bl_numbers *out,
                            struct bl_error *err)
{
    struct on_model *on = device->ctx;
    struct bl_model_arg args[] = {{.data = pattern, .size = sizeof *pattern},
                                  {.bits = on->spans[GLOBAL].address, .size = 8},
                                  {.bits = magic, .size = 4}};
    struct bl_counts counts = {0};
    enum bl_status status = launch(device, "count", op, 32, args, 3, &counts, err);
    if (status == BL_OK)
        bl_numbers_of_counts(op, &counts, out);
    return status;
}

static enum bl_status clock(struct bl_cal_device *device, const struct bl_operation *op,
                            const struct bl_pattern_args *pattern, double *out,
                            struct bl_error *err)
{
    struct on_model *on = device->ctx;
    struct bl_model_arg args[] = {{.bits = on->spans[ARGS].address, .size = 8},
                                  {.bits = on->spans[GLOBAL].address, .size = 8},
                                  {.bits = on->spans[CLOCK].address, .size = 8},
                                  {.bits = PASSES, .size = 4},
                                  {.bits = magic, .size = 4}};
    struct bl_counts counts = {0};
    uint64_t readings[READINGS], start = UINT64_MAX, end = 0;
    memcpy(on->args, pattern, sizeof *pattern);
    enum bl_status status =
        launch(device, "clock", op, 32 * BL_PATTERN_WARPS, args, 5, &counts, err);
    if (status != BL_OK)
        return status;
    memcpy(readings, on->readings, sizeof readings);
    for (size_t i = 0; i < READINGS; i += 2) {
        start = readings[i] < start ? readings[i] : start;
        end = readings[i + 1] > end ? readings[i + 1] : end;
    }
    *out = (double)(end - start) / (BL_PATTERN_WARPS * BL_PATTERN_ACCESSES);
    return BL_OK;
}

/* Global memory has no stage to be timed, and what is left of a loop or a copy is
 * waiting, which the model has none of. */
static bool has_clock(const struct bl_operation *op)
{
    return op->kind != BL_CAL_GLOBAL_LOAD && op->kind != BL_CAL_GLOBAL_STORE &&
           op->kind != BL_CAL_CP_ASYNC && op->form != BL_ATOMIC_LOOP;
}

static enum bl_status measure(struct bl_cal_device *device, const struct bl_operation *op,
                              const struct bl_pattern_args *args, size_t count_of,
                              struct bl_numbers *out, struct bl_error *err)
{
    enum bl_status status = load(device->ctx, bl_operation_module(op), err);
    for (size_t i = 0; status == BL_OK && i < count_of; i++) {
        status = count(device, op, &args[i], &out[i], err);
        if (status == BL_OK && has_clock(op))
            status = clock(device, op, &args[i], &out[i].at[BL_NUMBER_CYCLES], err);
    }
    return status;
}

static void close_model(struct bl_cal_device *device)
{
    struct on_model *on = device->ctx;
    if (on->memory)
        bl_memory_unmap(on->memory);
    bl_program_free(on->program);
    free(on->global);
    free(on->args);
    free(on->readings);
    free(on);
}

/* The model runs any target: what the oldest code does is asked of older archs too. */
static uint32_t code_for(uint32_t cc)
{
    size_t count;
    const struct bl_operation *ops = bl_operation_all(&count);
    uint32_t oldest = ops[0].cc;
    for (size_t i = 1; i < count; i++)
        oldest = ops[i].cc < oldest ? ops[i].cc : oldest;
    return cc > oldest ? cc : oldest;
}

enum bl_status bl_cal_model_open(const struct bl_arch *arch, struct bl_cal_device *out,
                                 struct bl_error *err)
{
    struct on_model *on = calloc(1, sizeof *on);
    struct bl_cal_device device = {.arch = *arch,
                                   .cc = code_for(arch->cc),
                                   .ctx = on,
                                   .measure = measure,
                                   .close = close_model};
    if (!on)
        return bl_error_nomem(err);
    snprintf(device.name, sizeof device.name, "model of cc %" PRIu32 ".%" PRIu32,
             arch->cc / 10, arch->cc % 10);
    on->global = aligned_alloc(256, BL_PATTERN_GLOBAL);
    on->args = aligned_alloc(256, 512);
    on->readings = aligned_alloc(256, READINGS * sizeof(uint64_t));
    if (!on->global || !on->args || !on->readings) {
        close_model(&device);
        return bl_error_nomem(err);
    }
    memset(on->global, 0, BL_PATTERN_GLOBAL);
    on->spans[GLOBAL] = (struct bl_span){
        .name = "global", .payload = on->global, .bytes = BL_PATTERN_GLOBAL};
    on->spans[ARGS] = (struct bl_span){
        .name = "pattern", .payload = on->args, .bytes = sizeof(struct bl_pattern_args)};
    on->spans[CLOCK] = (struct bl_span){.name = "readings",
                                        .payload = on->readings,
                                        .bytes = READINGS * sizeof(uint64_t)};
    *out = device;
    return BL_OK;
}
