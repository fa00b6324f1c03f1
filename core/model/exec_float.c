/* SPDX-License-Identifier: Apache-2.0
 *
 * add, sub, mul, fma, mad of f32 and f64; and the table of all floating-point
 * instructions.
 */
#include "model/exec_float.h"

#include "model/alu.h"
#include "model/alu_lanes.h"

#define F32(x) bl_canonical(x)
#define F64(x) bl_nan_of2(x, b, a)
#define Z(x)   bl_flush(x)

/* Rounded to nearest: the host's own arithmetic. */
BL_OP2(add_f32, bl_f32, bl_f32, bl_f32, F32(a + b))
BL_OP2(sub_f32, bl_f32, bl_f32, bl_f32, F32(a - b))
BL_OP2(mul_f32, bl_f32, bl_f32, bl_f32, F32(a *b))
BL_OP2(add_f64, bl_f64, bl_f64, bl_f64, F64(a + b))
BL_OP2(sub_f64, bl_f64, bl_f64, bl_f64, F64(a - b))
BL_OP2(mul_f64, bl_f64, bl_f64, bl_f64, F64(a *b))
BL_OP2(add_ftz, bl_f32, bl_f32, bl_f32, Z(F32(Z(a) + Z(b))))
BL_OP2(sub_ftz, bl_f32, bl_f32, bl_f32, Z(F32(Z(a) - Z(b))))
BL_OP3(fma_f32, bl_f32, bl_f32, bl_f32, bl_f32, F32(__builtin_fmaf(a, b, c)))
BL_OP3(fma_f64, bl_f64, bl_f64, bl_f64, bl_f64,
       bl_nan_of3(__builtin_fma(a, b, c), b, c, a))

/* The least normal number may have come of rounding up a number that is to be flushed
 * (bl_round_flushes): a warp that has one goes the slow way. */
#define IS_EDGE(x) ((bl_f32_bits(x) & 0x7fffffffu) == 0x00800000u)
#define FLUSHED(OP, EXPR)                                                                \
    BL_BUILD_TWICE(                                                                      \
        OP##_ftz, const bl_f32 *pa = BL_VIEW(const bl_f32, frame, in->a);                \
        const bl_f32 *pb = BL_VIEW(const bl_f32, frame, in->b);                          \
        const bl_f32 *pc =                                                               \
            BL_VIEW(const bl_f32, frame, in->c == BL_NO_SLOT ? in->a : in->c);           \
        bl_f32 r[BL_LANES]; uint32_t edge = 0;                                           \
        BL_LANE_LOOP for (int l = 0; l < BL_LANES; l++) {                                \
            const float a = Z(pa[l]), b = Z(pb[l]), c = Z(pc[l]);                        \
            (void)c;                                                                     \
            r[l] = Z(F32(EXPR));                                                         \
            edge |= IS_EDGE(r[l]);                                                       \
        } if (edge) {                                                                    \
            bl_##OP##_f32_any(frame, in, mask);                                          \
            return;                                                                      \
        } BL_PUT(bl_f32, frame, in->d, r, mask);)
FLUSHED(mul, a *b)
FLUSHED(fma, __builtin_fmaf(a, b, c))

/* The handlers of one operation: to nearest, to nearest with .ftz, any. */
struct arithmetic {
    const struct bl_alu_by_type *nearest, *ftz, *any;
    struct bl_alu_shape shape;
    bool needs_rounding;
};

