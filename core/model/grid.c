/* SPDX-License-Identifier: Apache-2.0
 *
 * grid.c - runs a launch: workers take block after block until there are none.
 *
 * Blocks are handed out in their order, so that when one faults, all before it have
 * been taken already: they run to their end, since one of them may fault too and the
 * lowest block's fault is the one that counts; those behind stop.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/block.h"
#include "model/counts.h"
#include "model/launch.h"
#include "model/watch.h"

struct grid {
    struct bl_launch_state state;
    uint64_t blocks;      /* to be run */
    const uint64_t *only; /* their numbers; NULL: from 0 */
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t fault; /* lowest one to be run that faulted; blocks: none */
    pthread_mutex_t lock;       /* of `error` */
    struct bl_error error;      /* of that block */
};

struct worker {
    struct grid *grid;
    struct bl_block block;
    uint64_t at; /* which of those to be run */
    uint64_t instructions;
    uint32_t number;
    bool started;
    pthread_t thread;
    enum bl_status status; /* of setting up */
    struct bl_error error;
};

static bool must_stop(void *ctx)
{
    const struct worker *worker = ctx;
    return atomic_load_explicit(&worker->grid->fault, memory_order_relaxed) < worker->at;
}

static void note_fault(struct grid *grid, uint64_t at, const struct bl_error *error)
{
    pthread_mutex_lock(&grid->lock);
    if (at < atomic_load(&grid->fault)) {
        atomic_store(&grid->fault, at);
        grid->error = *error;
    }
    pthread_mutex_unlock(&grid->lock);
}

static void run_block(struct worker *worker)
{
    const uint32_t *size = worker->grid->state.launch->grid;
    const struct bl_watcher *watcher = worker->grid->state.watcher;
    struct bl_block *block = &worker->block;
    const uint64_t *only = worker->grid->only;
    uint64_t number = only ? only[worker->at] : worker->at;
    uint32_t index[3];
    index[0] = (uint32_t)(number % size[0]);
    index[1] = (uint32_t)(number / size[0] % size[1]);
    index[2] = (uint32_t)(number / size[0] / size[1]);
    if (watcher && watcher->block_begin)
        watcher->block_begin(watcher->ctx, block->worker, number);
    if (bl_block_run(block, number, index, must_stop, worker))
        note_fault(worker->grid, worker->at, &block->error);
    if (watcher && watcher->block_end)
        watcher->block_end(watcher->ctx, block->worker, number,
                           block->done == block->all);
    worker->instructions += block->issued;
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    struct grid *grid = worker->grid;
    worker->status = bl_block_init(&worker->block, &grid->state, &worker->error);
    if (worker->status)
        return NULL;
    worker->block.worker = worker->number;
    for (;;) {
        worker->at = atomic_fetch_add(&grid->next, 1);
        if (worker->at >= grid->blocks || must_stop(worker))
            return NULL;
        run_block(worker);
    }
}

static uint32_t worker_count(const struct grid *grid, uint32_t wanted)
{
    uint64_t count = wanted;
    if (count == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        count = cores > 0 ? (uint64_t)cores : 1;
    }
    return (uint32_t)(count < grid->blocks ? count : grid->blocks);
}

/* The first worker is this thread. A thread that can't be started is done without. */
static void run_workers(struct worker *workers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        workers[i].started =
            pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    work(&workers[0]);
    for (uint32_t i = 1; i < count; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
}

/* What the time model needs to know of a launch. */
static void add_launch(const struct bl_launch_state *state, uint64_t blocks,
                       struct bl_counts *counts)
{
    counts->launches++;
    counts->blocks += blocks;
    if (counts->block_threads < state->threads)
        counts->block_threads = state->threads;
    if (counts->block_shared < state->shared_bytes)
        counts->block_shared = state->shared_bytes;
}

static enum bl_status gather(struct grid *grid, struct worker *workers, uint32_t count,
                             struct bl_counts *counts, struct bl_model_profile *profile,
                             struct bl_error *err)
{
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < count; i++)
        if (workers[i].status) {
            if (err)
                *err = workers[i].error;
            return workers[i].status;
        }
    if (atomic_load(&grid->fault) < grid->blocks) {
        if (err)
            *err = grid->error;
        return grid->error.status;
    }
    for (uint32_t i = 0; i < count; i++) {
        instructions += workers[i].instructions;
        if (i > 0 && workers[i].started)
            bl_sites_add(workers[0].block.sites, workers[i].block.sites,
                         grid->state.image->site_count);
    }
    if (profile) {
        enum bl_status st =
            bl_sites_profile(grid->state.image, workers[0].block.sites, profile, err);
        if (st)
            return st;
    }
    bl_sites_count(grid->state.image, grid->state.arch, workers[0].block.sites, counts);
    counts->instructions += instructions;
    add_launch(&grid->state, grid->blocks, counts);
    return BL_OK;
}

