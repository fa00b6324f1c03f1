/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_warp.h - lanes that talk to each other: shfl, vote, match, activemask, redux,
 * elect, spread over exec_warp*.c.
 *
 * The .sync forms name the lanes that take part. On a GPU the first to arrive wait for
 * the rest; here lanes that have diverged can't arrive later, so a named lane that has
 * neither exited nor is here is a fault, as is a lane that its own mask does not name:
 * a wrong result is never given instead. Lanes that have exited count as absent. A lane
 * that is not here gives shfl whatever its register holds, which PTX leaves undefined.
 */
#ifndef BL_EXEC_WARP_H
#define BL_EXEC_WARP_H

#include "model/alu_lanes.h"
#include "model/decode.h"

enum bl_sync_op {
    BL_SYNC_SHFL,
    BL_SYNC_VOTE,
    BL_SYNC_BALLOT,
    BL_SYNC_MATCH_ANY_32,
    BL_SYNC_MATCH_ALL_32,
    BL_SYNC_MATCH_ANY_64,
    BL_SYNC_MATCH_ALL_64,
    BL_SYNC_REDUX,
    BL_SYNC_ELECT
};

/* exec_warp_match.c */
bl_alu_fn bl_warp_match_any_32, bl_warp_match_all_32, bl_warp_match_any_64,
    bl_warp_match_all_64, bl_warp_redux;
bl_decode_fn bl_warp_match, bl_warp_redux_op;

/* `out` runs `op`: with the lane mask in operand n, if this is a .sync form. */
enum bl_status bl_warp_sync(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, enum bl_sync_op op, bool is_sync,
                            uint32_t n, struct bl_error *err);
/* The destination: d, or d|p. */
enum bl_status bl_warp_dest(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err);

/* The lanes that take part, as `lane` names them in slot `e`; BL_NO_SLOT: all that are
 * here. */
static inline uint32_t bl_warp_members(const uint8_t *frame, const struct bl_insn *in,
                                       uint32_t mask, int lane)
{
    return in->e == BL_NO_SLOT ? mask : BL_VIEW(const bl_u32, frame, in->e)[lane] & mask;
}

#endif
