/* SPDX-License-Identifier: Apache-2.0
 *
 * block.c - runs the warps of a block in turn, opens barriers, sees when nothing moves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/block.h"
#include "model/bulk.h"
#include "model/fault.h"
#include "model/watch_tell.h"

/* A warp runs this many instructions before the next one has its turn: those that wait
 * for another warp to write something get on. */
enum { TURN = 4096 };

enum bl_status bl_block_init(struct bl_block *block, const struct bl_launch_state *launch,
                             struct bl_error *err)
{
    memset(block, 0, sizeof *block);
    block->launch = launch;
    block->all = launch->warps == 64 ? UINT64_MAX : (UINT64_C(1) << launch->warps) - 1;
    block->warps = calloc(launch->warps, sizeof *block->warps);
    block->shared = calloc(launch->shared_bytes + 64, 1);
    block->written = calloc(launch->shared_bytes + 64, 1);
    block->sites = calloc(launch->image->site_count + 1, sizeof *block->sites);
    if (!block->warps || !block->shared || !block->written || !block->sites)
        return bl_error_nomem(err);
    for (uint32_t w = 0; w < launch->warps; w++) {
        enum bl_status st = bl_warp_init(&block->warps[w], block, w, err);
        if (st)
            return st;
    }
    return BL_OK;
}

void bl_block_release(struct bl_block *block)
{
    for (uint32_t w = 0; block->warps && w < block->launch->warps; w++)
        bl_warp_release(&block->warps[w]);
    free(block->warps);
    free(block->shared);
    free(block->written);
    free(block->sites);
    bl_mbarriers_release(&block->mbarriers);
}

/* ---- barriers ------------------------------------------------------------------- */

static bool is_complete(const struct bl_block *block, const struct bl_barrier *barrier)
{
    if (!barrier->waiting)
        return false;
    if (barrier->threads)
        return barrier->arrivals * BL_LANES >= barrier->threads;
    return (barrier->arrived | block->done) == block->all;
}

/* bar.red: every thread gets what all threads brought. */
static void deliver(struct bl_warp *warp, const struct bl_barrier *barrier)
{
    const struct bl_insn *in = &warp->insns[warp->pc];
    if (barrier->red == BL_RED_POPC) {
        uint32_t *d = BL_SLOT(uint32_t, warp->frame, in->d);
        BL_FOR_LANES(warp->mask, d[l] = barrier->popc);
    } else if (barrier->red != BL_RED_NONE) {
        uint32_t *d = BL_SLOT(uint32_t, warp->frame, in->d);
        bool holds = barrier->red == BL_RED_AND ? barrier->all : barrier->any;
        *d = (*d & ~warp->mask) | (holds ? warp->mask : 0);
    }
}

static enum bl_flow tell_open(struct bl_warp *warp, const struct bl_insn *in, uint32_t id)
{
    const struct bl_barrier *barrier = &warp->block->barriers[id];
    struct bl_watch_sync sync = {.kind = BL_WATCH_OPEN,
                                 .barrier = id,
                                 .threads = barrier->threads,
                                 .epoch = warp->block->opened[id],
                                 .arrived = barrier->arrived,
                                 .waited = barrier->waiting};
    return bl_watch_tell_sync(warp, in, &sync);
}

