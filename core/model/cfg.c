/* SPDX-License-Identifier: Apache-2.0
 *
 * The flow graph of a function, and from it where diverged lanes meet again.
 *
 * Lanes that leave are gone, so nobody has to wait for them: a branch of which one side
 * goes straight to an exit, as an early return does, reconverges where its other side
 * begins. Without that rule, one early return in a nested block would keep the lanes
 * apart to the function's end, which hardware doesn't do.
 */

#include "model/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "model/cfg_graph.h"

enum flow { FLOW_ON, FLOW_BRANCH, FLOW_LEAVE };

static enum flow flow_of(const struct bl_ptx_insn *insn)
{
    if (strcmp(insn->op, "bra") == 0 || strcmp(insn->op, "brx") == 0) {
        return FLOW_BRANCH;
    }
    if (strcmp(insn->op, "ret") == 0 || strcmp(insn->op, "exit") == 0 ||
        strcmp(insn->op, "trap") == 0) {
        return FLOW_LEAVE;
    }
    return FLOW_ON;
}

/* The branch's targets: one operand, or the list of a table. */
static const struct bl_ptx_operand *targets_of(const struct bl_ptx_insn *insn,
                                               uint32_t *count)
{
    const struct bl_ptx_operand *last =
        insn->operand_count > 0 ? &insn->operands[insn->operand_count - 1] : NULL;

    if (!last || (last->kind != BL_OPND_LABEL && last->kind != BL_OPND_TABLE)) {
        *count = 0;
        return NULL;
    }
    *count = last->kind == BL_OPND_TABLE ? last->count : 1;
    return last->kind == BL_OPND_TABLE ? last->list : last;
}

/* ---- blocks -------------------------------------------------------------- */

struct blocks {
    uint32_t *first; /* a block's first instruction; [count] is insn_count */
    uint32_t *of;    /* an instruction's block */
    uint32_t count;
};

static void blocks_free(struct blocks *b)
{
    free(b->first);
    free(b->of);
}

