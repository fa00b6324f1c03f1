/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_memory.h - how loads, stores and atomics find what they access: the lanes'
 * addresses, checked once for the whole warp, as offsets into host memory.
 */
#ifndef BL_EXEC_MEMORY_H
#define BL_EXEC_MEMORY_H

#include "model/block.h"
#include "model/lanes.h"

/* The step of a load or store in `space`. */
bl_step_fn *bl_access_step(enum bl_ptx_space space);

/* The addresses that op's lanes access, of all 32 lanes. */
void bl_access_addresses(const struct bl_warp *warp, const struct bl_mem_op *op,
                         uint64_t address[BL_LANES]);

/* True if every lane of `mask` accesses `width` bytes, aligned, within the `bytes` at
 * `base`; offset[l] = address[l] - base then (of other lanes: anything). */
static inline bool bl_access_fits(const uint64_t address[BL_LANES], uint64_t base,
                                  uint64_t bytes, uint32_t width, uint32_t mask,
                                  uint64_t offset[BL_LANES])
{
    uint64_t limit = bytes - width, outside = 0, low = 0;
    if (bytes < width)
        return false;
    /* Neither an offset nor what is left behind it may be "negative". */
    if (mask == BL_ALL_LANES) {
        for (int l = 0; l < BL_LANES; l++) {
            uint64_t at = address[l] - base;
            offset[l] = at;
            outside |= at | (limit - at);
            low |= address[l];
        }
    } else {
        for (uint32_t m = mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t at = address[l] - base;
            offset[l] = at;
            outside |= at | (limit - at);
            low |= address[l];
        }
    }
    return !(outside >> 63) && !(low & (width - 1));
}

/* What is wrong with the first lane that does not fit: the fault. `what` is "load",
 * "store", "atomic". */
enum bl_flow bl_access_misaligned(struct bl_warp *warp, const struct bl_insn *in,
                                  const char *what, uint32_t width, uint32_t lane,
                                  uint64_t address, const char *space);
enum bl_flow bl_access_bad_shared(struct bl_warp *warp, const struct bl_insn *in,
                                  const char *what, uint32_t width, uint32_t mask,
                                  const uint64_t address[BL_LANES]);
/* Makes offsets in shared memory of op's generic addresses. False: one lies elsewhere,
 * and the fault is worded of `what`, "a matrix's row". */
bool bl_access_into_shared(struct bl_warp *warp, const struct bl_insn *in,
                           const struct bl_mem_op *op, const char *what, uint32_t mask,
                           uint64_t address[BL_LANES]);
/* Shared memory was read before anything was written there. */
enum bl_flow bl_access_unwritten(struct bl_warp *warp, const struct bl_insn *in,
                                 const char *what, uint32_t width, uint32_t mask,
                                 const uint64_t offset[BL_LANES]);
/* Whether all bytes that the lanes read in shared memory have been written. */
bool bl_access_is_written(const uint8_t *written, uint32_t width, uint32_t mask,
                          const uint64_t offset[BL_LANES]);

/* The span that the first lane of *mask accesses, and in *mask those lanes whose access
 * lies in it too, with their offsets. NULL: it is in none, or misaligned, and the fault
 * is worded. */
const struct bl_memory_span *bl_access_span(struct bl_warp *warp,
                                            const struct bl_insn *in, const char *what,
                                            uint32_t width, uint32_t *mask,
                                            const uint64_t address[BL_LANES],
                                            uint64_t offset[BL_LANES]);

/* For a watcher: lanes of a store that found their value there already, and lanes whose
 * value is not there afterwards, since another one stored another to the same place. */
struct bl_store_told {
    uint32_t same, lost;
};
/* bl_lanes_store to `base`, and what is told of it. */
void bl_access_store_told(struct bl_warp *warp, const struct bl_mem_op *op, uint8_t *base,
                          uint32_t mask, const uint64_t offset[BL_LANES],
                          struct bl_store_told *told);

/* One space each: `address` are the space's own (shared: offsets from 0; local and
 * param likewise; global: generic). */
enum bl_flow bl_access_shared_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                    const struct bl_mem_op *op, uint32_t mask,
                                    const uint64_t address[BL_LANES]);
enum bl_flow bl_access_global_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                    const struct bl_mem_op *op, uint32_t mask,
                                    const uint64_t address[BL_LANES]);
enum bl_flow bl_access_local_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES]);
enum bl_flow bl_access_const_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES]);
enum bl_flow bl_access_param_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                   const struct bl_mem_op *op, uint32_t mask,
                                   const uint64_t address[BL_LANES]);

#endif
