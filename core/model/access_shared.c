/* SPDX-License-Identifier: Apache-2.0
 *
 * access_shared.c - loads and stores of shared memory.
 */
#include <inttypes.h>
#include <string.h>

#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"

enum bl_flow bl_access_misaligned(struct bl_warp *warp, const struct bl_insn *in,
                                  const char *what, uint32_t width, uint32_t lane,
                                  uint64_t address, const char *space)
{
    return bl_fault(warp, in, (int)lane,
                    "misaligned: %s of %" PRIu32 " bytes at %s address 0x%" PRIx64
                    ", which must be a multiple of %" PRIu32,
                    what, width, space, address, width);
}

enum bl_flow bl_access_bad_shared(struct bl_warp *warp, const struct bl_insn *in,
                                  const char *what, uint32_t width, uint32_t mask,
                                  const uint64_t address[BL_LANES])
{
    const struct bl_launch_state *launch = warp->block->launch;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint64_t at = address[l], bytes = launch->shared_bytes;
        if (bytes < width || at > bytes - width)
            return bl_fault(warp, in, (int)l,
                            "out of bounds: %s of %" PRIu32
                            " bytes at shared memory + %" PRIu64
                            " (the block has %" PRIu64 " bytes: %" PRIu64
                            " static, %" PRIu32 " dynamic)",
                            what, width, at, bytes, launch->image->static_shared,
                            launch->launch->shared_bytes);
        if (at & (width - 1))
            return bl_access_misaligned(warp, in, what, width, l, at, "shared");
    }
    return BL_FLOW_NEXT;
}

bool bl_access_into_shared(struct bl_warp *warp, const struct bl_insn *in,
                           const struct bl_mem_op *op, const char *what, uint32_t mask,
                           uint64_t address[BL_LANES])
{
    if (op->space == BL_SPACE_SHARED)
        return true;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (address[l] >> BL_WINDOW_SHIFT != BL_WINDOW_SHARED) {
            bl_fault(warp, in, (int)l, "%s must be in shared memory", what);
            return false;
        }
        address[l] -= bl_window_base(BL_WINDOW_SHARED);
    }
    return true;
}

bool bl_access_is_written(const uint8_t *written, uint32_t width, uint32_t mask,
                          const uint64_t offset[BL_LANES])
{
    uint64_t all = UINT64_MAX;
    switch (width) {
    case 1: BL_FOR_LANES(mask, all &= 0xffffffffffffff00 | written[offset[l]]); break;
    case 2:
        BL_FOR_LANES(mask, uint16_t w; memcpy(&w, written + offset[l], 2);
                     all &= 0xffffffffffff0000 | w);
        break;
    case 4:
        BL_FOR_LANES(mask, uint32_t w; memcpy(&w, written + offset[l], 4);
                     all &= 0xffffffff00000000 | w);
        break;
    default:
        for (uint32_t i = 0; i < width; i += 8)
            BL_FOR_LANES(mask, uint64_t w; memcpy(&w, written + offset[l] + i, 8);
                         all &= w);
        break;
    }
    return all == UINT64_MAX;
}

static const char *why_unwritten(const struct bl_warp *warp, uint32_t width,
                                 uint64_t offset)
{
    const uint8_t *written = warp->block->written + offset;
    if (memchr(written, BL_BYTE_IN_FLIGHT, width))
        return "where a cp.async is still writing; is a cp.async.wait_group or wait_all "
               "missing before it?";
    if (memchr(written, BL_BYTE_BULK, width))
        return "where a bulk copy is still writing; is a wait for its mbarrier's phase "
               "missing before it?";
    if (memchr(written, BL_BYTE_BARRIER, width))
        return "where an mbarrier is, which only mbarrier instructions may touch";
    return "where this block has not written yet; is a store or a __syncthreads() "
           "missing before it?";
}

enum bl_flow bl_access_unwritten(struct bl_warp *warp, const struct bl_insn *in,
                                 const char *what, uint32_t width, uint32_t mask,
                                 const uint64_t offset[BL_LANES])
{
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        const char *why = why_unwritten(warp, width, offset[l]);
        if (!bl_access_is_written(warp->block->written, width, m & -m, offset))
            return bl_fault(warp, in, (int)l,
                            "uninitialised: %s of %" PRIu32
                            " bytes at shared memory + %" PRIu64 ", %s",
                            what, width, offset[l], why);
    }
    return BL_FLOW_NEXT;
}

static void mark_written(uint8_t *written, uint32_t width, uint32_t mask,
                         const uint64_t offset[BL_LANES])
{
    switch (width) {
    case 1: BL_FOR_LANES(mask, memset(written + offset[l], 0xff, 1)); break;
    case 2: BL_FOR_LANES(mask, memset(written + offset[l], 0xff, 2)); break;
    case 4: BL_FOR_LANES(mask, memset(written + offset[l], 0xff, 4)); break;
    case 8: BL_FOR_LANES(mask, memset(written + offset[l], 0xff, 8)); break;
    default: BL_FOR_LANES(mask, memset(written + offset[l], 0xff, width)); break;
    }
}

static enum bl_flow count(struct bl_warp *warp, const struct bl_insn *in,
                          const struct bl_mem_op *op, uint32_t mask,
                          const uint64_t offset[BL_LANES],
                          const struct bl_store_told *told)
{
    struct bl_block *block = warp->block;
    struct bl_site *site = &block->sites[op->site];
    struct bl_shared_cost cost;
    uint32_t address[BL_LANES];
    for (int l = 0; l < BL_LANES; l++)
        address[l] = (uint32_t)offset[l];
    bl_access_shared_memo(&site->shared_memo, block->launch->arch, op->is_store,
                          op->width, mask, address, &cost);
    bl_site_count(&site->shared, 1, &cost);
    bl_block_stage(warp, cost.cycles);
    if (block->launch->watcher) {
        struct bl_watch_access access = {.op = op->is_store ? BL_WATCH_STORE
                                                            : BL_WATCH_LOAD,
                                         .space = BL_SPACE_SHARED,
                                         .mask = mask,
                                         .same = told->same,
                                         .lost = told->lost,
                                         .address = offset,
                                         .shared = &cost};
        return bl_watch_tell_access(warp, in, op, &access);
    }
    return BL_FLOW_NEXT;
}

enum bl_flow bl_access_shared_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                    const struct bl_mem_op *op, uint32_t mask,
                                    const uint64_t address[BL_LANES])
{
    struct bl_block *block = warp->block;
    const char *what = op->is_store ? "store" : "load";
    uint64_t offset[BL_LANES];
    struct bl_store_told told = {0, 0};
    if (!bl_access_fits(address, 0, block->launch->shared_bytes, op->width, mask, offset))
        return bl_access_bad_shared(warp, in, what, op->width, mask, address);
    if (op->is_store) {
        mark_written(block->written, op->width, mask, offset);
        if (block->launch->watcher)
            bl_access_store_told(warp, op, block->shared, mask, offset, &told);
        else
            bl_lanes_store(warp->frame, op, block->shared, offset, mask);
    } else {
        if (!bl_access_is_written(block->written, op->width, mask, offset))
            return bl_access_unwritten(warp, in, what, op->width, mask, offset);
        bl_lanes_load(warp->frame, op, block->shared, offset, mask);
    }
    return count(warp, in, op, mask, offset, &told);
}
