/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/cuda_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/worker.h"
#include "model/model_device.h"
#include "work/rates.h"

struct cuda_device {
    struct bl_device base; /* first: bl_device_ops see this */
    struct bl_worker *worker;
    struct bl_worker *counting; /* a process of its own, as it may count only once */
    struct bl_gpu_card card;
    struct bl_rates rates;
    /* The model of the same compute capability: its counts stand in where the GPU's
     * can't be had, and are marked as the model's. NULL: no such arch file. */
    struct bl_device *model;
    char no_counters[600]; /* why the GPU did not count; empty: it did, or need not */
};

/* The number of "cuda", "cuda:1" or "auto"; false if it is none of these. */
static bool ordinal_of(const char *device, int *out)
{
    uint64_t value = 0;

    if (strcmp(device, "auto") != 0 && strcmp(device, "cuda") != 0 &&
        (strncmp(device, "cuda:", 5) != 0 || !bl_text_uint(device + 5, &value) ||
         value > 1000))
        return false;
    *out = (int)value;
    return true;
}

static void print_card(const struct bl_gpu_card *card, char *out, size_t size)
{
    snprintf(out, size, "%" PRIu32 " SMs, L2 %.3g MiB, %.1f GiB free, driver %s",
             card->sms, (double)card->l2_bytes / (1 << 20),
             (double)card->memory_bytes / (1 << 30),
             card->desc.driver[0] ? card->desc.driver : "unknown");
}

static enum bl_status list(const struct bl_paths *paths,
                           void (*line)(void *ctx, const struct bl_device_desc *desc,
                                        const char *details),
                           void *ctx, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    (void)paths;
    for (int i = 0; status == BL_OK; i++) {
        struct bl_worker *worker = NULL;
        struct bl_gpu_card card;
        char details[128];

        status = bl_worker_new(i, 30, &worker, err);
        if (status == BL_OK)
            status = bl_worker_describe(worker, &card, err);
        bl_worker_free(worker);
        if (status == BL_E_INPUT && i > 0) /* past the last one */
            return BL_OK;
        if (status != BL_OK)
            break;
        print_card(&card, details, sizeof details);
        line(ctx, &card.desc, details);
    }
    return status;
}

/* Rates are those of a GPU model: they serve where the names agree. */
static void open_rates(struct cuda_device *dev, const struct bl_paths *paths,
                       const char *name)
{
    struct bl_error ignored;

    if (!name || !*name || bl_rates_read(paths, name, &dev->rates, &ignored) != BL_OK ||
        strcmp(dev->rates.name, dev->card.desc.name) != 0)
        return;
    dev->base.rates = &dev->rates;
    snprintf(dev->base.desc.rates, sizeof dev->base.desc.rates, "%s", name);
}

static void open_model(struct cuda_device *dev, const struct bl_paths *paths,
                       const struct bl_run_options *run)
{
    struct bl_run_options of_model = *run;
    struct bl_error ignored;

    of_model.device = (char *)"model";
    of_model.arch = dev->card.desc.arch;
    of_model.rates = NULL;
    of_model.arch_at = of_model.rates_at = NULL; /* the profile did not say these */
    if (bl_device_model.open(paths, &of_model, &dev->model, &ignored) != BL_OK)
        dev->model = NULL;
}

static void close_cuda(struct bl_device *base)
{
    struct cuda_device *dev = (struct cuda_device *)base;

    bl_worker_free(dev->worker);
    bl_worker_free(dev->counting);
    bl_device_close(dev->model);
    free(dev);
}

static enum bl_status open_cuda(const struct bl_paths *paths,
                                const struct bl_run_options *run, struct bl_device **out,
                                struct bl_error *err)
{
    struct cuda_device *dev;
    enum bl_status status;
    int ordinal = 0;

    if (!ordinal_of(run->device, &ordinal))
        return bl_error_set(err, BL_E_INPUT,
                            "'%s' names no GPU: cuda, or cuda:0, cuda:1, ... is expected",
                            run->device);
    dev = calloc(1, sizeof *dev);
    if (!dev)
        return bl_error_nomem(err);
    dev->base.ops = &bl_device_cuda;
    status = bl_worker_new(ordinal, run->timeout, &dev->worker, err);
    if (status == BL_OK)
        status = bl_worker_new(ordinal, run->timeout, &dev->counting, err);
    if (status == BL_OK)
        status = bl_worker_describe(dev->worker, &dev->card, err);
    if (status != BL_OK) {
        close_cuda(&dev->base);
        return status;
    }
    dev->base.desc = dev->card.desc;
    dev->base.limits = dev->card.limits;
    if (run->counts == BL_COUNTS_HARDWARE)
        bl_worker_count_by(dev->counting, BL_COUNTED_HARDWARE);
    open_rates(dev, paths, run->rates);
    open_model(dev, paths, run);
    *out = &dev->base;
    return BL_OK;
}

