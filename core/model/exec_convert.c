/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding cvt.
 */
#include "model/exec_convert.h"

#include "model/alu.h"

static const char *const plain_mods[] = {"rn",  "rz",   "rm",        "rp",   "rna",
                                         "rni", "rzi",  "rmi",       "rpi",  "ftz",
                                         "sat", "relu", "satfinite", "tf32", NULL};

/* The flag word of a cvt, but for which roundings it needs. */
static enum bl_status read_flags(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 uint32_t *out, struct bl_error *err)
{
    static const char *const whole[] = {"rni", "rzi", "rmi", "rpi", NULL};
    static const char *const roundings[] = {"rn",  "rz",  "rm",  "rp",  "rna",
                                            "rni", "rzi", "rmi", "rpi", NULL};
    int which = -1, rounding = -1;
    uint32_t flag = 0;
    enum bl_status status = bl_alu_choice(dec, src, roundings, false, &which, err);
    if (status == BL_OK && which != BL_RNA) {
        status = bl_float_flags(dec, src, false, &flag, err);
    } else if (status == BL_OK) {
        flag = BL_RNA | (bl_dec_has(src, "ftz") ? BL_FLAG_FTZ : 0u) |
               (bl_dec_has(src, "relu") ? BL_FLAG_RELU : 0u);
    }
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, whole, false, &rounding, err);
    }
    if (status == BL_OK) {
        *out = flag | (rounding >= 0 ? BL_CVT_WHOLE | (uint32_t)rounding : 0u) |
               (bl_dec_has(src, "satfinite") ? BL_CVT_SATFINITE : 0u);
    }
    return status;
}

static bool has_rounding(const struct bl_ptx_insn *src)
{
    return bl_dec_has(src, "rn") || bl_dec_has(src, "rz") || bl_dec_has(src, "rm") ||
           bl_dec_has(src, "rp");
}

static bool is_float(enum bl_ptx_type type)
{
    return bl_type_is_float(type) || type == BL_T_F16 || type == BL_T_BF16;
}

/* Whether every value of `from` is one of `to`; both floating-point. */
static bool is_exact(enum bl_ptx_type to, enum bl_ptx_type from)
{
    return to == from || to == BL_T_F64 ||
           (to == BL_T_F32 && (from == BL_T_F16 || from == BL_T_BF16));
}

/* What is wrong with the modifiers for these types; NULL: nothing. */
static const char *objection(const struct bl_ptx_insn *src, enum bl_ptx_type to,
                             enum bl_ptx_type from, uint32_t flag)
{
    bool rounds = has_rounding(src), whole = flag & BL_CVT_WHOLE;
    if ((flag & BL_FLAG_ROUNDING) == BL_RNA) {
        return ".rna is for .tf32 only";
    }
    if (flag & (BL_FLAG_RELU | BL_CVT_SATFINITE) &&
        !(from == BL_T_F32 && (to == BL_T_F16 || to == BL_T_BF16))) {
        return ".relu and .satfinite are for .f16 and .bf16 from .f32";
    }
    if (flag & BL_FLAG_FTZ &&
        ((to != BL_T_F32 && from != BL_T_F32) || to == BL_T_BF16 || from == BL_T_BF16)) {
        return ".ftz is for .f32, and not for .bf16";
    }
    if (is_float(to) && is_float(from)) {
        if (whole && to != from) {
            return "rounds to a whole number for equal types only";
        }
        return !is_exact(to, from) && !rounds ? "needs one of .rn .rz .rm .rp" : NULL;
    }
    if (is_float(to)) {
        return !rounds ? "needs one of .rn .rz .rm .rp" : NULL;
    }
    if (is_float(from)) {
        return !whole ? "needs one of .rni .rzi .rmi .rpi" : NULL;
    }
    return rounds || whole ? "takes no rounding from integer to integer" : NULL;
}

/* Bytes of the registers that hold an operand: a narrow type's are 2. */
static uint32_t register_bytes(const struct bl_decoder *dec,
                               const struct bl_ptx_operand *operand,
                               enum bl_ptx_type type)
{
    uint32_t bytes = bl_dec_reg_bytes(dec, operand);
    bytes = bytes ? bytes : bl_ptx_type_bytes(type);
    return bytes < 2 ? 2 : bytes;
}

