/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer add, sub, neg, abs, min, max, sad; and the table of all integer arithmetic.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_int.h"

/* Arithmetic is unsigned, so that it wraps without undefined behaviour. */
BL_OP2(add_16, bl_u16, bl_u16, bl_u16, a + b)
BL_OP2(add_32, bl_u32, bl_u32, bl_u32, a + b)
BL_OP2(add_64, bl_u64, bl_u64, bl_u64, a + b)
BL_OP2(sub_16, bl_u16, bl_u16, bl_u16, a - b)
BL_OP2(sub_32, bl_u32, bl_u32, bl_u32, a - b)
BL_OP2(sub_64, bl_u64, bl_u64, bl_u64, a - b)

static const struct bl_alu_by_type add_table[] = {
    {BL_T_U16, BL_BUILDS(add_16)}, {BL_T_S16, BL_BUILDS(add_16)},
    {BL_T_U32, BL_BUILDS(add_32)}, {BL_T_S32, BL_BUILDS(add_32)},
    {BL_T_U64, BL_BUILDS(add_64)}, {BL_T_S64, BL_BUILDS(add_64)},
    {BL_T_NONE, NULL, NULL},
};
static const struct bl_alu_by_type sub_table[] = {
    {BL_T_U16, BL_BUILDS(sub_16)}, {BL_T_S16, BL_BUILDS(sub_16)},
    {BL_T_U32, BL_BUILDS(sub_32)}, {BL_T_S32, BL_BUILDS(sub_32)},
    {BL_T_U64, BL_BUILDS(sub_64)}, {BL_T_S64, BL_BUILDS(sub_64)},
    {BL_T_NONE, NULL, NULL},
};

static inline int32_t clamp_s32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
BL_OP2(add_sat, bl_s32, bl_s32, bl_s32, clamp_s32((int64_t)a + b))
BL_OP2(sub_sat, bl_s32, bl_s32, bl_s32, clamp_s32((int64_t)a - b))