/* ---- one checked run ----------------------------------------------------------- */

static void free_copies(struct bl_regions *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        free(copies->at[i].image);
    copies->count = 0;
}

static bool copy_regions(const struct bl_regions *from, struct bl_regions *out)
{
    *out = *from;
    for (size_t i = 0; i < from->count; i++) {
        size_t bytes = from->at[i].bytes + 2 * BL_GUARD_BYTES;
        out->at[i].image =
            aligned_alloc(BL_GUARD_BYTES,
                          (bytes + BL_GUARD_BYTES - 1) / BL_GUARD_BYTES * BL_GUARD_BYTES);
        if (!out->at[i].image) {
            out->count = i;
            free_copies(out);
            return false;
        }
        memcpy(out->at[i].image, from->at[i].image, bytes);
    }
    return true;
}

/* The model's run over copies of the buffers, for what hardware did not count. A fault
 * that only the model finds (say, uninitialised shared memory) is the case's fault. */
static enum bl_status run_model(struct cuda_device *dev, const struct bl_job *job,
                                struct bl_counts *counts, struct bl_error *err)
{
    struct bl_job on_model = *job;
    struct bl_regions copies;
    enum bl_status status;

    if (!dev->model)
        return BL_OK;
    if (!copy_regions(job->regions, &copies))
        return bl_error_nomem(err);
    on_model.regions = &copies;
    status = dev->model->ops->run(dev->model, &on_model, counts, err);
    free_copies(&copies);
    /* What the model can't do is no failure of the case on the GPU. */
    return status == BL_E_FAULT ? bl_error_prefix(err, "the model finds") : BL_OK;
}

/* The four kinds of accesses to shared memory, of counts or of a model's. */
#define SHARED_KINDS(of)                                                                 \
    {                                                                                    \
        &(of)->shared_load, &(of)->shared_store, &(of)->shared_atomic,                   \
            &(of)->shared_async                                                          \
    }
enum { KINDS = 4 };

static void join_shared(const struct bl_counts *hardware, struct bl_counts *counts)
{
    struct bl_counts only = {.beside = {.shared_source = counts->shared_source}};
    struct bl_model_counts *model = &counts->beside;
    const struct bl_shared_counts *counted[KINDS] = SHARED_KINDS(hardware);
    struct bl_shared_counts *to[KINDS] = SHARED_KINDS(counts);
    struct bl_shared_counts *beside[KINDS] = SHARED_KINDS(model);
    struct bl_shared_counts *apart[KINDS] = SHARED_KINDS(&only);
    struct bl_shared_counts *apart_beside[KINDS] = SHARED_KINDS(&only.beside);

    model->shared_source = counts->shared_source;
    counts->shared_source = BL_SRC_COUNTER;
    counts->counted = hardware->counted;
    for (int i = 0; i < KINDS; i++) {
        *beside[i] = *apart_beside[i] = *to[i];
        *to[i] = *apart[i] = *counted[i];
    }
    if (model->shared_source == BL_SRC_NONE || bl_counts_differ(&only))
        return;
    for (int i = 0; i < KINDS; i++) {
        to[i]->ideal = beside[i]->ideal;
        to[i]->ways = beside[i]->ways;
    }
}

static void join_global(const struct bl_counts *hardware, struct bl_counts *counts)
{
    struct bl_model_counts *model = &counts->beside;
    struct bl_counts only = {.beside = {.global_source = counts->global_source,
                                        .global_load = counts->global_load,
                                        .global_store = counts->global_store}};

    model->global_source = counts->global_source;
    model->global_load = counts->global_load;
    model->global_store = counts->global_store;
    counts->global_source = BL_SRC_COUNTER;
    counts->counted = hardware->counted;
    counts->global_load = only.global_load = hardware->global_load;
    counts->global_store = only.global_store = hardware->global_store;
    if (model->global_source == BL_SRC_NONE || bl_counts_differ(&only))
        return;
    counts->global_load.ideal = model->global_load.ideal;
    counts->global_store.ideal = model->global_store.ideal;
}

/* `counts` are the model's; hardware's numbers take their place where it has them, and
 * what only the model knows stays as struct bl_counts says. */
static void join_counts(const struct bl_counts *hardware, struct bl_counts *counts)
{
    if (hardware->shared_source == BL_SRC_COUNTER)
        join_shared(hardware, counts);
    if (hardware->global_source == BL_SRC_COUNTER && !counts->bulk_copies)
        join_global(hardware, counts);
}

