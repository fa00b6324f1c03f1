/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/calibrate_gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/code.h"
#include "cuda/worker.h"

enum {
    PASSES = 6,     /* the first one warms the code */
    SILENCE_S = 300 /* of the worker, at most: it may count thousands of patterns */
};

/* The counters that an operation needs, each once. */
struct wanted {
    const char *names[2 * BL_NUMBERS];
    size_t count;
    /* Places in `names`; -1: none. */
    int plus[BL_NUMBERS], minus[BL_NUMBERS];
};

static int want(struct wanted *wanted, const char *name)
{
    if (!name)
        return -1;
    wanted->names[wanted->count] = name;
    return (int)wanted->count++;
}

static void choose(const struct bl_operation *op, struct wanted *out)
{
    const char *counter[2];

    out->count = 0;
    for (int i = 0; i < BL_NUMBERS; i++) {
        bool has = bl_number_counters(op, (enum bl_number)i, counter);
        out->plus[i] = has ? want(out, counter[0]) : -1;
        out->minus[i] = has ? want(out, counter[1]) : -1;
    }
}

static void fill(const struct wanted *wanted, const double *values, double cycles,
                 struct bl_numbers *out)
{
    out->least = false;
    for (int i = 0; i < BL_NUMBERS; i++) {
        out->at[i] = wanted->plus[i] < 0 ? (double)NAN : values[wanted->plus[i]];
        if (wanted->minus[i] >= 0)
            out->at[i] -= values[wanted->minus[i]];
    }
    out->at[BL_NUMBER_CYCLES] = cycles;
}

static enum bl_status measure(struct bl_cal_device *device, const struct bl_operation *op,
                              const struct bl_pattern_args *args, size_t count,
                              struct bl_numbers *out, struct bl_error *err)
{
    const struct banklab_module *module = bl_operation_module(op);
    struct bl_ask_patterns ask = {
        .ptx_bytes = module->length, .count = (uint32_t)count, .passes = PASSES};
    struct bl_patterns_card card;
    struct wanted wanted;
    double *values, *cycles;
    enum bl_status status;

    choose(op, &wanted);
    ask.metrics = device->no_counters[0] ? 0 : (uint32_t)wanted.count;
    snprintf(ask.op, sizeof ask.op, "%s", op->name);
    values = malloc((count * wanted.count + 1) * sizeof *values);
    cycles = malloc(count * sizeof *cycles);
    status = values && cycles ? BL_OK : bl_error_nomem(err);
    if (status == BL_OK)
        status = bl_worker_patterns(device->ctx, &ask, module->text, wanted.names, args,
                                    &card, values, cycles, err);
    if (status == BL_OK && card.no_counters[0])
        memcpy(device->no_counters, card.no_counters, sizeof device->no_counters);
    for (size_t i = 0; status == BL_OK && ask.metrics == 0 && i < count * wanted.count;
         i++)
        values[i] = NAN;
    for (size_t i = 0; status == BL_OK && i < count; i++)
        fill(&wanted, values + i * wanted.count, cycles[i], &out[i]);
    free(values);
    free(cycles);
    return status;
}

static void close_gpu(struct bl_cal_device *device)
{
    bl_worker_free(device->ctx);
}

enum bl_status bl_cal_gpu_open(const struct bl_paths *paths, int ordinal,
                               const char *arch, struct bl_cal_device *out,
                               struct bl_error *err)
{
    struct bl_cal_device device = {.measure = measure, .close = close_gpu};
    struct bl_worker *worker = NULL;
    struct bl_gpu_card card;
    enum bl_status status = bl_worker_new(ordinal, SILENCE_S, &worker, err);

    if (status == BL_OK)
        status = bl_worker_describe(worker, &card, err);
    if (status == BL_OK)
        status = bl_arch_read(paths, arch ? arch : card.desc.arch, &device.arch, err);
    if (status != BL_OK) {
        bl_worker_free(worker);
        return status;
    }
    snprintf(device.name, sizeof device.name, "%s", card.desc.name);
    snprintf(device.driver, sizeof device.driver, "%s", card.desc.driver);
    device.cc = card.limits.cc;
    device.ctx = worker;
    *out = device;
    return BL_OK;
}