static enum bl_status run_grid(struct grid *grid, uint32_t threads,
                               struct bl_counts *counts, struct bl_model_profile *profile,
                               struct bl_error *err)
{
    uint32_t count = worker_count(grid, threads);
    struct worker *workers = calloc(count, sizeof *workers);
    enum bl_status st;
    if (!workers)
        return bl_error_nomem(err);
    for (uint32_t i = 0; i < count; i++) {
        workers[i].grid = grid;
        workers[i].number = i;
    }
    run_workers(workers, count);
    st = gather(grid, workers, count, counts, profile, err);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || workers[i].started)
            bl_block_release(&workers[i].block);
    free(workers);
    return st;
}

/* The watcher's begin, the grid, its end. */
static enum bl_status run_watched(struct grid *grid, uint32_t threads,
                                  struct bl_counts *counts,
                                  struct bl_model_profile *profile, struct bl_error *err)
{
    const struct bl_launch_state *state = &grid->state;
    const struct bl_watcher *watcher = state->watcher;
    const struct bl_watch_launch launch = {.module = state->image->program->module,
                                           .kernel = state->image->kernel,
                                           .arch = state->arch,
                                           .launch = state->launch,
                                           .memory = state->memory,
                                           .shared_bytes = state->shared_bytes,
                                           .blocks = grid->blocks,
                                           .threads = state->threads,
                                           .warps = state->warps,
                                           .workers = worker_count(grid, threads),
                                           .sites = state->image->site_count};
    struct bl_counts sum = *counts;
    struct bl_model_profile own = {.count = 0};
    enum bl_status st =
        watcher->begin ? watcher->begin(watcher->ctx, &launch, err) : BL_OK;
    if (st)
        return st;
    st = run_grid(grid, threads, &sum, &own, err);
    if (st && watcher->end)
        watcher->end(watcher->ctx, &launch, NULL, NULL);
    else if (watcher->end)
        st = watcher->end(watcher->ctx, &launch, &own, err);
    if (st == BL_OK)
        *counts = sum;
    if (st == BL_OK && profile)
        *profile = own;
    else
        bl_model_profile_free(&own);
    return st;
}

enum bl_status bl_model_run(struct bl_program *program, struct bl_memory *memory,
                            const struct bl_model_launch *launch,
                            const struct bl_model_options *options,
                            struct bl_counts *counts, struct bl_model_profile *profile,
                            struct bl_error *err)
{
    struct grid grid = {.state = {.memory = memory,
                                  .arch = options->arch,
                                  .launch = launch,
                                  .step_limit = options->steps,
                                  .unwritten = options->unwritten,
                                  .watcher = options->watcher}};
    struct bl_launch_setup setup;
    enum bl_status st = bl_launch_prepare(program, launch, options->arch, &setup, err);
    if (st)
        return st;
    grid.state.image = setup.image;
    grid.state.params = setup.params;
    grid.state.shared_bytes = setup.shared_bytes;
    grid.state.threads = launch->block[0] * launch->block[1] * launch->block[2];
    grid.state.warps = (grid.state.threads + BL_LANES - 1) / BL_LANES;
    grid.only = options->only;
    grid.blocks = options->only
                      ? options->only_count
                      : (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    atomic_init(&grid.next, 0);
    atomic_init(&grid.fault, grid.blocks);
    pthread_mutex_init(&grid.lock, NULL);
    st = options->watcher ? run_watched(&grid, options->threads, counts, profile, err)
                          : run_grid(&grid, options->threads, counts, profile, err);
    pthread_mutex_destroy(&grid.lock);
    free(setup.params);
    return st;
}
