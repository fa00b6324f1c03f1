/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_mbarrier.c - mbarrier instructions (PTX ISA, "mbarrier"). The lanes of a warp
 * carry them out one after the other.
 */
#include <inttypes.h>

#include "model/decoder.h"
#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"

/* A phase's token, which arrive gives and test_wait takes: the phase's number, and what
 * it lacked. */
enum { TOKEN_SHIFT = 20 };

enum change { ARRIVE, ARRIVE_EXPECT, EXPECT, COMPLETE };

static uint32_t value32(const struct bl_warp *warp, uint32_t slot, uint32_t lane,
                        uint32_t otherwise)
{
    return slot == BL_NO_SLOT ? otherwise
                              : BL_SLOT(const uint32_t, warp->frame, slot)[lane];
}

/* Offsets in shared memory of the objects that the lanes name. False: the fault is
 * worded. */
static bool objects(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                    uint64_t offset[BL_LANES])
{
    const struct bl_mem_op *op = &warp->code->mems[in->extra];
    uint64_t address[BL_LANES];
    bl_access_addresses(warp, op, address);
    if (!bl_access_into_shared(warp, in, op, "an mbarrier", mask, address))
        return false;
    if (bl_access_fits(address, 0, warp->block->launch->shared_bytes, BL_MBARRIER_BYTES,
                       mask, offset))
        return true;
    bl_access_bad_shared(warp, in, "mbarrier", BL_MBARRIER_BYTES, mask, address);
    return false;
}

struct bl_mbarrier *bl_mbarrier_of(struct bl_warp *warp, const struct bl_insn *in,
                                   uint32_t lane, uint64_t offset)
{
    struct bl_mbarrier *barrier = bl_mbarrier_find(warp->block, offset);
    if (!barrier)
        bl_fault(warp, in, (int)lane,
                 "no mbarrier at shared memory + %" PRIu64
                 "; is mbarrier.init missing, or a __syncthreads() behind it, or was it "
                 "written over?",
                 offset);
    return barrier;
}

static enum bl_flow tell(struct bl_warp *warp, const struct bl_insn *in,
                         enum bl_watch_sync_kind kind, uint32_t lane,
                         const struct bl_mbarrier *barrier)
{
    struct bl_watch_sync sync = {.kind = kind,
                                 .mask = UINT32_C(1) << lane,
                                 .epoch = barrier->phase,
                                 .object = barrier->offset};
    return warp->block->launch->watcher ? bl_watch_tell_sync(warp, in, &sync)
                                        : BL_FLOW_NEXT;
}

/* ---- steps --------------------------------------------------------------------------
 */

static enum bl_flow step_init(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    uint64_t offset[BL_LANES];
    if (!objects(warp, in, mask, offset))
        return BL_FLOW_FAULT;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m), count = value32(warp, in->a, l, 0);
        if (count < 1 || count > BL_MBARRIER_MOST)
            return bl_fault(warp, in, (int)l,
                            "an mbarrier for %" PRIu32 " arrivals: it takes 1 to %d",
                            count, BL_MBARRIER_MOST);
        if (!bl_mbarrier_init(warp->block, (uint32_t)offset[l], count))
            return bl_fault_nomem(warp);
    }
    return BL_FLOW_NEXT;
}

static enum bl_flow step_inval(struct bl_warp *warp, const struct bl_insn *in,
                               uint32_t mask)
{
    uint64_t offset[BL_LANES];
    if (!objects(warp, in, mask, offset))
        return BL_FLOW_FAULT;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (!bl_mbarrier_of(warp, in, l, offset[l]))
            return BL_FLOW_FAULT;
        bl_mbarrier_inval(warp->block, (uint32_t)offset[l]);
    }
    return BL_FLOW_NEXT;
}