static const struct bl_alu_by_type add_sat_table[] = {{BL_T_S32, BL_BUILDS(add_sat)},
                                                      {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type sub_sat_table[] = {{BL_T_S32, BL_BUILDS(sub_sat)},
                                                      {BL_T_NONE, NULL, NULL}};

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define RELU(x)   MAX(x, 0)
/* A 32-bit word of two 16-bit halves, each F of a's and b's half seen as T. */
#define X2(T, F)                                                                         \
    ((uint32_t)(uint16_t)F((T)a, (T)b) |                                                 \
     (uint32_t)(uint16_t)F((T)(a >> 16), (T)(b >> 16)) << 16)
#define PLUS(x, y)     ((x) + (y))
#define MINUS(x, y)    ((x) - (y))
#define RELU_MIN(x, y) RELU(MIN(x, y))
#define RELU_MAX(x, y) RELU(MAX(x, y))

BL_OP2(add_x2, bl_u32, bl_u32, bl_u32, X2(uint16_t, PLUS))
BL_OP2(sub_x2, bl_u32, bl_u32, bl_u32, X2(uint16_t, MINUS))
BL_OP2(min_u16x2, bl_u32, bl_u32, bl_u32, X2(uint16_t, MIN))
BL_OP2(max_u16x2, bl_u32, bl_u32, bl_u32, X2(uint16_t, MAX))
BL_OP2(min_s16x2, bl_u32, bl_u32, bl_u32, X2(int16_t, MIN))
BL_OP2(max_s16x2, bl_u32, bl_u32, bl_u32, X2(int16_t, MAX))
BL_OP2(min_s16x2_relu, bl_u32, bl_u32, bl_u32, X2(int16_t, RELU_MIN))
BL_OP2(max_s16x2_relu, bl_u32, bl_u32, bl_u32, X2(int16_t, RELU_MAX))

#define MIN_MAX(SUFFIX, T)                                                               \
    BL_OP2(min_##SUFFIX, T, T, T, MIN(a, b))                                             \
    BL_OP2(max_##SUFFIX, T, T, T, MAX(a, b))
MIN_MAX(u16, bl_u16)
MIN_MAX(s16, bl_s16)
MIN_MAX(u32, bl_u32)
MIN_MAX(s32, bl_s32)
MIN_MAX(u64, bl_u64)
MIN_MAX(s64, bl_s64)
BL_OP2(min_s32_relu, bl_s32, bl_s32, bl_s32, RELU_MIN(a, b))
BL_OP2(max_s32_relu, bl_s32, bl_s32, bl_s32, RELU_MAX(a, b))

static const struct bl_alu_by_type min_table[] = {
    {BL_T_U16, BL_BUILDS(min_u16)}, {BL_T_S16, BL_BUILDS(min_s16)},
    {BL_T_U32, BL_BUILDS(min_u32)}, {BL_T_S32, BL_BUILDS(min_s32)},
    {BL_T_U64, BL_BUILDS(min_u64)}, {BL_T_S64, BL_BUILDS(min_s64)},
    {BL_T_NONE, NULL, NULL},
};
static const struct bl_alu_by_type max_table[] = {
    {BL_T_U16, BL_BUILDS(max_u16)}, {BL_T_S16, BL_BUILDS(max_s16)},
    {BL_T_U32, BL_BUILDS(max_u32)}, {BL_T_S32, BL_BUILDS(max_s32)},
    {BL_T_U64, BL_BUILDS(max_u64)}, {BL_T_S64, BL_BUILDS(max_s64)},
    {BL_T_NONE, NULL, NULL},
};
static const struct bl_alu_by_type min_relu_table[] = {
    {BL_T_S32, BL_BUILDS(min_s32_relu)}, {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type max_relu_table[] = {
    {BL_T_S32, BL_BUILDS(max_s32_relu)}, {BL_T_NONE, NULL, NULL}};

#define NEG_ABS(BITS)                                                                    \
    BL_OP1(neg_##BITS, bl_u##BITS, bl_u##BITS, 0 - a)                                    \
    BL_OP1(abs_##BITS, bl_u##BITS, bl_u##BITS, a >> (BITS - 1) ? 0 - a : a)
NEG_ABS(16)
NEG_ABS(32)
NEG_ABS(64)
static const struct bl_alu_by_type neg_table[] = {{BL_T_S16, BL_BUILDS(neg_16)},
                                                  {BL_T_S32, BL_BUILDS(neg_32)},
                                                  {BL_T_S64, BL_BUILDS(neg_64)},
                                                  {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type abs_table[] = {{BL_T_S16, BL_BUILDS(abs_16)},
                                                  {BL_T_S32, BL_BUILDS(abs_32)},
                                                  {BL_T_S64, BL_BUILDS(abs_64)},
                                                  {BL_T_NONE, NULL, NULL}};

/* d = c + |a - b|; U wraps as the signed type would. */
#define SAD(U, T) ((U)c + ((T)a < (T)b ? (U)b - (U)a : (U)a - (U)b))
#define SADS(BITS)                                                                       \
    BL_OP3(sad_u##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS,                  \
           SAD(uint##BITS##_t, uint##BITS##_t))                                          \
    BL_OP3(sad_s##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS,                  \
           SAD(uint##BITS##_t, int##BITS##_t))
SADS(16)
SADS(32)
SADS(64)
static const struct bl_alu_by_type sad_table[] = {
    {BL_T_U16, BL_BUILDS(sad_u16)}, {BL_T_S16, BL_BUILDS(sad_s16)},
    {BL_T_U32, BL_BUILDS(sad_u32)}, {BL_T_S32, BL_BUILDS(sad_s32)},
    {BL_T_U64, BL_BUILDS(sad_u64)}, {BL_T_S64, BL_BUILDS(sad_s64)},
    {BL_T_NONE, NULL, NULL},
};

static const char *const no_mods[] = {NULL};
static const char *const sat_mods[] = {"sat", NULL};
static const char *const relu_mods[] = {"relu", NULL};

static bool not_mine(const struct bl_ptx_insn *src)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    return bl_type_is_float(type) || bl_type_is_half(type);
}

/* The types u16x2 and s16x2 are known here only, and read as modifiers elsewhere. */
struct packed {
    const char *type, *mod;
    bl_alu_fn *narrow, *wide;
};

/* Decodes OP.u16x2 and its kind if it is one; sets *done. */
static enum bl_status try_packed(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, const struct packed *table,
                                 bool *done, struct bl_error *err)
{
    static const struct bl_alu_shape words = {BL_T_B32, BL_T_B32, BL_T_B32, BL_T_NONE};
    *done = bl_dec_has(src, "u16x2") || bl_dec_has(src, "s16x2");
    if (!*done) {
        return BL_OK;
    }
    bool relu = bl_dec_has(src, "relu");
    if (src->mod_count == (relu ? 2u : 1u)) {
        for (; table->type; table++) {
            if (bl_dec_has(src, table->type) && relu == (table->mod != NULL)) {
                out->alu = bl_alu_pick(table->narrow, table->wide);
                return bl_alu_operands(dec, src, out, words, err);
            }
        }
    }
    return bl_alu_bad_type(dec, src, err);
}

static const struct packed add_packed[] = {{"u16x2", NULL, BL_BUILDS(add_x2)},
                                           {"s16x2", NULL, BL_BUILDS(add_x2)},
                                           {NULL, NULL, NULL, NULL}};
static const struct packed sub_packed[] = {{"u16x2", NULL, BL_BUILDS(sub_x2)},
                                           {"s16x2", NULL, BL_BUILDS(sub_x2)},
                                           {NULL, NULL, NULL, NULL}};
static const struct packed min_packed[] = {{"u16x2", NULL, BL_BUILDS(min_u16x2)},
                                           {"s16x2", NULL, BL_BUILDS(min_s16x2)},
                                           {"s16x2", "relu", BL_BUILDS(min_s16x2_relu)},
                                           {NULL, NULL, NULL, NULL}};
static const struct packed max_packed[] = {{"u16x2", NULL, BL_BUILDS(max_u16x2)},
                                           {"s16x2", NULL, BL_BUILDS(max_s16x2)},
                                           {"s16x2", "relu", BL_BUILDS(max_s16x2_relu)},
                                           {NULL, NULL, NULL, NULL}};

/* What add, sub, min and max have in common: a plain table, one for a modifier (.sat or
 * .relu), one for packed halves. */
struct binary {
    const struct bl_alu_by_type *plain, *special;
    const char *const *special_mod;
    const struct packed *packed;
};

static enum bl_status decode_binary(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    struct bl_insn *out, const struct binary *op,
                                    struct bl_error *err)
{
    bool done = false;
    if (not_mine(src)) {
        return BL_DEC_NOT_MINE;
    }
    enum bl_status status = try_packed(dec, src, out, op->packed, &done, err);
    if (status != BL_OK || done) {
        return status;
    }
    bool special = bl_dec_has(src, op->special_mod[0]);
    return bl_alu_plain(dec, src, out, op->special_mod, special ? op->special : op->plain,
                        bl_alu_own3, err);
}

static enum bl_status decode_add(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const struct binary op = {add_table, add_sat_table, sat_mods, add_packed};
    if (bl_dec_has(src, "cc")) {
        return bl_int_carry(dec, src, out, err);
    }
    return decode_binary(dec, src, out, &op, err);
}

static enum bl_status decode_sub(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const struct binary op = {sub_table, sub_sat_table, sat_mods, sub_packed};
    if (bl_dec_has(src, "cc")) {
        return bl_int_carry(dec, src, out, err);
    }
    return decode_binary(dec, src, out, &op, err);
}

static enum bl_status decode_min(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const struct binary op = {min_table, min_relu_table, relu_mods, min_packed};
    return decode_binary(dec, src, out, &op, err);
}

static enum bl_status decode_max(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const struct binary op = {max_table, max_relu_table, relu_mods, max_packed};
    return decode_binary(dec, src, out, &op, err);
}

static enum bl_status decode_neg(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return not_mine(src)
               ? BL_DEC_NOT_MINE
               : bl_alu_plain(dec, src, out, no_mods, neg_table, bl_alu_own2, err);
}

static enum bl_status decode_abs(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return not_mine(src)
               ? BL_DEC_NOT_MINE
               : bl_alu_plain(dec, src, out, no_mods, abs_table, bl_alu_own2, err);
}

static enum bl_status decode_sad(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, sad_table, bl_alu_own4, err);
}

const struct bl_op_entry bl_ops_int[] = {
    {"add", decode_add},
    {"sub", decode_sub},
    {"addc", bl_int_carry},
    {"subc", bl_int_carry},
    {"madc", bl_int_carry},
    {"min", decode_min},
    {"max", decode_max},
    {"neg", decode_neg},
    {"abs", decode_abs},
    {"sad", decode_sad},
    {"mul", bl_int_mul},
    {"mad", bl_int_mad},
    {"mul24", bl_int_mul24},
    {"mad24", bl_int_mad24},
    {"dp4a", bl_int_dp4a},
    {"dp2a", bl_int_dp2a},
    {"div", bl_int_div},
    {"rem", bl_int_rem},
    {NULL, NULL},
};
