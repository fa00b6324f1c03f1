/* SPDX-License-Identifier: Apache-2.0
 *
 * clock.c - in-kernel clock readings: the median over blocks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "work/stream.h"
#include "work/verify.h"

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Cycles from the block's first start to its last end. */
static enum bl_status block_cycles(const uint8_t *readings, uint64_t first_warp,
                                   uint32_t warps, uint64_t poison, uint64_t *out,
                                   struct bl_error *err)
{
    uint64_t least = UINT64_MAX, greatest = 0;

    for (uint64_t w = first_warp; w < first_warp + warps; w++) {
        uint64_t pair[2];
        memcpy(pair, readings + 16 * w, sizeof pair);
        if (pair[0] == bl_stream_word(poison, 2 * w) ||
            pair[1] == bl_stream_word(poison, 2 * w + 1))
            return bl_error_set(err, BL_E_FAULT,
                                "warp %" PRIu64 " of the grid left no clock reading", w);
        if (pair[1] < pair[0])
            return bl_error_set(err, BL_E_FAULT,
                                "the clock reading of warp %" PRIu64
                                " of the grid ends before it starts",
                                w);
        least = pair[0] < least ? pair[0] : least;
        greatest = pair[1] > greatest ? pair[1] : greatest;
    }
    *out = greatest - least;
    return BL_OK;
}

enum bl_status bl_clock_read(const struct banklab_clock *clock,
                             const struct bl_region *region, uint64_t seed,
                             double *cycles_per_access, struct bl_error *err)
{
    const uint64_t blocks = clock->warps / clock->warps_per_block;
    const double accesses =
        (double)clock->warps_per_block * (double)clock->accesses_per_warp;
    uint64_t *cycles = malloc(blocks * sizeof *cycles);
    enum bl_status status = BL_OK;

    if (!cycles)
        return bl_error_nomem(err);
    for (uint64_t b = 0; b < blocks && !status; b++)
        status = block_cycles(bl_region_payload(region), b * clock->warps_per_block,
                              clock->warps_per_block, bl_regions_poison_seed(seed),
                              &cycles[b], err);
    if (!status) {
        qsort(cycles, blocks, sizeof *cycles, by_value);
        *cycles_per_access =
            ((double)cycles[(blocks - 1) / 2] + (double)cycles[blocks / 2]) / 2 /
            accesses;
    }
    free(cycles);
    return status;
}
