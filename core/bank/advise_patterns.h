/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_patterns.h - the distinct patterns of access that one worker sees. For
 * advise_watch.c alone.
 */
#ifndef BL_ADVISE_PATTERNS_H
#define BL_ADVISE_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/ptx.h"

struct bl_pattern {
    const struct bl_ptx_insn *insn;
    bool is_store;
    uint32_t width, mask, warp;
    uint64_t times;
    uint32_t address[32]; /* 0 where not in the mask */
};

struct bl_patterns {
    struct bl_pattern *at;
    size_t count, room;
    uint32_t *buckets; /* index + 1 */
    uint64_t others;
};

/* Adds to `times` of the pattern, 1 where it is new; its warp is the least that was seen.
 * BL_E_UNSUPPORTED: there are too many. All zero has none. */
enum bl_status bl_patterns_count(struct bl_patterns *patterns,
                                 const struct bl_pattern *pattern, struct bl_error *err);
void bl_patterns_free(struct bl_patterns *patterns);

#endif
