/* SPDX-License-Identifier: Apache-2.0
 *
 * watch.h - who looks on while the model runs a launch: every access of shared and global
 * memory with its lanes' addresses, and everything by which threads wait for each other.
 *
 * Blocks run on several workers at once. Events carry the number of their worker: those
 * of one worker come one after another, from one thread; those of different workers come
 * at the same time. So a watcher keeps what it gathers in one place a worker, and needs
 * no lock. A block runs from begin to end on one worker. Which one is chance: what must
 * not depend on it goes by the block's number.
 *
 * Within a block the events come in the order in which the model carries things out, a
 * warp instruction at a time: a legal order of a GPU's, not the only one.
 */
#ifndef BL_WATCH_H
#define BL_WATCH_H

#include "model/access.h"
#include "model/model.h"

/* What is the same for all blocks. Pointers are good until the program is freed, but for
 * `launch`, which is the caller's. */
struct bl_watch_launch {
    const struct bl_ptx_module *module;
    const struct bl_ptx_func *kernel;
    const struct bl_arch *arch;
    const struct bl_model_launch *launch; /* grid, block, dynamic shared memory */
    const struct bl_memory *memory;       /* what global addresses mean (memory.h) */
    uint64_t shared_bytes;                /* static and dynamic, a block */
    uint64_t blocks;                      /* to be run: all, unless only some are */
    uint32_t threads, warps;              /* a block */
    uint32_t workers; /* that there may be; events have numbers below this */
    size_t sites;     /* memory instructions; accesses have numbers below this */
};

/* Who does it, and where. */
struct bl_watch_at {
    uint32_t worker;
    uint64_t block;                 /* x + grid x * (y + grid y * z) */
    uint32_t warp;                  /* lane l is thread 32 warp + l of the block */
    const struct bl_ptx_insn *insn; /* NULL: no instruction (a warp's end) */
    const struct bl_ptx_func *func; /* that it stands in */
};

enum bl_watch_op { BL_WATCH_LOAD, BL_WATCH_STORE, BL_WATCH_ATOMIC };
enum bl_watch_form {
    BL_WATCH_PLAIN, /* ld, st, atom, red */
    /* ldmatrix, stmatrix: `address` are rows of 16 bytes, which go to or come from all
     * lanes, whatever the mask says. */
    BL_WATCH_MATRIX,
    /* cp.async: a load of global memory, of at most `width` bytes, and a store to shared
     * memory that has happened for a lane only when it has waited (BL_WATCH_WAIT). */
    BL_WATCH_ASYNC
    /* Bulk copies (cp.async.bulk) are not told. */
};

/* One access, after it was carried out; one that faults is not told. A generic access is
 * told as what it was, once for each space that its lanes touch. Local, constant and
 * parameter memory is not told. Cache operators, .volatile, orders and scopes are among
 * insn->mods. */
struct bl_watch_access {
    struct bl_watch_at at;
    uint32_t site;
    enum bl_watch_op op;
    enum bl_watch_form form;
    enum bl_ptx_space space; /* BL_SPACE_SHARED or BL_SPACE_GLOBAL */
    uint32_t width;          /* bytes a lane, at an address aligned to it */
    uint32_t mask;           /* lanes that access; not 0 */
    /* Of plain stores, among `mask`: those that found their value there already, and
     * those whose value is not there now, since another lane stored another one to the
     * same bytes by this very instruction. */
    uint32_t same, lost;
    /* By lane; of those outside the mask anything. Shared: an offset from the start of
     * the block's shared memory. Global: an address, the same for all blocks. */
    const uint64_t *address;
    /* What it cost (of an atomic that is a loop: both parts); NULL: not counted. */
    const struct bl_shared_cost *shared, *loads; /* loads: of such a loop, else NULL */
    const struct bl_global_cost *global;
};

enum bl_watch_sync_kind {
    BL_WATCH_ARRIVE,    /* a warp arrives at a barrier, and waits there or not */
    BL_WATCH_OPEN,      /* a barrier opens, by the last arrival or by a warp's end */
    BL_WATCH_WARP_SYNC, /* bar.warp.sync: the lanes of `mask` have met */
    BL_WATCH_COMMIT,    /* cp.async.commit_group by these lanes */
    BL_WATCH_WAIT,  /* these lanes' copies are there, but for the last `groups` groups;
                       wait_all: BL_WATCH_COMMIT first */
    BL_WATCH_FENCE, /* membar, fence */
    BL_WATCH_OBJECT_ARRIVE, /* these lanes arrive at the mbarrier at `object` */
    BL_WATCH_OBJECT_SEEN,   /* a wait of these lanes has seen the phase `epoch` - 1 of the
                               mbarrier at `object` complete, and all before it */
    BL_WATCH_WARP_END       /* the warp has ended, and is waited for no longer */
};

struct bl_watch_sync {
    struct bl_watch_at at; /* of OPEN: whose arrival or end opened it */
    enum bl_watch_sync_kind kind;
    uint32_t mask;   /* lanes; of OPEN and WARP_END 0 */
    uint32_t groups; /* WAIT */
    /* ARRIVE and OPEN. */
    uint32_t barrier; /* 0 to 15 */
    uint32_t threads; /* that it waits for; 0: all of the block */
    bool waits;       /* ARRIVE: not bar.arrive */
    uint64_t epoch;   /* how often this barrier had opened before in this block; of an
                         mbarrier: how many phases it had completed */
    uint64_t object;  /* an mbarrier's offset in shared memory */
    /* OPEN, bit w for warp w: those that arrived, and those of them that waited and go
     * on. What the first did before arriving is done before what the second do next. */
    uint64_t arrived, waited;
};

/* Any member may be NULL. What returns a status ends the block with it and the error that
 * it words, as a fault of the kernel does: of several blocks the lowest one's counts. */
struct bl_watcher {
    void *ctx;
    /* Before the first block and, if that was well, after the last one; from the thread
     * that called bl_model_run, while no worker runs. `profile`: what bl_model_run gives
     * out, to be read until end returns; NULL: the launch failed, for a reason that is
     * told already, so that what end says (err is NULL) is ignored. */
    enum bl_status (*begin)(void *ctx, const struct bl_watch_launch *launch,
                            struct bl_error *err);
    enum bl_status (*end)(void *ctx, const struct bl_watch_launch *launch,
                          const struct bl_model_profile *profile, struct bl_error *err);
    void (*block_begin)(void *ctx, uint32_t worker, uint64_t block);
    /* `whole`: it ran to its end. */
    void (*block_end)(void *ctx, uint32_t worker, uint64_t block, bool whole);
    enum bl_status (*access)(void *ctx, const struct bl_watch_access *access,
                             struct bl_error *err);
    enum bl_status (*sync)(void *ctx, const struct bl_watch_sync *sync,
                           struct bl_error *err);
};

#endif
