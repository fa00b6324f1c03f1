/* SPDX-License-Identifier: Apache-2.0
 *
 * cfg_graph.h - a small directed graph, and dominators in its reverse.
 */
#ifndef BL_CFG_GRAPH_H
#define BL_CFG_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define BL_GRAPH_NONE UINT32_MAX

/* Edges in arrays; each node chains those that leave it and those that enter it. */
struct bl_graph {
    uint32_t node_count, edge_count, edge_room;
    uint32_t *out_first, *in_first; /* of a node */
    uint32_t *out_next, *in_next;   /* of an edge */
    uint32_t *from, *to;
    bool *dropped; /* the edge doesn't count any more */
};

/* False if memory ran out. Either way the graph ends with bl_graph_free. */
bool bl_graph_init(struct bl_graph *graph, uint32_t node_count);
bool bl_graph_edge(struct bl_graph *graph, uint32_t from, uint32_t to);
void bl_graph_free(struct bl_graph *graph);

/* Marks in `reached` (one a node) `node` and all nodes from which it can be reached.
 * Nodes that are marked already are not looked into again. */
bool bl_graph_reach(const struct bl_graph *graph, uint32_t node, bool *reached);

/* For each node the one that immediately post-dominates it: that every path to `exit`
 * goes through first. BL_GRAPH_NONE for the exit and for what doesn't reach it. Fresh;
 * NULL if memory ran out. */
uint32_t *bl_graph_dominators(const struct bl_graph *graph, uint32_t exit);

#endif
