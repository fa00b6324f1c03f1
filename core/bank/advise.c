/* SPDX-License-Identifier: Apache-2.0
 *
 * advise.c - checks what was asked, has each kind of layout searched, verifies what was
 * found, and chooses.
 */
#include "bank/advise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise_search.h"
#include "model/access.h"
#include "work/rates.h"

enum { BYTES_MOST = INT32_MAX }; /* of a tile that is tried */

/* ---- what was asked -------------------------------------------------------------- */

static enum bl_status check_tile(const struct bl_advise_job *job, uint32_t bound,
                                 struct bl_error *err)
{
    const struct bl_tile *tile = &job->tile;

    if (tile->pitch < 1 || tile->pitch > BL_TILE_PITCH_MOST)
        return bl_error_set(err, BL_E_INPUT, "a pitch is 1 to %d elements, not %" PRIu32,
                            BL_TILE_PITCH_MOST, tile->pitch);
    if (tile->rows < 1 || tile->rows > BL_TILE_ROWS_MOST)
        return bl_error_set(err, BL_E_INPUT, "a tile has 1 to %d rows, not %" PRIu32,
                            BL_TILE_ROWS_MOST, tile->rows);
    if ((uint64_t)tile->rows * (tile->pitch + bound) * tile->elem > BYTES_MOST)
        return bl_error_set(err, BL_E_INPUT,
                            "%" PRIu32 " rows of %" PRIu32 " elements, and a padding of "
                            "up to %" PRIu32 ", are more than 2 GiB: no shared memory "
                            "is that large",
                            tile->rows, tile->pitch, bound);
    return BL_OK;
}

static enum bl_status check_lanes(const struct bl_tile *tile,
                                  const struct bl_tile_access *access,
                                  const struct bl_tile_lanes *lanes, struct bl_error *err)
{
    const uint32_t length = access->width / tile->elem;

    for (uint32_t l = 0; l < 32; l++) {
        if (!(lanes->mask >> l & 1))
            continue;
        if (lanes->row[l] >= tile->rows)
            return bl_error_set(err, BL_E_INPUT,
                                "%s: lane %" PRIu32 " of warp %" PRIu32
                                " is in row %" PRIu32 ", but the tile has %" PRIu32
                                " row%s",
                                access->name, l, lanes->warp, lanes->row[l], tile->rows,
                                tile->rows == 1 ? "" : "s");
        if (length > tile->pitch || lanes->col[l] > tile->pitch - length)
            return bl_error_set(
                err, BL_E_INPUT,
                "%s: lane %" PRIu32 " of warp %" PRIu32 " touches columns %" PRIu32
                " to %" PRIu32 " of row %" PRIu32 ", but a row has only 0 to %" PRIu32
                ": is the pitch right?",
                access->name, l, lanes->warp, lanes->col[l], lanes->col[l] + length - 1,
                lanes->row[l], tile->pitch - 1);
    }
    return BL_OK;
}

static enum bl_status check(const struct bl_advise_job *job, uint32_t bound,
                            struct bl_error *err)
{
    enum bl_status status = check_tile(job, bound, err);

    for (size_t i = 0; i < job->count && status == BL_OK; i++)
        for (size_t j = 0; j < job->accesses[i].count && status == BL_OK; j++)
            status =
                check_lanes(&job->tile, &job->accesses[i], &job->accesses[i].at[j], err);
    return status;
}

/* ---- costs ----------------------------------------------------------------------- */

static enum bl_status addresses_of(const struct bl_tile *tile,
                                   const struct bl_tile_access *access,
                                   const struct bl_tile_lanes *lanes,
                                   const struct bl_layout *layout, uint32_t address[32],
                                   struct bl_error *err)
{
    for (uint32_t l = 0; l < 32; l++) {
        address[l] = 0;
        if (!(lanes->mask >> l & 1))
            continue;
        address[l] = bl_layout_place(layout, lanes->row[l], lanes->col[l]) * tile->elem;
        if (address[l] % access->width != 0)
            return bl_error_set(
                err, BL_E_INPUT,
                "%s: lane %" PRIu32 " of warp %" PRIu32 " is at byte %" PRIu32
                " of the tile, which is not a multiple of the access's %" PRIu32 " bytes",
                access->name, l, lanes->warp, address[l], access->width);
    }
    return BL_OK;
}