/* cvt.rna.tf32.f32 and others to tf32, which is kept in a b32. */
static enum bl_status decode_tf32(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"rn",        "rz",   "rna", "relu",
                                       "satfinite", "tf32", NULL};
    static const char *const needed[] = {"rn", "rz", "rna", NULL};
    static const struct bl_alu_by_type table[] = {{BL_T_F32, BL_SINGLE(bl_convert_tf32)},
                                                  {BL_T_NONE, NULL, NULL}};
    static const struct bl_alu_shape shape = {BL_T_B32, BL_T_F32, BL_T_NONE, BL_T_NONE};
    int which = 0;
    enum bl_status status = bl_alu_choice(dec, src, needed, true, &which, err);
    if (status == BL_OK && which == 2 && bl_dec_has(src, "relu")) {
        status = bl_dec_unknown(dec, src, "has both .rna and .relu", err);
    }
    return status != BL_OK ? status
                           : bl_alu_plain(dec, src, out, mods, table, shape, err);
}

/* cvt.rn.f16x2.f32 d, a, b: a goes into the high half. */
static enum bl_status decode_pair(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, enum bl_ptx_type to,
                                  enum bl_ptx_type from, struct bl_error *err)
{
    static const char *const mods[] = {"rn", "rz", "relu", "satfinite", NULL};
    static const char *const needed[] = {"rn", "rz", NULL};
    int which = 0;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, needed, true, &which, err);
    }
    if (status == BL_OK && (from != BL_T_F32 || bl_alu_type_count(src) != 2)) {
        status = bl_alu_bad_type(dec, src, err);
    }
    out->alu = bl_convert_pair;
    out->type2 = to == BL_T_F16X2 ? BL_T_F16 : BL_T_BF16;
    const struct bl_alu_shape shape = {to, BL_T_F32, BL_T_F32, BL_T_NONE};
    return status != BL_OK ? status : bl_alu_operands(dec, src, out, shape, err);
}

static enum bl_status decode_plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, enum bl_ptx_type to,
                                   enum bl_ptx_type from, struct bl_error *err)
{
    bool to_int = bl_type_is_int(to), from_int = bl_type_is_int(from);
    if (bl_alu_type_count(src) != 2 || !(to_int || is_float(to)) ||
        !(from_int || is_float(from))) {
        return bl_alu_bad_type(dec, src, err);
    }
    const char *wrong = objection(src, to, from, out->flag);
    if (wrong) {
        return bl_dec_unknown(dec, src, wrong, err);
    }
    enum bl_status status = bl_dec_count(dec, src, 2, 2, err);
    if (status == BL_OK) {
        status = bl_dec_source(dec, src, 1, from, from_int, &out->a, err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, to, to_int, &out->d, err);
    }
    if (status != BL_OK) {
        return status;
    }
    out->type = (uint8_t)from;
    out->type2 = (uint8_t)to;
    out->extra = register_bytes(dec, &src->operands[1], from) |
                 register_bytes(dec, &src->operands[0], to) << 8;
    out->alu = to_int && from_int ? bl_convert_int(out) : bl_convert_float(out);
    return BL_OK;
}

static enum bl_status decode_cvt(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    if (bl_dec_has(src, "pack")) {
        return bl_convert_pack(dec, src, out, err);
    }
    enum bl_ptx_type to = bl_dec_type(src, 1), from = bl_dec_type(src, 0);
    enum bl_status status = bl_dec_known(src, plain_mods, dec, err);
    if (status == BL_OK) {
        status = read_flags(dec, src, &out->flag, err);
    }
    if (status != BL_OK) {
        return status;
    }
    if (bl_dec_has(src, "tf32")) {
        return decode_tf32(dec, src, out, err);
    }
    if (to == BL_T_F16X2 || to == BL_T_BF16X2) {
        return decode_pair(dec, src, out, to, from, err);
    }
    return decode_plain(dec, src, out, to, from, err);
}

const struct bl_op_entry bl_ops_convert[] = {
    {"cvt", decode_cvt},
    {NULL, NULL},
};
