/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_control.c - branches, ends, traps, fences. (Calls: exec_call.c. Barriers:
 * exec_barrier.c.)
 */
#include <stdlib.h>

#include "model/block.h"
#include "model/decoder.h"
#include "model/exec_control.h"
#include "model/fault.h"
#include "model/watch_tell.h"

enum bl_flow bl_step_bra(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask)
{
    return bl_warp_branch(warp, in, mask, in->extra);
}

static enum bl_status decode_bra(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"uni", NULL};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 1, 1, err);
    if (st)
        return st;
    if (src->operands[0].kind != BL_OPND_LABEL)
        return bl_dec_unknown(dec, src, "needs a label", err);
    out->step = bl_step_bra;
    out->extra = src->operands[0].target;
    return BL_OK;
}

enum bl_flow bl_step_brx(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask)
{
    const struct bl_brx_op *op = &warp->code->brxs[in->extra];
    const uint32_t *index = BL_SLOT(const uint32_t, warp->frame, in->a);
    uint32_t target[BL_LANES];
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (!(mask >> l & 1)) {
            target[l] = warp->pc + 1;
            continue;
        }
        if (index[l] >= op->count)
            return bl_fault(warp, in, (int)l,
                            "index %u is outside of the branch table, which has %u "
                            "targets",
                            index[l], op->count);
        target[l] = op->targets[index[l]];
    }
    return bl_warp_branch_many(warp, in, target);
}

static enum bl_status decode_brx(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"idx", "uni", NULL};
    struct bl_code *code = dec->code;
    const struct bl_ptx_operand *table;
    struct bl_brx_op *op;
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 2, 2, err);
    if (st == BL_OK)
        st = bl_dec_source(dec, src, 0, BL_T_U32, false, &out->a, err);
    if (st == BL_OK)
        st = bl_grow(&code->brxs, code->brx_count, &code->brx_cap, sizeof *op, err);
    if (st)
        return st;
    table = &src->operands[1];
    if (table->kind != BL_OPND_TABLE)
        return bl_dec_unknown(dec, src, "needs a list of targets", err);
    op = &code->brxs[code->brx_count];
    op->targets = malloc((table->count + 1) * sizeof *op->targets);
    if (!op->targets)
        return bl_error_nomem(err);
    op->count = table->count;
    for (uint32_t i = 0; i < table->count; i++)
        op->targets[i] = table->list[i].target;
    out->step = bl_step_brx;
    out->extra = (uint32_t)code->brx_count++;
    return BL_OK;
}

enum bl_flow bl_step_ret(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask)
{
    return bl_warp_return(warp, in, mask);
}

enum bl_flow bl_step_exit(struct bl_warp *warp, const struct bl_insn *in, uint32_t mask)
{
    (void)in;
    warp->pc++;
    return bl_warp_exit(warp, mask);
}

static enum bl_flow step_trap(struct bl_warp *warp, const struct bl_insn *in,
                              uint32_t mask)
{
    return bl_fault(warp, in, __builtin_ctz(mask),
                    "trap: the kernel stopped itself (__trap() or a failed check)");
}

enum bl_flow bl_step_nothing(struct bl_warp *warp, const struct bl_insn *in,
                             uint32_t mask)
{
    (void)warp;
    (void)in;
    (void)mask;
    return BL_FLOW_NEXT;
}

static enum bl_status decode_plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, bl_step_fn *step,
                                   struct bl_error *err)
{
    static const char *const known[] = {"uni", NULL};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    out->step = step;
    return st ? st : bl_dec_count(dec, src, 0, 0, err);
}

static enum bl_status decode_ret(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                 struct bl_insn *out, struct bl_error *err)
{
    return decode_plain(dec, src, out, bl_step_ret, err);
}

static enum bl_status decode_exit(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    return decode_plain(dec, src, out, bl_step_exit, err);
}

static enum bl_status decode_trap(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                  struct bl_insn *out, struct bl_error *err)
{
    return decode_plain(dec, src, out, step_trap, err);
}

/* Blocks share memory of the host: its own fence is due where a kernel asks for one. */
static enum bl_flow step_fence(struct bl_warp *warp, const struct bl_insn *in,
                               uint32_t mask)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return warp->block->launch->watcher
               ? bl_watch_tell_lanes(warp, in, BL_WATCH_FENCE, mask, 0)
               : BL_FLOW_NEXT;
}

static enum bl_status decode_fence(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                   struct bl_insn *out, struct bl_error *err)
{
    static const char *const known[] = {"sc",
                                        "acq_rel",
                                        "acquire",
                                        "release",
                                        "cta",
                                        "cluster",
                                        "gpu",
                                        "gl",
                                        "sys",
                                        "proxy",
                                        "async",
                                        "mbarrier_init",
                                        "global",
                                        "shared::cta",
                                        "shared::cluster",
                                        "async.shared::cta",
                                        NULL};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    out->step = step_fence;
    return st ? st : bl_dec_count(dec, src, 0, 0, err);
}

/* Sleeping costs no time here: the model's clock counts instructions. */
static enum bl_status decode_nanosleep(struct bl_decoder *dec,
                                       const struct bl_ptx_insn *src, struct bl_insn *out,
                                       struct bl_error *err)
{
    static const char *const known[] = {NULL};
    enum bl_status st = bl_dec_known(src, known, dec, err);
    if (st == BL_OK)
        st = bl_dec_count(dec, src, 1, 1, err);
    out->step = bl_step_nothing;
    return st ? st : bl_dec_source(dec, src, 0, BL_T_U32, false, &out->a, err);
}

const struct bl_op_entry bl_ops_control[] = {{"bra", decode_bra},
                                             {"brx", decode_brx},
                                             {"call", bl_decode_call},
                                             {"ret", decode_ret},
                                             {"exit", decode_exit},
                                             {"trap", decode_trap},
                                             {"brkpt", decode_trap},
                                             {"bar", bl_decode_bar},
                                             {"barrier", bl_decode_bar},
                                             {"membar", decode_fence},
                                             {"fence", decode_fence},
                                             {"nanosleep", decode_nanosleep},
                                             {NULL, NULL}};
