/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_matrix.c - ldmatrix and stmatrix: matrices of 8 rows of 8 elements of 16 bits
 * (PTX ISA, "ldmatrix"). Lane 8 i + r holds the address of row r of matrix i; of each
 * matrix lane t has two elements of row t / 4, from column 2 (t % 4) on; transposed, of
 * column t / 4, from row 2 (t % 4) on.
 */
#include <string.h>

#include "model/decoder.h"
#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"

enum { ROW_BYTES = 16 };

/* Where lane t's two elements of a matrix lie, as offsets of its rows say. */
struct pair {
    uint64_t low, high;
};

static struct pair pair_of(const uint64_t rows[8], uint32_t t, bool transposed)
{
    uint32_t across = 2 * (t % 4);
    if (transposed)
        return (struct pair){rows[across] + 2 * (t / 4), rows[across + 1] + 2 * (t / 4)};
    return (struct pair){rows[t / 4] + 2 * across, rows[t / 4] + 2 * across + 2};
}

static void load(struct bl_warp *warp, const struct bl_mem_op *op, bool transposed,
                 const uint64_t offset[BL_LANES])
{
    const uint8_t *shared = warp->block->shared;
    for (uint32_t i = 0; i < op->count; i++)
        for (uint32_t t = 0; t < BL_LANES; t++) {
            struct pair pair = pair_of(&offset[8 * i], t, transposed);
            uint8_t value[4];
            memcpy(value, shared + pair.low, 2);
            memcpy(value + 2, shared + pair.high, 2);
            bl_lane_set(warp->frame, op->slot[i], 4, t, value);
        }
}

static void store(struct bl_warp *warp, const struct bl_mem_op *op, bool transposed,
                  const uint64_t offset[BL_LANES])
{
    uint8_t *shared = warp->block->shared;
    for (uint32_t i = 0; i < op->count; i++)
        for (uint32_t t = 0; t < BL_LANES; t++) {
            struct pair pair = pair_of(&offset[8 * i], t, transposed);
            uint8_t value[4];
            bl_lane_get(warp->frame, op->slot[i], 4, t, value);
            memcpy(shared + pair.low, value, 2);
            memcpy(shared + pair.high, value + 2, 2);
        }
    for (uint32_t l = 0; l < 8u * op->count; l++)
        memset(warp->block->written + offset[l], 0xff, ROW_BYTES);
}

static enum bl_flow count(struct bl_warp *warp, const struct bl_insn *in,
                          const struct bl_mem_op *op, uint32_t rows,
                          const uint64_t offset[BL_LANES])
{
    struct bl_site *site = &warp->block->sites[op->site];
    struct bl_shared_cost cost;
    uint32_t address[BL_LANES] = {0};
    for (uint32_t l = 0; l < 8u * op->count; l++)
        address[l] = (uint32_t)offset[l];
    bl_access_matrix(warp->block->launch->arch, 8u * op->count, address, &cost);
    bl_site_count(&site->shared, 1, &cost);
    bl_block_stage(warp, cost.cycles);
    if (warp->block->launch->watcher) {
        struct bl_watch_access access = {.op = op->is_store ? BL_WATCH_STORE
                                                            : BL_WATCH_LOAD,
                                         .form = BL_WATCH_MATRIX,
                                         .space = BL_SPACE_SHARED,
                                         .mask = rows,
                                         .address = offset,
                                         .shared = &cost};
        return bl_watch_tell_access(warp, in, op, &access);
    }
    return BL_FLOW_NEXT;
}

