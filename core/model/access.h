/* SPDX-License-Identifier: Apache-2.0
 *
 * access.h - what one warp's memory instruction costs: phases, wavefronts, conflicts,
 * cycles of the data stage; sectors. Pure functions of lanes' addresses.
 *
 * The rules are those of doc/model.md, measured on an NVIDIA H200 (t/data).
 */
#ifndef BL_ACCESS_H
#define BL_ACCESS_H

#include "model/arch.h"

struct bl_shared_cost {
    uint32_t phases;     /* after merging, empty ones too: the write-back beats */
    uint32_t ideal;      /* phases with an active lane */
    uint32_t wavefronts; /* sum over phases of the worst bank's distinct words */
    uint32_t conflicts;  /* wavefronts - ideal */
    uint32_t ways;       /* worst phase's wavefronts */
    uint32_t cycles;     /* max(phases, wavefronts) */
};

struct bl_global_cost {
    uint32_t sectors; /* distinct sectors touched */
    uint32_t ideal;   /* distinct bytes over sector size, rounded up */
};

/* `address[l]` is lane l's byte address, aligned to `width` (1, 2, 4, 8, 16; global
 * memory 32 too), for the lanes in `mask` (not 0); what the others hold doesn't
 * matter. */
void bl_access_shared(const struct bl_arch *arch, bool is_store, uint32_t width,
                      uint32_t mask, const uint32_t address[32],
                      struct bl_shared_cost *out);
void bl_access_global(const struct bl_arch *arch, uint32_t width, uint32_t mask,
                      const uint64_t address[32], struct bl_global_cost *out);

/* One remembered pattern: if kind, mask, width and the lanes' distances from the first
 * active lane are as before, and that lane's address is as far into its unit as before
 * (shared: the wider of access and bank; global: the sector), the cost is as before:
 * moving all lanes by whole units turns the banks round and changes no count. One memo
 * an instruction and worker makes a loop's cost a compare. All zero is empty. */
enum bl_access_kind {
    BL_ACCESS_NONE,
    BL_ACCESS_SHARED_LOAD,
    BL_ACCESS_SHARED_STORE,
    BL_ACCESS_GLOBAL
};
struct bl_access_memo {
    enum bl_access_kind kind;
    uint32_t mask, width, phase; /* phase: the first address modulo the unit */
    union {
        uint32_t near[32];
        uint64_t far[32];
    } delta;
    union {
        struct bl_shared_cost shared;
        struct bl_global_cost global;
    } cost;
};

/* As the functions above, through a memo that was only used with the same arch. */
void bl_access_shared_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           bool is_store, uint32_t width, uint32_t mask,
                           const uint32_t address[32], struct bl_shared_cost *out);
void bl_access_global_memo(struct bl_access_memo *memo, const struct bl_arch *arch,
                           uint32_t width, uint32_t mask, const uint64_t address[32],
                           struct bl_global_cost *out);

#endif
