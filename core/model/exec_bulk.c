/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_bulk.c - cp.async.bulk of plain bytes, and how copies out of shared memory are
 * waited for.
 */
#include <inttypes.h>
#include <string.h>

#include "model/bulk.h"
#include "model/fault.h"

enum { PIECE = 16 }; /* addresses and sizes are multiples of it (PTX ISA) */

/* ---- operands -----------------------------------------------------------------------
 */

static const struct bl_mem_op *
operand(const struct bl_warp *warp, const struct bl_insn *in, enum bl_bulk_operand which)
{
    return &warp->code->mems[in->extra + (uint32_t)which];
}

bool bl_bulk_near(struct bl_warp *warp, const struct bl_insn *in,
                  enum bl_bulk_operand which, uint32_t lane, uint64_t *out)
{
    const struct bl_mem_op *op = operand(warp, in, which);
    uint64_t address[BL_LANES];
    bl_access_addresses(warp, op, address);
    if (!bl_access_into_shared(warp, in, op,
                               which == BL_BULK_NEAR ? "this side of a bulk copy"
                                                     : "an mbarrier",
                               UINT32_C(1) << lane, address))
        return false;
    *out = address[lane];
    return true;
}

uint64_t bl_bulk_far(const struct bl_warp *warp, const struct bl_insn *in, uint32_t lane)
{
    uint64_t address[BL_LANES];
    bl_access_addresses(warp, operand(warp, in, BL_BULK_FAR), address);
    return address[lane];
}

bool bl_bulk_fits(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                  uint64_t offset, uint64_t bytes, uint32_t align, bool reads)
{
    const struct bl_block *block = warp->block;
    const uint64_t have = block->launch->shared_bytes;
    uint64_t at[BL_LANES];
    if (bytes > have || offset > have - bytes) {
        bl_fault(warp, in, (int)lane,
                 "out of bounds: bulk copy of %" PRIu64
                 " bytes at shared memory + %" PRIu64 " (the block has %" PRIu64
                 " bytes)",
                 bytes, offset, have);
        return false;
    }
    if (offset % align) {
        bl_access_misaligned(warp, in, "bulk copy", align, lane, offset, "shared");
        return false;
    }
    for (uint64_t i = 0; reads && i < bytes; i += PIECE) {
        at[lane] = offset + i;
        if (bl_access_is_written(block->written, PIECE, UINT32_C(1) << lane, at))
            continue;
        bl_access_unwritten(warp, in, "bulk copy", PIECE, UINT32_C(1) << lane, at);
        return false;
    }
    return true;
}

uint8_t *bl_bulk_global(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                        uint64_t address, uint64_t bytes)
{
    const struct bl_memory *memory = warp->block->launch->memory;
    const struct bl_memory_span *span = bl_memory_find(memory, address);
    char where[160];
    if (span && bytes <= span->bytes - (address - span->address))
        return span->host + (address - span->address);
    bl_memory_describe(memory, address, where, sizeof where);
    bl_fault(warp, in, (int)lane, "out of bounds: bulk copy of %" PRIu64 " bytes at %s",
             bytes, where);
    return NULL;
}

/* ---- what a copy leads to -----------------------------------------------------------
 */

enum bl_flow bl_bulk_filled(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                            uint64_t offset, uint32_t bytes)
{
    struct bl_mbarrier *barrier;
    uint64_t at;
    if (!bl_bulk_near(warp, in, BL_BULK_BARRIER, lane, &at) ||
        !bl_bulk_fits(warp, in, lane, at, BL_MBARRIER_BYTES, BL_MBARRIER_BYTES, false))
        return BL_FLOW_FAULT;
    barrier = bl_mbarrier_of(warp, in, lane, at);
    if (!barrier)
        return BL_FLOW_FAULT;
    memset(warp->block->written + offset, BL_BYTE_BULK, bytes);
    if (!bl_mbarrier_copy(warp->block, barrier, (uint32_t)offset, bytes))
        return bl_fault_nomem(warp);
    return bl_mbarrier_change(barrier, warp, in, lane, 0, -(int64_t)bytes)
               ? BL_FLOW_NEXT
               : BL_FLOW_FAULT;
}

void bl_bulk_count(struct bl_warp *warp, const struct bl_insn *in, uint64_t sectors,
                   uint64_t bytes)
{
    struct bl_site *site = &warp->block->sites[operand(warp, in, BL_BULK_FAR)->site];
    site->global.sectors += sectors;
    site->global.ideal += (bytes + warp->block->launch->arch->sector_bytes - 1) /
                          warp->block->launch->arch->sector_bytes;
}

/* ---- the copy of plain bytes --------------------------------------------------------
 */

static enum bl_flow copy(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                         bool fills)
{
    const uint32_t sector = warp->block->launch->arch->sector_bytes;
    const uint32_t bytes = BL_SLOT(const uint32_t, warp->frame, in->a)[lane];
    const uint64_t far = bl_bulk_far(warp, in, lane);
    uint64_t near;
    uint8_t *host;
    if (bytes % PIECE)
        return bl_fault(warp, in, (int)lane,
                        "bulk copy of %" PRIu32 " bytes, which must be a multiple of %d",
                        bytes, PIECE);
    if (far % PIECE)
        return bl_access_misaligned(warp, in, "bulk copy", PIECE, lane, far, "global");
    if (!bl_bulk_near(warp, in, BL_BULK_NEAR, lane, &near) ||
        !bl_bulk_fits(warp, in, lane, near, bytes, PIECE, !fills))
        return BL_FLOW_FAULT;
    if (bytes) {
        if (!(host = bl_bulk_global(warp, in, lane, far, bytes)))
            return BL_FLOW_FAULT;
        if (fills)
            memcpy(warp->block->shared + near, host, bytes);
        else
            memcpy(host, warp->block->shared + near, bytes);
        bl_bulk_count(warp, in, (far + bytes - 1) / sector - far / sector + 1, bytes);
    }
    if (fills)
        return bl_bulk_filled(warp, in, lane, near, bytes);
    return bl_bulk_begun(warp, in, lane, near, bytes) ? BL_FLOW_NEXT : BL_FLOW_FAULT;
}