uint32_t bl_tile_floor(const struct bl_arch *arch, const struct bl_tile_access *access,
                       uint32_t mask)
{
    struct bl_shared_cost cost;
    uint32_t address[32];

    for (uint32_t l = 0; l < 32; l++)
        address[l] = l * access->width;
    bl_access_shared(arch, access->is_store, access->width, mask, address, &cost);
    return cost.conflicts;
}

enum bl_status bl_tile_cost(const struct bl_arch *arch, const struct bl_tile *tile,
                            const struct bl_tile_access *access,
                            const struct bl_layout *layout, struct bl_tile_cost *out,
                            struct bl_error *err)
{
    struct bl_tile_cost sum = {0};

    for (size_t i = 0; i < access->count; i++) {
        const struct bl_tile_lanes *lanes = &access->at[i];
        struct bl_shared_cost cost;
        uint32_t address[32], floor;
        enum bl_status status = addresses_of(tile, access, lanes, layout, address, err);

        if (status != BL_OK)
            return status;
        bl_access_shared(arch, access->is_store, access->width, lanes->mask, address,
                         &cost);
        sum.requests += lanes->times;
        sum.wavefronts += cost.wavefronts * lanes->times;
        sum.ideal += cost.ideal * lanes->times;
        sum.conflicts += cost.conflicts * lanes->times;
        floor = bl_tile_floor(arch, access, lanes->mask);
        if (cost.conflicts > floor)
            sum.needless += (cost.conflicts - floor) * lanes->times;
        if (cost.ways > sum.ways)
            sum.ways = cost.ways;
    }
    *out = sum;
    return BL_OK;
}

static enum bl_status costs_of(const struct bl_advise_job *job,
                               const struct bl_layout *layout, struct bl_tile_cost **out,
                               struct bl_error *err)
{
    struct bl_tile_cost *costs = calloc(job->count + 1, sizeof *costs);
    enum bl_status status = BL_OK;

    if (!costs)
        return bl_error_nomem(err);
    for (size_t i = 0; i < job->count && status == BL_OK; i++)
        status = bl_tile_cost(job->room.arch, &job->tile, &job->accesses[i], layout,
                              &costs[i], err);
    if (status == BL_OK)
        *out = costs;
    else
        free(costs);
    return status;
}

static uint64_t needless_of(const struct bl_tile_cost *costs, size_t count)
{
    uint64_t needless = 0;

    for (size_t i = 0; i < count; i++)
        needless += costs[i].needless;
    return needless;
}

/* ---- room on an SM --------------------------------------------------------------- */

static void limit_to(struct bl_room *room, uint64_t blocks, const char *limit)
{
    if (room->limit && blocks >= room->blocks)
        return;
    room->blocks = (uint32_t)blocks;
    room->limit = limit;
}

static struct bl_room room_for(const struct bl_room_of *of, uint64_t tile_bytes)
{
    struct bl_room room = {.shared = (uint64_t)((int64_t)tile_bytes + of->other_shared)};

    room.fits = room.shared <= of->arch->max_shared;
    if (!of->rates || of->threads == 0 || !room.fits)
        return room;
    limit_to(&room, of->rates->sm_blocks, "block count");
    limit_to(&room, of->rates->sm_threads / of->threads, "threads");
    limit_to(&room, of->rates->sm_shared / (room.shared + of->rates->block_shared),
             "shared memory");
    return room;
}

/* ---- what was found -------------------------------------------------------------- */

static uint64_t bytes_of(const struct bl_tile *tile, uint32_t pitch)
{
    return (uint64_t)tile->rows * pitch * tile->elem;
}

/* Every element of the tile has a place of its own, and every access finds its elements
 * side by side: what a layout must do besides costing little. */
