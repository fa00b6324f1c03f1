/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_pitch.c - rows and columns of addresses that a kernel made, and the pitch that
 * they seem to have.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "bank/advise_watch.h"
#include "model/access.h"

/* Distances that are told apart; what more there are hardly is a pitch. */
enum { DISTANCES = 64 };

struct votes {
    struct vote {
        uint32_t distance; /* bytes */
        uint64_t lanes;
    } at[DISTANCES];
    size_t count;
};

static void vote(struct votes *votes, uint32_t distance, uint64_t times)
{
    size_t i = 0;

    while (i < votes->count && votes->at[i].distance != distance)
        i++;
    if (i == DISTANCES)
        return;
    if (i == votes->count)
        votes->at[votes->count++] = (struct vote){distance, 0};
    votes->at[i].lanes += times;
}

/* Distances of neighbouring lanes that are further apart than side by side. */
static void vote_lanes(struct votes *votes, const struct bl_tile_access *access,
                       const struct bl_tile_lanes *lanes)
{
    for (uint32_t l = 0; l + 1 < 32; l++) {
        const uint32_t a = lanes->col[l], b = lanes->col[l + 1];
        const uint32_t distance = a < b ? b - a : a - b;

        if ((lanes->mask >> l & 3) == 3 && distance > access->width)
            vote(votes, distance, lanes->times);
    }
}

static bool has_conflict(const struct bl_arch *arch, const struct bl_tile_access *access,
                         const struct bl_tile_lanes *lanes)
{
    struct bl_shared_cost cost;

    bl_access_shared(arch, access->is_store, access->width, lanes->mask, lanes->col,
                     &cost);
    return cost.conflicts > 0;
}

/* Bytes; 0: no distance was found. */
static uint32_t likely_pitch(const struct bl_gathered *gathered,
                             const struct bl_arch *arch, bool only_conflicts)
{
    struct votes votes = {.count = 0};
    struct vote best = {0, 0};

    for (size_t i = 0; i < gathered->count; i++) {
        const struct bl_tile_access *access = &gathered->accesses[i];

        for (size_t j = 0; j < access->count; j++)
            if (!only_conflicts || has_conflict(arch, access, &access->at[j]))
                vote_lanes(&votes, access, &access->at[j]);
    }
    for (size_t i = 0; i < votes.count; i++)
        if (votes.at[i].lanes > best.lanes ||
            (votes.at[i].lanes == best.lanes && votes.at[i].distance < best.distance))
            best = votes.at[i];
    return best.distance;
}

static enum bl_pitch_from set_pitch(const struct bl_gathered *gathered,
                                    const struct bl_arch *arch, struct bl_tile *tile)
{
    uint32_t bytes;

    if (tile->pitch != 0)
        return BL_PITCH_GIVEN;
    bytes = likely_pitch(gathered, arch, true);
    if (bytes == 0)
        bytes = likely_pitch(gathered, arch, false);
    if (bytes != 0 && bytes % tile->elem == 0) {
        tile->pitch = bytes / tile->elem;
        return BL_PITCH_LANES;
    }
    tile->pitch = arch->banks * arch->bank_bytes / tile->elem;
    return BL_PITCH_BANKS;
}

static void to_rows(struct bl_tile_lanes *lanes, const struct bl_tile *tile,
                    uint32_t *rows)
{
    for (uint32_t m = lanes->mask; m != 0; m &= m - 1) {
        const int l = __builtin_ctz(m);
        const uint32_t element = lanes->col[l] / tile->elem;

        lanes->row[l] = element / tile->pitch;
        lanes->col[l] = element % tile->pitch;
        if (lanes->row[l] >= *rows)
            *rows = lanes->row[l] + 1;
    }
}

enum bl_status bl_gathered_tile(struct bl_gathered *gathered, const struct bl_arch *arch,
                                struct bl_tile *tile, enum bl_pitch_from *from,
                                struct bl_error *err)
{
    uint32_t narrowest = 16, rows = 1;

    for (size_t i = 0; i < gathered->count; i++)
        if (gathered->accesses[i].width < narrowest)
            narrowest = gathered->accesses[i].width;
    if (tile->elem > narrowest)
        return bl_error_set(err, BL_E_INPUT,
                            "elements of %" PRIu32 " bytes, but an access of %" PRIu32
                            ": an element is no wider than the narrowest access",
                            tile->elem, narrowest);
    if (tile->elem == 0)
        tile->elem = narrowest;
    *from = set_pitch(gathered, arch, tile);
    for (size_t i = 0; i < gathered->count; i++)
        for (size_t j = 0; j < gathered->accesses[i].count; j++)
            to_rows(&gathered->accesses[i].at[j], tile, &rows);
    if (tile->rows == 0)
        tile->rows = rows;
    return BL_OK;
}
