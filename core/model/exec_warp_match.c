/* SPDX-License-Identifier: Apache-2.0
 *
 * match and redux: comparing and joining the values of lanes.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_warp.h"

/* ---- match ---- */

/* The lanes of `group` whose value is that of `lane`. */
#define SAME_AS(BITS)                                                                    \
    static uint32_t same_as_##BITS(const uint8_t *frame, const struct bl_insn *in,       \
                                   uint32_t group, int lane)                             \
    {                                                                                    \
        const bl_u##BITS *pa = BL_VIEW(const bl_u##BITS, frame, in->a);                  \
        uint32_t same = 0;                                                               \
        BL_LANE_LOOP for (int i = 0; i < BL_LANES; i++)                                  \
        {                                                                                \
            same |= pa[i] == pa[lane] ? bl_lane_bit[i] : 0;                              \
        }                                                                                \
        return same & group;                                                             \
    }
SAME_AS(32)
SAME_AS(64)

/* match.any gives the lanes with the same value; match.all gives all that take part if
 * their values are the same, otherwise 0. */
#define MATCH(BITS)                                                                      \
    void bl_warp_match_any_##BITS(BL_ALU_ARGS)                                           \
    {                                                                                    \
        uint32_t r[BL_LANES] = {0};                                                      \
        BL_FOR_LANES(mask, r[l] = same_as_##BITS(                                        \
                               frame, in, bl_warp_members(frame, in, mask, l), l));      \
        BL_PUT(bl_u32, frame, in->d, r, mask);                                           \
    }                                                                                    \
    void bl_warp_match_all_##BITS(BL_ALU_ARGS)                                           \
    {                                                                                    \
        uint32_t r[BL_LANES] = {0}, set = 0;                                             \
        BL_FOR_LANES(mask, uint32_t group = bl_warp_members(frame, in, mask, l);         \
                     bool all = same_as_##BITS(frame, in, group, l) == group;            \
                     set |= (uint32_t)all << l; r[l] = all ? group : 0);                 \
        BL_PUT(bl_u32, frame, in->d, r, mask);                                           \
        if (in->d2 != BL_NO_SLOT) {                                                      \
            bl_put_pred(frame, in->d2, set, mask);                                       \
        }                                                                                \
    }
MATCH(32)
MATCH(64)

/* ---- redux ---- */

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

static inline uint32_t redux_of(uint32_t x, uint32_t y, uint32_t op, bool is_signed)
{
    bool below = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op) {
    case REDUX_ADD: return x + y;
    case REDUX_MIN: return below ? x : y;
    case REDUX_MAX: return below ? y : x;
    case REDUX_AND: return x & y;
    case REDUX_OR: return x | y;
    default: return x ^ y;
    }
}

void bl_warp_redux(BL_ALU_ARGS)
{
    const bl_u32 *pa = BL_VIEW(const bl_u32, frame, in->a);
    uint32_t r[BL_LANES] = {0};
    uint32_t last_group = 0, last = 0;
    BL_FOR_LANES(
        mask, uint32_t group = bl_warp_members(frame, in, mask, l);
        if (group != last_group) {
            uint32_t left = group & (group - 1);
            last_group = group;
            last = pa[__builtin_ctz(group)];
            for (; left; left &= left - 1) {
                last = redux_of(last, pa[__builtin_ctz(left)], in->flag,
                                in->type == BL_T_S32);
            }
        } r[l] = last);
    BL_PUT(bl_u32, frame, in->d, r, mask);
}

enum bl_status bl_warp_match(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"sync", "any", "all", NULL};
    enum bl_ptx_type type = bl_dec_type(src, 0);
    int all = 0;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, mods + 1, true, &all, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, 3, 3, err);
    }
    if (status == BL_OK &&
        (bl_alu_type_count(src) != 1 || (type != BL_T_B32 && type != BL_T_B64) ||
         !bl_dec_has(src, "sync") || (!all && src->operands[0].kind == BL_OPND_PAIR))) {
        status = bl_alu_bad_type(dec, src, err);
    }
    if (status == BL_OK) {
        status = bl_dec_source(dec, src, 1, type, false, &out->a, err);
    }
    if (status == BL_OK) {
        status = bl_warp_dest(dec, src, out, err);
    }
    enum bl_sync_op op = (type == BL_T_B64 ? BL_SYNC_MATCH_ANY_64 : BL_SYNC_MATCH_ANY_32);
    op = all ? op + 1 : op;
    return status != BL_OK ? status : bl_warp_sync(dec, src, out, op, true, 2, err);
}

enum bl_status bl_warp_redux_op(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"sync", "add", "min", "max",
                                       "and",  "or",  "xor", NULL};
    enum bl_ptx_type type = bl_dec_type(src, 0);
    int op = 0;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, mods + 1, true, &op, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, 3, 3, err);
    }
    bool fits = op >= REDUX_AND ? type == BL_T_B32 : type == BL_T_U32 || type == BL_T_S32;
    if (status == BL_OK &&
        (!fits || bl_alu_type_count(src) != 1 || !bl_dec_has(src, "sync"))) {
        status = bl_alu_bad_type(dec, src, err);
    }
    if (status == BL_OK) {
        status = bl_dec_source(dec, src, 1, type, false, &out->a, err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, type, false, &out->d, err);
    }
    out->flag = (uint32_t)op;
    out->type = (uint8_t)type;
    return status != BL_OK ? status
                           : bl_warp_sync(dec, src, out, BL_SYNC_REDUX, true, 2, err);
}
