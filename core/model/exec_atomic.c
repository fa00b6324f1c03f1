/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_atomic.c - atom and red.
 *
 * Lanes are served in ascending order. Global memory is shared with the blocks that
 * other workers run, so that each lane's update is an atomic one of the host's; shared
 * memory takes the same way.
 */
#include <math.h>
#include <string.h>

#include "model/decoder.h"
#include "model/exec_memory.h"
#include "model/fault.h"
#include "model/watch_tell.h"
#include "model/round.h"

enum op {
    OP_ADD,
    OP_MIN,
    OP_MAX,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_EXCH,
    OP_CAS,
    OP_INC,
    OP_DEC
};

static const char *const op_names[] = {"add", "min",  "max", "and", "or",
                                       "xor", "exch", "cas", "inc", "dec"};

/* ---- one lane's update ---------------------------------------------------------------
 */

static uint64_t add_f32(uint64_t old, uint64_t b, bool flush)
{
    float x = bl_f32_of((uint32_t)old), y = bl_f32_of((uint32_t)b);
    float sum = flush ? bl_flush(bl_flush(x) + bl_flush(y)) : x + y;
    return bl_f32_bits(bl_canonical(sum));
}

static uint64_t add_half(uint64_t old, uint64_t b, bool bhalf)
{
    double x = bhalf ? bl_bhalf_value((uint16_t)old) : bl_half_value((uint16_t)old);
    double y = bhalf ? bl_bhalf_value((uint16_t)b) : bl_half_value((uint16_t)b);
    return bl_round_double(x + y, bhalf ? &bl_format_bf16 : &bl_format_f16, BL_RN);
}

static uint64_t add(enum bl_ptx_type type, uint64_t old, uint64_t b, bool flush)
{
    bool bhalf = type == BL_T_BF16 || type == BL_T_BF16X2;
    switch (type) {
    case BL_T_F32: return add_f32(old, b, flush);
    case BL_T_F64: return bl_f64_bits(bl_f64_of(old) + bl_f64_of(b));
    case BL_T_F16:
    case BL_T_BF16: return add_half(old, b, bhalf);
    case BL_T_F16X2:
    case BL_T_BF16X2:
        return add_half(old, b, bhalf) | add_half(old >> 16, b >> 16, bhalf) << 16;
    default: return old + b;
    }
}

/* Whether old < b. */
static bool less(enum bl_ptx_type type, uint64_t old, uint64_t b)
{
    switch (type) {
    case BL_T_S32: return (int32_t)old < (int32_t)b;
    case BL_T_S64: return (int64_t)old < (int64_t)b;
    default: return old < b;
    }
}

static uint64_t update(const struct bl_insn *in, uint64_t old, uint64_t b, uint64_t c)
{
    enum bl_ptx_type type = (enum bl_ptx_type)in->type;
    switch ((enum op)in->flag) {
    case OP_ADD: return add(type, old, b, in->type2);
    case OP_MIN: return less(type, b, old) ? b : old;
    case OP_MAX: return less(type, old, b) ? b : old;
    case OP_AND: return old & b;
    case OP_OR: return old | b;
    case OP_XOR: return old ^ b;
    case OP_EXCH: return b;
    case OP_CAS: return old == b ? c : old;
    case OP_INC: return old >= b ? 0 : old + 1;
    default: return old == 0 || old > b ? b : old - 1;
    }
}

#define SWAP(T)                                                                          \
    do {                                                                                 \
        T *p = (T *)(void *)at, old = __atomic_load_n(p, __ATOMIC_SEQ_CST), value;       \
        do                                                                               \
            value = (T)update(in, old, b, c);                                            \
        while (!__atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST,     \
                                            __ATOMIC_SEQ_CST));                          \
        return old;                                                                      \
    } while (0)

static uint64_t swap(const struct bl_insn *in, uint8_t *at, uint64_t b, uint64_t c)
{
    switch (in->vec) {
    case 2: SWAP(uint16_t);
    case 4: SWAP(uint32_t);
    default: SWAP(uint64_t);
    }
}

static uint64_t get(const struct bl_warp *warp, const struct bl_insn *in, uint32_t slot,
                    uint32_t lane)
{
    uint64_t value = 0;
    if (slot != BL_NO_SLOT)
        bl_lane_get(warp->frame, slot, in->vec, lane, &value);
    return value;
}

static void serve(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                  uint8_t *base, const uint64_t offset[BL_LANES])
{
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint64_t old =
            swap(in, base + offset[l], get(warp, in, in->b, l), get(warp, in, in->c, l));
        if (in->d != BL_NO_SLOT)
            bl_lane_set(warp->frame, in->d, in->vec, l, &old);
    }
}

