/* SPDX-License-Identifier: Apache-2.0
 *
 * moved.h - where the elements went that are at a wrong place: by that, a wrong result
 * tells its cause.
 */
#ifndef BL_MOVED_H
#define BL_MOVED_H

#include "work/kind.h"
#include "work/buffers.h"

enum bl_moved_kind {
    BL_MOVED_UNKNOWN, /* too narrow to tell apart, or nothing is wrong */
    BL_MOVED_UNWRITTEN,
    BL_MOVED_NEAR, /* all that were looked at are right elements within a tile's reach */
    BL_MOVED_FAR,  /* right elements, from anywhere */
    BL_MOVED_STRANGE /* values that are no element of the answer */
};

struct bl_moved {
    enum bl_moved_kind kind;
    /* The first wrong one, in the output's shape, and what it holds. */
    uint64_t row, col, from_row, from_col;
};

/* Looks at the first wrong elements of an output that was found wrong. */
void bl_moved_find(const struct bl_kind *kind, const struct banklab_problem *problem,
                   struct bl_regions *regions, uint64_t seed, struct bl_moved *out);

#endif
