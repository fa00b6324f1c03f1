/* SPDX-License-Identifier: Apache-2.0 */
#include "model/mbarrier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/block.h"
#include "model/fault.h"

void bl_mbarriers_reset(struct bl_mbarriers *all)
{
    all->count = all->copy_count = 0;
    all->in_vain = 0;
}

void bl_mbarriers_release(struct bl_mbarriers *all)
{
    free(all->at);
    free(all->copies);
}

static struct bl_mbarrier *at_offset(struct bl_mbarriers *all, uint64_t offset)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].offset == offset)
            return &all->at[i];
    return NULL;
}

bool bl_mbarrier_init(struct bl_block *block, uint32_t offset, uint32_t expected)
{
    struct bl_mbarriers *all = &block->mbarriers;
    struct bl_mbarrier *barrier = at_offset(all, offset);
    if (!barrier) {
        if (bl_grow(&all->at, all->count, &all->cap, sizeof *all->at, NULL))
            return false;
        barrier = &all->at[all->count++];
    }
    *barrier =
        (struct bl_mbarrier){.offset = offset, .expected = expected, .pending = expected};
    memset(block->written + offset, BL_BYTE_BARRIER, BL_MBARRIER_BYTES);
    return true;
}

void bl_mbarrier_inval(struct bl_block *block, uint32_t offset)
{
    memset(block->written + offset, 0, BL_MBARRIER_BYTES);
}

struct bl_mbarrier *bl_mbarrier_find(struct bl_block *block, uint64_t offset)
{
    for (uint32_t i = 0; i < BL_MBARRIER_BYTES; i++)
        if (block->written[offset + i] != BL_BYTE_BARRIER)
            return NULL;
    return at_offset(&block->mbarriers, offset);
}

/* ---- phases -------------------------------------------------------------------------
 */

/* All that wait for an object look again; which one is told apart when they do. */
static void wake(struct bl_block *block, bool in_vain)
{
    for (uint32_t w = 0; w < block->launch->warps; w++) {
        struct bl_warp *warp = &block->warps[w];
        for (size_t i = 0; i < warp->stack_count; i++)
            warp->stack[i].polling = false;
        if (warp->state != BL_WARP_POLLING)
            continue;
        warp->state = BL_WARP_READY;
        warp->let_go = in_vain;
    }
}

static void complete(struct bl_mbarrier *barrier, struct bl_block *block)
{
    if (barrier->pending || barrier->bytes)
        return;
    barrier->phase++;
    barrier->pending = barrier->expected;
    wake(block, false);
}

bool bl_mbarrier_change(struct bl_mbarrier *barrier, struct bl_warp *warp,
                        const struct bl_insn *in, uint32_t lane, uint32_t arrivals,
                        int64_t bytes)
{
    int64_t sum = barrier->bytes + bytes;
    if (arrivals > barrier->pending) {
        bl_fault(warp, in, (int)lane,
                 "%" PRIu32 " more arrivals at the mbarrier at shared memory + %" PRIu32
                 ", whose phase lacks %" PRIu32 " of the %" PRIu32 " it was made for",
                 arrivals, barrier->offset, barrier->pending, barrier->expected);
        return false;
    }
    if (sum > BL_MBARRIER_MOST || sum < -BL_MBARRIER_MOST) {
        bl_fault(warp, in, (int)lane,
                 "%" PRId64 " bytes pending at the mbarrier at shared memory + %" PRIu32
                 "; it can count %d either way",
                 sum, barrier->offset, BL_MBARRIER_MOST);
        return false;
    }
    barrier->bytes = (int32_t)sum;
    barrier->pending -= arrivals;
    if (warp->now > barrier->time)
        barrier->time = warp->now;
    warp->block->mbarriers.in_vain = 0;
    complete(barrier, warp->block);
    return true;
}

/* ---- copies -------------------------------------------------------------------------
 */

bool bl_mbarrier_copy(struct bl_block *block, const struct bl_mbarrier *barrier,
                      uint32_t offset, uint32_t bytes)
{
    struct bl_mbarriers *all = &block->mbarriers;
    if (bl_grow(&all->copies, all->copy_count, &all->copy_cap, sizeof *all->copies, NULL))
        return false;
    all->copies[all->copy_count++] = (struct bl_mbarrier_copy){.offset = offset,
                                                               .bytes = bytes,
                                                               .barrier = barrier->offset,
                                                               .phase = barrier->phase};
    return true;
}

/* What else was written over a copy's bytes stays as it is. */
static void arrived(struct bl_block *block, const struct bl_mbarrier_copy *copy)
{
    uint8_t *written = block->written + copy->offset;
    for (uint32_t i = 0; i < copy->bytes; i++)
        if (written[i] == BL_BYTE_BULK)
            written[i] = 0xff;
}

void bl_mbarrier_seen(struct bl_block *block, const struct bl_mbarrier *barrier)
{
    struct bl_mbarriers *all = &block->mbarriers;
    size_t kept = 0;
    for (size_t i = 0; i < all->copy_count; i++) {
        const struct bl_mbarrier_copy copy = all->copies[i];
        if (copy.barrier == barrier->offset && copy.phase < barrier->phase)
            arrived(block, &copy);
        else
            all->copies[kept++] = copy;
    }
    all->copy_count = kept;
}

/* ---- nothing moves ------------------------------------------------------------------
 */

static struct bl_warp *polling(const struct bl_block *block)
{
    for (uint32_t w = 0; w < block->launch->warps; w++)
        if (block->warps[w].state == BL_WARP_POLLING)
            return &block->warps[w];
    return NULL;
}

bool bl_mbarrier_let_go(struct bl_block *block)
{
    if (!polling(block) || block->mbarriers.in_vain++ >= BL_MBARRIER_PATIENCE)
        return false;
    wake(block, true);
    return true;
}

bool bl_mbarrier_stuck(struct bl_block *block)
{
    struct bl_warp *warp = polling(block);
    const struct bl_mbarrier *barrier;
    char lacks[96];
    if (!warp)
        return false;
    barrier = bl_mbarrier_find(block, warp->barrier);
    if (!barrier)
        snprintf(lacks, sizeof lacks, "which is gone");
    else if (barrier->bytes < 0)
        snprintf(lacks, sizeof lacks,
                 "whose phase lacks %" PRIu32 " arrivals and got %" PRId64
                 " bytes that nobody told it of",
                 barrier->pending, -(int64_t)barrier->bytes);
    else
        snprintf(lacks, sizeof lacks,
                 "whose phase lacks %" PRIu32 " arrivals and %" PRId32 " bytes",
                 barrier->pending, barrier->bytes);
    bl_fault(warp, &warp->insns[warp->pc], -1,
             "stuck at an mbarrier: warp %" PRIu32
             " waits for the one at shared memory + %" PRIu32 ", %s; %d of %" PRIu32
             " warps have ended, and none can go on",
             warp->index, warp->barrier, lacks, __builtin_popcountll(block->done),
             block->launch->warps);
    return true;
}
