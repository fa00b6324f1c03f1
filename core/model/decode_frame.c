/* SPDX-License-Identifier: Apache-2.0
 *
 * decode_frame.c - the layout of a frame: constants, special registers and addresses
 * in slots of their own; memory operands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/decoder.h"

uint32_t bl_slot_bytes(uint32_t bytes)
{
    return bytes <= 2 ? 64 : bytes * BL_LANES;
}

/* A fresh slot among the constants. */
static enum bl_status fixed_slot(struct bl_decoder *dec, uint32_t bytes,
                                 uint32_t *slot_out, struct bl_error *err)
{
    struct bl_code *code = dec->code;
    uint32_t size = bl_slot_bytes(bytes);
    if (code->fixed_bytes + size > dec->fixed_cap) {
        size_t cap = dec->fixed_cap ? 2 * dec->fixed_cap : 4096;
        uint8_t *grown = realloc(code->fixed, cap);
        if (!grown)
            return bl_error_nomem(err);
        code->fixed = grown;
        dec->fixed_cap = cap;
    }
    memset(code->fixed + code->fixed_bytes, 0, size);
    *slot_out = code->fixed_at + code->fixed_bytes;
    code->fixed_bytes += size;
    return BL_OK;
}

static void fill(uint8_t *at, uint32_t bytes, uint64_t lo, uint64_t hi)
{
    if (bytes == 0) {
        *BL_SLOT(uint32_t, at, 0) = lo ? BL_ALL_LANES : 0;
        return;
    }
    for (int l = 0; l < BL_LANES; l++) {
        switch (bytes) {
        case 2: BL_SLOT(uint16_t, at, 0)[l] = (uint16_t)lo; break;
        case 4: BL_SLOT(uint32_t, at, 0)[l] = (uint32_t)lo; break;
        case 16:
            BL_SLOT(uint64_t, at, 8 * BL_LANES)[l] = hi;
            /* fallthrough */
        default: BL_SLOT(uint64_t, at, 0)[l] = lo; break;
        }
    }
}

enum bl_status bl_dec_constant(struct bl_decoder *dec, uint32_t bytes, uint64_t lo,
                               uint64_t hi, uint32_t *slot_out, struct bl_error *err)
{
    struct bl_constant *c;
    enum bl_status st;
    uint32_t slot;
    if (bytes == 1) {
        lo &= 0xff;
        bytes = 2;
    }
    if (bytes == 2)
        lo &= 0xffff;
    if (bytes == 4)
        lo &= UINT32_MAX;
    if (bytes != 16)
        hi = 0;
    for (size_t i = 0; i < dec->constant_count; i++) {
        c = &dec->constants[i];
        if (c->bytes == bytes && c->lo == lo && c->hi == hi) {
            *slot_out = c->slot;
            return BL_OK;
        }
    }
    st = bl_grow(&dec->constants, dec->constant_count, &dec->constant_cap,
                 sizeof *dec->constants, err);
    if (st == BL_OK)
        st = fixed_slot(dec, bytes, &slot, err);
    if (st)
        return st;
    fill(dec->code->fixed + (slot - dec->code->fixed_at), bytes, lo, hi);
    dec->constants[dec->constant_count++] =
        (struct bl_constant){.lo = lo, .hi = hi, .bytes = bytes, .slot = slot};
    *slot_out = slot;
    return BL_OK;
}

enum bl_status bl_dec_sreg(struct bl_decoder *dec, enum bl_ptx_sreg sreg, uint32_t bytes,
                           uint32_t *slot_out, struct bl_error *err)
{
    struct bl_code *code = dec->code;
    enum bl_status st;
    uint32_t slot;
    for (size_t i = 0; i < code->sreg_count; i++)
        if (code->sregs[i].sreg == sreg && code->sregs[i].bytes == bytes) {
            *slot_out = code->sregs[i].slot;
            return BL_OK;
        }
    st = bl_grow(&code->sregs, code->sreg_count, &code->sreg_cap, sizeof *code->sregs,
                 err);
    if (st == BL_OK)
        st = fixed_slot(dec, bytes, &slot, err);
    if (st)
        return st;
    code->sregs[code->sreg_count++] =
        (struct bl_sreg_use){.sreg = sreg, .bytes = bytes, .slot = slot};
    *slot_out = slot;
    return BL_OK;
}

