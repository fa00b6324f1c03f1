/* SPDX-License-Identifier: Apache-2.0
 *
 * block.h - a block: its warps, shared memory, barriers and clock. A worker has one,
 * which runs block after block of the grid.
 *
 * The clock is the model's, not a GPU's. Each warp has a time of its own: an
 * instruction takes a quarter of a cycle, as on a multiprocessor with four schedulers
 * that always have a warp to issue from. The block's shared memory has one data stage,
 * which an access occupies for its cycles (access.h) once it is free. Other latencies are
 * left out: nothing waits for a result, except that a warp that reads a clock or arrives
 * at a barrier waits for its own accesses; and a barrier opens when the last warp has
 * arrived. So the greatest reading behind independent shared accesses less the least one
 * before them is the sum of their cycles, if all warps start from a barrier.
 */
#ifndef BL_BLOCK_H
#define BL_BLOCK_H

#include "model/access.h"
#include "model/mbarrier.h"
#include "model/memory.h"
#include "model/warp.h"

enum { BL_BARRIERS = 16 };

enum bl_barrier_red { BL_RED_NONE, BL_RED_AND, BL_RED_OR, BL_RED_POPC };

/* One of the block's barriers. Bit w of a set is warp w. */
struct bl_barrier {
    uint64_t arrived; /* since it last opened; waiting ones too */
    uint64_t waiting;
    uint32_t arrivals; /* warps, counting each arrival */
    uint32_t threads;  /* that it waits for; 0: all of the block */
    enum bl_barrier_red red;
    uint64_t time; /* the latest arrival */
    bool any, all; /* of the predicates brought along */
    uint32_t popc;
};

/* What a worker knows of one memory instruction. */
struct bl_site {
    const struct bl_memory_span *span; /* the last one hit */
    struct bl_access_memo shared_memo, global_memo;
    struct bl_insn_counts shared, global;
    struct bl_insn_counts special; /* atomics, cp.async: by the site's kind */
};

/* What is the same for all blocks of a launch. */
struct bl_launch_state {
    const struct bl_image *image;
    const struct bl_memory *memory;
    const struct bl_arch *arch;
    const struct bl_model_launch *launch;
    const uint8_t *params;
    uint32_t threads, warps;          /* a block */
    uint64_t shared_bytes;            /* static and dynamic */
    uint64_t step_limit;              /* a block; 0: none */
    bool unwritten;                   /* shared memory counts as written from the start */
    const struct bl_watcher *watcher; /* NULL: none */
};

struct bl_block {
    const struct bl_launch_state *launch;
    struct bl_warp *warps;
    uint8_t *shared;  /* launch->shared_bytes, and 64 to spare */
    uint8_t *written; /* a byte for each: 0xff written, 0 not (async.h) */
    struct bl_site *sites;
    uint32_t worker;   /* which one runs it */
    uint32_t index[3]; /* %ctaid */
    uint64_t number;   /* x + grid x * (y + grid y * z) */
    uint64_t done;     /* warps that ended */
    uint64_t all;      /* warps that there are */
    struct bl_barrier barriers[BL_BARRIERS];
    uint64_t opened[BL_BARRIERS]; /* how often each has */
    struct bl_mbarriers mbarriers;
    uint64_t issued;     /* warp instructions of this block */
    uint64_t stage_free; /* quarter cycle at which the data stage is free */
    struct bl_error error;
};

enum bl_status bl_block_init(struct bl_block *block, const struct bl_launch_state *launch,
                             struct bl_error *err);
void bl_block_release(struct bl_block *block);

/* Runs block `index`, the `number`-th, to its end. `stop` (NULL: never) is asked now and
 * then: true ends the block early with BL_OK. Otherwise an error is in block->error. */
enum bl_status bl_block_run(struct bl_block *block, uint64_t number,
                            const uint32_t index[3], bool (*stop)(void *ctx), void *ctx);

/* A warp arrives at barrier `id`; `waits` unless it is bar.arrive. `threads` 0: all.
 * `yes` are the lanes whose predicate holds, `mask` the lanes that arrive. When this
 * completes the barrier, all that wait go on and the answer is BL_FLOW_JUMPED;
 * otherwise BL_FLOW_WAIT. */
enum bl_flow bl_block_arrive(struct bl_block *block, struct bl_warp *warp,
                             const struct bl_insn *in, uint32_t id, uint32_t threads,
                             bool waits, enum bl_barrier_red red, uint32_t mask,
                             uint32_t yes);

/* Adds the cost of `executions` instructions to a site's counts. */
static inline void bl_site_count(struct bl_insn_counts *counts, uint64_t executions,
                                 const struct bl_shared_cost *cost)
{
    counts->executions += executions;
    counts->wavefronts += cost->wavefronts;
    counts->ideal += cost->ideal;
    counts->conflicts += cost->conflicts;
    counts->cycles += cost->cycles;
    counts->wavefronts_least += cost->wavefronts_least;
    if (cost->ways > counts->ways)
        counts->ways = cost->ways;
    if (cost->ways_least > counts->ways_least)
        counts->ways_least = cost->ways_least;
}

/* A shared access of the warp occupies the data stage for so many cycles. */
static inline void bl_block_stage(struct bl_warp *warp, uint32_t cycles)
{
    struct bl_block *block = warp->block;
    uint64_t start = block->stage_free > warp->now ? block->stage_free : warp->now;
    warp->stage_done = block->stage_free = start + 4 * (uint64_t)cycles;
}
/* Waits for the warp's accesses. */
static inline void bl_block_settle(struct bl_warp *warp)
{
    if (warp->stage_done > warp->now)
        warp->now = warp->stage_done;
}
/* What the warp reads from the clock, in whole cycles. */
uint64_t bl_block_clock(struct bl_warp *warp);

#endif
