/* SPDX-License-Identifier: Apache-2.0
 *
 * warp_frame.c - the frames of a warp's functions: what they hold at the start, and what
 * passes between caller and callee.
 */
#include <stdlib.h>
#include <string.h>

#include "model/block.h"
#include "model/lanes.h"

void bl_warp_enter(struct bl_warp *warp, uint32_t depth)
{
    const struct bl_call_frame *call = &warp->calls[depth];
    warp->depth = depth;
    warp->code = call->code;
    warp->insns = call->code->insns;
    warp->frame = warp->arena + call->frame_at;
    warp->local_at = call->local_at;
}

static bool grow_arena(struct bl_warp *warp, size_t bytes)
{
    size_t want = warp->arena_bytes ? warp->arena_bytes : 1;
    uint8_t *grown;
    if (bytes <= warp->arena_bytes)
        return true;
    while (want < bytes)
        want *= 2;
    want = bl_align_up(want, 64);
    grown = aligned_alloc(64, want);
    if (!grown)
        return false;
    if (warp->arena)
        memcpy(grown, warp->arena, warp->arena_bytes);
    free(warp->arena);
    warp->arena = grown;
    warp->arena_bytes = want;
    return true;
}

static bool grow_local(struct bl_warp *warp, uint64_t bytes)
{
    uint8_t *grown;
    if (bytes <= warp->local_bytes)
        return true;
    grown = realloc(warp->local, bytes * BL_LANES);
    if (!grown)
        return false;
    warp->local = grown;
    warp->local_bytes = bytes;
    return true;
}

static uint64_t sreg_value(const struct bl_warp *warp, enum bl_ptx_sreg sreg,
                           uint32_t lane)
{
    const struct bl_block *block = warp->block;
    const struct bl_model_launch *launch = block->launch->launch;
    uint32_t thread[3];
    switch (sreg) {
    case BL_SR_TID_X:
    case BL_SR_TID_Y:
    case BL_SR_TID_Z:
        bl_warp_thread(warp, lane, thread);
        return thread[sreg - BL_SR_TID_X];
    case BL_SR_NTID_X:
    case BL_SR_NTID_Y:
    case BL_SR_NTID_Z: return launch->block[sreg - BL_SR_NTID_X];
    case BL_SR_CTAID_X:
    case BL_SR_CTAID_Y:
    case BL_SR_CTAID_Z: return block->index[sreg - BL_SR_CTAID_X];
    case BL_SR_NCTAID_X:
    case BL_SR_NCTAID_Y:
    case BL_SR_NCTAID_Z: return launch->grid[sreg - BL_SR_NCTAID_X];
    case BL_SR_LANEID: return lane;
    case BL_SR_WARPID: return warp->index;
    case BL_SR_NWARPID: return block->launch->warps;
    case BL_SR_LANEMASK_EQ: return UINT64_C(1) << lane;
    case BL_SR_LANEMASK_LE: return (UINT64_C(2) << lane) - 1;
    case BL_SR_LANEMASK_LT: return (UINT64_C(1) << lane) - 1;
    case BL_SR_LANEMASK_GE: return UINT32_MAX & ~((UINT64_C(1) << lane) - 1);
    case BL_SR_LANEMASK_GT: return UINT32_MAX & ~((UINT64_C(2) << lane) - 1);
    case BL_SR_NSMID: return 1;
    case BL_SR_DYNAMIC_SMEM_SIZE: return launch->shared_bytes;
    case BL_SR_TOTAL_SMEM_SIZE: return block->launch->shared_bytes;
    case BL_SR_WARP_SIZE: return BL_LANES;
    default: return 0; /* one multiprocessor, one grid */
    }
}

/* Those that differ by lane. */
static bool by_lane(enum bl_ptx_sreg sreg)
{
    return sreg <= BL_SR_TID_Z || sreg == BL_SR_LANEID ||
           (sreg >= BL_SR_LANEMASK_EQ && sreg <= BL_SR_LANEMASK_GT);
}

void bl_warp_fill_sreg(struct bl_warp *warp, const struct bl_sreg_use *use)
{
    uint8_t *frame = warp->frame;
    uint64_t value = sreg_value(warp, use->sreg, 0);
    bool differs = by_lane(use->sreg);
    for (uint32_t l = 0; l < BL_LANES; l++) {
        if (differs)
            value = sreg_value(warp, use->sreg, l);
        if (use->bytes == 2)
            BL_SLOT(uint16_t, frame, use->slot)[l] = (uint16_t)value;
        else if (use->bytes == 4)
            BL_SLOT(uint32_t, frame, use->slot)[l] = (uint32_t)value;
        else
            BL_SLOT(uint64_t, frame, use->slot)[l] = value;
    }
}

