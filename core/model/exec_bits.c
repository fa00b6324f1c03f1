/* SPDX-License-Identifier: Apache-2.0
 *
 * Logic and shifts: and, or, xor, not, cnot, lop3, shl, shr, shf; and the table of all
 * bit instructions.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_bits.h"

static const char *const no_mods[] = {NULL};

/* ---- logic ---- */

#define LOGIC(BITS)                                                                      \
    BL_OP2(and_##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, a &b)                         \
    BL_OP2(or_##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, a | b)                         \
    BL_OP2(xor_##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, a ^ b)                        \
    BL_OP1(not_##BITS, bl_u##BITS, bl_u##BITS, ~a)                                       \
    BL_OP1(cnot_##BITS, bl_u##BITS, bl_u##BITS, a == 0)
LOGIC(16)
LOGIC(32)
LOGIC(64)

#define BITS_TABLE(OP)                                                                   \
    static const struct bl_alu_by_type OP##_table[] = {                                  \
        {BL_T_B16, BL_BUILDS(OP##_16)},                                                  \
        {BL_T_B32, BL_BUILDS(OP##_32)},                                                  \
        {BL_T_B64, BL_BUILDS(OP##_64)},                                                  \
        {BL_T_NONE, NULL, NULL},                                                         \
    }
BITS_TABLE(and);
BITS_TABLE(or);
BITS_TABLE(xor);
BITS_TABLE(not );
BITS_TABLE(cnot);

/* Predicates are words of 32 lanes; a negated source is inverted by flag bits. */
enum { NOT_A = 1, NOT_B = 2 };
static uint32_t pred_source(const uint8_t *frame, uint32_t slot, bool negated)
{
    uint32_t value = bl_get_pred(frame, slot);
    return negated ? ~value : value;
}
#define PRED_A pred_source(frame, in->a, in->flag &NOT_A)
#define PRED_B pred_source(frame, in->b, in->flag &NOT_B)

static void and_pred(BL_ALU_ARGS)
{
    bl_put_pred(frame, in->d, PRED_A & PRED_B, mask);
}

static void or_pred(BL_ALU_ARGS)
{
    bl_put_pred(frame, in->d, PRED_A | PRED_B, mask);
}

static void xor_pred(BL_ALU_ARGS)
{
    bl_put_pred(frame, in->d, PRED_A ^ PRED_B, mask);
}

static void not_pred(BL_ALU_ARGS)
{
    bl_put_pred(frame, in->d, ~PRED_A, mask);
}

static enum bl_status decode_pred(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, bl_alu_fn *alu, uint32_t sources,
                                  struct bl_error *err)
{
    uint32_t *const slots[2] = {&out->a, &out->b};
    enum bl_status status = src->mod_count == 1
                                ? bl_dec_count(dec, src, 1 + sources, 1 + sources, err)
                                : bl_alu_bad_type(dec, src, err);
    for (uint32_t n = 0; n < sources && status == BL_OK; n++) {
        bool negated = false;
        status = bl_dec_pred(dec, src, 1 + n, slots[n], &negated, err);
        out->flag |= negated ? 1u << n : 0;
    }
    out->alu = alu;
    return status != BL_OK ? status
                           : bl_dec_dest(dec, src, 0, BL_T_PRED, false, &out->d, err);
}

#define DECODE_LOGIC(OP, SHAPE, SOURCES)                                                 \
    static enum bl_status decode_##OP(struct bl_decoder *dec,                            \
                                      const struct bl_ptx_insn *src,                     \
                                      struct bl_insn *out, struct bl_error *err)         \
    {                                                                                    \
        if (bl_dec_type(src, 0) == BL_T_PRED) {                                          \
            return decode_pred(dec, src, out, OP##_pred, SOURCES, err);                  \
        }                                                                                \
        return bl_alu_plain(dec, src, out, no_mods, OP##_table, SHAPE, err);             \
    }
DECODE_LOGIC(and, bl_alu_own3, 2)
DECODE_LOGIC(or, bl_alu_own3, 2)
DECODE_LOGIC(xor, bl_alu_own3, 2)
DECODE_LOGIC(not, bl_alu_own2, 1)

static enum bl_status decode_cnot(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, cnot_table, bl_alu_own2, err);
}

/* ---- lop3 ---- */

/* Bit abc (a is the high bit) of the table says the result for such input bits. Done by
 * multiplexing: c chooses within pairs of the table, then b, then a. */
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, const uint32_t t[8])
{
    uint32_t b0a0 = (t[1] & c) | (t[0] & ~c), b1a0 = (t[3] & c) | (t[2] & ~c);
    uint32_t b0a1 = (t[5] & c) | (t[4] & ~c), b1a1 = (t[7] & c) | (t[6] & ~c);
    uint32_t a0 = (b1a0 & b) | (b0a0 & ~b), a1 = (b1a1 & b) | (b0a1 & ~b);
    return (a1 & a) | (a0 & ~a);
}

BL_BUILD_TWICE(
    lop3_32, const bl_u32 *pa = BL_VIEW(const bl_u32, frame, in->a);
    const bl_u32 *pb = BL_VIEW(const bl_u32, frame, in->b);
    const bl_u32 *pc = BL_VIEW(const bl_u32, frame, in->c); uint32_t r[BL_LANES];
    uint32_t table[8]; for (int i = 0; i < 8; i++) {
        table[i] = 0u - (in->flag >> i & 1);
    } BL_LANE_LOOP for (int l = 0; l < BL_LANES; l++) {
        r[l] = lop3(pa[l], pb[l], pc[l], table);
    } BL_PUT(bl_u32, frame, in->d, r, mask);)

/* lop3.BoolOp d|p: p = (d != 0) BoolOp q. */
enum { LOP3_OR = 1 << 8, LOP3_NOT_Q = 1 << 9 };

static void lop3_pred(BL_ALU_ARGS)
{
    uint32_t q = pred_source(frame, in->e, in->flag & LOP3_NOT_Q), set = 0;
    lop3_32(frame, in, mask);
    const bl_u32 *pd = BL_VIEW(const bl_u32, frame, in->d);
    BL_FOR_LANES(mask, set |= (uint32_t)(pd[l] != 0) << l);
    bl_put_pred(frame, in->d2, in->flag & LOP3_OR ? set | q : set & q, mask);
}

static enum bl_status decode_lop3_pred(struct bl_decoder *dec,
                                       const struct bl_ptx_insn *src, struct bl_insn *out,
                                       struct bl_error *err)
{
    const struct bl_ptx_operand *pair = &src->operands[0];
    bool negated = false;
    if (src->operand_count != 6 || pair->kind != BL_OPND_PAIR) {
        return bl_dec_unknown(dec, src, "with .and or .or takes d|p, a, b, c, table, q",
                              err);
    }
    enum bl_status status = bl_dec_pred(dec, src, 5, &out->e, &negated, err);
    if (status == BL_OK) {
        status = bl_dec_dest_of(dec, src, &pair->list[0], BL_T_B32, false, &out->d, err);
    }
    if (status == BL_OK) {
        status =
            bl_dec_dest_of(dec, src, &pair->list[1], BL_T_PRED, false, &out->d2, err);
    }
    out->flag |= negated ? LOP3_NOT_Q : 0u;
    out->alu = lop3_pred;
    return status;
}

static enum bl_status decode_lop3(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"and", "or", NULL};
    int64_t table = -1;
    int bool_op = -1;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, mods, false, &bool_op, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, 5, 6, err);
    }
    if (status != BL_OK) {
        return status;
    }
    if (bl_dec_type(src, 0) != BL_T_B32 || bl_alu_type_count(src) != 1) {
        return bl_alu_bad_type(dec, src, err);
    }
    if (!bl_dec_const(src, 4, &table) || table < 0 || table > 255) {
        return bl_dec_unknown(dec, src, "takes a table of 0 to 255, a constant", err);
    }
    out->flag = (uint32_t)table | (bool_op == 1 ? LOP3_OR : 0u);
    uint32_t *const slots[3] = {&out->a, &out->b, &out->c};
    for (uint32_t n = 0; n < 3 && status == BL_OK; n++) {
        status = bl_dec_source(dec, src, n + 1, BL_T_B32, false, slots[n], err);
    }
    if (status != BL_OK) {
        return status;
    }
    if (bool_op >= 0) {
        return decode_lop3_pred(dec, src, out, err);
    }
    out->alu = bl_alu_pick(BL_BUILDS(lop3_32));
    status = bl_dec_count(dec, src, 5, 5, err);
    return status != BL_OK ? status
                           : bl_dec_dest(dec, src, 0, BL_T_B32, false, &out->d, err);
}

/* ---- shifts ---- */

/* Counts above the width shift everything out: they are clamped. */
#define SHIFTS(BITS)                                                                     \
    BL_OP2(shl_##BITS, bl_u##BITS, bl_u##BITS, bl_u32,                                   \
           b >= BITS ? 0 : (bl_u##BITS)(a << (b & (BITS - 1))))                          \
    BL_OP2(shr_u##BITS, bl_u##BITS, bl_u##BITS, bl_u32,                                  \
           b >= BITS ? 0 : a >> (b & (BITS - 1)))                                        \
    BL_OP2(shr_s##BITS, bl_s##BITS, bl_s##BITS, bl_u32, a >> (b >= BITS ? BITS - 1 : b))
SHIFTS(16)
SHIFTS(32)
SHIFTS(64)
static const struct bl_alu_by_type shl_table[] = {{BL_T_B16, BL_BUILDS(shl_16)},
                                                  {BL_T_B32, BL_BUILDS(shl_32)},
                                                  {BL_T_B64, BL_BUILDS(shl_64)},
                                                  {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type shr_table[] = {
    {BL_T_B16, BL_BUILDS(shr_u16)}, {BL_T_U16, BL_BUILDS(shr_u16)},
    {BL_T_S16, BL_BUILDS(shr_s16)}, {BL_T_B32, BL_BUILDS(shr_u32)},
    {BL_T_U32, BL_BUILDS(shr_u32)}, {BL_T_S32, BL_BUILDS(shr_s32)},
    {BL_T_B64, BL_BUILDS(shr_u64)}, {BL_T_U64, BL_BUILDS(shr_u64)},
    {BL_T_S64, BL_BUILDS(shr_s64)}, {BL_T_NONE, NULL, NULL},
};
static const struct bl_alu_shape by_count = {BL_ALU_OWN, BL_ALU_OWN, BL_T_U32, BL_T_NONE};

static enum bl_status decode_shl(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, shl_table, by_count, err);
}

static enum bl_status decode_shr(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, shr_table, by_count, err);
}

/* shf shifts the 64-bit value b:a, and keeps its high word (l) or its low one (r). */
#define BOTH ((uint64_t)b << 32 | a)
BL_OP3(shf_l_wrap, bl_u32, bl_u32, bl_u32, bl_u32, BOTH << (c & 31) >> 32)
BL_OP3(shf_r_wrap, bl_u32, bl_u32, bl_u32, bl_u32, BOTH >> (c & 31))
BL_OP3(shf_l_clamp, bl_u32, bl_u32, bl_u32, bl_u32, BOTH << (c > 32 ? 32 : c) >> 32)
BL_OP3(shf_r_clamp, bl_u32, bl_u32, bl_u32, bl_u32, BOTH >> (c > 32 ? 32 : c))

static enum bl_status decode_shf(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"l", "r", "wrap", "clamp", NULL};
    static const char *const ways[] = {"l", "r", NULL};
    static const char *const modes[] = {"wrap", "clamp", NULL};
    static const struct bl_alu_by_type tables[4][2] = {
        {{BL_T_B32, BL_BUILDS(shf_l_wrap)}, {BL_T_NONE, NULL, NULL}},
        {{BL_T_B32, BL_BUILDS(shf_l_clamp)}, {BL_T_NONE, NULL, NULL}},
        {{BL_T_B32, BL_BUILDS(shf_r_wrap)}, {BL_T_NONE, NULL, NULL}},
        {{BL_T_B32, BL_BUILDS(shf_r_clamp)}, {BL_T_NONE, NULL, NULL}},
    };
    int way = 0, mode = 0;
    enum bl_status status = bl_alu_choice(dec, src, ways, true, &way, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, modes, true, &mode, err);
    }
    return status != BL_OK ? status
                           : bl_alu_plain(dec, src, out, mods, tables[2 * way + mode],
                                          bl_alu_own4, err);
}

const struct bl_op_entry bl_ops_bits[] = {
    {"and", decode_and},    {"or", decode_or},      {"xor", decode_xor},
    {"not", decode_not},    {"cnot", decode_cnot},  {"lop3", decode_lop3},
    {"shl", decode_shl},    {"shr", decode_shr},    {"shf", decode_shf},
    {"popc", bl_bits_popc}, {"clz", bl_bits_clz},   {"bfind", bl_bits_bfind},
    {"fns", bl_bits_fns},   {"brev", bl_bits_brev}, {"bfe", bl_bits_bfe},
    {"bfi", bl_bits_bfi},   {"bmsk", bl_bits_bmsk}, {"szext", bl_bits_szext},
    {"prmt", bl_bits_prmt}, {NULL, NULL},
};
