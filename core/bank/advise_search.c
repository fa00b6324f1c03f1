/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/advise_search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/access.h"

/* So many warps' costs are a tenth of a second or two. */
enum { COSTS_MOST = 2000000 };

struct warp_of {
    const struct bl_tile_access *access;
    const struct bl_tile_lanes *lanes;
    uint32_t floor;
};

struct search {
    const struct bl_advise_job *job;
    struct warp_of *warps; /* those that told layouts apart come first */
    size_t count;
    uint32_t widest; /* elements of the widest access */
    uint64_t costs;  /* asked of the engine */
    uint64_t least;  /* needless conflicts of the best layout so far */
    struct bl_proposal *out;
};

/* Needless conflicts of one warp; UINT64_MAX if the layout breaks its alignment. */
static uint64_t needless_of(struct search *search, const struct warp_of *warp,
                            const struct bl_layout *layout)
{
    const struct bl_tile_lanes *lanes = warp->lanes;
    const uint32_t elem = search->job->tile.elem, width = warp->access->width;
    struct bl_shared_cost cost;
    uint32_t address[32] = {0}, all = 0;

    for (uint32_t left = lanes->mask; left != 0; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        address[l] = bl_layout_place(layout, lanes->row[l], lanes->col[l]) * elem;
        all |= address[l];
    }
    if (all & (width - 1))
        return UINT64_MAX;
    search->costs++;
    bl_access_shared(search->job->room.arch, warp->access->is_store, width, lanes->mask,
                     address, &cost);
    return cost.conflicts > warp->floor ? (cost.conflicts - warp->floor) * lanes->times
                                        : 0;
}

/* Takes the layout if it is better than all before; whether it is as good as can be.
 * A warp that refutes a layout is asked first about the next: mostly it refutes that
 * too. */
static bool try(struct search *search, const struct bl_layout *layout)
{
    uint64_t sum = 0;

    search->out->tried++;
    for (size_t i = 0; i < search->count; i++) {
        const struct warp_of warp = search->warps[i];
        uint64_t more = needless_of(search, &warp, layout);

        sum = more > UINT64_MAX - sum ? UINT64_MAX : sum + more;
        if (sum >= search->least) {
            search->warps[i] = search->warps[i / 2];
            search->warps[i / 2] = warp;
            return false;
        }
    }
    search->least = sum;
    search->out->layout = *layout;
    search->out->found = sum == 0 ? BL_FOUND_ALL : BL_FOUND_BEST;
    return sum == 0;
}

static bool spent(struct search *search)
{
    search->out->cut = search->costs > COSTS_MOST;
    return search->out->cut;
}

static void search_pad(struct search *search, uint32_t bound)
{
    struct bl_layout layout = {.kind = BL_LAYOUT_PAD};

    for (uint32_t pad = 0; pad <= bound && !spent(search); pad++) {
        layout.pitch = search->job->tile.pitch + pad;
        if (try(search, &layout))
            return;
    }
}

static void search_rotate(struct search *search, uint32_t bound)
{
    const struct bl_tile *tile = &search->job->tile;
    struct bl_layout layout = {.kind = BL_LAYOUT_ROTATE, .pitch = tile->pitch};

    for (layout.every = 1; layout.every < tile->rows; layout.every *= 2)
        for (layout.step = search->widest;
             layout.step < tile->pitch && layout.step <= bound;
             layout.step += search->widest)
            if (spent(search) || try(search, &layout))
                return;
}

/* An XOR with less than this keeps each column in its row. */
static uint32_t power_within(uint32_t pitch)
{
    return pitch & -pitch;
}

static struct bl_layout_term term_of(uint32_t power, uint32_t every, uint32_t left)
{
    return (struct bl_layout_term){every, (power >> left) - 1, left};
}

