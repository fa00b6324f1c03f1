/* SPDX-License-Identifier: Apache-2.0
 *
 * warp.c - how a warp runs: groups of lanes, branches, calls.
 */
#include <stdlib.h>
#include <string.h>

#include "model/block.h"
#include "model/bulk.h"
#include "model/cfg.h"
#include "model/fault.h"

/* ---- the stack of groups ---------------------------------------------------- */

/* Puts a group at the running depth on the stack. */
static bool push(struct bl_warp *warp, uint32_t pc, uint32_t rpc, uint32_t mask)
{
    if (bl_grow(&warp->stack, warp->stack_count, &warp->stack_cap, sizeof *warp->stack,
                NULL))
        return false;
    warp->stack[warp->stack_count++] =
        (struct bl_group){.pc = pc, .rpc = rpc, .mask = mask, .depth = warp->depth};
    return true;
}

/* Runs the next group that has a lane. */
static enum bl_flow pop(struct bl_warp *warp)
{
    while (warp->stack_count > 0) {
        const struct bl_group *group = &warp->stack[--warp->stack_count];
        if (!group->mask)
            continue;
        warp->pc = group->pc;
        warp->rpc = group->rpc;
        warp->mask = group->mask;
        if (group->depth != warp->depth)
            bl_warp_enter(warp, group->depth);
        return BL_FLOW_JUMPED;
    }
    warp->mask = 0;
    warp->state = BL_WARP_DONE;
    return BL_FLOW_DONE;
}

/* Where the running group's lanes meet again after the branch at `in`. No join of the
 * branch's own (they only end): the group's. */
static uint32_t join_of(const struct bl_warp *warp, const struct bl_insn *in)
{
    uint32_t join = warp->code->join[in - warp->insns];
    return join == BL_CFG_EXIT ? warp->rpc : join;
}

enum bl_flow bl_warp_branch(struct bl_warp *warp, const struct bl_insn *in,
                            uint32_t taken, uint32_t target)
{
    uint32_t rest = warp->mask & ~taken, next = warp->pc + 1, join;
    if (!rest) {
        warp->pc = target;
        return BL_FLOW_JUMPED;
    }
    if (!taken)
        return BL_FLOW_NEXT;
    join = join_of(warp, in);
    if (join != warp->rpc && !push(warp, join, warp->rpc, warp->mask))
        return bl_fault_nomem(warp);
    warp->rpc = join;
    if (next != join && target != join && !push(warp, next, join, rest))
        return bl_fault_nomem(warp);
    warp->pc = target == join ? next : target;
    warp->mask = target == join ? rest : taken;
    return BL_FLOW_JUMPED;
}

enum bl_flow bl_warp_branch_many(struct bl_warp *warp, const struct bl_insn *in,
                                 const uint32_t target[BL_LANES])
{
    uint32_t left = warp->mask, first = target[__builtin_ctz(left)], join, same;
    for (uint32_t m = left; m; m &= m - 1)
        if (target[__builtin_ctz(m)] != first)
            goto split;
    warp->pc = first;
    return BL_FLOW_JUMPED;
split:
    join = join_of(warp, in);
    if (join != warp->rpc && !push(warp, join, warp->rpc, left))
        return bl_fault_nomem(warp);
    for (; left; left &= ~same) {
        uint32_t to = target[__builtin_ctz(left)];
        same = 0;
        for (uint32_t m = left; m; m &= m - 1)
            if (target[__builtin_ctz(m)] == to)
                same |= m & -m;
        if (to != join && !push(warp, to, join, same))
            return bl_fault_nomem(warp);
    }
    return pop(warp);
}

/* ---- ends --------------------------------------------------------------------- */

enum bl_flow bl_warp_exit(struct bl_warp *warp, uint32_t mask)
{
    warp->live &= ~mask;
    warp->mask &= ~mask;
    for (size_t i = 0; i < warp->stack_count; i++)
        warp->stack[i].mask &= ~mask;
    return warp->mask ? BL_FLOW_JUMPED : pop(warp);
}

enum bl_flow bl_warp_return(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask)
{
    (void)in;
    if (warp->depth == 0) {
        warp->pc++;
        return bl_warp_exit(warp, mask);
    }
    bl_warp_copy_results(warp, mask);
    warp->mask &= ~mask;
    for (size_t i = warp->stack_count; i-- > 0;) {
        if (warp->stack[i].depth < warp->depth)
            break;
        warp->stack[i].mask &= ~mask;
    }
    if (!warp->mask)
        return pop(warp);
    warp->pc++;
    return BL_FLOW_JUMPED;
}

bool bl_warp_set_aside(struct bl_warp *warp, bool polling)
{
    struct bl_group mine = {.pc = warp->pc,
                            .rpc = warp->rpc,
                            .mask = warp->mask,
                            .depth = warp->depth,
                            .at_barrier = !polling,
                            .polling = polling};
    for (size_t i = warp->stack_count; i-- > 0;) {
        struct bl_group other = warp->stack[i];
        if (other.depth != warp->depth || (other.mask & warp->mask))
            return false;
        if (other.at_barrier || other.polling || !other.mask)
            continue;
        warp->stack[i] = mine;
        warp->pc = other.pc;
        warp->rpc = other.rpc;
        warp->mask = other.mask;
        return true;
    }
    return false;
}

