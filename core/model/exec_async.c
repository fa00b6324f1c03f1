/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_async.c - cp.async, and how it is waited for.
 *
 * The bytes are copied at once, but what was written counts as written only when the lane
 * that copied it has waited: who reads it earlier, reads what may not be there.
 */
#include <inttypes.h>
#include <string.h>

#include "model/async.h"
#include "model/bulk.h"
#include "model/decoder.h"
#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"

enum { CACHE_ALL, CACHE_GLOBAL }; /* .ca, .cg */

/* ---- the copy ------------------------------------------------------------------------
 */

static uint32_t source_bytes(const struct bl_warp *warp, const struct bl_insn *in,
                             uint32_t lane)
{
    return in->a == BL_NO_SLOT ? in->vec : BL_SLOT(uint32_t, warp->frame, in->a)[lane];
}

/* The bytes of one lane's source, in host memory: NULL, and the fault is worded. */
static const uint8_t *source_of(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t lane, uint32_t bytes,
                                const uint64_t far[BL_LANES])
{
    uint64_t offset[BL_LANES];
    uint32_t one = UINT32_C(1) << lane;
    const struct bl_memory_span *span = bl_access_span(
        warp, in, "copy", bytes < in->vec ? 1 : in->vec, &one, far, offset);
    if (!span)
        return NULL;
    if (far[lane] & (in->vec - 1u)) {
        bl_access_misaligned(warp, in, "copy", in->vec, lane, far[lane], "global");
        return NULL;
    }
    if (offset[lane] + bytes > span->bytes) {
        bl_fault(warp, in, (int)lane,
                 "out of bounds: copy of %" PRIu32
                 " bytes, of which the buffer has %" PRIu64,
                 bytes, span->bytes - offset[lane]);
        return NULL;
    }
    return span->host + offset[lane];
}

static enum bl_flow copy_lane(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t lane, uint64_t to, const uint64_t far[BL_LANES])
{
    struct bl_async *async = &warp->async;
    uint32_t bytes = source_bytes(warp, in, lane);
    uint8_t *shared = warp->block->shared + to;
    const uint8_t *from;
    if (bytes > in->vec)
        return bl_fault(warp, in, (int)lane,
                        "a source of %" PRIu32 " bytes for a copy of %u", bytes, in->vec);
    if (bytes) {
        if (!(from = source_of(warp, in, lane, bytes, far)))
            return BL_FLOW_FAULT;
        memcpy(shared, from, bytes);
    }
    memset(shared + bytes, 0, in->vec - bytes);
    memset(warp->block->written + to, BL_BYTE_IN_FLIGHT, in->vec);
    if (bl_grow(&async->copies, async->count, &async->cap, sizeof *async->copies, NULL))
        return bl_fault_nomem(warp);
    async->copies[async->count++] =
        (struct bl_async_copy){.offset = (uint32_t)to,
                               .group = async->committed[lane],
                               .bytes = in->vec,
                               .lane = (uint8_t)lane};
    return BL_FLOW_NEXT;
}

/* The store, then the load if there was one. */
static enum bl_flow tell(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                         uint32_t reading, const uint64_t near[BL_LANES],
                         const uint64_t far[BL_LANES],
                         const struct bl_shared_cost *shared,
                         const struct bl_global_cost *global)
{
    const struct bl_mem_op *ops = &warp->code->mems[in->extra];
    struct bl_watch_access store = {.op = BL_WATCH_STORE,
                                    .form = BL_WATCH_ASYNC,
                                    .space = BL_SPACE_SHARED,
                                    .mask = mask,
                                    .address = near,
                                    .shared = shared};
    struct bl_watch_access load = {.op = BL_WATCH_LOAD,
                                   .form = BL_WATCH_ASYNC,
                                   .space = BL_SPACE_GLOBAL,
                                   .mask = reading,
                                   .address = far,
                                   .global = global};
    if (bl_watch_tell_access(warp, in, &ops[0], &store) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    return reading ? bl_watch_tell_access(warp, in, &ops[1], &load) : BL_FLOW_NEXT;
}

/* Past the first-level cache, the data comes without a wavefront that a counter knows. */
static enum bl_flow count(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                          uint32_t reading, const uint64_t near[BL_LANES],
                          const uint64_t far[BL_LANES])
{
    const struct bl_mem_op *ops = &warp->code->mems[in->extra];
    const struct bl_arch *arch = warp->block->launch->arch;
    struct bl_site *to = &warp->block->sites[ops[0].site];
    struct bl_site *from = &warp->block->sites[ops[1].site];
    struct bl_async_cost async = {.exact = true};
    struct bl_global_cost global = {0};
    uint32_t address[BL_LANES];
    for (int l = 0; l < BL_LANES; l++)
        address[l] = (uint32_t)near[l];
    if (in->flag == CACHE_ALL)
        bl_access_async(arch, in->vec, mask, address, far, &async);
    bl_site_count(&to->special, 1, &async.shared);
    bl_block_stage(warp, async.shared.cycles);
    if (reading) {
        bl_access_global(arch, in->vec, reading, far, &global);
        from->global.executions++;
        from->global.sectors += global.sectors;
        from->global.ideal += global.ideal;
    }
    return warp->block->launch->watcher
               ? tell(warp, in, mask, reading, near, far, &async.shared, &global)
               : BL_FLOW_NEXT;
}

static enum bl_flow step_copy(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    const struct bl_mem_op *ops = &warp->code->mems[in->extra];
    uint64_t near[BL_LANES], far[BL_LANES], offset[BL_LANES];
    uint32_t reading = 0;
    bl_access_addresses(warp, &ops[0], near);
    bl_access_addresses(warp, &ops[1], far);
    if (!bl_access_fits(near, 0, warp->block->launch->shared_bytes, in->vec, mask,
                        offset))
        return bl_access_bad_shared(warp, in, "copy", in->vec, mask, near);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (copy_lane(warp, in, l, offset[l], far) == BL_FLOW_FAULT)
            return BL_FLOW_FAULT;
        if (source_bytes(warp, in, l))
            reading |= m & -m;
    }
    return count(warp, in, mask, reading, offset, far);
}