/* The first reason stays: one line says it, whatever comes later. */
static void note_counters(struct cuda_device *dev, const char *why)
{
    if (*why && !dev->no_counters[0])
        snprintf(dev->no_counters, sizeof dev->no_counters, "%s%s", why,
                 dev->model ? "; the model's counts stand in" : "");
}

/* What the GPU counts of a job. If that goes wrong it may be counting that does it: the
 * verdict is not from here. */
static void count(struct cuda_device *dev, const struct bl_job *job,
                  struct bl_count_card *out)
{
    struct bl_error err = {0};

    if (bl_worker_count(dev->counting, job, out, &err) != BL_OK) {
        *out = (struct bl_count_card){.spent = true};
        snprintf(out->no_counters, sizeof out->no_counters,
                 "no counters, for a run that was counted went wrong: %.400s", err.text);
    }
    if (out->spent)
        bl_worker_rest(dev->counting);
}

static const char *remark(struct bl_device *base)
{
    struct cuda_device *dev = (struct cuda_device *)base;

    return dev->no_counters[0] ? dev->no_counters : NULL;
}

static bool counted(const struct bl_run_options *options)
{
    return options->counts == BL_COUNTS_AUTO || options->counts == BL_COUNTS_HARDWARE;
}

static enum bl_status run(struct bl_device *base, const struct bl_job *job,
                          struct bl_counts *counts, struct bl_error *err)
{
    struct cuda_device *dev = (struct cuda_device *)base;
    struct bl_counts of_model = {0};
    struct bl_count_card card = {0};
    const char *slash = strrchr(job->plugin_path, '/');
    struct bl_job named = *job;
    enum bl_status status = BL_OK;

    /* What is wrong with the code is told of the file that it is in. */
    named.label = slash ? slash + 1 : job->plugin_path;

    if (job->options->counts != BL_COUNTS_NONE)
        status = run_model(dev, job, &of_model, err);
    if (status == BL_OK && counted(job->options))
        count(dev, &named, &card);
    if (status == BL_OK)
        status = bl_worker_run(dev->worker, &named, err);
    if (status != BL_OK)
        return status;
    note_counters(dev, card.no_counters);
    *counts = of_model;
    join_counts(&card.counts, counts);
    return BL_OK;
}

/* ---- timing ----------------------------------------------------------------------- */

static enum bl_status time_add(struct bl_device *base, const struct bl_timed_job *job,
                               const struct bl_run_options *options,
                               struct bl_timed_setup *out, struct bl_error *err)
{
    struct cuda_device *dev = (struct cuda_device *)base;
    const struct bl_ask_timing timing = {
        .bytes = job->bytes,
        .seed = options->seed,
        .rows = job->problem->rows,
        .cols = job->problem->cols,
        .batch = job->problem->batch,
        .elem = job->problem->elem,
        .warm = options->warm,
        .reference = job->reference,
        .most_us = options->timeout * 1e6 / 4,
    };
    static const struct banklab_plan none;
    struct bl_timing_card card;
    enum bl_status status;

    bl_worker_rest(dev->counting); /* and leaves its memory to what is timed */
    status = bl_worker_time_add(dev->worker, job->label, job->plan ? job->plan : &none,
                                job->module, &timing, &card, err);
    if (status == BL_OK)
        *out = (struct bl_timed_setup){card.sets, card.runs, card.rotated,
                                       dev->card.l2_bytes};
    return status;
}

static enum bl_status time_round(struct bl_device *base, double *out, size_t count,
                                 size_t *lost, struct bl_error *err)
{
    return bl_worker_time_round(((struct cuda_device *)base)->worker, out, count, lost,
                                err);
}

static void time_end(struct bl_device *base)
{
    struct bl_error ignored;

    bl_worker_time_clear(((struct cuda_device *)base)->worker, &ignored);
}

static void state(struct bl_device *base, struct bl_device_state *out)
{
    struct cuda_device *dev = (struct cuda_device *)base;
    struct bl_gpu_state gpu;
    struct bl_error ignored;

    memset(out, 0, sizeof *out);
    if (bl_worker_state(dev->worker, &gpu, &ignored) != BL_OK || !gpu.present)
        return;
    out->present = true;
    out->sm_mhz = gpu.sm_mhz;
    out->max_sm_mhz = gpu.max_sm_mhz;
    out->memory_mhz = gpu.memory_mhz;
    out->temperature_c = gpu.temperature_c;
    out->watts = gpu.watts;
    bl_nvml_reasons(gpu.throttle, out->throttled, sizeof out->throttled);
}

const struct bl_device_ops bl_device_cuda = {
    .backend = "cuda",
    .clock_source = BL_SRC_GPU,
    .list = list,
    .open = open_cuda,
    .close = close_cuda,
    .run = run,
    .time_add = time_add,
    .time_round = time_round,
    .time_end = time_end,
    .state = state,
    .remark = remark,
};
