/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_memory.c - ld, ldu, st, prefetch: how they are decoded. (Carried out in
 * access_space.c and the files it names.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/alu.h"
#include "model/decoder.h"
#include "model/exec_memory.h"

/* Order and caching make no difference here: a warp's accesses are carried out in
 * order and at once. */
static const char *const known[] = {"weak",
                                    "volatile",
                                    "relaxed",
                                    "acquire",
                                    "release",
                                    "cta",
                                    "cluster",
                                    "gpu",
                                    "sys",
                                    "mmio",
                                    "global",
                                    "shared",
                                    "shared::cta",
                                    "local",
                                    "const",
                                    "param",
                                    "param::entry",
                                    "param::func",
                                    "ca",
                                    "cg",
                                    "cs",
                                    "lu",
                                    "cv",
                                    "wb",
                                    "wt",
                                    "nc",
                                    "unified",
                                    "L1::evict_normal",
                                    "L1::evict_unchanged",
                                    "L1::evict_first",
                                    "L1::evict_last",
                                    "L1::no_allocate",
                                    "L2::evict_normal",
                                    "L2::evict_first",
                                    "L2::evict_last",
                                    "L2::cache_hint",
                                    "L2::64B",
                                    "L2::128B",
                                    "L2::256B",
                                    "v2",
                                    "v4",
                                    "v8",
                                    NULL};

/* Element type and vector length. */
static enum bl_status shape(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            enum bl_ptx_type *type_out, struct bl_mem_op *op,
                            struct bl_error *err)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    if (type == BL_T_NONE || type == BL_T_PRED || bl_dec_type(src, 1) != BL_T_NONE)
        return bl_dec_unknown(dec, src, "needs one type of 8 to 128 bits", err);
    op->elem = (uint8_t)bl_ptx_type_bytes(type);
    op->count = bl_dec_has(src, "v2")   ? 2
                : bl_dec_has(src, "v4") ? 4
                : bl_dec_has(src, "v8") ? 8
                                        : 1;
    op->width = (uint32_t)op->elem * op->count;
    op->sign = bl_type_is_signed(type);
    if (op->width > 32 || (op->width > 16 && op->space != BL_SPACE_GLOBAL))
        return bl_dec_unknown(dec, src,
                              "accesses more bytes a lane than there is (16; for "
                              "global memory 32)",
                              err);
    *type_out = type;
    return BL_OK;
}

/* The register of element i, or the vector's i-th. */
static enum bl_status element(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              const struct bl_ptx_operand *o, enum bl_ptx_type type,
                              uint32_t i, struct bl_mem_op *op, struct bl_error *err)
{
    uint32_t reg = bl_dec_reg_bytes(dec, o), bytes = op->elem;
    enum bl_status st;
    if (op->is_store)
        st = bl_dec_source_of(dec, src, o, type, true, &op->slot[i], err);
    else
        st = bl_dec_dest_of(dec, src, o, type, true, &op->slot[i], err);
    if (reg)
        bytes = reg;
    op->reg[i] = (uint8_t)(bytes < 2 ? 2 : bytes);
    return st;
}

static enum bl_status elements(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               uint32_t n, enum bl_ptx_type type, struct bl_mem_op *op,
                               struct bl_error *err)
{
    const struct bl_ptx_operand *o = &src->operands[n];
    enum bl_status st = BL_OK;
    if (op->count == 1 && o->kind != BL_OPND_VEC)
        return element(dec, src, o, type, 0, op, err);
    if (o->kind != BL_OPND_VEC || o->count != op->count)
        return bl_dec_unknown(dec, src, "the vector's length is not that of the modifier",
                              err);
    for (uint32_t i = 0; i < op->count && st == BL_OK; i++)
        st = element(dec, src, &o->list[i], type, i, op, err);
    return st;
}

static enum bl_status decode_access(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    struct bl_insn *out, bool is_store,
                                    struct bl_error *err)
{
    struct bl_mem_op op = {.is_store = is_store, .space = (uint8_t)bl_dec_space(src)};
    enum bl_ptx_type type = BL_T_NONE;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 2, bl_dec_has(src, "L2::cache_hint") ? 3 : 2, err);
    if (st == BL_OK)
        st = shape(dec, src, &type, &op, err);
    if (st == BL_OK)
        st = bl_dec_memory(dec, src, is_store ? 0 : 1, &op, err);
    if (st == BL_OK)
        st = elements(dec, src, is_store ? 1 : 0, type, &op, err);
    if (st)
        return st;
    if (is_store && op.space == BL_SPACE_CONST)
        return bl_dec_unknown(dec, src, "constant memory can't be written", err);
    out->space = op.space;
    out->step = bl_access_step((enum bl_ptx_space)op.space);
    return bl_dec_add_mem(dec, src, BL_SITE_PLAIN, &op, &out->extra, err);
}

static enum bl_status decode_ld(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                struct bl_insn *out, struct bl_error *err)
{
    return decode_access(dec, src, out, false, err);
}

static enum bl_status decode_st(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                struct bl_insn *out, struct bl_error *err)
{
    return decode_access(dec, src, out, true, err);
}

/* There are no caches to fill, and an address that can't be accessed does no harm. */
static enum bl_status decode_prefetch(struct bl_decoder *dec,
                                      const struct bl_ptx_insn *src, struct bl_insn *out,
                                      struct bl_error *err)
{
    static const char *const levels[] = {
        "global",           "local", "L1",    "L2",        "L2::evict_last",
        "L2::evict_normal", "const", "param", "tensormap", NULL};
    struct bl_mem_op op = {.space = BL_SPACE_GENERIC};
    enum bl_status st = bl_dec_known(src, levels, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 1, 1, err);
    if (st == BL_OK)
        st = bl_dec_memory(dec, src, 0, &op, err);
    out->step = bl_step_nothing;
    return st;
}

const struct bl_op_entry bl_ops_memory[] = {{"ld", decode_ld},
                                            {"ldu", decode_ld},
                                            {"st", decode_st},
                                            {"prefetch", decode_prefetch},
                                            {"prefetchu", decode_prefetch},
                                            {NULL, NULL}};
