/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/seen_set.h"

#include <stdlib.h>
#include <string.h>

void bl_seen_warp(struct bl_seen_warps *warps, uint64_t block, uint32_t warp)
{
    const uint64_t bit = UINT64_C(1) << warp;

    if (warps->block != block + 1) {
        warps->block = block + 1;
        warps->in_it = 0;
    }
    warps->count += !(warps->in_it & bit);
    warps->in_it |= bit;
}

/* FNV-1a by words, of what stands behind the hash up to the counts. */
static uint64_t hash_of(const struct bl_seen_pattern *pattern)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ pattern->mask;

    h = (h * UINT64_C(0x100000001b3)) ^ pattern->phase;
    for (int l = 0; l < 32; l++)
        h = (h * UINT64_C(0x100000001b3)) ^ pattern->delta[l];
    return h;
}

void bl_seen_pattern(uint64_t turn, uint32_t mask, const uint64_t address[32],
                     struct bl_seen_pattern *out)
{
    const uint64_t first = address[__builtin_ctz(mask)];

    memset(out, 0, sizeof *out);
    out->mask = mask;
    out->phase = (uint32_t)(first % turn);
    for (; mask; mask &= mask - 1) {
        const int l = __builtin_ctz(mask);

        out->delta[l] = address[l] - first;
    }
    out->hash = hash_of(out);
}

static bool is_same(const struct bl_seen_pattern *a, const struct bl_seen_pattern *b)
{
    return a->hash == b->hash && a->mask == b->mask && a->phase == b->phase &&
           memcmp(a->delta, b->delta, sizeof a->delta) == 0;
}

static enum bl_status append(struct bl_seen_set *set,
                             const struct bl_seen_pattern *pattern, struct bl_error *err)
{
    if (set->count == set->cap) {
        const size_t cap = set->cap ? 2 * set->cap : 4;
        struct bl_seen_pattern *at = realloc(set->at, cap * sizeof *at);

        if (!at)
            return bl_error_nomem(err);
        set->at = at;
        set->cap = cap;
    }
    set->at[set->count] = *pattern;
    set->at[set->count].executions = 0;
    set->at[set->count++].warps = (struct bl_seen_warps){0};
    return BL_OK;
}

enum bl_status bl_seen_set_find(struct bl_seen_set *set,
                                const struct bl_seen_pattern *pattern,
                                struct bl_seen_pattern **out, struct bl_error *err)
{
    *out = NULL;
    if (set->full)
        return BL_OK;
    /* From the end: what was seen last is seen again. */
    for (size_t i = set->count; i > 0; i--)
        if (is_same(&set->at[i - 1], pattern)) {
            *out = &set->at[i - 1];
            return BL_OK;
        }
    if (set->count == BL_SEEN_PATTERNS) {
        bl_seen_set_free(set);
        set->full = true;
        return BL_OK;
    }
    enum bl_status status = append(set, pattern, err);
    if (status == BL_OK)
        *out = &set->at[set->count - 1];
    return status;
}

enum bl_status bl_seen_set_add(struct bl_seen_set *set, const struct bl_seen_set *from,
                               struct bl_error *err)
{
    if (from->full) {
        bl_seen_set_free(set);
        set->full = true;
    }
    for (size_t i = 0; i < from->count && !set->full; i++) {
        struct bl_seen_pattern *to;
        enum bl_status status = bl_seen_set_find(set, &from->at[i], &to, err);

        if (status != BL_OK)
            return status;
        if (to) {
            to->executions += from->at[i].executions;
            to->warps.count += from->at[i].warps.count;
        }
    }
    return BL_OK;
}

void bl_seen_set_free(struct bl_seen_set *set)
{
    free(set->at);
    *set = (struct bl_seen_set){.full = set->full};
}
