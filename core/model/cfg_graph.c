/* SPDX-License-Identifier: Apache-2.0 */

#include "model/cfg_graph.h"

#include <stddef.h>
#include <stdlib.h>

bool bl_graph_init(struct bl_graph *graph, uint32_t node_count)
{
    *graph = (struct bl_graph){.node_count = node_count};
    graph->out_first = malloc(node_count * sizeof *graph->out_first);
    graph->in_first = malloc(node_count * sizeof *graph->in_first);
    if (!graph->out_first || !graph->in_first) {
        return false;
    }
    for (uint32_t i = 0; i < node_count; i++) {
        graph->out_first[i] = graph->in_first[i] = BL_GRAPH_NONE;
    }
    return true;
}

void bl_graph_free(struct bl_graph *graph)
{
    free(graph->out_first);
    free(graph->in_first);
    free(graph->out_next);
    free(graph->in_next);
    free(graph->from);
    free(graph->to);
    free(graph->dropped);
}

static bool grow_array(uint32_t **array, uint32_t room)
{
    uint32_t *grown = realloc(*array, room * sizeof *grown);

    if (grown) {
        *array = grown;
    }
    return grown != NULL;
}

static bool grow(struct bl_graph *graph)
{
    uint32_t room = graph->edge_room ? graph->edge_room * 2 : 64;
    bool *dropped = realloc(graph->dropped, room * sizeof *dropped);

    if (dropped) {
        graph->dropped = dropped;
    }
    if (!dropped || !grow_array(&graph->out_next, room) ||
        !grow_array(&graph->in_next, room) || !grow_array(&graph->from, room) ||
        !grow_array(&graph->to, room)) {
        return false;
    }
    graph->edge_room = room;
    return true;
}

bool bl_graph_edge(struct bl_graph *graph, uint32_t from, uint32_t to)
{
    uint32_t e = graph->edge_count;

    if (e == graph->edge_room && !grow(graph)) {
        return false;
    }
    graph->from[e] = from;
    graph->to[e] = to;
    graph->dropped[e] = false;
    graph->out_next[e] = graph->out_first[from];
    graph->out_first[from] = e;
    graph->in_next[e] = graph->in_first[to];
    graph->in_first[to] = e;
    graph->edge_count++;
    return true;
}

bool bl_graph_reach(const struct bl_graph *graph, uint32_t node, bool *reached)
{
    uint32_t *todo = malloc(graph->node_count * sizeof *todo);
    uint32_t left = 0;

    if (!todo) {
        return false;
    }
    reached[node] = true;
    todo[left++] = node;
    while (left > 0) {
        uint32_t at = todo[--left];
        for (uint32_t e = graph->in_first[at]; e != BL_GRAPH_NONE;
             e = graph->in_next[e]) {
            if (!graph->dropped[e] && !reached[graph->from[e]]) {
                reached[graph->from[e]] = true;
                todo[left++] = graph->from[e];
            }
        }
    }
    free(todo);
    return true;
}

/* ---- dominators --------------------------------------------------------------------
 *
 * Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979),
 * the simple version: O(edges * log nodes), no recursion. Nodes are named by the order
 * in which a depth-first search from the exit, against the edges, finds them.
 */

struct dom {
    const struct bl_graph *graph;
    uint32_t count;   /* nodes that were found */
    uint32_t *number; /* of a node: its order, or NONE */
    uint32_t *node;   /* of an order: its node. From here on all are orders: */
    uint32_t *parent; /* in the search tree */
    uint32_t *semi;   /* semidominator */
    uint32_t *idom;
    uint32_t *ancestor; /* in the forest of nodes that are done; NONE: a root */
    uint32_t *label;    /* the node with the least semi on the way to the root */
    uint32_t *bucket;   /* nodes whose semidominator this is: first, … */
    uint32_t *bucket_next;
    uint32_t *stack;
};

