/* SPDX-License-Identifier: Apache-2.0
 *
 * set, setp, selp, slct.
 *
 * Every comparison is one of five relations, possibly of swapped operands and possibly
 * negated: gt is lt swapped, geu is not lt. A relation gives a word with lane l's answer
 * in bit l.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_compare.h"
#include "model/round.h"

/* REL_ORDERED: neither is a NaN; REL_DIFFER: ordered and not equal. */
enum relation { REL_EQ, REL_LT, REL_LE, REL_DIFFER, REL_ORDERED, REL_COUNT };

enum {
    FLAG_NOT = 1, /* negates the relation */
    FLAG_NOT_C = 2,
    FLAG_AND = 4, /* with c; one of three */
    FLAG_OR = 8,
    FLAG_XOR = 12
};

/* ---- relations ---- */

typedef uint32_t compare_fn(const uint8_t *frame, uint32_t a, uint32_t b);

/* NAME and NAME_wide: the relation EXPR of x and y, which LOAD makes of a lane. */
#define COMPARE_BODY(T, LOAD, EXPR)                                                      \
    {                                                                                    \
        const T *pa = BL_VIEW(const T, frame, a);                                        \
        const T *pb = BL_VIEW(const T, frame, b);                                        \
        uint32_t r = 0;                                                                  \
        BL_LANE_LOOP for (int l = 0; l < BL_LANES; l++)                                  \
        {                                                                                \
            const __typeof__(LOAD(pa[l])) x = LOAD(pa[l]), y = LOAD(pb[l]);              \
            r |= EXPR ? bl_lane_bit[l] : 0;                                              \
        }                                                                                \
        return r;                                                                        \
    }
#define COMPARE(NAME, T, LOAD, EXPR)                                                     \
    static uint32_t NAME(const uint8_t *frame, uint32_t a, uint32_t b)                   \
        COMPARE_BODY(T, LOAD, EXPR) BL_WIDE static uint32_t NAME##_wide(                 \
            const uint8_t *frame, uint32_t a, uint32_t b) COMPARE_BODY(T, LOAD, EXPR)
