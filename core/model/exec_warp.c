/* SPDX-License-Identifier: Apache-2.0
 *
 * shfl, vote, activemask, elect; and the table of all that lanes do together.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_warp.h"
#include "model/fault.h"
#include "model/warp.h"

/* ---- shfl ---- */

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* The lane that `lane` reads, by PTX's rules: c holds, in bits 12:8, which lane bits
 * choose a segment, and in bits 4:0 where a segment ends. *in_range says whether the lane
 * asked for is in the segment; if not, a lane reads itself. */
static inline uint32_t shfl_source(uint32_t lane, uint32_t mode, uint32_t b, uint32_t c,
                                   bool *in_range)
{
    uint32_t segment = c >> 8 & 31, offset = b & 31;
    uint32_t most = (lane & segment) | (c & 31 & ~segment);
    uint32_t from = 0;
    switch (mode) {
    case SHFL_UP: from = lane - offset; break;
    case SHFL_DOWN: from = lane + offset; break;
    case SHFL_BFLY: from = lane ^ offset; break;
    default: from = (lane & segment) | (offset & ~segment); break;
    }
    *in_range = mode == SHFL_UP ? (int32_t)from >= (int32_t)most : from <= most;
    return *in_range ? from : lane;
}

static inline void shfl_mode(BL_ALU_ARGS, uint32_t mode)
{
    uint32_t value[BL_LANES], inside = 0;
    const bl_u32 *pb = BL_VIEW(const bl_u32, frame, in->b);
    const bl_u32 *pc = BL_VIEW(const bl_u32, frame, in->c);
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    memcpy(value, frame + in->a, sizeof value);
    BL_FOR_LANES(mask, bool in_range = false;
                 uint32_t from = shfl_source((uint32_t)l, mode, pb[l], pc[l], &in_range);
                 inside |= (uint32_t)in_range << l; pd[l] = value[from & 31]);
    if (in->d2 != BL_NO_SLOT) {
        bl_put_pred(frame, in->d2, inside, mask);
    }
}

static void shfl(BL_ALU_ARGS)
{
    switch (in->flag) {
    case SHFL_UP: shfl_mode(frame, in, mask, SHFL_UP); break;
    case SHFL_DOWN: shfl_mode(frame, in, mask, SHFL_DOWN); break;
    case SHFL_BFLY: shfl_mode(frame, in, mask, SHFL_BFLY); break;
    default: shfl_mode(frame, in, mask, SHFL_IDX); break;
    }
}

/* ---- vote, activemask, elect ---- */

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT, VOTE_MODE = 3, VOTE_NOT = 4 };

static void vote(BL_ALU_ARGS)
{
    uint32_t yes = bl_get_pred(frame, in->a), set = 0;
    uint32_t mode = in->flag & VOTE_MODE;
    yes = in->flag & VOTE_NOT ? ~yes : yes;
    BL_FOR_LANES(mask, uint32_t group = bl_warp_members(frame, in, mask, l);
                 bool all = !(~yes & group); bool any = yes & group;
                 bool r = mode == VOTE_ALL   ? all
                          : mode == VOTE_ANY ? any
                                             : all || !any;
                 set |= (uint32_t)r << l);
    bl_put_pred(frame, in->d, set, mask);
}

static void ballot(BL_ALU_ARGS)
{
    uint32_t yes = bl_get_pred(frame, in->a);
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    yes = in->flag & VOTE_NOT ? ~yes : yes;
    BL_FOR_LANES(mask, pd[l] = yes & bl_warp_members(frame, in, mask, l));
}

static void activemask(BL_ALU_ARGS)
{
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    BL_FOR_LANES(mask, pd[l] = mask);
}

/* The lowest named lane is elected: its number goes to all, a predicate to it alone. */
static void elect(BL_ALU_ARGS)
{
    uint32_t set = 0;
    bl_u32 *pd = BL_VIEW(bl_u32, frame, in->d);
    BL_FOR_LANES(mask, uint32_t leader =
                           (uint32_t)__builtin_ctz(bl_warp_members(frame, in, mask, l));
                 set |= (uint32_t)(leader == (uint32_t)l) << l; pd[l] = leader);
    bl_put_pred(frame, in->d2, set, mask);
}

/* ---- running the .sync forms ---- */

static bl_alu_fn *const sync_ops[] = {
    [BL_SYNC_SHFL] = shfl,
    [BL_SYNC_VOTE] = vote,
    [BL_SYNC_BALLOT] = ballot,
    [BL_SYNC_MATCH_ANY_32] = bl_warp_match_any_32,
    [BL_SYNC_MATCH_ALL_32] = bl_warp_match_all_32,
    [BL_SYNC_MATCH_ANY_64] = bl_warp_match_any_64,
    [BL_SYNC_MATCH_ALL_64] = bl_warp_match_all_64,
    [BL_SYNC_REDUX] = bl_warp_redux,
    [BL_SYNC_ELECT] = elect,
};

/* The fault of the first lane whose mask is wrong. */
static enum bl_flow sync_fault(struct bl_warp *warp, const struct bl_insn *in,
                               uint32_t mask, const bl_u32 *named)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint32_t missing = named[lane] & warp->live & ~mask;
        if (!(named[lane] >> lane & 1)) {
            return bl_fault(warp, in, lane,
                            "its lane mask 0x%08x leaves out the lane itself: every lane "
                            "that executes this must be in the mask",
                            named[lane]);
        }
        if (missing) {
            return bl_fault(
                warp, in, lane,
                "its lane mask 0x%08x names lanes that are not here (0x%08x): "
                "all lanes in the mask must execute this together",
                named[lane], missing);
        }
    }
    return BL_FLOW_NEXT;
}