enum bl_status bl_dec_var_address(struct bl_decoder *dec, const struct bl_ptx_var *var,
                                  int64_t offset, uint32_t bytes, uint32_t *slot_out,
                                  struct bl_error *err)
{
    struct bl_code *code = dec->code;
    uint64_t address = var->address + (uint64_t)offset;
    enum bl_status st;
    uint32_t slot;
    if (var->space != BL_SPACE_LOCAL)
        return bl_dec_constant(dec, bytes, address, 0, slot_out, err);
    for (size_t i = 0; i < code->local_use_count; i++)
        if (code->locals[i].offset == address && code->locals[i].bytes == bytes) {
            *slot_out = code->locals[i].slot;
            return BL_OK;
        }
    st = bl_grow(&code->locals, code->local_use_count, &code->local_use_cap,
                 sizeof *code->locals, err);
    if (st == BL_OK)
        st = fixed_slot(dec, bytes, &slot, err);
    if (st)
        return st;
    code->locals[code->local_use_count++] =
        (struct bl_local_use){.bytes = bytes, .slot = slot, .offset = address};
    *slot_out = slot;
    return BL_OK;
}

enum bl_ptx_space bl_dec_space(const struct bl_ptx_insn *src)
{
    static const struct {
        const char *name;
        enum bl_ptx_space space;
    } spaces[] = {
        {"global", BL_SPACE_GLOBAL},      {"shared", BL_SPACE_SHARED},
        {"shared::cta", BL_SPACE_SHARED}, {"shared::cluster", BL_SPACE_SHARED},
        {"local", BL_SPACE_LOCAL},        {"const", BL_SPACE_CONST},
        {"param", BL_SPACE_PARAM},        {"param::entry", BL_SPACE_PARAM},
        {"param::func", BL_SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (bl_dec_has(src, spaces[i].name))
            return spaces[i].space;
    return BL_SPACE_GENERIC;
}

enum bl_window bl_window_of_space(enum bl_ptx_space space)
{
    switch (space) {
    case BL_SPACE_SHARED: return BL_WINDOW_SHARED;
    case BL_SPACE_LOCAL: return BL_WINDOW_LOCAL;
    case BL_SPACE_PARAM: return BL_WINDOW_PARAM;
    case BL_SPACE_CONST: return BL_WINDOW_CONST;
    default: return BL_WINDOW_NULL;
    }
}

/* [var + i]: the address is known now. */
static enum bl_status memory_at_var(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    const struct bl_ptx_operand *o, struct bl_mem_op *op,
                                    struct bl_error *err)
{
    uint64_t address = o->var->address + (uint64_t)o->i;
    if (op->space != BL_SPACE_GENERIC && op->space != o->var->space) {
        char what[200];
        snprintf(what, sizeof what, "%.100s lies in another space than is accessed",
                 o->var->name);
        return bl_dec_unknown(dec, src, what, err);
    }
    op->in_locals = o->var->space == BL_SPACE_LOCAL;
    if (op->space == BL_SPACE_GENERIC)
        address += bl_window_base(bl_window_of_space(o->var->space));
    op->disp = (int64_t)address;
    return BL_OK;
}

enum bl_status bl_dec_memory(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             uint32_t n, struct bl_mem_op *op, struct bl_error *err)
{
    const struct bl_ptx_operand *o;
    struct bl_ptx_operand base = {.kind = BL_OPND_REG};
    if (n >= src->operand_count || src->operands[n].kind != BL_OPND_MEM)
        return bl_dec_unknown(dec, src, "needs an address in [brackets]", err);
    o = &src->operands[n];
    op->address = BL_NO_SLOT;
    op->disp = o->i;
    if (o->base_kind == BL_OPND_VAR)
        return memory_at_var(dec, src, o, op, err);
    if (o->base_kind != BL_OPND_REG)
        return BL_OK;
    base.reg = o->reg;
    op->address64 = bl_dec_reg_bytes(dec, &base) == 8;
    return bl_dec_source_of(dec, src, &base, op->address64 ? BL_T_B64 : BL_T_B32, false,
                            &op->address, err);
}

enum bl_status bl_dec_add_mem(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              enum bl_site_kind kind, struct bl_mem_op *op,
                              uint32_t *index_out, struct bl_error *err)
{
    struct bl_code *code = dec->code;
    struct bl_image *image = dec->image;
    enum bl_status st = bl_grow(&image->sites, image->site_count, &image->site_cap,
                                sizeof *image->sites, err);
    if (st == BL_OK)
        st = bl_grow(&code->mems, code->mem_count, &code->mem_cap, sizeof *code->mems,
                     err);
    if (st)
        return st;
    op->site = (uint32_t)image->site_count;
    image->sites[image->site_count++] =
        (struct bl_site_info){.insn = src, .is_store = op->is_store, .kind = kind};
    *index_out = (uint32_t)code->mem_count;
    code->mems[code->mem_count++] = *op;
    return BL_OK;
}
