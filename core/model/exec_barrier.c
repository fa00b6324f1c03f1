/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_barrier.c - bar, barrier, bar.warp.sync.
 *
 * A warp arrives at a barrier as a whole: all of its lanes that have not exited. Lanes
 * that a branch has parted may still come together: those that arrive are set aside
 * while the others run, and if the others end, the barrier is reached. If they don't,
 * the barrier stands in divergent code, which is an error.
 */
#include "model/block.h"
#include "model/exec_control.h"
#include "model/decoder.h"
#include "model/fault.h"
#include "model/watch_tell.h"

static uint32_t first_value(const struct bl_warp *warp, uint32_t slot, uint32_t mask)
{
    return BL_SLOT(const uint32_t, warp->frame, slot)[__builtin_ctz(mask)];
}

/* All lanes together? NEXT: yes. JUMPED: other lanes run first. */
static enum bl_flow gather(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                           uint32_t wanted)
{
    uint32_t missing = wanted & warp->live & ~mask;
    if (!missing)
        return BL_FLOW_NEXT;
    if (mask == warp->mask && bl_warp_set_aside(warp, false))
        return BL_FLOW_JUMPED;
    return bl_fault(
        warp, in, __builtin_ctz(mask),
        "barrier in divergent code: lanes 0x%08x are here, lanes 0x%08x of the "
        "same warp are not; all must reach the same barrier together",
        mask, missing);
}

static enum bl_flow step_bar(struct bl_warp *warp, const struct bl_insn *in,
                             uint32_t mask)
{
    uint32_t id, threads = 0, yes = 0;
    enum bl_flow flow = gather(warp, in, mask, BL_ALL_LANES);
    if (flow != BL_FLOW_NEXT)
        return flow;
    id = first_value(warp, in->a, mask);
    if (id >= BL_BARRIERS)
        return bl_fault(warp, in, -1, "barrier %u: there are 0 to %d", id,
                        BL_BARRIERS - 1);
    if (in->b != BL_NO_SLOT) {
        threads = first_value(warp, in->b, mask);
        if (threads == 0 || threads % BL_LANES)
            return bl_fault(warp, in, -1,
                            "barrier for %u threads: must be a multiple of %d", threads,
                            BL_LANES);
    }
    if (in->c != BL_NO_SLOT) {
        yes = *BL_SLOT(const uint32_t, warp->frame, in->c);
        yes = (in->type2 ? ~yes : yes) & mask;
    }
    return bl_block_arrive(warp->block, warp, in, id, threads, in->imm,
                           (enum bl_barrier_red)in->flag, mask, yes);
}

static enum bl_flow step_warp_sync(struct bl_warp *warp, const struct bl_insn *in,
                                   uint32_t mask)
{
    enum bl_flow flow = gather(warp, in, mask, first_value(warp, in->a, mask));
    return flow == BL_FLOW_NEXT && warp->block->launch->watcher
               ? bl_watch_tell_lanes(warp, in, BL_WATCH_WARP_SYNC, mask, 0)
               : flow;
}

static enum bl_status decode_red(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    bool negated = false, popc = bl_dec_has(src, "popc");
    uint32_t last = src->operand_count - 1;
    enum bl_status st = bl_dec_count(dec, src, 3, 4, err);
    if (st)
        return st;
    out->flag = popc                     ? BL_RED_POPC
                : bl_dec_has(src, "and") ? BL_RED_AND
                : bl_dec_has(src, "or")  ? BL_RED_OR
                                         : BL_RED_NONE;
    if (out->flag == BL_RED_NONE || bl_dec_type(src, 0) != (popc ? BL_T_U32 : BL_T_PRED))
        return bl_dec_unknown(dec, src, "needs .and.pred, .or.pred or .popc.u32", err);
    st = bl_dec_dest(dec, src, 0, popc ? BL_T_U32 : BL_T_PRED, false, &out->d, err);
    if (st == BL_OK)
        st = bl_dec_source(dec, src, 1, BL_T_U32, false, &out->a, err);
    if (st == BL_OK && last == 3)
        st = bl_dec_source(dec, src, 2, BL_T_U32, false, &out->b, err);
    if (st == BL_OK)
        st = bl_dec_pred(dec, src, last, &out->c, &negated, err);
    out->type2 = negated;
    out->imm = true;
    out->step = step_bar;
    return st;
}

enum bl_status bl_decode_bar(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"sync",    "arrive", "red", "warp", "cta",
                                        "aligned", "popc",   "and", "or",   NULL};
    bool arrive = bl_dec_has(src, "arrive");
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st)
        return st;
    if (bl_dec_has(src, "red"))
        return decode_red(dec, src, out, err);
    if (!arrive && !bl_dec_has(src, "sync"))
        return bl_dec_unknown(dec, src, NULL, err);
    if (bl_dec_has(src, "warp")) {
        out->step = step_warp_sync;
        st = bl_dec_count(dec, src, 1, 1, err);
        return st ? st : bl_dec_source(dec, src, 0, BL_T_U32, false, &out->a, err);
    }
    out->step = step_bar;
    out->imm = !arrive; /* waits */
    out->flag = BL_RED_NONE;
    st = bl_dec_count(dec, src, arrive ? 2 : 1, 2, err);
    if (st == BL_OK)
        st = bl_dec_source(dec, src, 0, BL_T_U32, false, &out->a, err);
    if (st == BL_OK && src->operand_count == 2)
        st = bl_dec_source(dec, src, 1, BL_T_U32, false, &out->b, err);
    return st;
}
