/* SPDX-License-Identifier: Apache-2.0
 *
 * race_parts.h - what the files of the race detector share: what is remembered of a byte
 * (race_shadow.c), what orders accesses (race_order.c), and what was found
 * (race_found.c). race.c is the watcher.
 *
 * Time is one counter for all warps, which every access and every wait pushes on, and
 * which never goes back: a moment before the block's begin is another block's, one before
 * the launch's begin another launch's. So nothing has to be cleared in between.
 */
#ifndef BL_RACE_PARTS_H
#define BL_RACE_PARTS_H

#include "check/race.h"

enum { BL_RACE_WARPS = 64, BL_RACE_LANES = 32, BL_RACE_PAGE = 4096, BL_RACE_FOUND = 64 };

/* An access of a byte. */
struct bl_race_mark {
    uint32_t clock; /* 0: there was none */
    uint16_t site;
    uint16_t who; /* 32 warp + lane, and the flags */
};
#define BL_RACE_THREAD 0x07ffu
#define BL_RACE_STRONG 0x0800u /* atomic, or ordered otherwise */
#define BL_RACE_FLYING 0x1000u /* cp.async that was not waited for */

struct bl_race_cell {
    struct bl_race_mark store, load[2];
    uint32_t
        early; /* when a variable was first loaded in a run before a store; else old */
    const struct bl_ptx_insn *early_insn;
};

struct bl_race_page {
    uint64_t number; /* address / BL_RACE_PAGE */
    struct bl_race_cell at[];
};

/* What is remembered of bytes. A cell is of `grain` bytes: as many as the narrowest
 * access has had so far (accesses are aligned to what they are wide), and 16 at the most.
 */
struct bl_race_shadow {
    struct bl_race_cell *shared;
    uint64_t shared_bytes; /* that there is room for */
    uint32_t shared_grain, global_grain;
    struct bl_race_page **table, *last; /* by number, open addressing */
    size_t slots, count, most;
};
enum { BL_RACE_GRAIN = 16 };

/* Makes cells as small as an access of `width` bytes needs them. */
enum bl_status bl_race_shadow_refine(struct bl_race_shadow *shadow,
                                     enum bl_ptx_space space, uint32_t width,
                                     struct bl_error *err);

/* The cell of a byte; NULL: there is no page more to be had, or no memory. */
struct bl_race_cell *bl_race_cell_at(struct bl_race_shadow *shadow, uint64_t address);
enum bl_status bl_race_shadow_shared(struct bl_race_shadow *shadow, uint64_t bytes,
                                     struct bl_error *err);
/* Forgets everything. */
void bl_race_shadow_clear(struct bl_race_shadow *shadow);
void bl_race_shadow_free(struct bl_race_shadow *shadow);

/* A copy to shared memory under way. */
struct bl_race_copy {
    uint64_t offset;
    uint32_t clock, group;
    uint8_t width, warp, lane;
};

/* An mbarrier of the block: what was brought to it, of whom, in the phases that are over,
 * and in the one that runs, `phase`. */
struct bl_race_object {
    uint64_t offset, phase;
    uint32_t over[BL_RACE_WARPS], running[BL_RACE_WARPS];
};

/* What a block's warps know of each other: up to which moment. */
struct bl_race_order {
    uint32_t now;
    uint32_t run_begin, launch_begin, block_begin;
    bool lock_step; /* a warp's instructions are ordered */
    uint32_t warps;
    uint32_t knows[BL_RACE_WARPS][BL_RACE_WARPS]; /* [who][of whom] */
    uint32_t brought[16][BL_RACE_WARPS];          /* to a barrier, of whom */
    uint32_t ended[BL_RACE_WARPS];                /* by warps that have ended, of whom */
    uint32_t met[BL_RACE_WARPS];                  /* all lanes of a warp knew all, then */
    /* Of lanes that met without the others: [warp][lane][of which]; NULL: none have. */
    uint32_t (*lanes)[BL_RACE_LANES][BL_RACE_LANES];
    uint64_t parted; /* warps with such */
    struct bl_race_object *objects;
    size_t object_count, object_cap;
    uint32_t committed[BL_RACE_WARPS][BL_RACE_LANES];
    struct bl_race_copy *copies;
    size_t copy_count, copy_cap;
};

void bl_race_block_begin(struct bl_race_order *order);
/* Whether what `mark` is of comes before what lane `lane` of `warp` does now. */
bool bl_race_is_ordered(const struct bl_race_order *order,
                        const struct bl_race_mark *mark, enum bl_ptx_space space,
                        uint32_t warp, uint32_t lane);
/* Takes in what the model tells; FENCE is not among what orders. */
enum bl_status bl_race_order_sync(struct bl_race_order *order,
                                  struct bl_race_shadow *shadow,
                                  const struct bl_watch_sync *sync, struct bl_error *err);
enum bl_status bl_race_order_copy(struct bl_race_order *order, uint64_t offset,
                                  uint32_t width, uint32_t warp, uint32_t lane,
                                  struct bl_error *err);

/* A block that ran, or runs. */
struct bl_race_block {
    uint32_t begin; /* clock */
    bool wrote;     /* to the output */
    uint64_t number;
};

struct bl_race_site {
    const struct bl_ptx_insn *insn;
    bool is_store, is_atomic, is_async;
};

struct bl_races {
    struct bl_watcher watcher;
    struct bl_race_shadow shadow;
    struct bl_race_order order;
    struct bl_watch_launch launch;
    struct bl_race_site *sites;
    struct bl_race_block *blocks;
    size_t block_count, block_cap;
    /* Pairs of the launch that runs, and which of those found they belong to. */
    struct bl_race_pair {
        uint64_t key;
        size_t found; /* BL_RACE_FOUND: none, there were too many */
    } pairs[4 * BL_RACE_FOUND];
    size_t pair_count;
    struct bl_hazard found[BL_RACE_FOUND];
    size_t found_count, launch_found;
    bool partial, strict;
    bool began;                    /* a launch of the run has */
    uint8_t *variables;            /* the module's, as they were before the run */
    uint64_t output, output_bytes; /* where it lies */
    uint64_t effort;
    bool fences, flags; /* the launch has fences for the GPU, and what they may order */
    /* Lanes that there are of each warp, and threads that have ended, of the block. */
    uint32_t left;
};

/* Makes the races' watcher (race.c). */
void bl_race_watcher_init(struct bl_races *races);

/* What two accesses, or one, show. `first` NULL: one alone. */
struct bl_race_event {
    enum bl_hazard_kind kind;
    const struct bl_watch_access *access; /* `then` */
    uint32_t lane;
    const struct bl_race_mark *first;
    bool same;          /* both store the same value */
    const char *buffer; /* NULL: shared memory */
    uint64_t offset;
};
void bl_race_note(struct bl_races *races, const struct bl_race_event *event);
/* A byte of the variable is not what it was, and was loaded before that by `insn`. */
void bl_race_note_state(struct bl_races *races, const char *variable, uint64_t offset,
                        const struct bl_ptx_insn *insn);
enum bl_status bl_race_variables_begin(struct bl_races *races, struct bl_error *err);
void bl_race_variables_end(struct bl_races *races);
/* A barrier opened, and `threads` had ended. */
void bl_race_note_left(struct bl_races *races, const struct bl_watch_sync *sync,
                       uint32_t threads);

#endif