/* By the warp's arrival at `in`, or by its end: NULL. */
static enum bl_flow open_barrier(struct bl_warp *by, const struct bl_insn *in,
                                 uint32_t id)
{
    struct bl_block *block = by->block;
    struct bl_barrier *barrier = &block->barriers[id];
    if (block->launch->watcher && tell_open(by, in, id) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    for (uint64_t set = barrier->waiting; set; set &= set - 1) {
        struct bl_warp *warp = &block->warps[__builtin_ctzll(set)];
        deliver(warp, barrier);
        warp->pc++;
        warp->now = barrier->time;
        warp->state = BL_WARP_READY;
    }
    memset(barrier, 0, sizeof *barrier);
    block->opened[id]++;
    block->mbarriers.in_vain = 0;
    return BL_FLOW_JUMPED;
}

/* The first to arrive says how many it waits for and what it reduces; the others must
 * say the same. */
static enum bl_flow agree(struct bl_barrier *barrier, struct bl_warp *warp,
                          const struct bl_insn *in, uint32_t id, uint32_t threads,
                          enum bl_barrier_red red)
{
    if (!barrier->arrivals) {
        barrier->threads = threads;
        barrier->red = red;
        barrier->all = true;
        return BL_FLOW_NEXT;
    }
    if (barrier->threads != threads)
        return bl_fault(warp, in, -1,
                        "barrier %u is waited for with different thread counts (%u and "
                        "%u): all that use it at a time must give the same",
                        id, barrier->threads, threads);
    if (barrier->red != red)
        return bl_fault(warp, in, -1,
                        "barrier %u is used by different instructions at a time: .sync "
                        "and .arrive, or .red with one operation, go together",
                        id);
    return BL_FLOW_NEXT;
}

static enum bl_flow tell_arrival(struct bl_warp *warp, const struct bl_insn *in,
                                 uint32_t id, uint32_t threads, bool waits, uint32_t mask)
{
    struct bl_watch_sync sync = {.kind = BL_WATCH_ARRIVE,
                                 .mask = mask,
                                 .barrier = id,
                                 .threads = threads,
                                 .waits = waits,
                                 .epoch = warp->block->opened[id]};
    return bl_watch_tell_sync(warp, in, &sync);
}

enum bl_flow bl_block_arrive(struct bl_block *block, struct bl_warp *warp,
                             const struct bl_insn *in, uint32_t id, uint32_t threads,
                             bool waits, enum bl_barrier_red red, uint32_t mask,
                             uint32_t yes)
{
    struct bl_barrier *barrier = &block->barriers[id];
    if (agree(barrier, warp, in, id, threads, red) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    if (block->launch->watcher &&
        tell_arrival(warp, in, id, threads, waits, mask) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    bl_block_settle(warp);
    if (warp->now > barrier->time)
        barrier->time = warp->now;
    barrier->arrivals++;
    barrier->arrived |= UINT64_C(1) << warp->index;
    if (red != BL_RED_NONE) {
        barrier->any |= yes != 0;
        barrier->all &= yes == mask;
        barrier->popc += (uint32_t)__builtin_popcount(yes);
    }
    if (waits) {
        barrier->waiting |= UINT64_C(1) << warp->index;
        warp->state = BL_WARP_WAITING;
        warp->barrier = id;
    }
    if (is_complete(block, barrier)) {
        if (!waits)
            warp->pc++;
        return open_barrier(warp, in, id);
    }
    return waits ? BL_FLOW_WAIT : BL_FLOW_NEXT;
}

/* ---- what goes wrong -------------------------------------------------------------- */

/* "warp 0 waits at line 12 (t.cu:3)", for up to three different lines. */
static void list_waiting(const struct bl_block *block, char *text, size_t size)
{
    const struct bl_ptx_module *module = block->launch->image->program->module;
    int lines[3], count = 0;
    size_t used = 0;
    *text = '\0';
    for (uint32_t w = 0; w < block->launch->warps && count < 3; w++) {
        const struct bl_warp *warp = &block->warps[w];
        const struct bl_ptx_insn *src = warp->insns[warp->pc].src;
        char source[128];
        bool seen = false;
        if (warp->state != BL_WARP_WAITING)
            continue;
        for (int i = 0; i < count; i++)
            seen |= lines[i] == src->line;
        if (seen)
            continue;
        lines[count++] = src->line;
        bl_insn_source(module, src, source, sizeof source);
        used += (size_t)snprintf(text + used, size - used,
                                 "%swarp %u waits at barrier %u in line %d%s%s%s",
                                 used ? ", " : "", w, warp->barrier, src->line,
                                 *source ? " (" : "", source, *source ? ")" : "");
        if (used >= size)
            break;
    }
}

static void fault_stuck(struct bl_block *block)
{
    char waiting[384];
    uint32_t done = (uint32_t)__builtin_popcountll(block->done);
    struct bl_warp *warp = block->warps;
    if (bl_mbarrier_stuck(block))
        return;
    while (warp->state != BL_WARP_WAITING)
        warp++;
    list_waiting(block, waiting, sizeof waiting);
    bl_fault(warp, &warp->insns[warp->pc], -1,
             "stuck at a barrier: %s, %u of %u warps have ended, and none can go on; all "
             "threads that a barrier waits for must reach the same one",
             waiting, done, block->launch->warps);
}

static void fault_steps(struct bl_warp *warp)
{
    const struct bl_block *block = warp->block;
    bl_fault(warp, &warp->insns[warp->pc], -1,
             "step limit: the block has issued %llu warp instructions and is here; is "
             "this an endless loop?",
             (unsigned long long)block->launch->step_limit);
}

/* ---- running ---------------------------------------------------------------------- */

static void start(struct bl_block *block, uint64_t number, const uint32_t index[3])
{
    block->number = number;
    memcpy(block->index, index, sizeof block->index);
    memset(block->written, block->launch->unwritten ? 0xff : 0,
           block->launch->shared_bytes);
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->opened, 0, sizeof block->opened);
    bl_mbarriers_reset(&block->mbarriers);
    block->done = 0;
    block->issued = block->stage_free = 0;
    block->error.status = BL_OK;
    for (uint32_t w = 0; w < block->launch->warps; w++)
        bl_warp_start(&block->warps[w]);
}

/* A warp that ended no longer has to arrive anywhere. */
static enum bl_flow warp_ended(struct bl_block *block, struct bl_warp *warp)
{
    if (block->launch->watcher && bl_watch_tell_lanes(warp, NULL, BL_WATCH_WARP_END,
                                                      warp->full, 0) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    block->done |= UINT64_C(1) << warp->index;
    for (uint32_t b = 0; b < BL_BARRIERS; b++)
        if (is_complete(block, &block->barriers[b]) &&
            open_barrier(warp, NULL, b) == BL_FLOW_FAULT)
            return BL_FLOW_FAULT;
    return BL_FLOW_DONE;
}

/* One turn. False: the block has faulted. */
static bool run_warp(struct bl_block *block, struct bl_warp *warp)
{
    uint64_t limit = block->launch->step_limit, budget = TURN;
    enum bl_flow flow;
    if (limit && limit - block->issued < budget)
        budget = limit - block->issued;
    flow = bl_warp_run(warp, budget, &block->issued);
    if (flow == BL_FLOW_DONE)
        flow = warp_ended(block, warp);
    if (flow == BL_FLOW_NEXT && limit && block->issued >= limit) {
        fault_steps(warp);
        return false;
    }
    return flow != BL_FLOW_FAULT;
}

enum bl_status bl_block_run(struct bl_block *block, uint64_t number,
                            const uint32_t index[3], bool (*stop)(void *ctx), void *ctx)
{
    start(block, number, index);
    while (block->done != block->all) {
        bool moved = false;
        for (uint32_t w = 0; w < block->launch->warps; w++) {
            struct bl_warp *warp = &block->warps[w];
            if (warp->state != BL_WARP_READY)
                continue;
            moved = true;
            if (!run_warp(block, warp))
                return block->error.status;
        }
        if (!moved && !bl_mbarrier_let_go(block)) {
            fault_stuck(block);
            return block->error.status;
        }
        if (stop && stop(ctx))
            return BL_OK;
    }
    for (uint32_t w = 0; w < block->launch->warps; w++)
        if (!bl_bulk_ended(&block->warps[w]))
            return block->error.status;
    return BL_OK;
}

uint64_t bl_block_clock(struct bl_warp *warp)
{
    bl_block_settle(warp);
    /* What follows starts with the cycle that was read, so that the quarters of a few
     * instructions in between don't show in a difference. */
    warp->now &= ~UINT64_C(3);
    return warp->now / 4;
}