#define INT_RELATIONS(S, T)                                                              \
    COMPARE(S##_eq, T, AS_IS, (x == y))                                                  \
    COMPARE(S##_lt, T, AS_IS, (x < y))                                                   \
    COMPARE(S##_le, T, AS_IS, (x <= y))
#define FLOAT_RELATIONS(S, T, LOAD)                                                      \
    COMPARE(S##_eq, T, LOAD, (x == y))                                                   \
    COMPARE(S##_lt, T, LOAD, (x < y))                                                    \
    COMPARE(S##_le, T, LOAD, (x <= y))                                                   \
    COMPARE(S##_differ, T, LOAD, ((x < y) | (x > y)))                                    \
    COMPARE(S##_ordered, T, LOAD, ((x == x) & (y == y)))

#define AS_IS(x) x
#define F16(x)   bl_half_value((uint16_t)(x))
#define BF16(x)  bl_bhalf_value((uint16_t)(x))
#define HIGH(x)  ((x) >> 16)
/* f16's .ftz */
#define Z16(x)      ((x)&0x7c00u ? (x) : (x)&0x8000u)
#define F16_Z(x)    F16(Z16(x))
#define F16_HI(x)   F16(HIGH(x))
#define F16_HI_Z(x) F16(Z16(HIGH(x)))
#define BF16_HI(x)  BF16(HIGH(x))

INT_RELATIONS(u16, bl_u16)
INT_RELATIONS(s16, bl_s16)
INT_RELATIONS(u32, bl_u32)
INT_RELATIONS(s32, bl_s32)
INT_RELATIONS(u64, bl_u64)
INT_RELATIONS(s64, bl_s64)
FLOAT_RELATIONS(f32, bl_f32, AS_IS)
FLOAT_RELATIONS(f32z, bl_f32, bl_flush)
FLOAT_RELATIONS(f64, bl_f64, AS_IS)
FLOAT_RELATIONS(f16, bl_u16, F16)
FLOAT_RELATIONS(f16z, bl_u16, F16_Z)
FLOAT_RELATIONS(bf16, bl_u16, BF16)
/* Halves of a word: the low one and the high one. */
FLOAT_RELATIONS(f16l, bl_u32, F16)
FLOAT_RELATIONS(f16lz, bl_u32, F16_Z)
FLOAT_RELATIONS(f16h, bl_u32, F16_HI)
FLOAT_RELATIONS(f16hz, bl_u32, F16_HI_Z)
FLOAT_RELATIONS(bf16l, bl_u32, BF16)
FLOAT_RELATIONS(bf16h, bl_u32, BF16_HI)

/* What is compared: an index into `relations`, kept in an instruction's `extra`. The
 * high halves' row follows their low halves'. */
enum row {
    ROW_U16,
    ROW_S16,
    ROW_U32,
    ROW_S32,
    ROW_U64,
    ROW_S64,
    ROW_F32,
    ROW_F32Z,
    ROW_F64,
    ROW_F16,
    ROW_F16Z,
    ROW_BF16,
    ROW_F16L,
    ROW_F16H,
    ROW_F16LZ,
    ROW_F16HZ,
    ROW_BF16L,
    ROW_BF16H,
    ROW_COUNT
};
#define INT_ROW(S)                                                                       \
    {                                                                                    \
        {S##_eq, S##_eq_wide}, {S##_lt, S##_lt_wide}, {S##_le, S##_le_wide},             \
            {NULL, NULL}, {NULL, NULL},                                                  \
    }
#define FLOAT_ROW(S)                                                                     \
    {                                                                                    \
        {S##_eq, S##_eq_wide}, {S##_lt, S##_lt_wide}, {S##_le, S##_le_wide},             \
            {S##_differ, S##_differ_wide}, {S##_ordered, S##_ordered_wide},              \
    }
static compare_fn *const relations[ROW_COUNT][REL_COUNT][2] = {
    [ROW_U16] = INT_ROW(u16),       [ROW_S16] = INT_ROW(s16),
    [ROW_U32] = INT_ROW(u32),       [ROW_S32] = INT_ROW(s32),
    [ROW_U64] = INT_ROW(u64),       [ROW_S64] = INT_ROW(s64),
    [ROW_F32] = FLOAT_ROW(f32),     [ROW_F32Z] = FLOAT_ROW(f32z),
    [ROW_F64] = FLOAT_ROW(f64),     [ROW_F16] = FLOAT_ROW(f16),
    [ROW_F16Z] = FLOAT_ROW(f16z),   [ROW_BF16] = FLOAT_ROW(bf16),
    [ROW_F16L] = FLOAT_ROW(f16l),   [ROW_F16H] = FLOAT_ROW(f16h),
    [ROW_F16LZ] = FLOAT_ROW(f16lz), [ROW_F16HZ] = FLOAT_ROW(f16hz),
    [ROW_BF16L] = FLOAT_ROW(bf16l), [ROW_BF16H] = FLOAT_ROW(bf16h),
};

/* ---- setp and set ---- */

/* `extra` is (row * REL_COUNT + relation) * 2 + build. */
static inline uint32_t compare(const uint8_t *frame, const struct bl_insn *in,
                               uint32_t rows_on)
{
    const uint32_t at = in->extra + rows_on * (REL_COUNT * 2);
    uint32_t r = (&relations[0][0][0])[at](frame, in->a, in->b);
    return in->flag & FLAG_NOT ? ~r : r;
}

static inline uint32_t combine(uint32_t r, const uint8_t *frame, const struct bl_insn *in)
{
    if (in->c == BL_NO_SLOT) {
        return r;
    }
    uint32_t c = bl_get_pred(frame, in->c);
    c = in->flag & FLAG_NOT_C ? ~c : c;
    switch (in->flag & FLAG_XOR) {
    case FLAG_AND: return r & c;
    case FLAG_OR: return r | c;
    default: return r ^ c;
    }
}

static void setp(BL_ALU_ARGS)
{
    uint32_t r = compare(frame, in, 0);
    uint32_t p = combine(r, frame, in);
    if (in->d2 != BL_NO_SLOT) {
        uint32_t q = combine(~r, frame, in);
        bl_put_pred(frame, in->d2, q, mask);
    }
    bl_put_pred(frame, in->d, p, mask);
}

/* Of two halves: p is for the low ones, q for the high ones. */
static void setp_x2(BL_ALU_ARGS)
{
    uint32_t p = combine(compare(frame, in, 0), frame, in);
    uint32_t q = combine(compare(frame, in, 1), frame, in);
    bl_put_pred(frame, in->d, p, mask);
    bl_put_pred(frame, in->d2, q, mask);
}

/* `imm` is what true writes; false writes 0. */
#define SET(BITS)                                                                        \
    static void set_##BITS(BL_ALU_ARGS)                                                  \
    {                                                                                    \
        uint32_t r = combine(compare(frame, in, 0), frame, in);                          \
        bl_u##BITS *pd = BL_VIEW(bl_u##BITS, frame, in->d);                              \
        BL_FOR_LANES(mask, pd[l] = r >> l & 1 ? (bl_u##BITS)in->imm : 0);                \
    }
SET(16)
SET(32)

static void set_x2(BL_ALU_ARGS)
{
    uint32_t low = combine(compare(frame, in, 0), frame, in);
    uint32_t high = combine(compare(frame, in, 1), frame, in);
    uint32_t one = (uint32_t)in->imm;
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    BL_FOR_LANES(mask,
                 pd[l] = (low >> l & 1 ? one : 0) | (high >> l & 1 ? one << 16 : 0));
}

/* Comparisons as PTX names them. For whom: bits (b types), unsigned, signed, floats. */
enum { BITS = 1, UNSIGNED = 2, SIGNED = 4, FLOATS = 8, ALL = 15 };
static const struct comparison {
    const char *name;
    uint8_t relation, negated, swapped, whom;
} comparisons[] = {
    {"eq", REL_EQ, 0, 0, ALL},          {"ne", REL_EQ, 1, 0, ALL & ~FLOATS},
    {"ne", REL_DIFFER, 0, 0, FLOATS},   {"lt", REL_LT, 0, 0, ALL & ~BITS},
    {"le", REL_LE, 0, 0, ALL & ~BITS},  {"gt", REL_LT, 0, 1, ALL & ~BITS},
    {"ge", REL_LE, 0, 1, ALL & ~BITS},  {"lo", REL_LT, 0, 0, UNSIGNED},
    {"ls", REL_LE, 0, 0, UNSIGNED},     {"hi", REL_LT, 0, 1, UNSIGNED},
    {"hs", REL_LE, 0, 1, UNSIGNED},     {"equ", REL_DIFFER, 1, 0, FLOATS},
    {"neu", REL_EQ, 1, 0, FLOATS},      {"ltu", REL_LE, 1, 1, FLOATS},
    {"leu", REL_LT, 1, 1, FLOATS},      {"gtu", REL_LE, 1, 0, FLOATS},
    {"geu", REL_LT, 1, 0, FLOATS},      {"num", REL_ORDERED, 0, 0, FLOATS},
    {"nan", REL_ORDERED, 1, 0, FLOATS},
};

static const struct source {
    uint8_t type, whom, row, ftz_row, x2;
} sources[] = {
    {BL_T_B16, BITS, ROW_U16, 0, 0},        {BL_T_B32, BITS, ROW_U32, 0, 0},
    {BL_T_B64, BITS, ROW_U64, 0, 0},        {BL_T_U16, UNSIGNED, ROW_U16, 0, 0},
    {BL_T_U32, UNSIGNED, ROW_U32, 0, 0},    {BL_T_U64, UNSIGNED, ROW_U64, 0, 0},
    {BL_T_S16, SIGNED, ROW_S16, 0, 0},      {BL_T_S32, SIGNED, ROW_S32, 0, 0},
    {BL_T_S64, SIGNED, ROW_S64, 0, 0},      {BL_T_F32, FLOATS, ROW_F32, ROW_F32Z, 0},
    {BL_T_F64, FLOATS, ROW_F64, 0, 0},      {BL_T_F16, FLOATS, ROW_F16, ROW_F16Z, 0},
    {BL_T_BF16, FLOATS, ROW_BF16, 0, 0},    {BL_T_F16X2, FLOATS, ROW_F16L, ROW_F16LZ, 1},
    {BL_T_BF16X2, FLOATS, ROW_BF16L, 0, 1},
};

static const struct comparison *find_comparison(const struct bl_ptx_insn *src,
                                                uint8_t whom)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        if (comparisons[i].whom & whom && src->mod_count > 0 &&
            strcmp(src->mods[0], comparisons[i].name) == 0) {
            return &comparisons[i];
        }
    }
    return NULL;
}

static const struct source *find_source(enum bl_ptx_type type)
{
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (sources[i].type == type) {
            return &sources[i];
        }
    }
    return NULL;
}

static enum bl_status decode_bool(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const bools[] = {"and", "or", "xor", NULL};
    int which = -1;
    bool negated = false;
    enum bl_status status = bl_alu_choice(dec, src, bools, false, &which, err);
    if (status == BL_OK) {
        uint32_t count = which < 0 ? 3 : 4;
        status = bl_dec_count(dec, src, count, count, err);
    }
    if (status != BL_OK || which < 0) {
        return status;
    }
    status = bl_dec_pred(dec, src, 3, &out->c, &negated, err);
    out->flag |= FLAG_AND * ((uint32_t)which + 1) | (negated ? FLAG_NOT_C : 0u);
    return status;
}

/* The source type, and in `out` the comparison (extra, flag), the operands from
 * operand 1 on, and the predicate that the result is combined with. */
static enum bl_status decode_compare(struct bl_decoder *dec,
                                     const struct bl_ptx_insn *src, struct bl_insn *out,
                                     const struct source **source_out,
                                     struct bl_error *err)
{
    static const char *const mods[] = {
        "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls", "hi",  "hs",  "equ", "neu",
        "ltu", "leu", "gtu", "geu", "num", "nan", "and", "or", "xor", "ftz", NULL};
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status != BL_OK) {
        return status;
    }
    const struct source *source = find_source(bl_dec_type(src, 0));
    bool ftz = bl_dec_has(src, "ftz");
    if (!source || (ftz && !source->ftz_row)) {
        return bl_alu_bad_type(dec, src, err);
    }
    const struct comparison *comparison = find_comparison(src, source->whom);
    if (!comparison) {
        return bl_dec_unknown(dec, src, "does not compare so, for this type", err);
    }
    uint32_t row = ftz ? source->ftz_row : source->row;
    out->extra = (row * REL_COUNT + comparison->relation) * 2;
    out->extra += bl_alu_has_wide();
    out->flag = comparison->negated ? FLAG_NOT : 0;
    status = decode_bool(dec, src, out, err);
    uint32_t *const slots[2] = {comparison->swapped ? &out->b : &out->a,
                                comparison->swapped ? &out->a : &out->b};
    for (uint32_t n = 0; n < 2 && status == BL_OK; n++) {
        status = bl_dec_source(dec, src, n + 1, source->type, false, slots[n], err);
    }
    *source_out = source;
    return status;
}

static enum bl_status decode_setp(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    const struct source *source = NULL;
    enum bl_status status = decode_compare(dec, src, out, &source, err);
    if (status != BL_OK) {
        return status;
    }
    const struct bl_ptx_operand *to = &src->operands[0];
    bool is_pair = to->kind == BL_OPND_PAIR;
    if (bl_alu_type_count(src) != 1 || (source->x2 && !is_pair)) {
        return bl_alu_bad_type(dec, src, err);
    }
    out->alu = source->x2 ? setp_x2 : setp;
    if (!is_pair) {
        return bl_dec_dest(dec, src, 0, BL_T_PRED, false, &out->d, err);
    }
    status = bl_dec_dest_of(dec, src, &to->list[0], BL_T_PRED, false, &out->d, err);
    return status != BL_OK
               ? status
               : bl_dec_dest_of(dec, src, &to->list[1], BL_T_PRED, false, &out->d2, err);
}

/* What set writes for true, and how wide: -1 or 1.0. Packed halves give packed halves,
 * or all ones in each half. */
static const struct result {
    uint8_t type, of_x2;
    bl_alu_fn *alu;
    int64_t one;
} results[] = {
    {BL_T_U32, 0, set_32, -1},         {BL_T_S32, 0, set_32, -1},
    {BL_T_F32, 0, set_32, 0x3f800000}, {BL_T_U16, 0, set_16, -1},
    {BL_T_S16, 0, set_16, -1},         {BL_T_F16, 0, set_16, 0x3c00},
    {BL_T_BF16, 0, set_16, 0x3f80},    {BL_T_F16X2, 1, set_x2, 0x3c00},
    {BL_T_BF16X2, 1, set_x2, 0x3f80},  {BL_T_U32, 1, set_x2, 0xffff},
    {BL_T_S32, 1, set_x2, 0xffff},
};

static enum bl_status decode_set(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    const struct source *source = NULL;
    enum bl_ptx_type type = bl_dec_type(src, 1);
    enum bl_status status = decode_compare(dec, src, out, &source, err);
    if (status != BL_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (results[i].type == type && results[i].of_x2 == source->x2 &&
            bl_alu_type_count(src) == 2) {
            out->alu = results[i].alu;
            out->imm = results[i].one;
            return bl_dec_dest(dec, src, 0, type, false, &out->d, err);
        }
    }
    return bl_alu_bad_type(dec, src, err);
}

const struct bl_op_entry bl_ops_compare[] = {
    {"setp", decode_setp},     {"set", decode_set}, {"selp", bl_compare_selp},
    {"slct", bl_compare_slct}, {NULL, NULL},
};