static bool blocks_find(const struct bl_ptx_func *func, struct blocks *b)
{
    size_t n = func->insn_count;
    uint32_t block = 0;

    b->of = calloc(n + 1, sizeof *b->of);
    b->first = calloc(n + 1, sizeof *b->first);
    if (!b->of || !b->first) {
        return false;
    }
    b->of[0] = 1; /* for now: a block begins here */
    for (size_t i = 0; i < n; i++) {
        uint32_t count = 0;
        const struct bl_ptx_operand *targets;

        if (flow_of(&func->insns[i]) == FLOW_ON) {
            continue;
        }
        b->of[i + 1] = 1;
        targets = targets_of(&func->insns[i], &count);
        for (uint32_t t = 0; t < count; t++) {
            if (targets[t].target < n) {
                b->of[targets[t].target] = 1;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (b->of[i]) {
            b->first[block++] = (uint32_t)i;
        }
        b->of[i] = block - 1;
    }
    b->first[block] = (uint32_t)n;
    b->count = block;
    return true;
}

/* ---- edges --------------------------------------------------------------- */

static const struct bl_ptx_insn *last_of(const struct bl_ptx_func *func,
                                         const struct blocks *b, uint32_t block)
{
    return &func->insns[b->first[block + 1] - 1];
}

static uint32_t block_at(const struct bl_ptx_func *func, const struct blocks *b,
                         size_t insn)
{
    return insn < func->insn_count ? b->of[insn] : b->count;
}

/* All edges, the exit being node b->count. False if memory ran out. */
static bool edges_add(const struct bl_ptx_func *func, const struct blocks *b,
                      struct bl_graph *graph)
{
    for (uint32_t block = 0; block < b->count; block++) {
        const struct bl_ptx_insn *last = last_of(func, b, block);
        enum flow flow = flow_of(last);
        uint32_t count = 0;
        const struct bl_ptx_operand *targets = targets_of(last, &count);
        bool ok = true;

        for (uint32_t t = 0; flow == FLOW_BRANCH && ok && t < count; t++) {
            ok = bl_graph_edge(graph, block, block_at(func, b, targets[t].target));
        }
        if (flow == FLOW_LEAVE || (flow == FLOW_BRANCH && count == 0)) {
            ok = ok && bl_graph_edge(graph, block, b->count);
        }
        if (flow == FLOW_ON || last->pred >= 0) {
            ok =
                ok && bl_graph_edge(graph, block, block_at(func, b, b->first[block + 1]));
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

enum { STAYS, LEAVES, ONLY_LEAVES };

/* How a block goes on. LEAVES: by one way alone, straight to an exit, and no more than
 * one block leads to it. ONLY_LEAVES: it is nothing but an exit, whoever leads to it. */
static uint8_t *ranks_find(const struct bl_ptx_func *func, const struct blocks *b,
                           const struct bl_graph *graph)
{
    uint8_t *rank = calloc(b->count + 1, sizeof *rank);
    uint32_t *preds = calloc(b->count + 1, sizeof *preds);
    uint32_t *todo = calloc(b->count + 1, sizeof *todo);
    uint32_t left = 0;

    if (!rank || !preds || !todo) {
        free(rank);
        rank = NULL;
        goto out;
    }
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        preds[graph->to[e]]++;
    }
    rank[b->count] = ONLY_LEAVES;
    todo[left++] = b->count;
    while (left > 0) {
        uint32_t node = todo[--left];
        for (uint32_t e = graph->in_first[node]; e != BL_GRAPH_NONE;
             e = graph->in_next[e]) {
            uint32_t from = graph->from[e];
            bool bare = b->first[from + 1] - b->first[from] == 1 &&
                        flow_of(last_of(func, b, from)) == FLOW_LEAVE;
            if (rank[from] == STAYS &&
                graph->out_next[graph->out_first[from]] == BL_GRAPH_NONE &&
                (bare || preds[from] <= 1)) {
                rank[from] = bare ? ONLY_LEAVES : LEAVES;
                todo[left++] = from;
            }
        }
    }
out:
    free(preds);
    free(todo);
    return rank;
}

/* Of several ways on, drops those that leave in favour of those that leave less. */
static void leaving_drop(const struct blocks *b, struct bl_graph *graph,
                         const uint8_t *rank)
{
    for (uint32_t block = 0; block < b->count; block++) {
        uint8_t least = ONLY_LEAVES;

        for (uint32_t e = graph->out_first[block]; e != BL_GRAPH_NONE;
             e = graph->out_next[e]) {
            least = rank[graph->to[e]] < least ? rank[graph->to[e]] : least;
        }
        for (uint32_t e = graph->out_first[block]; e != BL_GRAPH_NONE;
             e = graph->out_next[e]) {
            graph->dropped[e] = rank[graph->to[e]] > least;
        }
    }
}

/* Takes back what was dropped at a block, of that rank; false if there was nothing. */
static bool take_back(struct bl_graph *graph, uint32_t block, const uint8_t *rank,
                      uint8_t of)
{
    bool any = false;

    for (uint32_t e = graph->out_first[block]; e != BL_GRAPH_NONE;
         e = graph->out_next[e]) {
        if (graph->dropped[e] && rank[graph->to[e]] == of) {
            graph->dropped[e] = false;
            any = true;
        }
    }
    return any;
}

/* Whether a loop begins at the block, or jumps back from it: one of the two asks whether
 * the loop goes on, and what leaves in between is an early return. */
static bool bounds_loop(const struct bl_graph *graph, uint32_t block)
{
    for (uint32_t e = graph->out_first[block]; e != BL_GRAPH_NONE;
         e = graph->out_next[e]) {
        if (graph->to[e] <= block) {
            return true;
        }
    }
    for (uint32_t e = graph->in_first[block]; e != BL_GRAPH_NONE; e = graph->in_next[e]) {
        if (graph->from[e] >= block) {
            return true;
        }
    }
    return false;
}

/* Every block must reach the exit. A loop whose way out was dropped gets it back: what
 * comes after a loop is where its lanes meet. First at the bounds of loops, and the last
 * in the text first, since that is where a loop is left as a rule. A loop without a way
 * out gets one where it jumps back, the last of its blocks. */
static bool loops_open(const struct blocks *b, struct bl_graph *graph,
                       const uint8_t *rank)
{
    bool *reached = calloc(b->count + 1, sizeof *reached);
    bool ok = reached && bl_graph_reach(graph, b->count, reached);

    for (uint32_t turn = 0; turn < 4; turn++) {
        uint8_t of = turn < 2 ? LEAVES : ONLY_LEAVES;
        bool anywhere = turn % 2;

        for (uint32_t i = b->count; ok && i-- > 0;) {
            if (!reached[i] && (anywhere || bounds_loop(graph, i)) &&
                take_back(graph, i, rank, of)) {
                ok = bl_graph_reach(graph, i, reached);
            }
        }
    }
    for (uint32_t i = b->count; ok && i-- > 0;) {
        if (!reached[i]) {
            ok = bl_graph_edge(graph, i, b->count) && bl_graph_reach(graph, i, reached);
        }
    }
    free(reached);
    return ok;
}

/* ---- the answer ---------------------------------------------------------------------
 */

static bool graph_build(const struct bl_ptx_func *func, const struct blocks *b,
                        struct bl_graph *graph)
{
    uint8_t *rank;
    bool ok;

    if (!bl_graph_init(graph, b->count + 1) || !edges_add(func, b, graph)) {
        return false;
    }
    rank = ranks_find(func, b, graph);
    if (!rank) {
        return false;
    }
    leaving_drop(b, graph, rank);
    ok = loops_open(b, graph, rank);
    free(rank);
    return ok;
}

enum bl_status bl_cfg_reconverge(const struct bl_ptx_func *func, uint32_t **out,
                                 struct bl_error *err)
{
    struct blocks b = {0};
    struct bl_graph graph = {0};
    uint32_t *meet = calloc(func->insn_count + 1, sizeof *meet);
    uint32_t *ipdom = NULL;
    enum bl_status status = BL_OK;

    if (!meet || !blocks_find(func, &b) || !graph_build(func, &b, &graph)) {
        status = bl_error_nomem(err);
        goto out;
    }
    ipdom = bl_graph_dominators(&graph, b.count);
    if (!ipdom) {
        status = bl_error_nomem(err);
        goto out;
    }
    for (size_t i = 0; i < func->insn_count; i++) {
        uint32_t block = ipdom[b.of[i]];
        meet[i] = flow_of(&func->insns[i]) == FLOW_BRANCH && block < b.count
                      ? b.first[block]
                      : BL_CFG_EXIT;
    }
    *out = meet;
    meet = NULL;
out:
    free(meet);
    free(ipdom);
    blocks_free(&b);
    bl_graph_free(&graph);
    return status;
}
