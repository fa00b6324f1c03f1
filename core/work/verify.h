/* SPDX-License-Identifier: Apache-2.0
 *
 * verify.h - compares every element of the output, bit for bit.
 */
#ifndef BL_VERIFY_H
#define BL_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "banklab/plugin.h"
#include "base/error.h"
#include "work/buffers.h"
#include "work/kind.h"

struct bl_verdict_detail {
    bool ok;
    uint64_t wrong;     /* elements that differ */
    uint64_t unwritten; /* of those, how many still hold the poison */
    uint64_t matrix;    /* of the batch, where the first wrong one is */
    uint64_t row, col;  /* of the first wrong one, in the output's own shape */
    char text[256];     /* "1,234 of 4,194,304 elements wrong (1,200 never written), first
                           at row 0 column 32: expected 0x…, got 0x… (never written)",
                           of a batch "first at matrix 3 row 0 column 32"; empty when
                           ok */
};

/* Compares `got`, poisoned before the run by bl_regions_poison with `seed`, with
 * `expected`. An element that still holds its poison counts as never written; a wrong
 * value of 1 byte may look so by luck, 1 in 255. */
void bl_verify(const struct bl_kind *kind, const struct banklab_problem *problem,
               const void *expected, const void *got, uint64_t seed,
               struct bl_verdict_detail *out);

/* In-kernel clock readings (struct banklab_clock) left in `region`: the median over
 * blocks. BL_E_FAULT if a warp left none, or one that ends before it starts. */
enum bl_status bl_clock_read(const struct banklab_clock *clock,
                             const struct bl_region *region, uint64_t seed,
                             double *cycles_per_access, struct bl_error *err);

#endif
