/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/advise_patterns.h"

#include <stdlib.h>
#include <string.h>

/* Patterns of a case. Where there are more they depend on the data, and no layout that
 * was found for some would hold for all. */
enum { PATTERNS_MOST = 16384, BUCKETS = 32768 };

static uint32_t hash_of(const struct bl_pattern *pattern)
{
    uint64_t h = (uintptr_t)pattern->insn ^ (uint64_t)pattern->mask << 32;

    for (int l = 0; l < 32; l++)
        h = (h ^ pattern->address[l]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 40);
}

static bool same(const struct bl_pattern *a, const struct bl_pattern *b)
{
    return a->insn == b->insn && a->mask == b->mask && a->width == b->width &&
           a->is_store == b->is_store &&
           memcmp(a->address, b->address, sizeof a->address) == 0;
}

static enum bl_status grow(struct bl_patterns *patterns, struct bl_error *err)
{
    const size_t room = patterns->room ? 2 * patterns->room : 64;
    struct bl_pattern *at = realloc(patterns->at, room * sizeof *at);

    if (!at)
        return bl_error_nomem(err);
    patterns->at = at;
    patterns->room = room;
    if (!patterns->buckets)
        patterns->buckets = calloc(BUCKETS, sizeof *patterns->buckets);
    return patterns->buckets ? BL_OK : bl_error_nomem(err);
}

enum bl_status bl_patterns_count(struct bl_patterns *patterns,
                                 const struct bl_pattern *pattern, struct bl_error *err)
{
    uint32_t bucket = hash_of(pattern) % BUCKETS;
    enum bl_status status = BL_OK;

    for (; patterns->buckets && patterns->buckets[bucket] != 0;
         bucket = (bucket + 1) % BUCKETS) {
        struct bl_pattern *known = &patterns->at[patterns->buckets[bucket] - 1];

        if (!same(known, pattern))
            continue;
        known->times++;
        if (pattern->warp < known->warp)
            known->warp = pattern->warp;
        return BL_OK;
    }
    if (patterns->count == PATTERNS_MOST)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "more than %d different patterns of access: they depend on "
                            "the data, or on the block; a smaller problem has fewer",
                            PATTERNS_MOST);
    if (patterns->count == patterns->room)
        status = grow(patterns, err);
    if (status != BL_OK)
        return status;
    patterns->at[patterns->count++] = *pattern;
    patterns->buckets[bucket] = (uint32_t)patterns->count;
    return BL_OK;
}

void bl_patterns_free(struct bl_patterns *patterns)
{
    free(patterns->at);
    free(patterns->buckets);
    *patterns = (struct bl_patterns){.count = 0};
}
