/* SPDX-License-Identifier: Apache-2.0
 *
 * mbarrier.h - barrier objects in shared memory (PTX ISA, "mbarrier"), and the bulk
 * copies that report to them.
 *
 * An object is 8 bytes of shared memory that only mbarrier instructions may touch. What
 * it holds is kept beside the memory; in `written` its bytes are BL_BYTE_BARRIER, so that
 * a load of them faults, and a store over them is noticed by the next who uses it.
 *
 * A phase is complete when no arrival and no byte is pending. Who waits for a phase that
 * is not complete lets others run. The bytes of a bulk copy are in shared memory at once,
 * but count as written only when a wait has seen the phase complete to which the copy
 * reported: who reads them earlier reads what may not be there.
 */
#ifndef BL_MBARRIER_H
#define BL_MBARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_MBARRIER_BYTES = 8,
    /* Most arrivals, and most bytes pending either way (PTX ISA, "mbarrier"). */
    BL_MBARRIER_MOST = (1 << 20) - 1,
    /* So often may all that run wait in vain, each time let go as by the time limit of
     * try_wait, before they count as stuck. */
    BL_MBARRIER_PATIENCE = 1000
};

struct bl_mbarrier {
    uint32_t offset;   /* in shared memory */
    uint32_t expected; /* arrivals of a phase */
    uint32_t pending;  /* arrivals that this phase still lacks */
    int32_t bytes;     /* that it still lacks; negative: more came than were told of */
    uint64_t phase;    /* phases completed */
    uint64_t time;     /* of the latest arrival, in quarter cycles */
};

/* A piece of shared memory that a bulk copy is writing. */
struct bl_mbarrier_copy {
    uint32_t offset, bytes;
    uint32_t barrier; /* offset of the object that it reports to */
    uint64_t phase;
};

struct bl_mbarriers {
    struct bl_mbarrier *at; /* all there have been in this block */
    size_t count, cap;
    struct bl_mbarrier_copy *copies; /* whose phase no wait has seen yet */
    size_t copy_count, copy_cap;
    uint32_t in_vain; /* waits let go since something happened */
};

struct bl_block;
struct bl_warp;
struct bl_insn;

/* For a block's start and end. */
void bl_mbarriers_reset(struct bl_mbarriers *all);
void bl_mbarriers_release(struct bl_mbarriers *all);

/* A fresh object at `offset`, expecting `expected` arrivals. False: memory ran out. */
bool bl_mbarrier_init(struct bl_block *block, uint32_t offset, uint32_t expected);
void bl_mbarrier_inval(struct bl_block *block, uint32_t offset);
/* The object at `offset`, within shared memory; NULL: there is none (any more). */
struct bl_mbarrier *bl_mbarrier_find(struct bl_block *block, uint64_t offset);

/* The same; NULL: lane `lane` faults, in words. */
struct bl_mbarrier *bl_mbarrier_of(struct bl_warp *warp, const struct bl_insn *in,
                                   uint32_t lane, uint64_t offset);

/* `arrivals` arrive and `bytes` more (negative: fewer) are pending, by `warp`, lane
 * `lane`. If that completes the phase, the waiting run again. False: more came than
 * can be, and the fault is worded. */
bool bl_mbarrier_change(struct bl_mbarrier *barrier, struct bl_warp *warp,
                        const struct bl_insn *in, uint32_t lane, uint32_t arrivals,
                        int64_t bytes);

/* Notes that a copy which reports to `barrier` writes there. False: memory ran out. */
bool bl_mbarrier_copy(struct bl_block *block, const struct bl_mbarrier *barrier,
                      uint32_t offset, uint32_t bytes);
/* A wait has seen all phases of `barrier` but the running one complete. */
void bl_mbarrier_seen(struct bl_block *block, const struct bl_mbarrier *barrier);

/* Nothing in the block moves: lets those go that wait for a barrier object, which then
 * learn that it is not complete. False: nobody does, or they have been too often. */
bool bl_mbarrier_let_go(struct bl_block *block);
/* Words the fault of a block in which nothing moves and a warp waits for an object.
 * False: none does. */
bool bl_mbarrier_stuck(struct bl_block *block);

#endif