/* All second terms; there is none where `terms` is 1. */
static bool try_terms(struct search *search, struct bl_layout *layout, uint32_t first)
{
    const uint32_t power = power_within(layout->pitch);

    if (layout->terms == 1)
        return try(search, layout);
    for (uint32_t every = 1; every < search->job->tile.rows; every *= 2)
        for (uint32_t left = first; power >> left > 1; left++) {
            layout->term[1] = term_of(power, every, left);
            if (spent(search) || try(search, layout))
                return true;
        }
    return false;
}

static void search_xor(struct search *search)
{
    const struct bl_tile *tile = &search->job->tile;
    const uint32_t power = power_within(tile->pitch);
    const uint32_t first = (uint32_t)__builtin_ctz(search->widest);
    struct bl_layout layout = {.kind = BL_LAYOUT_XOR, .pitch = tile->pitch};

    for (layout.terms = 1; layout.terms <= BL_LAYOUT_TERMS; layout.terms++)
        for (uint32_t every = 1; every < tile->rows; every *= 2)
            for (uint32_t left = first; power >> left > 1; left++) {
                layout.term[0] = term_of(power, every, left);
                if (spent(search) || try_terms(search, &layout, first))
                    return;
            }
}

/* Why there is no rotation or XOR at all; "" if there is. */
static void explain_none(const struct search *search, struct bl_proposal *out)
{
    const struct bl_tile *tile = &search->job->tile;
    const uint32_t piece = search->widest;

    if (tile->rows < 2)
        snprintf(out->why, sizeof out->why,
                 "all accesses lie in one row, and a row is moved as a whole");
    else if (tile->pitch % piece != 0)
        snprintf(out->why, sizeof out->why,
                 "a row of %" PRIu32 " bytes is no whole number of the %" PRIu32
                 "-byte pieces that must stay together",
                 tile->pitch * tile->elem, piece * tile->elem);
    else if (tile->pitch == piece)
        snprintf(out->why, sizeof out->why, "a row is one piece of %" PRIu32 " bytes",
                 piece * tile->elem);
    else if (out->layout.kind == BL_LAYOUT_XOR && power_within(tile->pitch) <= piece)
        snprintf(out->why, sizeof out->why,
                 "columns can be exchanged by XOR only in blocks of a power of two, and "
                 "a row of %" PRIu32 " has no such blocks",
                 tile->pitch);
}

static void search_kind(struct search *search, enum bl_layout_kind kind, uint32_t bound)
{
    if (kind == BL_LAYOUT_PAD) {
        search_pad(search, bound);
        return;
    }
    explain_none(search, search->out);
    if (search->out->why[0])
        return;
    if (kind == BL_LAYOUT_ROTATE)
        search_rotate(search, bound);
    else
        search_xor(search);
}

enum bl_status bl_layout_search(const struct bl_advise_job *job, uint32_t bound,
                                enum bl_layout_kind kind, struct bl_proposal *out,
                                struct bl_error *err)
{
    struct bl_proposal proposal = {.found = BL_FOUND_NONE, .layout.kind = kind};
    struct search search = {
        .job = job, .widest = 1, .least = UINT64_MAX, .out = &proposal};
    size_t all = 0, n = 0;

    for (size_t i = 0; i < job->count; i++)
        all += job->accesses[i].count;
    search.warps = calloc(all + 1, sizeof *search.warps);
    if (!search.warps)
        return bl_error_nomem(err);
    for (size_t i = 0; i < job->count; i++) {
        const struct bl_tile_access *access = &job->accesses[i];

        if (access->width / job->tile.elem > search.widest)
            search.widest = access->width / job->tile.elem;
        for (size_t j = 0; j < access->count; j++)
            search.warps[n++] = (struct warp_of){
                access, &access->at[j],
                bl_tile_floor(job->room.arch, access, access->at[j].mask)};
    }
    search.count = n;
    search_kind(&search, kind, bound);
    if (proposal.found == BL_FOUND_NONE && !proposal.why[0])
        snprintf(proposal.why, sizeof proposal.why,
                 "none of %" PRIu64 " keeps every access aligned", proposal.tried);
    *out = proposal;
    free(search.warps);
    return BL_OK;
}
