/* SPDX-License-Identifier: Apache-2.0
 *
 * Extended-precision arithmetic: add.cc, addc, sub.cc, subc, mad.cc, madc. The carry
 * (for subtraction: borrow) flag is the frame's first slot, a predicate.
 */
#include <string.h>

#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_int.h"

enum { CARRY_IN = 1, CARRY_OUT = 2 };

/* SUM defines `sum`, the full-width value, out of x, y and the incoming flag; OUT is
 * the outgoing flag. */
#define CARRY_LOOP(T, X, Y, SUM, OUT)                                                    \
    const T *pa = BL_VIEW(const T, frame, in->a);                                        \
    const T *pb = BL_VIEW(const T, frame, in->b);                                        \
    const T *pc = BL_VIEW(const T, frame, in->c == BL_NO_SLOT ? in->b : in->c);          \
    T *pd = BL_VIEW(T, frame, in->d);                                                    \
    uint32_t flags = in->flag & CARRY_IN ? bl_get_pred(frame, BL_FRAME_CC) : 0;          \
    uint32_t left = 0;                                                                   \
    BL_FOR_LANES(mask, const T a = pa[l]; const T b = pb[l]; const T c = pc[l];          \
                 const T x = (T)(X); const T y = (T)(Y);                                 \
                 const T carry = (T)(flags >> l & 1); const T sum = (T)(SUM);            \
                 left |= (uint32_t)(OUT) << l; pd[l] = sum; (void)a; (void)c);           \
    if (in->flag & CARRY_OUT) {                                                          \
        bl_put_pred(frame, BL_FRAME_CC, left, mask);                                     \
    }

/* x + y + carry leaves the word if the wrapped sum is below x, or is x although
 * something was added. */
#define ADDS x + y + carry, sum < x || (carry && sum == x)
/* x - y - carry borrows if x < y, or if x == y and a borrow came in. */
#define SUBS x - y - carry, x < y || (carry && x == y)

#define CARRY(NAME, T, X, Y, ...)                                                        \
    static void NAME(BL_ALU_ARGS)                                                        \
    {                                                                                    \
        CARRY_EXPAND(T, X, Y, __VA_ARGS__)                                               \
    }
#define CARRY_EXPAND(T, X, Y, ...) CARRY_LOOP(T, X, Y, __VA_ARGS__)

CARRY(add_32, bl_u32, a, b, ADDS)
CARRY(add_64, bl_u64, a, b, ADDS)
CARRY(sub_32, bl_u32, a, b, SUBS)
CARRY(sub_64, bl_u64, a, b, SUBS)
CARRY(mad_lo_32, bl_u32, a *b, c, ADDS)
CARRY(mad_lo_64, bl_u64, a *b, c, ADDS)
CARRY(mad_hi_u32, bl_u32, (uint64_t)a *b >> 32, c, ADDS)
CARRY(mad_hi_s32, bl_u32, (uint64_t)((int64_t)(int32_t)a *(int32_t)b) >> 32, c, ADDS)
CARRY(mad_hi_u64, bl_u64, (unsigned __int128)a *b >> 64, c, ADDS)
CARRY(mad_hi_s64, bl_u64, (__int128)(int64_t)a *(int64_t)b >> 64, c, ADDS)

#define FOUR(u32, s32, u64, s64)                                                         \
    {                                                                                    \
        {BL_T_U32, BL_SINGLE(u32)}, {BL_T_S32, BL_SINGLE(s32)},                          \
            {BL_T_U64, BL_SINGLE(u64)}, {BL_T_S64, BL_SINGLE(s64)},                      \
        {                                                                                \
            BL_T_NONE, NULL, NULL                                                        \
        }                                                                                \
    }
static const struct bl_alu_by_type add_table[] = FOUR(add_32, add_32, add_64, add_64);
static const struct bl_alu_by_type sub_table[] = FOUR(sub_32, sub_32, sub_64, sub_64);
static const struct bl_alu_by_type mad_lo_table[] =
    FOUR(mad_lo_32, mad_lo_32, mad_lo_64, mad_lo_64);
static const struct bl_alu_by_type mad_hi_table[] =
    FOUR(mad_hi_u32, mad_hi_s32, mad_hi_u64, mad_hi_s64);

enum bl_status bl_int_carry(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    static const char *const plain_mods[] = {"cc", NULL};
    static const char *const mad_mods[] = {"cc", "lo", "hi", NULL};
    static const char *const halves[] = {"lo", "hi", NULL};
    bool is_mad = src->op[0] == 'm';
    int half = 0;

    if (is_mad) {
        enum bl_status status = bl_alu_choice(dec, src, halves, true, &half, err);
        if (status != BL_OK) {
            return status;
        }
    }
    out->flag = (src->op[strlen(src->op) - 1] == 'c' ? CARRY_IN : 0u) |
                (bl_dec_has(src, "cc") ? CARRY_OUT : 0u);
    if (is_mad) {
        return bl_alu_plain(dec, src, out, mad_mods,
                            half == 1 ? mad_hi_table : mad_lo_table, bl_alu_own4, err);
    }
    return bl_alu_plain(dec, src, out, plain_mods,
                        src->op[0] == 'a' ? add_table : sub_table, bl_alu_own3, err);
}