static enum bl_flow step_matrix(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    const struct bl_mem_op *op = &warp->code->mems[in->extra];
    const char *what = op->is_store ? "store" : "load";
    uint32_t rows = op->count == 4 ? BL_ALL_LANES : (UINT32_C(1) << 8 * op->count) - 1;
    struct bl_block *block = warp->block;
    uint64_t address[BL_LANES], offset[BL_LANES];
    if (mask != BL_ALL_LANES)
        return bl_fault(warp, in, __builtin_ctz(mask),
                        "carried out by %d lanes; all 32 of the warp are needed",
                        __builtin_popcount(mask));
    bl_access_addresses(warp, op, address);
    if (!bl_access_into_shared(warp, in, op, "a matrix's row", rows, address))
        return BL_FLOW_FAULT;
    if (!bl_access_fits(address, 0, block->launch->shared_bytes, ROW_BYTES, rows, offset))
        return bl_access_bad_shared(warp, in, what, ROW_BYTES, rows, address);
    if (op->is_store)
        store(warp, op, in->flag != 0, offset);
    else if (!bl_access_is_written(block->written, ROW_BYTES, rows, offset))
        return bl_access_unwritten(warp, in, what, ROW_BYTES, rows, offset);
    else
        load(warp, op, in->flag != 0, offset);
    return count(warp, in, op, rows, offset);
}

/* ---- decoding -------------------------------------------------------------------------
 */

static enum bl_status registers(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                uint32_t n, struct bl_mem_op *op, struct bl_error *err)
{
    const struct bl_ptx_operand *o = &src->operands[n];
    const struct bl_ptx_operand *list = o->kind == BL_OPND_VEC ? o->list : o;
    enum bl_status st = BL_OK;
    if ((o->kind == BL_OPND_VEC ? o->count : 1) != op->count)
        return bl_dec_unknown(dec, src, "needs one register for each matrix", err);
    for (uint32_t i = 0; i < op->count && st == BL_OK; i++) {
        op->reg[i] = 4;
        st =
            op->is_store
                ? bl_dec_source_of(dec, src, &list[i], BL_T_B32, false, &op->slot[i], err)
                : bl_dec_dest_of(dec, src, &list[i], BL_T_B32, false, &op->slot[i], err);
    }
    return st;
}

static enum bl_status decode(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, bool is_store, struct bl_error *err)
{
    static const char *const known[] = {"sync", "aligned", "m8n8",   "x1",          "x2",
                                        "x4",   "trans",   "shared", "shared::cta", NULL};
    struct bl_mem_op op = {.is_store = is_store,
                           .space = (uint8_t)bl_dec_space(src),
                           .elem = 4,
                           .width = ROW_BYTES};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 2, 2, err);
    if (st)
        return st;
    op.count = bl_dec_has(src, "x1")   ? 1
               : bl_dec_has(src, "x2") ? 2
               : bl_dec_has(src, "x4") ? 4
                                       : 0;
    if (!op.count || !bl_dec_has(src, "m8n8") || bl_dec_type(src, 0) != BL_T_B16)
        return bl_dec_unknown(dec, src, "needs .m8n8, .x1, .x2 or .x4, and .b16", err);
    st = bl_dec_memory(dec, src, is_store ? 0 : 1, &op, err);
    if (st == BL_OK)
        st = registers(dec, src, is_store ? 1 : 0, &op, err);
    if (st)
        return st;
    out->flag = bl_dec_has(src, "trans");
    out->space = op.space;
    out->step = step_matrix;
    return bl_dec_add_mem(dec, src, BL_SITE_PLAIN, &op, &out->extra, err);
}

static enum bl_status decode_ldmatrix(struct bl_decoder *dec,
                                      const struct bl_ptx_insn *src, struct bl_insn *out,
                                      struct bl_error *err)
{
    return decode(dec, src, out, false, err);
}

static enum bl_status decode_stmatrix(struct bl_decoder *dec,
                                      const struct bl_ptx_insn *src, struct bl_insn *out,
                                      struct bl_error *err)
{
    return decode(dec, src, out, true, err);
}

const struct bl_op_entry bl_ops_matrix[] = {
    {"ldmatrix", decode_ldmatrix}, {"stmatrix", decode_stmatrix}, {NULL, NULL}};
