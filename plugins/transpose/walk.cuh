/* SPDX-License-Identifier: Apache-2.0
 *
 * walk.cuh - which tiles a block that stays walks over: what transpose_stream and
 * transpose_async share.
 */
#ifndef TRANSPOSE_WALK_CUH
#define TRANSPOSE_WALK_CUH

#include "banklab/device.h"

/* Which tile of which matrix. They are numbered down a matrix, then across, then matrix
 * by matrix, so that blocks which run side by side write parts of the same rows. */
struct tile_at {
    unsigned row, col, matrix;
};

static BL_INLINE tile_at tile_of(unsigned number, unsigned down, unsigned across)
{
    const unsigned rest = number / down;
    const tile_at at = {number % down, rest % across, rest / across};
    return at;
}

/* So many tiles on: the step is the tile_of() that number. No division. */
static BL_INLINE void walk(tile_at &at, const tile_at &step, unsigned down,
                           unsigned across)
{
    at.row += step.row;
    at.col += step.col;
    at.matrix += step.matrix;
    if (at.row >= down)
        at.row -= down, at.col++;
    if (at.col >= across)
        at.col -= across, at.matrix++;
}

#endif /* TRANSPOSE_WALK_CUH */
