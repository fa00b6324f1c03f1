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
#include "work/kind.h"

struct bl_verdict_detail {
    bool ok;
    uint64_t wrong;     /* elements that differ */
    uint64_t unwritten; /* of those, how many still hold the poison */
    uint64_t row, col;  /* of the first wrong one, in the output's own shape */
    char text[256];     /* "1,234 of 4,194,304 elements wrong, first at row 0 column 32:
                           expected 0x…, got 0x… (never written)"; empty when ok */
};

/* `poison` is what the output held before the run, as bl_regions_fill wrote it. */
void bl_verify(const struct bl_kind *kind, const struct banklab_problem *problem,
               const void *expected, const void *got, uint64_t seed,
               struct bl_verdict_detail *out);

#endif