static enum bl_status verify_layout(const struct bl_advise_job *job,
                                    const struct bl_layout *layout, struct bl_error *err)
{
    const struct bl_tile *tile = &job->tile;
    const uint32_t places = tile->rows * layout->pitch;
    uint8_t *taken = calloc(places, 1);
    bool right = true;

    if (!taken)
        return bl_error_nomem(err);
    for (uint32_t row = 0; row < tile->rows; row++)
        for (uint32_t col = 0; col < tile->pitch; col++) {
            uint32_t place = bl_layout_place(layout, row, col);
            right = right && place < places && !taken[place];
            if (right)
                taken[place] = 1;
        }
    free(taken);
    for (size_t i = 0; i < job->count && right; i++)
        for (size_t j = 0; j < job->accesses[i].count; j++) {
            const struct bl_tile_lanes *lanes = &job->accesses[i].at[j];
            for (uint32_t m = lanes->mask; m != 0; m &= m - 1) {
                uint32_t l = (uint32_t)__builtin_ctz(m), row = lanes->row[l];
                uint32_t at = bl_layout_place(layout, row, lanes->col[l]);
                for (uint32_t e = 1; e < job->accesses[i].width / tile->elem; e++)
                    right = right &&
                            bl_layout_place(layout, row, lanes->col[l] + e) == at + e;
            }
        }
    return right ? BL_OK
                 : bl_error_set(err, BL_E_INTERNAL,
                                "a %s that was found does not give every element a place",
                                bl_layout_name(layout->kind));
}

static enum bl_status propose(const struct bl_advise_job *job, uint32_t bound,
                              enum bl_layout_kind kind, struct bl_proposal *out,
                              struct bl_error *err)
{
    enum bl_status status = bl_layout_search(job, bound, kind, out, err);

    if (status != BL_OK || out->found == BL_FOUND_NONE)
        return status;
    status = verify_layout(job, &out->layout, err);
    if (status == BL_OK)
        status = costs_of(job, &out->layout, &out->after, err);
    if (status != BL_OK)
        return status;
    out->needless = needless_of(out->after, job->count);
    if ((out->needless == 0) != (out->found == BL_FOUND_ALL))
        return bl_error_set(err, BL_E_INTERNAL,
                            "a %s costs something else on looking "
                            "again",
                            bl_layout_name(kind));
    out->bytes = bytes_of(&job->tile, out->layout.pitch);
    out->room = room_for(&job->room, out->bytes);
    return BL_OK;
}

/* Padding needs no arithmetic: it is first, unless it costs room for a block. */
static enum bl_layout_kind choose(const struct bl_advice *advice)
{
    const struct bl_proposal *pad = &advice->at[BL_LAYOUT_PAD];
    const bool padded = pad->found == BL_FOUND_ALL && pad->room.fits;

    if (padded && pad->room.blocks == advice->room.blocks)
        return BL_LAYOUT_PAD;
    if (advice->at[BL_LAYOUT_XOR].found == BL_FOUND_ALL)
        return BL_LAYOUT_XOR;
    if (advice->at[BL_LAYOUT_ROTATE].found == BL_FOUND_ALL)
        return BL_LAYOUT_ROTATE;
    return padded ? BL_LAYOUT_PAD : BL_LAYOUTS;
}

enum bl_status bl_advise(const struct bl_advise_job *job, struct bl_advice *out,
                         struct bl_error *err)
{
    const struct bl_arch *arch = job->room.arch;
    struct bl_advice advice = {.tile = job->tile, .bound = job->bound};
    const struct bl_layout plain = {.kind = BL_LAYOUT_PAD, .pitch = job->tile.pitch};
    enum bl_status status;

    if (advice.bound == 0)
        advice.bound = arch->banks * arch->bank_bytes * arch->bank_rows / job->tile.elem;
    status = check(job, advice.bound, err);
    if (status == BL_OK)
        status = costs_of(job, &plain, &advice.before, err);
    if (status != BL_OK)
        goto out;
    advice.clean = needless_of(advice.before, job->count) == 0;
    advice.bytes = bytes_of(&job->tile, job->tile.pitch);
    advice.room = room_for(&job->room, advice.bytes);
    advice.chosen = BL_LAYOUTS;
    if (advice.clean)
        goto out;
    for (int kind = 0; kind < BL_LAYOUTS && status == BL_OK; kind++)
        status =
            propose(job, advice.bound, (enum bl_layout_kind)kind, &advice.at[kind], err);
    advice.chosen = choose(&advice);
out:
    if (status == BL_OK)
        *out = advice;
    else
        bl_advice_free(&advice);
    return status;
}

void bl_advice_free(struct bl_advice *advice)
{
    free(advice->before);
    for (int kind = 0; kind < BL_LAYOUTS; kind++)
        free(advice->at[kind].after);
    *advice = (struct bl_advice){.chosen = BL_LAYOUTS};
}
