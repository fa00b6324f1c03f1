/* SPDX-License-Identifier: Apache-2.0
 *
 * selp and slct: one of two values, by a predicate or by the sign of a third.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_compare.h"
#include "model/round.h"

#define SELP(BITS)                                                                       \
    BL_BUILD_TWICE(                                                                      \
        selp_##BITS, const bl_u##BITS *pa = BL_VIEW(const bl_u##BITS, frame, in->a);     \
        const bl_u##BITS *pb = BL_VIEW(const bl_u##BITS, frame, in->b);                  \
        uint32_t p = bl_get_pred(frame, in->c); p = in->flag ? ~p : p;                   \
        bl_u##BITS r[BL_LANES]; BL_LANE_LOOP for (int l = 0; l < BL_LANES; l++) {        \
            r[l] = p & bl_lane_bit[l] ? pa[l] : pb[l];                                   \
        } BL_PUT(bl_u##BITS, frame, in->d, r, mask);)
SELP(16)
SELP(32)
SELP(64)

#define FLUSHED(c) (in->flag ? bl_flush(c) : (c))
#define SLCT(BITS)                                                                       \
    BL_OP3(slct_s32_##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, bl_s32, c >= 0 ? a : b)  \
    BL_EACH3(slct_f32_##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, bl_f32,                \
             FLUSHED(c) >= 0 ? a : b)
SLCT(16)
SLCT(32)
SLCT(64)

#define BY_WIDTH(NAME, BUILDS, OP)                                                       \
    static const struct bl_alu_by_type NAME[] = {                                        \
        {BL_T_B16, BUILDS(OP##_16)}, {BL_T_U16, BUILDS(OP##_16)},                        \
        {BL_T_S16, BUILDS(OP##_16)}, {BL_T_B32, BUILDS(OP##_32)},                        \
        {BL_T_U32, BUILDS(OP##_32)}, {BL_T_S32, BUILDS(OP##_32)},                        \
        {BL_T_F32, BUILDS(OP##_32)}, {BL_T_B64, BUILDS(OP##_64)},                        \
        {BL_T_U64, BUILDS(OP##_64)}, {BL_T_S64, BUILDS(OP##_64)},                        \
        {BL_T_F64, BUILDS(OP##_64)}, {BL_T_NONE, NULL, NULL},                            \
    }
BY_WIDTH(selp_table, BL_BUILDS, selp);
BY_WIDTH(slct_s32_table, BL_BUILDS, slct_s32);
BY_WIDTH(slct_f32_table, BL_SINGLE, slct_f32);

/* Destination, a and b of `type`, then out->alu by it. */
static enum bl_status decode_two(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, enum bl_ptx_type type,
                                 const struct bl_alu_by_type *table, struct bl_error *err)
{
    out->alu = bl_alu_find(table, type);
    if (!out->alu) {
        return bl_alu_bad_type(dec, src, err);
    }
    enum bl_status status = bl_dec_count(dec, src, 4, 4, err);
    if (status == BL_OK) {
        status = bl_dec_source(dec, src, 1, type, false, &out->a, err);
    }
    if (status == BL_OK) {
        status = bl_dec_source(dec, src, 2, type, false, &out->b, err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, type, false, &out->d, err);
    }
    return status;
}

enum bl_status bl_compare_selp(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_insn *out, struct bl_error *err)
{
    static const char *const no_mods[] = {NULL};
    enum bl_ptx_type type = BL_T_NONE;
    bool negated = false;
    enum bl_status status = bl_dec_known(src, no_mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_type(dec, src, &type, err);
    }
    if (status == BL_OK) {
        status = decode_two(dec, src, out, type, selp_table, err);
    }
    if (status == BL_OK) {
        status = bl_dec_pred(dec, src, 3, &out->c, &negated, err);
    }
    out->flag = negated;
    return status;
}

enum bl_status bl_compare_slct(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"ftz", NULL};
    enum bl_ptx_type type = bl_dec_type(src, 1), by = bl_dec_type(src, 0);
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status != BL_OK) {
        return status;
    }
    out->flag = bl_dec_has(src, "ftz");
    if (bl_alu_type_count(src) != 2 || (by != BL_T_S32 && by != BL_T_F32) ||
        (out->flag && by != BL_T_F32)) {
        return bl_alu_bad_type(dec, src, err);
    }
    status = decode_two(dec, src, out, type,
                        by == BL_T_F32 ? slct_f32_table : slct_s32_table, err);
    return status != BL_OK ? status : bl_dec_source(dec, src, 3, by, false, &out->c, err);
}
