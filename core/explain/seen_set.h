/* SPDX-License-Identifier: Apache-2.0
 *
 * seen_set.h - inside of seen.c: the patterns of one instruction, counted.
 */
#ifndef BL_SEEN_SET_H
#define BL_SEEN_SET_H

#include "explain/seen.h"

/* Warps that did something, each counted once. Those of a block come together. */
struct bl_seen_warps {
    uint64_t count;
    uint64_t block; /* the latest one, plus 1 */
    uint64_t in_it; /* bit w: warp w of it is counted */
};

struct bl_seen_pattern {
    uint64_t hash;
    uint32_t mask, phase;
    uint64_t delta[32]; /* from the first active lane's address */
    uint64_t executions;
    struct bl_seen_warps warps;
};

struct bl_seen_set {
    struct bl_seen_pattern *at;
    size_t count, cap;
    bool full; /* there were more than BL_SEEN_PATTERNS, and it no longer counts */
};

void bl_seen_warp(struct bl_seen_warps *warps, uint64_t block, uint32_t warp);

/* The pattern of addresses that can be moved by `turn` bytes (model/access.h); counts are
 * 0. */
void bl_seen_pattern(uint64_t turn, uint32_t mask, const uint64_t address[32],
                     struct bl_seen_pattern *out);

/* The equal one in the set, added with no counts if there is none. NULL in *out: the set
 * is full. */
enum bl_status bl_seen_set_find(struct bl_seen_set *set,
                                const struct bl_seen_pattern *pattern,
                                struct bl_seen_pattern **out, struct bl_error *err);
/* Adds the counts of `from`, whose blocks are others. */
enum bl_status bl_seen_set_add(struct bl_seen_set *set, const struct bl_seen_set *from,
                               struct bl_error *err);
void bl_seen_set_free(struct bl_seen_set *set);

#endif
