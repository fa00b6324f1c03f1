/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer div and rem. Dividing by zero is no fault: PTX leaves the result to the
 * machine, and here quotient and remainder are all ones, as measured on an H200.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_int.h"

/* The one quotient that does not fit, MIN / -1, wraps to MIN, with remainder 0. */
#define DIV_U(BITS) (b ? a / b : UINT##BITS##_MAX)
#define REM_U(BITS) (b ? a % b : UINT##BITS##_MAX)
#define DIV_S(BITS)                                                                      \
    (b == 0 ? -1 : b == -1 ? (int##BITS##_t)(0 - (uint##BITS##_t)a) : a / b)
#define REM_S(BITS) (b == 0 ? -1 : b == -1 ? 0 : a % b)

#define DIV_REM(BITS)                                                                    \
    BL_EACH2(div_u##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, DIV_U(BITS))               \
    BL_EACH2(rem_u##BITS, bl_u##BITS, bl_u##BITS, bl_u##BITS, REM_U(BITS))               \
    BL_EACH2(div_s##BITS, bl_s##BITS, bl_s##BITS, bl_s##BITS, DIV_S(BITS))               \
    BL_EACH2(rem_s##BITS, bl_s##BITS, bl_s##BITS, bl_s##BITS, REM_S(BITS))
DIV_REM(16)
DIV_REM(32)
DIV_REM(64)

#define TABLE(OP)                                                                        \
    static const struct bl_alu_by_type OP##_table[] = {                                  \
        {BL_T_U16, BL_SINGLE(OP##_u16)}, {BL_T_S16, BL_SINGLE(OP##_s16)},                \
        {BL_T_U32, BL_SINGLE(OP##_u32)}, {BL_T_S32, BL_SINGLE(OP##_s32)},                \
        {BL_T_U64, BL_SINGLE(OP##_u64)}, {BL_T_S64, BL_SINGLE(OP##_s64)},                \
        {BL_T_NONE, NULL, NULL},                                                         \
    }
TABLE(div);
TABLE(rem);

static const char *const no_mods[] = {NULL};

enum bl_status bl_int_div(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                          struct bl_insn *out, struct bl_error *err)
{
    if (bl_type_is_float(bl_dec_type(src, 0))) {
        return BL_DEC_NOT_MINE;
    }
    return bl_alu_plain(dec, src, out, no_mods, div_table, bl_alu_own3, err);
}

enum bl_status bl_int_rem(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                          struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, rem_table, bl_alu_own3, err);
}