/* arrive, expect_tx, complete_tx. */
static enum bl_flow step_change(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    uint64_t offset[BL_LANES];
    if (!objects(warp, in, mask, offset))
        return BL_FLOW_FAULT;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m), value = value32(warp, in->a, l, 1);
        struct bl_mbarrier *barrier = bl_mbarrier_of(warp, in, l, offset[l]);
        uint32_t arrivals = in->flag == ARRIVE ? value : in->flag == ARRIVE_EXPECT;
        int64_t bytes = in->flag == ARRIVE     ? 0
                        : in->flag == COMPLETE ? -(int64_t)value
                                               : (int64_t)value;
        uint64_t token;
        if (!barrier)
            return BL_FLOW_FAULT;
        token = barrier->phase << TOKEN_SHIFT | barrier->pending;
        if (in->flag == ARRIVE && !arrivals)
            return bl_fault(warp, in, (int)l, "0 arrivals: it takes 1 or more");
        if (arrivals &&
            tell(warp, in, BL_WATCH_OBJECT_ARRIVE, l, barrier) != BL_FLOW_NEXT)
            return BL_FLOW_FAULT;
        if (!bl_mbarrier_change(barrier, warp, in, l, arrivals, bytes))
            return BL_FLOW_FAULT;
        if (in->d != BL_NO_SLOT)
            BL_SLOT(uint64_t, warp->frame, in->d)[l] = token;
    }
    return BL_FLOW_NEXT;
}

/* Whether the phase that the lane asks for is complete: that of a token, or the last one
 * with that parity. */
static bool is_complete(const struct bl_warp *warp, const struct bl_insn *in,
                        const struct bl_mbarrier *barrier, uint32_t lane)
{
    if (in->flag)
        return (barrier->phase & 1) !=
               (BL_SLOT(const uint32_t, warp->frame, in->a)[lane] & 1);
    return BL_SLOT(const uint64_t, warp->frame, in->a)[lane] >> TOKEN_SHIFT !=
           barrier->phase;
}

/* Another group of the warp's lanes, or another warp, goes first. */
static enum bl_flow wait_for(struct bl_warp *warp, uint32_t mask, uint64_t offset)
{
    if (mask == warp->mask && bl_warp_set_aside(warp, true))
        return BL_FLOW_JUMPED;
    warp->state = BL_WARP_POLLING;
    warp->barrier = (uint32_t)offset;
    return BL_FLOW_WAIT;
}

/* test_wait may answer late as try_wait may answer early: both wait while anything else
 * can go on. */
static enum bl_flow step_wait(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    uint64_t offset[BL_LANES];
    uint32_t *answer = BL_SLOT(uint32_t, warp->frame, in->d), done = 0;
    if (!objects(warp, in, mask, offset))
        return BL_FLOW_FAULT;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        const struct bl_mbarrier *barrier = bl_mbarrier_of(warp, in, l, offset[l]);
        if (!barrier)
            return BL_FLOW_FAULT;
        if (!is_complete(warp, in, barrier, l))
            continue;
        done |= m & -m;
        if (tell(warp, in, BL_WATCH_OBJECT_SEEN, l, barrier) != BL_FLOW_NEXT)
            return BL_FLOW_FAULT;
        bl_mbarrier_seen(warp->block, barrier);
        if (barrier->time > warp->now)
            warp->now = barrier->time;
    }
    if (!done && !warp->let_go)
        return wait_for(warp, mask, offset[__builtin_ctz(mask)]);
    warp->let_go = false;
    *answer = (*answer & ~mask) | done;
    return BL_FLOW_NEXT;
}

/* ---- decoding -----------------------------------------------------------------------
 */

static enum bl_status object(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             uint32_t n, struct bl_insn *out, struct bl_error *err)
{
    struct bl_mem_op op = {.space = (uint8_t)bl_dec_space(src),
                           .elem = BL_MBARRIER_BYTES,
                           .count = 1,
                           .width = BL_MBARRIER_BYTES};
    enum bl_status st = bl_dec_memory(dec, src, n, &op, err);
    return st ? st : bl_dec_add_mem(dec, src, BL_SITE_PLAIN, &op, &out->extra, err);
}