/* ---- groups
 * ---------------------------------------------------------------------------- */

static enum bl_flow step_commit(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    BL_FOR_LANES(mask, warp->async.committed[l]++);
    return warp->block->launch->watcher
               ? bl_watch_tell_lanes(warp, in, BL_WATCH_COMMIT, mask, 0)
               : BL_FLOW_NEXT;
}

/* The lanes' copies have arrived, but for those of their last `imm` groups. */
static enum bl_flow step_wait(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    struct bl_async *async = &warp->async;
    size_t kept = 0;
    for (size_t i = 0; i < async->count; i++) {
        struct bl_async_copy copy = async->copies[i];
        bool arrived = (mask >> copy.lane & 1) &&
                       copy.group + (uint64_t)in->imm < async->committed[copy.lane];
        if (arrived)
            memset(warp->block->written + copy.offset, 0xff, copy.bytes);
        else
            async->copies[kept++] = copy;
    }
    async->count = kept;
    bl_block_settle(warp);
    return warp->block->launch->watcher
               ? bl_watch_tell_lanes(warp, in, BL_WATCH_WAIT, mask, (uint32_t)in->imm)
               : BL_FLOW_NEXT;
}

static enum bl_flow step_wait_all(struct bl_warp *warp, const struct bl_insn *in,
                                  uint32_t mask)
{
    if (step_commit(warp, in, mask) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    return step_wait(warp, in, mask);
}

/* ---- decoding
 * -------------------------------------------------------------------------- */

static enum bl_status decode_wait(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"async", "commit_group", "wait_group", "wait_all",
                                        NULL};
    bool group = bl_dec_has(src, "wait_group");
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, group, group, err);
    if (st)
        return st;
    if (group && (!bl_dec_const(src, 0, &out->imm) || out->imm < 0))
        return bl_dec_unknown(dec, src, "needs a number of groups", err);
    out->step = group                         ? step_wait
                : bl_dec_has(src, "wait_all") ? step_wait_all
                                              : step_commit;
    return BL_OK;
}

static enum bl_status sizes(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    uint32_t hints = bl_dec_has(src, "L2::cache_hint") ? 1 : 0;
    bool all = bl_dec_has(src, "ca");
    int64_t bytes = 0;
    enum bl_status st = bl_dec_count(dec, src, 3 + hints, 4 + hints, err);
    if (st)
        return st;
    if (!bl_dec_const(src, 2, &bytes) ||
        !(bytes == 16 || (all && (bytes == 4 || bytes == 8))))
        return bl_dec_unknown(dec, src, "copies 4, 8 or 16 bytes with .ca, 16 with .cg",
                              err);
    out->vec = (uint8_t)bytes;
    out->flag = all ? CACHE_ALL : CACHE_GLOBAL;
    if (src->operand_count == 4 + hints)
        st = bl_dec_source(dec, src, 3, BL_T_U32, false, &out->a, err);
    return st;
}

static enum bl_status decode_copy(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {
        "async",          "ca",      "cg",       "shared",   "global", "shared::cta",
        "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B", NULL};
    struct bl_mem_op to = {.is_store = true, .space = BL_SPACE_SHARED, .count = 1};
    struct bl_mem_op from = {.space = BL_SPACE_GLOBAL, .count = 1};
    uint32_t second;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK && bl_dec_has(src, "ca") == bl_dec_has(src, "cg"))
        st = bl_dec_unknown(dec, src, "needs .ca or .cg", err);
    if (st == BL_OK)
        st = sizes(dec, src, out, err);
    if (st == BL_OK)
        st = bl_dec_memory(dec, src, 0, &to, err);
    if (st == BL_OK)
        st = bl_dec_memory(dec, src, 1, &from, err);
    if (st)
        return st;
    to.elem = from.elem = out->vec;
    to.width = from.width = out->vec;
    out->step = step_copy;
    st = bl_dec_add_mem(dec, src, BL_SITE_ASYNC, &to, &out->extra, err);
    return st ? st : bl_dec_add_mem(dec, src, BL_SITE_PLAIN, &from, &second, err);
}

/* cp.reduce and cp.async.mbarrier are others. */
static enum bl_status decode_cp(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                struct bl_insn *out, struct bl_error *err)
{
    if (!bl_dec_has(src, "async"))
        return bl_dec_unknown(dec, src, "is not known", err);
    if (bl_dec_has(src, "bulk"))
        return bl_decode_bulk(dec, src, out, err);
    if (bl_dec_has(src, "commit_group") || bl_dec_has(src, "wait_group") ||
        bl_dec_has(src, "wait_all"))
        return decode_wait(dec, src, out, err);
    return decode_copy(dec, src, out, err);
}

const struct bl_op_entry bl_ops_async[] = {{"cp", decode_cp}, {NULL, NULL}};
