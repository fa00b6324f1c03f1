/* SPDX-License-Identifier: Apache-2.0
 *
 * seen.h - a watcher (model/watch.h) that remembers of each memory instruction how its
 * lanes lie: the access that costs most, and how many are like it.
 *
 * What it gathers does not depend on how many workers run the blocks.
 */
#ifndef BL_SEEN_H
#define BL_SEEN_H

#include "model/watch.h"

/* Patterns that are told apart, of one instruction: of one that has more, which of them
 * how many accesses have is not known. */
enum { BL_SEEN_PATTERNS = 256 };

/* One access as it happened. */
struct bl_seen_access {
    uint32_t launch; /* of the case, from 0 */
    uint64_t block;  /* its number, and */
    uint32_t index[3];
    uint32_t warp;
    uint32_t mask;
    uint64_t address[32]; /* of lanes in the mask; of the others 0 */
};

/* An instruction in one space. */
struct bl_seen {
    const struct bl_ptx_module *module;
    const struct bl_ptx_insn *insn; /* both the program's */
    const struct bl_ptx_func *func;
    enum bl_ptx_space space; /* SHARED or GLOBAL */
    enum bl_watch_op op;
    enum bl_watch_form form;
    uint32_t width;
    uint64_t executions, warps; /* warps that executed it, of all blocks and launches */
    /* The one of most wavefronts or sectors; of several that of the first block, there
     * of the first warp, and of its the first. `counted`: it has a cost. */
    struct bl_seen_access worst;
    bool counted;
    size_t patterns; /* different ones; 0: more than BL_SEEN_PATTERNS, and then the next
                        two are not known */
    /* Executions, and warps with such an execution, whose lanes lie to each other, and
     * to the bank's row or the sector that they begin in, as the worst one's do: they
     * cost the same. */
    uint64_t like_worst, warps_like_worst;
};

struct bl_seen_list; /* what was seen of a case */

enum bl_status bl_seen_new(struct bl_seen_list **out, struct bl_error *err);
void bl_seen_free(struct bl_seen_list *list);
/* To be watched with, for any number of launches one after another. */
const struct bl_watcher *bl_seen_watcher(const struct bl_seen_list *list);

uint32_t bl_seen_launches(const struct bl_seen_list *list); /* that ran to their end */
/* The rules of the last of them; all 0 if there was none. */
const struct bl_arch *bl_seen_arch(const struct bl_seen_list *list);
/* Every instruction that was executed, in no order to rely on. */
const struct bl_seen *bl_seen_all(const struct bl_seen_list *list, size_t *count);
/* Counts by instruction, of all launches (model.h): *count of them. */
const struct bl_insn_counts *bl_seen_counts(const struct bl_seen_list *list,
                                            size_t *count);

#endif
