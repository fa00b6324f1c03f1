/* SPDX-License-Identifier: Apache-2.0
 *
 * clears.c - which registers must be cleared when a function is entered.
 *
 * A register that some path reads before it writes it has no defined value in PTX.
 * Frames are used again for block after block, so that such a read would see what an
 * earlier block left, and results would depend on how blocks fell on workers. These
 * registers, those live at the entry, are cleared; all others needn't be.
 */
#include <stdlib.h>
#include <string.h>

#include "model/decoder.h"

struct flow {
    uint32_t blocks, words;
    uint32_t *block_of; /* by instruction */
    uint32_t *last;     /* last instruction of each block */
    uint64_t *use, *kill, *in;
};

static uint64_t *row(uint64_t *set, const struct flow *flow, uint32_t block)
{
    return set + (size_t)block * flow->words;
}

static bool is_branch(const struct bl_code *code, uint32_t i)
{
    return code->insns[i].step == bl_step_bra || code->insns[i].step == bl_step_brx;
}

static bool ends_block(const struct bl_code *code, uint32_t i)
{
    return is_branch(code, i) || code->insns[i].step == bl_step_ret ||
           code->insns[i].step == bl_step_exit;
}

/* Marks first instructions in block_of, then numbers the blocks. */
static void split(const struct bl_code *code, struct flow *flow)
{
    uint32_t *first = flow->block_of;
    first[0] = 1;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct bl_insn *in = &code->insns[i];
        if (in->step == bl_step_bra)
            first[in->extra] = 1;
        if (in->step == bl_step_brx)
            for (uint32_t t = 0; t < code->brxs[in->extra].count; t++)
                first[code->brxs[in->extra].targets[t]] = 1;
        if (ends_block(code, i) && i + 1 < code->count)
            first[i + 1] = 1;
    }
    flow->blocks = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        flow->blocks += first[i];
        flow->block_of[i] = flow->blocks - 1;
    }
}

static void gather(const struct bl_decoder *dec, struct flow *flow)
{
    for (size_t i = 0; i < dec->touch_count; i++) {
        const struct bl_touch *t = &dec->touches[i];
        uint32_t block = flow->block_of[t->insn];
        uint64_t bit = UINT64_C(1) << (t->reg & 63);
        uint64_t *use = row(flow->use, flow, block) + t->reg / 64;
        uint64_t *kill = row(flow->kill, flow, block) + t->reg / 64;
        if (!t->writes && !(*kill & bit))
            *use |= bit;
        /* A result asked for before an operand is still written after it is read. */
        if (t->writes && dec->code->insns[t->insn].pred == BL_NO_SLOT) {
            for (size_t j = i + 1; j < dec->touch_count; j++) {
                const struct bl_touch *u = &dec->touches[j];
                if (u->insn != t->insn)
                    break;
                if (!u->writes && u->reg == t->reg && !(*kill & bit))
                    *use |= bit;
            }
            *kill |= bit;
        }
    }
}

/* in[from] gets what is live at the start of the block of instruction `to`. */
static bool flow_in(struct flow *flow, uint32_t from, uint32_t to)
{
    uint64_t *in = row(flow->in, flow, from);
    const uint64_t *next = row(flow->in, flow, flow->block_of[to]);
    const uint64_t *kill = row(flow->kill, flow, from);
    bool changed = false;
    for (uint32_t w = 0; w < flow->words; w++) {
        uint64_t more = in[w] | (next[w] & ~kill[w]);
        changed |= more != in[w];
        in[w] = more;
    }
    return changed;
}

static void solve(const struct bl_code *code, struct flow *flow)
{
    bool changed = true;
    memcpy(flow->in, flow->use, (size_t)flow->blocks * flow->words * sizeof *flow->in);
    for (uint32_t i = 0; i < code->count; i++)
        flow->last[flow->block_of[i]] = i;
    while (changed) {
        changed = false;
        for (uint32_t b = flow->blocks; b-- > 0;) {
            uint32_t i = flow->last[b];
            const struct bl_insn *in = &code->insns[i];
            if (in->step == bl_step_bra)
                changed |= flow_in(flow, b, in->extra);
            if (in->step == bl_step_brx)
                for (uint32_t t = 0; t < code->brxs[in->extra].count; t++)
                    changed |= flow_in(flow, b, code->brxs[in->extra].targets[t]);
            if (i + 1 < code->count && (in->pred != BL_NO_SLOT || !ends_block(code, i)))
                changed |= flow_in(flow, b, i + 1);
        }
    }
}

static enum bl_status add_clear(struct bl_code *code, uint32_t at, uint32_t bytes,
                                struct bl_error *err)
{
    struct bl_clear *last =
        code->clear_count ? &code->clears[code->clear_count - 1] : NULL;
    enum bl_status st;
    if (last && last->at + last->bytes == at) {
        last->bytes += bytes;
        return BL_OK;
    }
    st = bl_grow(&code->clears, code->clear_count, &code->clear_cap, sizeof *code->clears,
                 err);
    if (st == BL_OK)
        code->clears[code->clear_count++] = (struct bl_clear){.at = at, .bytes = bytes};
    return st;
}

enum bl_status bl_dec_clears(struct bl_decoder *dec, struct bl_error *err)
{
    struct bl_code *code = dec->code;
    const struct bl_ptx_func *func = dec->func;
    struct flow flow = {.words = (uint32_t)(func->reg_count / 64 + 1)};
    enum bl_status st = BL_OK;
    size_t cells;
    flow.block_of = calloc(code->count, sizeof *flow.block_of);
    if (!flow.block_of)
        return bl_error_nomem(err);
    split(code, &flow);
    cells = (size_t)flow.blocks * flow.words;
    flow.last = calloc(flow.blocks, sizeof *flow.last);
    flow.use = calloc(3 * cells, sizeof *flow.use);
    if (!flow.last || !flow.use) {
        st = bl_error_nomem(err);
        goto out;
    }
    flow.kill = flow.use + cells;
    flow.in = flow.kill + cells;
    gather(dec, &flow);
    solve(code, &flow);
    for (size_t r = 0; r < func->reg_count && st == BL_OK; r++)
        if (flow.in[r / 64] >> (r & 63) & 1)
            st = add_clear(code, dec->reg_slots[r],
                           bl_slot_bytes(bl_ptx_type_bytes(func->regs[r].type)), err);
out:
    free(flow.block_of);
    free(flow.last);
    free(flow.use);
    return st;
}
