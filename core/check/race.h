/* SPDX-License-Identifier: Apache-2.0
 *
 * race.h - who looks for data races, and for what a kernel reads or writes that it must
 * not, while the model runs.
 *
 * Two accesses of the same byte, of which one is a store, are a race when nothing orders
 * them. What orders them:
 *
 *   - a barrier of the block (bar.sync, bar.red, named ones too): all that warps did
 *     before they arrived comes before all that those which waited do after. An ended
 *     warp counts as arrived at the barriers of all threads, as hardware has it.
 *   - an mbarrier likewise, from arriving to a wait that saw the phase complete.
 *   - bar.warp.sync, among the lanes that it names; since compute capability 7.0, where
 *     lanes of a warp go their own ways, that alone orders what two lanes of one warp do
 *     in different instructions (CUDA C++ Programming Guide, "Independent Thread
 *     Scheduling"). Before, a warp's instructions come one after another.
 *   - the end of a launch, before the next one's begin.
 *
 * Of one instruction, two lanes that store different values to one byte race; that both
 * store the same is allowed. Between others, a store of what another one has stored there
 * is told apart: the result does not depend on which comes last. Atomics, and accesses
 * with .relaxed, .acquire, .release or .mmio, do not race with each other; .volatile is
 * none of these. Shared memory that cp.async writes is written at any time from the copy
 * to the wait of the lane that asked for it.
 *
 * Nothing orders different blocks of one launch but flags and fences, which are not
 * followed: where a launch does have fences for the whole GPU and atomics or the like in
 * global memory, its races between blocks are told as unsure.
 *
 * Bulk copies (cp.async.bulk) are not watched.
 *
 * A byte remembers its last store and two loads, by threads as far apart as may be: exact
 * where barriers are of all threads; with barriers of some, a third reader's race may be
 * missed. Global memory is remembered in pages, of which there may be so many; loads of
 * the input are not, since it is never to be written.
 */
#ifndef BL_RACE_H
#define BL_RACE_H

#include "model/watch.h"

enum bl_hazard_kind {
    BL_HAZARD_RACE,      /* `first` and `then` are not ordered */
    BL_HAZARD_SAME,      /* lanes of one instruction store different values to a byte */
    BL_HAZARD_UNWRITTEN, /* a load of output or clock that no kernel has written before */
    BL_HAZARD_INPUT,     /* a store to the input */
    BL_HAZARD_STATE,     /* a variable of the module was loaded as it was before the run,
                            and is another one behind it: the next run finds that */
    BL_HAZARD_LEFT,      /* a barrier opened when some threads had ended already */
    BL_HAZARD_KINDS
};

/* An access, as a reader can find it. */
struct bl_hazard_end {
    /* "t.cu:12", or "t.cu:12 (h.h:3)" of what was inlined from there, or "t.ptx:40" where
     * the CUDA line is not known. */
    char source[160];
    char insn[48]; /* "st.shared.f32" */
    int line;      /* of the PTX */
    bool is_store, is_atomic, is_async;
    uint32_t warp, lane;
    uint64_t block; /* its number in the grid */
};

/* One pair of source lines; the example is the first that was met. */
struct bl_hazard {
    enum bl_hazard_kind kind;
    enum bl_ptx_space space;
    bool between_blocks, unsure;
    bool same; /* RACE of two stores: of the same value */
    char kernel[128];
    char buffer[64];                  /* global: "output" */
    uint64_t offset;                  /* of the byte, in the buffer or in shared memory */
    struct bl_hazard_end first, then; /* in the model's order. SAME, UNWRITTEN, INPUT:
                                         then alone. LEFT: first is where the block's
                                         threads were, `then` the barrier */
    uint64_t count;                   /* accesses by a lane that met it */
    uint32_t grid[3];
    uint32_t threads; /* LEFT: that had ended */
};

struct bl_races;

/* `pages`: most pages of 4096 bytes of global memory to be remembered. */
enum bl_status bl_races_new(size_t pages, struct bl_races **out, struct bl_error *err);
void bl_races_free(struct bl_races *races);

/* Who looks on: for a device that runs with one worker. One run of one plan at a time:
 * bl_races_reset comes before each. */
const struct bl_watcher *bl_races_watcher(struct bl_races *races);
void bl_races_reset(struct bl_races *races);

/* What the run showed. */
const struct bl_hazard *bl_races_found(const struct bl_races *races, size_t *count);
/* Whether there was more global memory than could be remembered. */
bool bl_races_is_partial(const struct bl_races *races);
/* Bytes that were looked at since bl_races_new, in cells of up to 16: what it costs. */
uint64_t bl_races_effort(const struct bl_races *races);
/* Whether the run has the pages' limit for its own: the access that breaks it then ends
 * the run, with BL_E_UNSUPPORTED. */
void bl_races_set_strict(struct bl_races *races, bool strict);

/* Each byte of the output that was stored to, a page at a time: bit i % 64 of word i / 64
 * is set for byte offset + i. Calls `each` for pages with stores, in no order. */
typedef void bl_races_written_fn(void *ctx, uint64_t offset, const uint64_t bits[64]);
void bl_races_written(const struct bl_races *races, bl_races_written_fn *each, void *ctx);
/* Whether block `number` stored to the output. */
bool bl_races_block_wrote(const struct bl_races *races, uint64_t number);

/* The hazard in one or two lines: what, where, who, how often, and what would be right.
 */
void bl_hazard_print(const struct bl_hazard *hazard, char *out, size_t size);

#endif
