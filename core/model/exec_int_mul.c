/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer mul, mad, mul24, mad24, dp4a, dp2a.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_int.h"

/* 16-bit operands are multiplied as 32-bit unsigned: as int they could overflow. */
#define LO16     ((uint32_t)a * b)
#define HI_U16   ((uint32_t)a * b >> 16)
#define HI_S16   ((uint32_t)((int32_t)(int16_t)a * (int16_t)b) >> 16)
#define WIDE_U16 ((uint32_t)a * b)
#define WIDE_S16 ((uint32_t)((int32_t)(int16_t)a * (int16_t)b))
#define LO32     (a * b)
#define WIDE_U32 ((uint64_t)a * b)
#define WIDE_S32 ((uint64_t)((int64_t)(int32_t)a * (int32_t)b))
#define HI_U32   (uint32_t)(WIDE_U32 >> 32)
#define HI_S32   (uint32_t)(WIDE_S32 >> 32)
#define HI_U64   (uint64_t)((unsigned __int128)a * b >> 64)
#define HI_S64   (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64)

/* mul_NAME: the product; mad_NAME: the product and c, which is of the result's type. */
#define MUL_MAD(NAME, D, T, PRODUCT)                                                     \
    BL_OP2(mul_##NAME, D, T, T, PRODUCT)                                                 \
    BL_OP3(mad_##NAME, D, T, T, D, PRODUCT + c)

MUL_MAD(lo_16, bl_u16, bl_u16, LO16)
MUL_MAD(lo_32, bl_u32, bl_u32, LO32)
MUL_MAD(lo_64, bl_u64, bl_u64, LO32)
MUL_MAD(hi_u16, bl_u16, bl_u16, HI_U16)
MUL_MAD(hi_s16, bl_u16, bl_u16, HI_S16)
MUL_MAD(hi_u32, bl_u32, bl_u32, HI_U32)
MUL_MAD(hi_s32, bl_u32, bl_u32, HI_S32)
MUL_MAD(hi_u64, bl_u64, bl_u64, HI_U64)
MUL_MAD(hi_s64, bl_u64, bl_u64, HI_S64)
MUL_MAD(wide_u16, bl_u32, bl_u16, WIDE_U16)
MUL_MAD(wide_s16, bl_u32, bl_u16, WIDE_S16)
MUL_MAD(wide_u32, bl_u64, bl_u32, WIDE_U32)
MUL_MAD(wide_s32, bl_u64, bl_u32, WIDE_S32)

static inline int32_t add_sat(int32_t x, int32_t y)
{
    int64_t sum = (int64_t)x + y;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}
BL_OP3(mad_hi_sat, bl_s32, bl_s32, bl_s32, bl_s32, add_sat((int32_t)HI_S32, c))

#define TABLES(OP)                                                                       \
    static const struct bl_alu_by_type OP##_lo[] = {                                     \
        {BL_T_U16, BL_BUILDS(OP##_lo_16)}, {BL_T_S16, BL_BUILDS(OP##_lo_16)},            \
        {BL_T_U32, BL_BUILDS(OP##_lo_32)}, {BL_T_S32, BL_BUILDS(OP##_lo_32)},            \
        {BL_T_U64, BL_BUILDS(OP##_lo_64)}, {BL_T_S64, BL_BUILDS(OP##_lo_64)},            \
        {BL_T_NONE, NULL, NULL},                                                         \
    };                                                                                   \
    static const struct bl_alu_by_type OP##_hi[] = {                                     \
        {BL_T_U16, BL_BUILDS(OP##_hi_u16)},                                              \
        {BL_T_S16, BL_BUILDS(OP##_hi_s16)},                                              \
        {BL_T_U32, BL_BUILDS(OP##_hi_u32)},                                              \
        {BL_T_S32, BL_BUILDS(OP##_hi_s32)},                                              \
        {BL_T_U64, BL_BUILDS(OP##_hi_u64)},                                              \
        {BL_T_S64, BL_BUILDS(OP##_hi_s64)},                                              \
        {BL_T_NONE, NULL, NULL},                                                         \
    };                                                                                   \
    static const struct bl_alu_by_type OP##_wide[] = {                                   \
        {BL_T_U16, BL_BUILDS(OP##_wide_u16)},                                            \
        {BL_T_S16, BL_BUILDS(OP##_wide_s16)},                                            \
        {BL_T_U32, BL_BUILDS(OP##_wide_u32)},                                            \
        {BL_T_S32, BL_BUILDS(OP##_wide_s32)},                                            \
        {BL_T_NONE, NULL, NULL},                                                         \
    };
TABLES(mul)
TABLES(mad)
static const struct bl_alu_by_type mad_sat[] = {{BL_T_S32, BL_BUILDS(mad_hi_sat)},
                                                {BL_T_NONE, NULL, NULL}};

static const char *const parts[] = {"lo", "hi", "wide", NULL};
enum { LO, HI, WIDE };

static bool not_mine(const struct bl_ptx_insn *src)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    return bl_type_is_float(type) || bl_type_is_half(type);
}

static enum bl_ptx_type widened(enum bl_ptx_type type)
{
    switch (type) {
    case BL_T_U16: return BL_T_U32;
    case BL_T_S16: return BL_T_S32;
    case BL_T_U32: return BL_T_U64;
    default: return BL_T_S64;
    }
}

enum bl_status bl_int_mul(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                          struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_by_type *const tables[] = {mul_lo, mul_hi, mul_wide};
    struct bl_alu_shape shape = bl_alu_own3;
    int part = 0;
    if (not_mine(src)) {
        return BL_DEC_NOT_MINE;
    }
    enum bl_status status = bl_alu_choice(dec, src, parts, true, &part, err);
    if (status != BL_OK) {
        return status;
    }
    if (part == WIDE) {
        shape.d = widened(bl_dec_type(src, 0));
    }
    return bl_alu_plain(dec, src, out, parts, tables[part], shape, err);
}

enum bl_status bl_int_mad(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                          struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_by_type *const tables[] = {mad_lo, mad_hi, mad_wide};
    static const char *const sat_mods[] = {"hi", "sat", NULL};
    struct bl_alu_shape shape = bl_alu_own4;
    int part = 0;
    if (not_mine(src)) {
        return BL_DEC_NOT_MINE;
    }
    if (bl_dec_has(src, "cc")) {
        return bl_int_carry(dec, src, out, err);
    }
    enum bl_status status = bl_alu_choice(dec, src, parts, true, &part, err);
    if (status != BL_OK) {
        return status;
    }
    if (bl_dec_has(src, "sat")) {
        return bl_alu_plain(dec, src, out, sat_mods, mad_sat, shape, err);
    }
    if (part == WIDE) {
        shape.d = shape.c = widened(bl_dec_type(src, 0));
    }
    return bl_alu_plain(dec, src, out, parts, tables[part], shape, err);
}

/* The lower 24 bits of a and b are multiplied, to 48 bits: lo is bits 31:0, hi is bits
 * 47:16. */
#define U24(x) ((uint64_t)((x)&0xffffffu))
#define S24(x) ((int64_t)((int32_t)((x) << 8) >> 8))
#define LO24   (uint32_t)(U24(a) * U24(b))
#define LO_S24 (uint32_t)(S24(a) * S24(b))
#define HI24   (uint32_t)(U24(a) * U24(b) >> 16)
#define HI_S24 (uint32_t)((uint64_t)(S24(a) * S24(b)) >> 16)
#define MUL24(NAME, PRODUCT)                                                             \
    BL_OP2(mul24_##NAME, bl_u32, bl_u32, bl_u32, PRODUCT)                                \
    BL_OP3(mad24_##NAME, bl_u32, bl_u32, bl_u32, bl_u32, PRODUCT + c)
MUL24(lo_u, LO24)
MUL24(lo_s, LO_S24)
MUL24(hi_u, HI24)
MUL24(hi_s, HI_S24)
BL_OP3(mad24_hi_sat, bl_u32, bl_u32, bl_u32, bl_u32, add_sat((int32_t)HI_S24, (int32_t)c))

#define TABLE24(NAME, u, s)                                                              \
    static const struct bl_alu_by_type NAME[] = {                                        \
        {BL_T_U32, BL_BUILDS(u)}, {BL_T_S32, BL_BUILDS(s)}, {BL_T_NONE, NULL, NULL}}
TABLE24(mul24_lo, mul24_lo_u, mul24_lo_s);
TABLE24(mul24_hi, mul24_hi_u, mul24_hi_s);
TABLE24(mad24_lo, mad24_lo_u, mad24_lo_s);
TABLE24(mad24_hi, mad24_hi_u, mad24_hi_s);
static const struct bl_alu_by_type mad24_sat[] = {{BL_T_S32, BL_BUILDS(mad24_hi_sat)},
                                                  {BL_T_NONE, NULL, NULL}};
static const char *const parts24[] = {"lo", "hi", NULL};

enum bl_status bl_int_mul24(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    int part = 0;
    enum bl_status status = bl_alu_choice(dec, src, parts24, true, &part, err);
    return status != BL_OK
               ? status
               : bl_alu_plain(dec, src, out, parts24, part == HI ? mul24_hi : mul24_lo,
                              bl_alu_own3, err);
}

enum bl_status bl_int_mad24(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    static const char *const sat_mods[] = {"hi", "sat", NULL};
    int part = 0;
    enum bl_status status = bl_alu_choice(dec, src, parts24, true, &part, err);
    if (status != BL_OK) {
        return status;
    }
    if (bl_dec_has(src, "sat")) {
        return bl_alu_plain(dec, src, out, sat_mods, mad24_sat, bl_alu_own4, err);
    }
    return bl_alu_plain(dec, src, out, parts24, part == HI ? mad24_hi : mad24_lo,
                        bl_alu_own4, err);
}

/* Dot products: TA and TB are the types of a's and b's pieces. */
#define BYTE(T, x, n) (uint32_t)(int32_t)(T)((x) >> 8 * (n))
#define HALF(T, x, n) (uint32_t)(int32_t)(T)((x) >> 16 * (n))
#define DP4A(TA, TB)                                                                     \
    (c + BYTE(TA, a, 0) * BYTE(TB, b, 0) + BYTE(TA, a, 1) * BYTE(TB, b, 1) +             \
     BYTE(TA, a, 2) * BYTE(TB, b, 2) + BYTE(TA, a, 3) * BYTE(TB, b, 3))
#define DP2A(TA, TB, at)                                                                 \
    (c + HALF(TA, a, 0) * BYTE(TB, b, at) + HALF(TA, a, 1) * BYTE(TB, b, at + 1))
#define DOT(NAME, EXPR) BL_OP3(NAME, bl_u32, bl_u32, bl_u32, bl_u32, EXPR)
DOT(dp4a_uu, DP4A(uint8_t, uint8_t))
DOT(dp4a_us, DP4A(uint8_t, int8_t))
DOT(dp4a_su, DP4A(int8_t, uint8_t))
DOT(dp4a_ss, DP4A(int8_t, int8_t))
DOT(dp2a_lo_uu, DP2A(uint16_t, uint8_t, 0))
DOT(dp2a_lo_us, DP2A(uint16_t, int8_t, 0))
DOT(dp2a_lo_su, DP2A(int16_t, uint8_t, 0))
DOT(dp2a_lo_ss, DP2A(int16_t, int8_t, 0))
DOT(dp2a_hi_uu, DP2A(uint16_t, uint8_t, 2))
DOT(dp2a_hi_us, DP2A(uint16_t, int8_t, 2))
DOT(dp2a_hi_su, DP2A(int16_t, uint8_t, 2))
DOT(dp2a_hi_ss, DP2A(int16_t, int8_t, 2))

struct dot { /* by a signed, b signed */
    bl_alu_fn *narrow, *wide;
};
static const struct dot dp4a[2][2] = {{{BL_BUILDS(dp4a_uu)}, {BL_BUILDS(dp4a_us)}},
                                      {{BL_BUILDS(dp4a_su)}, {BL_BUILDS(dp4a_ss)}}};
static const struct dot dp2a_lo[2][2] = {
    {{BL_BUILDS(dp2a_lo_uu)}, {BL_BUILDS(dp2a_lo_us)}},
    {{BL_BUILDS(dp2a_lo_su)}, {BL_BUILDS(dp2a_lo_ss)}}};
static const struct dot dp2a_hi[2][2] = {
    {{BL_BUILDS(dp2a_hi_uu)}, {BL_BUILDS(dp2a_hi_us)}},
    {{BL_BUILDS(dp2a_hi_su)}, {BL_BUILDS(dp2a_hi_ss)}}};

static enum bl_status decode_dot(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, const struct dot table[2][2],
                                 const char *const *known, struct bl_error *err)
{
    static const struct bl_alu_shape words = {BL_T_B32, BL_T_B32, BL_T_B32, BL_T_B32};
    enum bl_ptx_type a = bl_dec_type(src, 1), b = bl_dec_type(src, 0);
    enum bl_status status = bl_dec_known(src, known, dec, err);
    if (status != BL_OK) {
        return status;
    }
    if (bl_alu_type_count(src) != 2 || (a != BL_T_U32 && a != BL_T_S32) ||
        (b != BL_T_U32 && b != BL_T_S32)) {
        return bl_alu_bad_type(dec, src, err);
    }
    const struct dot *entry = &table[a == BL_T_S32][b == BL_T_S32];
    out->alu = bl_alu_pick(entry->narrow, entry->wide);
    return bl_alu_operands(dec, src, out, words, err);
}

enum bl_status bl_int_dp4a(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    static const char *const none[] = {NULL};
    return decode_dot(dec, src, out, dp4a, none, err);
}

enum bl_status bl_int_dp2a(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    int part = 0;
    enum bl_status status = bl_alu_choice(dec, src, parts24, true, &part, err);
    return status != BL_OK
               ? status
               : decode_dot(dec, src, out, part == HI ? dp2a_hi : dp2a_lo, parts24, err);
}
