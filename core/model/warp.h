/* SPDX-License-Identifier: Apache-2.0
 *
 * warp.h - a warp: 32 lanes, their registers, the stack by which diverged lanes meet
 * again, the functions that it is in.
 *
 * Divergence. The warp runs one group of lanes at a time: `mask` at `pc`. A branch that
 * splits the group puts what is left to do on a stack: the lanes that go the other
 * way, and, beneath them, the whole group waiting at the join (the branch's immediate
 * post-dominator). A group that arrives at its own join, `rpc`, is done: the next is
 * popped. A uniform branch doesn't touch the stack. A group's mask holds only lanes
 * that have not exited, and a group without lanes is dropped.
 *
 * Calls. Each call has a frame of its own in `arena`, and its groups carry its depth.
 * A group popped at a lesser depth is back in the caller.
 */
#ifndef BL_WARP_H
#define BL_WARP_H

#include "model/async.h"
#include "model/program.h"

enum { BL_CALL_DEPTH = 512 }; /* most calls within each other */

struct bl_block;

struct bl_group {
    uint32_t pc, rpc, mask;
    uint32_t depth;
    bool at_barrier; /* set aside at a barrier until the others are done */
    bool polling;    /* at an mbarrier, until something happens at one */
};

struct bl_call_frame {
    const struct bl_code *code;
    size_t frame_at;             /* in arena */
    uint32_t local_at;           /* first local byte of the function */
    const struct bl_call_op *op; /* how it was called; NULL for the kernel */
};

/* WAITING: at a barrier. POLLING: for a phase of an mbarrier. */
enum bl_warp_state { BL_WARP_READY, BL_WARP_WAITING, BL_WARP_POLLING, BL_WARP_DONE };

struct bl_warp {
    /* The running group. */
    const struct bl_insn *insns;
    uint8_t *frame;
    const struct bl_code *code;
    uint32_t pc, rpc, mask;
    uint32_t depth;

    uint32_t live; /* lanes that have not exited */
    uint32_t full; /* lanes that there are at the start */
    uint32_t index;
    enum bl_warp_state state;
    uint32_t barrier;    /* which one, when waiting; polling: the mbarrier's offset */
    bool let_go;         /* from polling in vain */
    uint64_t now;        /* its time, in quarter cycles (block.h) */
    uint64_t stage_done; /* when its last shared access is done */
    struct bl_block *block;
    struct bl_async async; /* copies that are not waited for yet */
    struct bl_bulk bulk;

    struct bl_group *stack; /* groups beneath the running one */
    size_t stack_count, stack_cap;
    struct bl_call_frame *calls; /* calls[depth] is the running one */
    size_t call_cap;
    uint8_t *arena; /* frames; 64-byte aligned */
    size_t arena_bytes;
    uint8_t *local; /* local memory, in lane words (lanes.h) */
    uint64_t local_bytes;
    uint32_t local_at; /* of the running function */
};

/* Makes warp `index` of `block`, whose image, threads and launch are set. The frame's
 * constants and the special registers that are the same in every block are filled. */
enum bl_status bl_warp_init(struct bl_warp *warp, struct bl_block *block, uint32_t index,
                            struct bl_error *err);
void bl_warp_release(struct bl_warp *warp);
/* Makes it ready to run its block from the start. */
void bl_warp_start(struct bl_warp *warp);

/* Runs until the warp waits, ends or faults, or `budget` instructions are issued: then
 * BL_FLOW_NEXT. Adds to *issued. */
enum bl_flow bl_warp_run(struct bl_warp *warp, uint64_t budget, uint64_t *issued);

/* ---- for instructions: each says how the warp goes on ------------------------- */

/* The lanes in `taken` go to `target`, the rest of the running group to the next
 * instruction. */
enum bl_flow bl_warp_branch(struct bl_warp *warp, const struct bl_insn *in,
                            uint32_t taken, uint32_t target);
/* The running group splits by target[lane]. */
enum bl_flow bl_warp_branch_many(struct bl_warp *warp, const struct bl_insn *in,
                                 const uint32_t target[BL_LANES]);
/* The lanes in `mask` call `code`; the rest waits behind the call. */
enum bl_flow bl_warp_call(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                          const struct bl_code *code, const struct bl_call_op *op);
/* The lanes return from the running function, or end if it is the kernel. */
enum bl_flow bl_warp_return(struct bl_warp *warp, const struct bl_insn *in,
                            uint32_t mask);
/* The lanes end. */
enum bl_flow bl_warp_exit(struct bl_warp *warp, uint32_t mask);
/* Sets the running group aside at a barrier (`polling`: at an mbarrier), so that another
 * that split from it can run first. False if there is none. */
bool bl_warp_set_aside(struct bl_warp *warp, bool polling);
/* Parts the running group: the lanes in `rest` come back to this instruction after the
 * others have carried it out. False: memory ran out. */
bool bl_warp_part(struct bl_warp *warp, uint32_t rest);

/* The thread index of a lane. */
void bl_warp_thread(const struct bl_warp *warp, uint32_t lane, uint32_t out[3]);

/* ---- warp_frame.c, for warp.c ------------------------------------------------- */

/* Makes calls[depth] for `code`, with room for its registers and local memory. False:
 * memory ran out. */
bool bl_warp_add_frame(struct bl_warp *warp, uint32_t depth, const struct bl_code *code,
                       const struct bl_call_op *op);
/* Makes calls[depth] the running function. */
void bl_warp_enter(struct bl_warp *warp, uint32_t depth);
/* Fills the running frame's constants. */
void bl_warp_fill_frame(struct bl_warp *warp);
void bl_warp_fill_sreg(struct bl_warp *warp, const struct bl_sreg_use *use);
/* What a function finds when it is entered: cleared registers, carry, local memory and
 * parameter area, so that nothing of an earlier block or call shows. */
void bl_warp_clear_frame(struct bl_warp *warp);
/* The lanes' arguments from the caller's frame to the running one, and their results
 * back to where the caller wants them. */
void bl_warp_copy_arguments(struct bl_warp *warp, uint32_t mask);
void bl_warp_copy_results(struct bl_warp *warp, uint32_t mask);

#endif