static enum bl_flow step_copy(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    warp->block->sites[operand(warp, in, BL_BULK_FAR)->site].global.executions++;
    for (uint32_t m = mask; m; m &= m - 1)
        if (copy(warp, in, (uint32_t)__builtin_ctz(m), in->flag != 0) != BL_FLOW_NEXT)
            return BL_FLOW_FAULT;
    return BL_FLOW_NEXT;
}

/* ---- groups -------------------------------------------------------------------------
 */

static enum bl_flow step_commit(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    struct bl_bulk *bulk = &warp->bulk;
    (void)in;
    BL_FOR_LANES(mask, bulk->committed[l]++);
    return BL_FLOW_NEXT;
}

static enum bl_flow step_wait(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    return bl_bulk_waited(warp, mask, (uint64_t)in->imm) ? BL_FLOW_NEXT : BL_FLOW_FAULT;
}

/* ---- decoding -----------------------------------------------------------------------
 */

enum bl_status bl_bulk_direction(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 bool *fills, struct bl_error *err)
{
    const char *first = NULL, *second = NULL;
    for (uint32_t i = 0; i < src->mod_count && !second; i++)
        if (strcmp(src->mods[i], "global") == 0 ||
            strncmp(src->mods[i], "shared::", 8) == 0)
            *(first ? &second : &first) = src->mods[i];
    if (second && strcmp(second, "global") == 0 && first[0] == 's' &&
        bl_dec_has(src, "mbarrier::complete_tx::bytes")) {
        *fills = true;
        return BL_OK;
    }
    if (second && strcmp(second, "shared::cta") == 0 && first[0] == 'g' &&
        bl_dec_has(src, "bulk_group")) {
        *fills = false;
        return BL_OK;
    }
    return bl_dec_unknown(dec, src,
                          "is known from .global to .shared::cluster or .shared::cta "
                          "with .mbarrier::complete_tx::bytes, and from .shared::cta to "
                          ".global with .bulk_group",
                          err);
}

enum bl_status bl_bulk_operands(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                bool fills, uint32_t near, uint32_t far, uint32_t barrier,
                                struct bl_insn *out, struct bl_error *err)
{
    const uint32_t at[] = {near, far, barrier};
    for (uint32_t i = BL_BULK_NEAR; i <= (fills ? BL_BULK_BARRIER : BL_BULK_FAR); i++) {
        struct bl_mem_op op = {.is_store = i == BL_BULK_FAR && !fills,
                               .space =
                                   i == BL_BULK_FAR ? BL_SPACE_GENERIC : BL_SPACE_SHARED,
                               .elem = PIECE,
                               .count = 1,
                               .width = PIECE};
        uint32_t index;
        enum bl_status st = bl_dec_memory(dec, src, at[i], &op, err);
        if (st == BL_OK)
            st = bl_dec_add_mem(dec, src, i == BL_BULK_FAR ? BL_SITE_BULK : BL_SITE_PLAIN,
                                &op, &index, err);
        if (st)
            return st;
        if (i == BL_BULK_NEAR)
            out->extra = index;
    }
    out->flag = fills;
    return BL_OK;
}

static enum bl_status decode_copy(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"async",
                                        "bulk",
                                        "global",
                                        "shared::cta",
                                        "bulk_group",
                                        "shared::cluster",
                                        "L2::cache_hint",
                                        "mbarrier::complete_tx::bytes",
                                        NULL};
    bool fills = false;
    uint32_t hints = bl_dec_has(src, "L2::cache_hint") ? 1 : 0, count;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_bulk_direction(dec, src, &fills, err);
    if (st)
        return st;
    count = (fills ? 4 : 3) + hints;
    st = bl_dec_count(dec, src, count, count, err);
    if (st == BL_OK)
        st = bl_bulk_operands(dec, src, fills, fills ? 0 : 1, fills ? 1 : 0, 3, out, err);
    if (st == BL_OK)
        st = bl_dec_source(dec, src, 2, BL_T_U32, false, &out->a, err);
    out->step = step_copy;
    return st;
}

static enum bl_status decode_group(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"async",      "bulk", "commit_group",
                                        "wait_group", "read", NULL};
    bool wait = bl_dec_has(src, "wait_group");
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, wait, wait, err);
    if (st)
        return st;
    if (wait && (!bl_dec_const(src, 0, &out->imm) || out->imm < 0))
        return bl_dec_unknown(dec, src, "needs a number of groups", err);
    out->step = wait ? step_wait : step_commit;
    return BL_OK;
}

enum bl_status bl_decode_bulk(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              struct bl_insn *out, struct bl_error *err)
{
    if (bl_dec_has(src, "tensor"))
        return bl_decode_tensor(dec, src, out, err);
    if (bl_dec_has(src, "commit_group") || bl_dec_has(src, "wait_group"))
        return decode_group(dec, src, out, err);
    return decode_copy(dec, src, out, err);
}