bool bl_warp_part(struct bl_warp *warp, uint32_t rest)
{
    uint32_t next = warp->pc + 1;
    if (next != warp->rpc && !push(warp, next, warp->rpc, warp->mask))
        return false;
    warp->rpc = next;
    warp->mask &= ~rest;
    return push(warp, warp->pc, next, rest);
}

/* ---- calls -------------------------------------------------------------------- */

enum bl_flow bl_warp_call(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                          const struct bl_code *code, const struct bl_call_op *op)
{
    uint32_t depth = warp->depth + 1;
    if (code->error)
        return bl_fault_error(warp, code->error);
    if (depth >= BL_CALL_DEPTH)
        return bl_fault(warp, in, __builtin_ctz(mask),
                        "stack overflow: more than %d calls within each other; does the "
                        "recursion of %s end?",
                        BL_CALL_DEPTH, code->func->name);
    if (warp->local_at + warp->code->local_bytes + code->local_bytes > BL_LOCAL_MOST)
        return bl_fault(warp, in, __builtin_ctz(mask),
                        "stack overflow: the local variables of the functions that are "
                        "within each other, down to %s, need more than the %d bytes that "
                        "a thread has; does the recursion end?",
                        code->func->name, BL_LOCAL_MOST);
    if (!push(warp, warp->pc + 1, warp->rpc, warp->mask) ||
        !bl_warp_add_frame(warp, depth, code, op))
        return bl_fault_nomem(warp);
    bl_warp_enter(warp, depth);
    warp->pc = 0;
    warp->rpc = BL_CFG_EXIT;
    warp->mask = mask;
    bl_warp_fill_frame(warp);
    bl_warp_clear_frame(warp);
    bl_warp_copy_arguments(warp, mask);
    return BL_FLOW_JUMPED;
}

/* ---- running ------------------------------------------------------------------- */

enum bl_flow bl_warp_run(struct bl_warp *warp, uint64_t budget, uint64_t *issued)
{
    for (uint64_t left = budget; left > 0; left--) {
        const struct bl_insn *in;
        uint32_t mask;
        while (warp->pc == warp->rpc)
            pop(warp); /* never the last: the group that waits at its join follows */
        in = &warp->insns[warp->pc];
        mask = warp->mask;
        if (in->pred != BL_NO_SLOT) {
            uint32_t holds = *BL_SLOT(uint32_t, warp->frame, in->pred);
            mask &= in->pred_negated ? ~holds : holds;
        }
        warp->now++;
        if (!mask) {
            warp->pc++;
        } else if (in->alu) {
            in->alu(warp->frame, in, in->exact_mask ? mask : mask | ~warp->live);
            warp->pc++;
        } else {
            enum bl_flow flow = in->step(warp, in, mask);
            if (flow == BL_FLOW_NEXT)
                warp->pc++;
            else if (flow != BL_FLOW_JUMPED) {
                *issued += budget - left + 1;
                return flow;
            }
        }
    }
    *issued += budget;
    return BL_FLOW_NEXT;
}

/* ---- life --------------------------------------------------------------------- */

void bl_warp_thread(const struct bl_warp *warp, uint32_t lane, uint32_t out[3])
{
    const uint32_t *size = warp->block->launch->launch->block;
    uint32_t at = warp->index * BL_LANES + lane;
    out[0] = at % size[0];
    out[1] = at / size[0] % size[1];
    out[2] = at / size[0] / size[1];
}

enum bl_status bl_warp_init(struct bl_warp *warp, struct bl_block *block, uint32_t index,
                            struct bl_error *err)
{
    const struct bl_image *image = block->launch->image;
    uint32_t left = block->launch->threads - index * BL_LANES;
    memset(warp, 0, sizeof *warp);
    warp->block = block;
    warp->index = index;
    warp->full = left >= BL_LANES ? BL_ALL_LANES : (UINT32_C(1) << left) - 1;
    if (!bl_warp_add_frame(warp, 0, image->codes[image->kernel->order], NULL))
        return bl_error_nomem(err);
    bl_warp_enter(warp, 0);
    memset(warp->frame, 0, warp->code->frame_bytes);
    bl_warp_fill_frame(warp);
    return BL_OK;
}

void bl_warp_release(struct bl_warp *warp)
{
    free(warp->stack);
    free(warp->calls);
    free(warp->arena);
    free(warp->local);
    free(warp->async.copies);
    bl_bulk_forget(&warp->bulk);
    free(warp->bulk.reads);
}

void bl_warp_start(struct bl_warp *warp)
{
    const struct bl_code *code;
    bl_warp_enter(warp, 0);
    code = warp->code;
    for (size_t i = 0; i < code->sreg_count; i++)
        if (code->sregs[i].sreg >= BL_SR_CTAID_X && code->sregs[i].sreg <= BL_SR_CTAID_Z)
            bl_warp_fill_sreg(warp, &code->sregs[i]);
    bl_warp_clear_frame(warp);
    warp->pc = 0;
    warp->rpc = BL_CFG_EXIT;
    warp->mask = warp->live = warp->full;
    warp->stack_count = 0;
    warp->state = BL_WARP_READY;
    warp->now = warp->stage_done = 0;
    warp->async.count = 0;
    warp->let_go = false;
    memset(warp->async.committed, 0, sizeof warp->async.committed);
    bl_bulk_forget(&warp->bulk);
}
