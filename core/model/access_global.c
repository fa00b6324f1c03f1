/* SPDX-License-Identifier: Apache-2.0
 *
 * access_global.c - loads and stores of global memory.
 */
#include <inttypes.h>
#include <string.h>

#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"

static bool lane_fits(const struct bl_memory_span *span, uint32_t width, uint64_t address)
{
    return address >= span->address && span->bytes >= width &&
           address - span->address <= span->bytes - width && !(address & (width - 1));
}

const struct bl_memory_span *bl_access_span(struct bl_warp *warp,
                                            const struct bl_insn *in, const char *what,
                                            uint32_t width, uint32_t *mask,
                                            const uint64_t address[BL_LANES],
                                            uint64_t offset[BL_LANES])
{
    const struct bl_memory *memory = warp->block->launch->memory;
    uint32_t first = (uint32_t)__builtin_ctz(*mask), lanes = 0;
    uint64_t at = address[first];
    const struct bl_memory_span *span = bl_memory_find(memory, at);
    char where[160];
    if (!span || at - span->address + width > span->bytes) {
        bl_memory_describe(memory, at, where, sizeof where);
        bl_fault(warp, in, (int)first, "out of bounds: %s of %" PRIu32 " bytes at %s",
                 what, width, where);
        return NULL;
    }
    if (at & (width - 1)) {
        bl_memory_describe(memory, at, where, sizeof where);
        bl_fault(warp, in, (int)first,
                 "misaligned: %s of %" PRIu32 " bytes at %s; the address must be a "
                 "multiple of %" PRIu32,
                 what, width, where, width);
        return NULL;
    }
    for (uint32_t m = *mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (!lane_fits(span, width, address[l]))
            continue;
        offset[l] = address[l] - span->address;
        lanes |= m & -m;
    }
    *mask = lanes;
    return span;
}

static uint32_t lanes_equal(const uint8_t *values, const uint64_t apart[BL_LANES],
                            const uint8_t *base, const uint64_t offset[BL_LANES],
                            uint32_t width, uint32_t mask)
{
    uint32_t equal = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (memcmp(values + apart[l], base + offset[l], width) == 0)
            equal |= m & -m;
    }
    return equal;
}

void bl_access_store_told(struct bl_warp *warp, const struct bl_mem_op *op, uint8_t *base,
                          uint32_t mask, const uint64_t offset[BL_LANES],
                          struct bl_store_told *told)
{
    enum { WIDEST = 32 };
    uint8_t values[BL_LANES * WIDEST];
    uint64_t apart[BL_LANES];
    for (uint32_t l = 0; l < BL_LANES; l++)
        apart[l] = (uint64_t)l * WIDEST;
    bl_lanes_store(warp->frame, op, values, apart, mask);
    told->same |= lanes_equal(values, apart, base, offset, op->width, mask);
    bl_lanes_store(warp->frame, op, base, offset, mask);
    told->lost |= mask & ~lanes_equal(values, apart, base, offset, op->width, mask);
}

static void move(struct bl_warp *warp, const struct bl_mem_op *op,
                 const struct bl_memory_span *span, uint32_t mask,
                 const uint64_t offset[BL_LANES], struct bl_store_told *told)
{
    if (!op->is_store)
        bl_lanes_load(warp->frame, op, span->host, offset, mask);
    else if (warp->block->launch->watcher)
        bl_access_store_told(warp, op, span->host, mask, offset, told);
    else
        bl_lanes_store(warp->frame, op, span->host, offset, mask);
}

static enum bl_flow count(struct bl_warp *warp, const struct bl_insn *in,
                          struct bl_site *site, const struct bl_mem_op *op, uint32_t mask,
                          const struct bl_store_told *told,
                          const uint64_t address[BL_LANES])
{
    const struct bl_launch_state *launch = warp->block->launch;
    struct bl_global_cost cost;
    bl_access_global_memo(&site->global_memo, launch->arch, op->width, mask, address,
                          &cost);
    site->global.executions++;
    site->global.sectors += cost.sectors;
    site->global.ideal += cost.ideal;
    if (launch->watcher) {
        struct bl_watch_access access = {.op = op->is_store ? BL_WATCH_STORE
                                                            : BL_WATCH_LOAD,
                                         .space = BL_SPACE_GLOBAL,
                                         .mask = mask,
                                         .same = told->same,
                                         .lost = told->lost,
                                         .address = address,
                                         .global = &cost};
        return bl_watch_tell_access(warp, in, op, &access);
    }
    return BL_FLOW_NEXT;
}

enum bl_flow bl_access_global_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                    const struct bl_mem_op *op, uint32_t mask,
                                    const uint64_t address[BL_LANES])
{
    struct bl_site *site = &warp->block->sites[op->site];
    const struct bl_memory_span *span = site->span;
    uint64_t offset[BL_LANES];
    struct bl_store_told told = {0, 0};
    if (span &&
        bl_access_fits(address, span->address, span->bytes, op->width, mask, offset)) {
        move(warp, op, span, mask, offset, &told);
    } else {
        for (uint32_t left = mask, lanes; left; left &= ~lanes) {
            lanes = left;
            span = bl_access_span(warp, in, op->is_store ? "store" : "load", op->width,
                                  &lanes, address, offset);
            if (!span)
                return BL_FLOW_FAULT;
            site->span = span;
            move(warp, op, span, lanes, offset, &told);
        }
    }
    return count(warp, in, site, op, mask, &told, address);
}