/* ---- spaces --------------------------------------------------------------------------
 */

static enum bl_flow tell(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                         enum bl_ptx_space space, const uint64_t address[BL_LANES],
                         const struct bl_atomic_cost *cost)
{
    struct bl_watch_access access = {.op = BL_WATCH_ATOMIC,
                                     .space = space,
                                     .mask = mask,
                                     .address = address,
                                     .shared = cost ? &cost->atomic : NULL};
    if (cost && cost->load.wavefronts)
        access.loads = &cost->load;
    return bl_watch_tell_access(warp, in, &warp->code->mems[in->extra], &access);
}

static void count_shared(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask,
                         const uint64_t offset[BL_LANES], struct bl_atomic_cost *out)
{
    const struct bl_mem_op *op = &warp->code->mems[in->extra];
    struct bl_site *site = &warp->block->sites[op->site];
    struct bl_atomic_cost cost;
    uint32_t address[BL_LANES];
    for (int l = 0; l < BL_LANES; l++)
        address[l] = (uint32_t)offset[l];
    bl_access_atomic(warp->block->launch->arch, (enum bl_atomic_form)in->imm, op->width,
                     mask, address, &cost);
    bl_site_count(&site->special, cost.rounds, &cost.atomic);
    if (cost.load.wavefronts)
        bl_site_count(&site->shared, cost.rounds, &cost.load);
    bl_block_stage(warp, cost.atomic.cycles + cost.load.cycles);
    *out = cost;
}

static enum bl_flow in_shared(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask, const uint64_t address[BL_LANES])
{
    struct bl_block *block = warp->block;
    const bool counted =
        in->imm != BL_ATOMIC_UNKNOWN && warp->block->launch->arch->atomics;
    struct bl_atomic_cost cost;
    uint64_t offset[BL_LANES];
    if (!bl_access_fits(address, 0, block->launch->shared_bytes, in->vec, mask, offset))
        return bl_access_bad_shared(warp, in, "atomic", in->vec, mask, address);
    if (!bl_access_is_written(block->written, in->vec, mask, offset))
        return bl_access_unwritten(warp, in, "atomic", in->vec, mask, offset);
    serve(warp, in, mask, block->shared, offset);
    if (counted)
        count_shared(warp, in, mask, offset, &cost);
    return block->launch->watcher
               ? tell(warp, in, mask, BL_SPACE_SHARED, offset, counted ? &cost : NULL)
               : BL_FLOW_NEXT;
}

static enum bl_flow in_global(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask, const uint64_t address[BL_LANES])
{
    uint64_t offset[BL_LANES];
    for (uint32_t left = mask, lanes; left; left &= ~lanes) {
        const struct bl_memory_span *span;
        lanes = left;
        span = bl_access_span(warp, in, "atomic", in->vec, &lanes, address, offset);
        if (!span)
            return BL_FLOW_FAULT;
        serve(warp, in, lanes, span->host, offset);
    }
    return warp->block->launch->watcher
               ? tell(warp, in, mask, BL_SPACE_GLOBAL, address, NULL)
               : BL_FLOW_NEXT;
}

static enum bl_flow step_atomic(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask)
{
    const struct bl_mem_op *op = &warp->code->mems[in->extra];
    uint64_t address[BL_LANES], own[BL_LANES];
    uint32_t shared = 0;
    bl_access_addresses(warp, op, address);
    if (op->space == BL_SPACE_SHARED)
        return in_shared(warp, in, mask, address);
    if (op->space == BL_SPACE_GENERIC)
        BL_FOR_LANES(
            mask, if (address[l] >> BL_WINDOW_SHIFT == BL_WINDOW_SHARED) {
                own[l] = address[l] - bl_window_base(BL_WINDOW_SHARED);
                shared |= UINT32_C(1) << l;
            });
    if (shared && in_shared(warp, in, shared, own) == BL_FLOW_FAULT)
        return BL_FLOW_FAULT;
    mask &= ~shared;
    return mask ? in_global(warp, in, mask, address) : BL_FLOW_NEXT;
}

/* ---- decoding -------------------------------------------------------------------------
 */