void bl_warp_fill_frame(struct bl_warp *warp)
{
    const struct bl_code *code = warp->code;
    if (code->fixed)
        memcpy(warp->frame + code->fixed_at, code->fixed, code->fixed_bytes);
    for (size_t i = 0; i < code->sreg_count; i++)
        bl_warp_fill_sreg(warp, &code->sregs[i]);
    for (size_t i = 0; i < code->local_use_count; i++) {
        const struct bl_local_use *use = &code->locals[i];
        uint64_t value = warp->local_at + use->offset;
        for (int l = 0; l < BL_LANES; l++) {
            if (use->bytes == 4)
                BL_SLOT(uint32_t, warp->frame, use->slot)[l] = (uint32_t)value;
            else
                BL_SLOT(uint64_t, warp->frame, use->slot)[l] = value;
        }
    }
}

void bl_warp_clear_frame(struct bl_warp *warp)
{
    const struct bl_code *code = warp->code;
    *BL_SLOT(uint32_t, warp->frame, BL_FRAME_CC) = 0;
    for (size_t i = 0; i < code->clear_count; i++)
        memset(warp->frame + code->clears[i].at, 0, code->clears[i].bytes);
    if (code->local_bytes)
        memset(warp->local + (size_t)warp->local_at * BL_LANES, 0,
               (size_t)code->local_bytes * BL_LANES);
    if (code->param_bytes)
        memset(warp->frame + code->param_at, 0, (size_t)code->param_bytes * BL_LANES);
}

bool bl_warp_add_frame(struct bl_warp *warp, uint32_t depth, const struct bl_code *code,
                       const struct bl_call_op *op)
{
    struct bl_call_frame *call, *above;
    if (bl_grow(&warp->calls, depth, &warp->call_cap, sizeof *warp->calls, NULL))
        return false;
    call = &warp->calls[depth];
    *call = (struct bl_call_frame){.code = code, .op = op};
    if (depth > 0) {
        above = &warp->calls[depth - 1];
        call->frame_at = above->frame_at + above->code->frame_bytes;
        call->local_at = above->local_at + above->code->local_bytes;
    }
    return grow_arena(warp, call->frame_at + code->frame_bytes) &&
           grow_local(warp, call->local_at + code->local_bytes);
}

void bl_warp_copy_arguments(struct bl_warp *warp, uint32_t mask)
{
    const struct bl_call_op *op = warp->calls[warp->depth].op;
    const struct bl_code *callee = warp->code;
    const struct bl_call_frame *caller = &warp->calls[warp->depth - 1];
    const uint8_t *from = warp->arena + caller->frame_at;
    uint8_t bytes[16];
    for (uint32_t i = 0; i < op->arg_count; i++) {
        const struct bl_call_arg *arg = &op->args[i];
        uint64_t to = callee->func->params[i]->address - callee->uniform_bytes;
        for (uint32_t m = mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            for (uint32_t at = 0; at < arg->size; at += 16) {
                uint32_t size = arg->size - at < 16 ? arg->size - at : 16;
                if (arg->in_slot)
                    bl_lane_get(from, arg->at, arg->size, lane, bytes);
                else
                    bl_lane_read(from + caller->code->param_at, arg->at + at, lane, bytes,
                                 size);
                bl_lane_write(warp->frame + callee->param_at, to + at, lane, bytes, size);
            }
        }
    }
}

void bl_warp_copy_results(struct bl_warp *warp, uint32_t mask)
{
    const struct bl_call_op *op = warp->calls[warp->depth].op;
    const struct bl_code *callee = warp->code;
    const struct bl_call_frame *caller = &warp->calls[warp->depth - 1];
    uint8_t *to = warp->arena + caller->frame_at;
    uint8_t bytes[16];
    for (uint32_t i = 0; i < op->return_count; i++) {
        const struct bl_call_arg *arg = &op->returns[i];
        uint64_t from = callee->func->returns[i]->address - callee->uniform_bytes;
        for (uint32_t m = mask; m; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            for (uint32_t at = 0; at < arg->size; at += 16) {
                uint32_t size = arg->size - at < 16 ? arg->size - at : 16;
                bl_lane_read(warp->frame + callee->param_at, from + at, lane, bytes,
                             size);
                if (arg->in_slot)
                    bl_lane_set(to, arg->at, arg->size, lane, bytes);
                else
                    bl_lane_write(to + caller->code->param_at, arg->at + at, lane, bytes,
                                  size);
            }
        }
    }
}