/* init [object], count; inval [object]; expect_tx and complete_tx [object], bytes. */
static enum bl_status decode_plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, struct bl_error *err)
{
    bool inval = bl_dec_has(src, "inval");
    enum bl_status st = bl_dec_count(dec, src, inval ? 1 : 2, inval ? 1 : 2, err);
    if (st == BL_OK)
        st = object(dec, src, 0, out, err);
    if (st == BL_OK && !inval)
        st = bl_dec_source(dec, src, 1, BL_T_U32, false, &out->a, err);
    out->step = inval ? step_inval : bl_dec_has(src, "init") ? step_init : step_change;
    out->flag = bl_dec_has(src, "complete_tx") ? COMPLETE : EXPECT;
    return st;
}

/* arrive token, [object] {, count}; arrive.expect_tx token, [object], bytes. At an
 * object of the cluster there is no token. */
static enum bl_status decode_arrive(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    struct bl_insn *out, struct bl_error *err)
{
    bool expect = bl_dec_has(src, "expect_tx");
    uint32_t at = src->operand_count > 0 && src->operands[0].kind == BL_OPND_MEM ? 0 : 1;
    enum bl_status st = bl_dec_count(dec, src, at + (expect ? 2 : 1), at + 2, err);
    if (st == BL_OK && at)
        st = bl_dec_dest(dec, src, 0, BL_T_B64, false, &out->d, err);
    if (st == BL_OK)
        st = object(dec, src, at, out, err);
    if (st == BL_OK && src->operand_count == at + 2)
        st = bl_dec_source(dec, src, at + 1, BL_T_U32, false, &out->a, err);
    out->step = step_change;
    out->flag = expect ? ARRIVE_EXPECT : ARRIVE;
    return st;
}

/* test_wait done, [object], token; test_wait.parity done, [object], parity; try_wait may
 * have a time limit besides. */
static enum bl_status decode_wait(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    bool parity = bl_dec_has(src, "parity");
    uint32_t limit;
    enum bl_status st =
        bl_dec_count(dec, src, 3, bl_dec_has(src, "try_wait") ? 4 : 3, err);
    if (st == BL_OK)
        st = bl_dec_dest(dec, src, 0, BL_T_PRED, false, &out->d, err);
    if (st == BL_OK)
        st = object(dec, src, 1, out, err);
    if (st == BL_OK)
        st =
            bl_dec_source(dec, src, 2, parity ? BL_T_U32 : BL_T_B64, false, &out->a, err);
    if (st == BL_OK && src->operand_count == 4)
        st = bl_dec_source(dec, src, 3, BL_T_U32, false, &limit, err);
    out->step = step_wait;
    out->flag = parity;
    return st;
}

static enum bl_status decode(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {
        "init",     "inval",  "arrive",  "expect_tx",       "complete_tx", "test_wait",
        "try_wait", "parity", "shared",  "shared::cta",     "release",     "acquire",
        "relaxed",  "cta",    "cluster", "shared::cluster", NULL};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st)
        return st;
    if (bl_dec_type(src, 0) != BL_T_B64)
        return bl_dec_unknown(dec, src, "needs .b64", err);
    if (bl_dec_has(src, "arrive"))
        return decode_arrive(dec, src, out, err);
    if (bl_dec_has(src, "test_wait") || bl_dec_has(src, "try_wait"))
        return decode_wait(dec, src, out, err);
    if (bl_dec_has(src, "init") || bl_dec_has(src, "inval") ||
        bl_dec_has(src, "expect_tx") || bl_dec_has(src, "complete_tx"))
        return decode_plain(dec, src, out, err);
    return bl_dec_unknown(dec, src, NULL, err);
}

const struct bl_op_entry bl_ops_mbarrier[] = {{"mbarrier", decode}, {NULL, NULL}};