/* Checks the named lanes of all that are here, then does the operation. */
static enum bl_flow sync_step(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    const bl_u32 *named = BL_VIEW(const bl_u32, warp->frame, in->e);
    const uint32_t absent = warp->live & ~mask;
    uint32_t wrong = 0;
    BL_LANE_LOOP for (int l = 0; l < BL_LANES; l++)
    {
        uint32_t bad = (named[l] & absent) | (~named[l] & bl_lane_bit[l]);
        wrong |= mask & bl_lane_bit[l] ? bad : 0;
    }
    if (wrong) {
        return sync_fault(warp, in, mask, named);
    }
    sync_ops[in->extra](warp->frame, in, mask);
    return BL_FLOW_NEXT;
}

enum bl_status bl_warp_sync(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, enum bl_sync_op op, bool is_sync,
                            uint32_t n, struct bl_error *err)
{
    if (!is_sync) {
        out->alu = sync_ops[op];
        return BL_OK;
    }
    out->step = sync_step;
    out->extra = op;
    return bl_dec_source(dec, src, n, BL_T_B32, false, &out->e, err);
}

/* ---- decoding ---- */

enum bl_status bl_warp_dest(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    const struct bl_ptx_operand *to = &src->operands[0];
    if (to->kind != BL_OPND_PAIR) {
        return bl_dec_dest(dec, src, 0, BL_T_B32, false, &out->d, err);
    }
    enum bl_status status =
        bl_dec_dest_of(dec, src, &to->list[0], BL_T_B32, false, &out->d, err);
    return status != BL_OK
               ? status
               : bl_dec_dest_of(dec, src, &to->list[1], BL_T_PRED, false, &out->d2, err);
}

static enum bl_status decode_shfl(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"sync", "up", "down", "bfly", "idx", NULL};
    bool is_sync = bl_dec_has(src, "sync");
    uint32_t count = is_sync ? 5 : 4;
    uint32_t *const slots[3] = {&out->a, &out->b, &out->c};
    int mode = 0;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, mods + 1, true, &mode, err);
    }
    if (status == BL_OK &&
        (bl_alu_type_count(src) != 1 || bl_dec_type(src, 0) != BL_T_B32)) {
        status = bl_alu_bad_type(dec, src, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, count, count, err);
    }
    for (uint32_t n = 0; n < 3 && status == BL_OK; n++) {
        status = bl_dec_source(dec, src, n + 1, BL_T_B32, false, slots[n], err);
    }
    if (status == BL_OK) {
        status = bl_warp_dest(dec, src, out, err);
    }
    out->flag = (uint32_t)mode;
    return status != BL_OK ? status
                           : bl_warp_sync(dec, src, out, BL_SYNC_SHFL, is_sync, 4, err);
}

static enum bl_status decode_vote(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"sync", "all", "any", "uni", "ballot", NULL};
    bool is_sync = bl_dec_has(src, "sync"), negated = false;
    uint32_t count = is_sync ? 3 : 2;
    int mode = 0;
    enum bl_status status = bl_dec_known(src, mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_choice(dec, src, mods + 1, true, &mode, err);
    }
    enum bl_ptx_type type = mode == VOTE_BALLOT ? BL_T_B32 : BL_T_PRED;
    if (status == BL_OK && (bl_alu_type_count(src) != 1 || bl_dec_type(src, 0) != type)) {
        status = bl_alu_bad_type(dec, src, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, count, count, err);
    }
    if (status == BL_OK) {
        status = bl_dec_pred(dec, src, 1, &out->a, &negated, err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, type, false, &out->d, err);
    }
    out->flag = (uint32_t)mode | (negated ? VOTE_NOT : 0u);
    return status != BL_OK
               ? status
               : bl_warp_sync(dec, src, out,
                              mode == VOTE_BALLOT ? BL_SYNC_BALLOT : BL_SYNC_VOTE,
                              is_sync, 2, err);
}

static enum bl_status decode_activemask(struct bl_decoder *dec,
                                        const struct bl_ptx_insn *src,
                                        struct bl_insn *out, struct bl_error *err)
{
    if (src->mod_count != 1 || bl_dec_type(src, 0) != BL_T_B32) {
        return bl_alu_bad_type(dec, src, err);
    }
    enum bl_status status = bl_dec_count(dec, src, 1, 1, err);
    out->alu = activemask;
    return status != BL_OK ? status
                           : bl_dec_dest(dec, src, 0, BL_T_B32, false, &out->d, err);
}

static enum bl_status decode_elect(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, struct bl_error *err)
{
    if (src->mod_count != 1 || !bl_dec_has(src, "sync")) {
        return bl_alu_bad_type(dec, src, err);
    }
    enum bl_status status = bl_dec_count(dec, src, 2, 2, err);
    if (status == BL_OK && src->operands[0].kind != BL_OPND_PAIR) {
        status = bl_dec_unknown(dec, src, "takes d|p or _|p, then a lane mask", err);
    }
    if (status == BL_OK) {
        status = bl_warp_dest(dec, src, out, err);
    }
    return status != BL_OK ? status
                           : bl_warp_sync(dec, src, out, BL_SYNC_ELECT, true, 1, err);
}

const struct bl_op_entry bl_ops_warp[] = {
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"match", bl_warp_match},
    {"activemask", decode_activemask},
    {"redux", bl_warp_redux_op},
    {"elect", decode_elect},
    {NULL, NULL},
};