#define TABLES(OP)                                                                       \
    static const struct bl_alu_by_type OP##_nearest[] = {                                \
        {BL_T_F32, BL_BUILDS(OP##_f32)},                                                 \
        {BL_T_F64, BL_BUILDS(OP##_f64)},                                                 \
        {BL_T_NONE, NULL, NULL}};                                                        \
    static const struct bl_alu_by_type OP##_flush[] = {{BL_T_F32, BL_BUILDS(OP##_ftz)},  \
                                                       {BL_T_NONE, NULL, NULL}};         \
    static const struct bl_alu_by_type OP##_any[] = {                                    \
        {BL_T_F32, BL_SINGLE(bl_##OP##_f32_any)},                                        \
        {BL_T_F64, BL_SINGLE(bl_##OP##_f64_any)},                                        \
        {BL_T_NONE, NULL, NULL}};
TABLES(add)
TABLES(sub)
TABLES(mul)
TABLES(fma)

static const char *const all_mods[] = {"rn", "rz", "rm", "rp", "ftz", "sat", NULL};
static const char *const f64_mods[] = {"rn", "rz", "rm", "rp", NULL};

enum bl_status bl_float_flags(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              bool needs_rounding, uint32_t *out, struct bl_error *err)
{
    static const struct {
        const char *mod;
        uint32_t flag;
    } flags[] = {{"ftz", BL_FLAG_FTZ},
                 {"sat", BL_FLAG_SAT},
                 {"NaN", BL_FLAG_NAN},
                 {"xorsign", BL_FLAG_XORSIGN},
                 {"relu", BL_FLAG_RELU}};
    int rounding = -1;
    enum bl_status status =
        bl_alu_choice(dec, src, f64_mods, needs_rounding, &rounding, err);
    if (status != BL_OK) {
        return status;
    }
    *out = rounding < 0 ? BL_RN : (uint32_t)rounding;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        *out |= bl_dec_has(src, flags[i].mod) ? flags[i].flag : 0;
    }
    return BL_OK;
}

static enum bl_status decode_arithmetic(struct bl_decoder *dec,
                                        const struct bl_ptx_insn *src,
                                        struct bl_insn *out, const struct arithmetic *op,
                                        struct bl_error *err)
{
    enum bl_ptx_type type = bl_dec_type(src, 0);
    if (bl_type_is_half(type)) {
        return BL_DEC_NOT_MINE;
    }
    enum bl_status status = bl_float_flags(dec, src, op->needs_rounding, &out->flag, err);
    if (status != BL_OK) {
        return status;
    }
    const struct bl_alu_by_type *table = out->flag == BL_RN ? op->nearest
                                         : out->flag == (BL_RN | BL_FLAG_FTZ) ? op->ftz
                                                                              : op->any;
    return bl_alu_plain(dec, src, out, type == BL_T_F64 ? f64_mods : all_mods, table,
                        op->shape, err);
}

#define THREE                                                                            \
    {                                                                                    \
        BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN, BL_T_NONE                                    \
    }
#define FOUR                                                                             \
    {                                                                                    \
        BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN                                   \
    }
#define DECODE(OP, SHAPE, NEEDS_ROUNDING)                                                \
    static enum bl_status decode_##OP(struct bl_decoder *dec,                            \
                                      const struct bl_ptx_insn *src,                     \
                                      struct bl_insn *out, struct bl_error *err)         \
    {                                                                                    \
        static const struct arithmetic op = {OP##_nearest, OP##_flush, OP##_any, SHAPE,  \
                                             NEEDS_ROUNDING};                            \
        return decode_arithmetic(dec, src, out, &op, err);                               \
    }
DECODE(add, THREE, false)
DECODE(sub, THREE, false)
DECODE(mul, THREE, false)
DECODE(fma, FOUR, true) /* mad is the same, on every target since sm_20 */

const struct bl_op_entry bl_ops_float[] = {
    {"add", decode_add},
    {"sub", decode_sub},
    {"mul", decode_mul},
    {"fma", decode_fma},
    {"mad", decode_fma},
    {"div", bl_float_div},
    {"rcp", bl_float_rcp},
    {"sqrt", bl_float_sqrt},
    {"rsqrt", bl_float_rsqrt},
    {"sin", bl_float_sin},
    {"cos", bl_float_cos},
    {"lg2", bl_float_lg2},
    {"ex2", bl_float_ex2},
    {"tanh", bl_float_tanh},
    {"neg", bl_float_neg},
    {"abs", bl_float_abs},
    {"min", bl_float_min},
    {"max", bl_float_max},
    {"copysign", bl_float_copysign},
    {"testp", bl_float_testp},
    {NULL, NULL},
};