/* Which types an operation takes. */
static bool takes(enum op op, enum bl_ptx_type type)
{
    bool unsigned_or_signed =
        type == BL_T_U32 || type == BL_T_S32 || type == BL_T_U64 || type == BL_T_S64;
    bool bits = type == BL_T_B32 || type == BL_T_B64;
    switch (op) {
    case OP_ADD:
        return unsigned_or_signed || type == BL_T_F32 || type == BL_T_F64 ||
               type == BL_T_F16 || type == BL_T_F16X2 || type == BL_T_BF16 ||
               type == BL_T_BF16X2;
    case OP_MIN:
    case OP_MAX: return unsigned_or_signed;
    case OP_INC:
    case OP_DEC: return type == BL_T_U32;
    case OP_CAS: return bits || unsigned_or_signed || type == BL_T_B16;
    case OP_EXCH: return bits || unsigned_or_signed || type == BL_T_F32;
    default: return bits || type == BL_T_U32 || type == BL_T_S32 || type == BL_T_U64;
    }
}

/* How the machine code does it (doc/model.md). A generic address may be in any space,
 * and its code has a form of its own. */
static enum bl_atomic_form form_of(enum op op, enum bl_ptx_type type,
                                   enum bl_ptx_space space)
{
    uint32_t bytes = bl_ptx_type_bytes(type);
    bool real = type == BL_T_F32 || type == BL_T_F16X2;
    if (space != BL_SPACE_SHARED || bytes < 4 || type == BL_T_BF16X2)
        return BL_ATOMIC_UNKNOWN;
    if (op == OP_CAS)
        return BL_ATOMIC_CAS;
    if (op == OP_EXCH || (bytes == 4 && !real))
        return BL_ATOMIC_ALU;
    return op == OP_ADD ? BL_ATOMIC_LOOP : BL_ATOMIC_UNKNOWN;
}

static enum bl_status decode(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, bool has_dest, struct bl_error *err)
{
    static const char *const known[] = {
        "relaxed",        "acquire", "release", "acq_rel", "sc",     "cta",
        "cluster",        "gpu",     "sys",     "global",  "shared", "add",
        "shared::cta",    "min",     "max",     "and",     "or",     "xor",
        "exch",           "cas",     "inc",     "dec",     "noftz",  "rn",
        "L2::cache_hint", NULL};
    struct bl_mem_op op = {
        .is_store = true, .space = (uint8_t)bl_dec_space(src), .count = 1};
    uint32_t n = has_dest ? 1 : 0, operands;
    int found = -1;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    for (int i = 0; i <= OP_DEC; i++)
        if (bl_dec_has(src, op_names[i]))
            found = i;
    if (st)
        return st;
    out->type = (uint8_t)bl_dec_type(src, 0);
    if (found < 0 || !takes((enum op)found, (enum bl_ptx_type)out->type))
        return bl_dec_unknown(dec, src, "has no such operation for this type", err);
    out->flag = (uint32_t)found;
    out->vec = (uint8_t)bl_ptx_type_bytes((enum bl_ptx_type)out->type);
    /* add.f32 takes subnormals for 0 in global memory, not in shared (PTX ISA, atom). */
    out->type2 = out->type == BL_T_F32 && op.space == BL_SPACE_GLOBAL;
    op.elem = out->vec;
    op.width = out->vec;
    operands = n + (found == OP_CAS ? 3 : 2);
    st = bl_dec_count(dec, src, operands,
                      operands + (bl_dec_has(src, "L2::cache_hint") ? 1 : 0), err);
    if (st == BL_OK && has_dest && src->operands[0].kind != BL_OPND_SINK)
        st = bl_dec_dest(dec, src, 0, (enum bl_ptx_type)out->type, false, &out->d, err);
    if (st == BL_OK)
        st = bl_dec_memory(dec, src, n, &op, err);
    if (st == BL_OK)
        st = bl_dec_source(dec, src, n + 1, (enum bl_ptx_type)out->type, false, &out->b,
                           err);
    if (st == BL_OK && found == OP_CAS)
        st = bl_dec_source(dec, src, n + 2, (enum bl_ptx_type)out->type, false, &out->c,
                           err);
    out->step = step_atomic;
    out->imm =
        form_of((enum op)found, (enum bl_ptx_type)out->type, (enum bl_ptx_space)op.space);
    return st ? st : bl_dec_add_mem(dec, src, BL_SITE_ATOMIC, &op, &out->extra, err);
}

static enum bl_status decode_atom(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    return decode(dec, src, out, true, err);
}

static enum bl_status decode_red(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return decode(dec, src, out, false, err);
}

const struct bl_op_entry bl_ops_atomic[] = {
    {"atom", decode_atom}, {"red", decode_red}, {NULL, NULL}};