static void search(struct dom *d, uint32_t exit)
{
    const struct bl_graph *g = d->graph;
    uint32_t *edge = d->bucket; /* the next edge of each node on the way; free for now */
    uint32_t depth = 0;

    d->number[exit] = 0;
    d->node[0] = exit;
    d->parent[0] = 0;
    d->count = 1;
    d->stack[depth++] = exit;
    edge[exit] = g->in_first[exit];
    while (depth > 0) {
        uint32_t at = d->stack[depth - 1];
        uint32_t e = edge[at], from;

        if (e == BL_GRAPH_NONE) {
            depth--;
            continue;
        }
        edge[at] = g->in_next[e];
        from = g->from[e];
        if (g->dropped[e] || d->number[from] != BL_GRAPH_NONE) {
            continue;
        }
        d->number[from] = d->count;
        d->node[d->count] = from;
        d->parent[d->count] = d->number[at];
        d->count++;
        edge[from] = g->in_first[from];
        d->stack[depth++] = from;
    }
}

/* The node with the least semidominator between v and its root, which itself doesn't
 * count; shortens the way for the next time. */
static uint32_t eval(struct dom *d, uint32_t v)
{
    uint32_t depth = 0;

    if (d->ancestor[v] == BL_GRAPH_NONE) {
        return d->label[v];
    }
    for (uint32_t w = v; d->ancestor[d->ancestor[w]] != BL_GRAPH_NONE;
         w = d->ancestor[w]) {
        d->stack[depth++] = w;
    }
    while (depth > 0) {
        uint32_t w = d->stack[--depth], a = d->ancestor[w];
        if (d->semi[d->label[a]] < d->semi[d->label[w]]) {
            d->label[w] = d->label[a];
        }
        d->ancestor[w] = d->ancestor[a];
    }
    return d->label[v];
}

static void solve(struct dom *d)
{
    const struct bl_graph *g = d->graph;

    for (uint32_t i = 0; i < d->count; i++) {
        d->semi[i] = d->label[i] = i;
        d->ancestor[i] = d->bucket[i] = BL_GRAPH_NONE;
    }
    for (uint32_t w = d->count; w-- > 1;) {
        for (uint32_t e = g->out_first[d->node[w]]; e != BL_GRAPH_NONE;
             e = g->out_next[e]) {
            uint32_t v = d->number[g->to[e]], u;
            if (g->dropped[e] || v == BL_GRAPH_NONE) {
                continue;
            }
            u = eval(d, v);
            if (d->semi[u] < d->semi[w]) {
                d->semi[w] = d->semi[u];
            }
        }
        d->bucket_next[w] = d->bucket[d->semi[w]];
        d->bucket[d->semi[w]] = w;
        d->ancestor[w] = d->parent[w];
        for (uint32_t v = d->bucket[d->parent[w]]; v != BL_GRAPH_NONE;
             v = d->bucket_next[v]) {
            uint32_t u = eval(d, v);
            d->idom[v] = d->semi[u] < d->semi[v] ? u : d->parent[w];
        }
        d->bucket[d->parent[w]] = BL_GRAPH_NONE;
    }
    for (uint32_t w = 1; w < d->count; w++) {
        if (d->idom[w] != d->semi[w]) {
            d->idom[w] = d->idom[d->idom[w]];
        }
    }
}

uint32_t *bl_graph_dominators(const struct bl_graph *graph, uint32_t exit)
{
    size_t n = graph->node_count;
    uint32_t *room = malloc(10 * n * sizeof *room);
    uint32_t *result = malloc(n * sizeof *result);
    struct dom d = {.graph = graph};

    if (!room || !result) {
        free(room);
        free(result);
        return NULL;
    }
    d.number = room;
    d.node = room + n;
    d.parent = room + 2 * n;
    d.semi = room + 3 * n;
    d.idom = room + 4 * n;
    d.ancestor = room + 5 * n;
    d.label = room + 6 * n;
    d.bucket = room + 7 * n;
    d.bucket_next = room + 8 * n;
    d.stack = room + 9 * n;
    for (size_t i = 0; i < n; i++) {
        d.number[i] = result[i] = BL_GRAPH_NONE;
    }
    search(&d, exit);
    solve(&d);
    for (uint32_t w = 1; w < d.count; w++) {
        result[d.node[w]] = d.node[d.idom[w]];
    }
    free(room);
    return result;
}
