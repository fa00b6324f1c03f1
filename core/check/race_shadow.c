/* SPDX-License-Identifier: Apache-2.0
 *
 * race_shadow.c - what is remembered of each byte.
 */
#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"

static size_t slot_of(const struct bl_race_shadow *shadow, uint64_t number)
{
    const uint64_t mixed = number * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(mixed >> 20) & (shadow->slots - 1);
}

static struct bl_race_page **find(const struct bl_race_shadow *shadow, uint64_t number)
{
    size_t at = slot_of(shadow, number);

    while (shadow->table[at] && shadow->table[at]->number != number)
        at = (at + 1) & (shadow->slots - 1);
    return &shadow->table[at];
}

static struct bl_race_page *page_new(uint64_t number, uint32_t grain)
{
    struct bl_race_page *page =
        calloc(1, sizeof *page + BL_RACE_PAGE / grain * sizeof(struct bl_race_cell));

    if (page)
        page->number = number;
    return page;
}

/* Twice as many slots as pages at the most: there always is a free one. */
static bool make_table(struct bl_race_shadow *shadow)
{
    size_t slots = 64;

    if (shadow->table)
        return true;
    while (slots < 2 * shadow->most)
        slots *= 2;
    shadow->table = calloc(slots, sizeof(struct bl_race_page *));
    shadow->slots = shadow->table ? slots : 0;
    return shadow->table != NULL;
}

struct bl_race_cell *bl_race_cell_at(struct bl_race_shadow *shadow, uint64_t address)
{
    const uint64_t number = address / BL_RACE_PAGE;
    struct bl_race_page **place;

    if (shadow->last && shadow->last->number == number)
        return &shadow->last->at[address % BL_RACE_PAGE / shadow->global_grain];
    if (!make_table(shadow))
        return NULL;
    place = find(shadow, number);
    if (!*place) {
        if (shadow->count >= shadow->most)
            return NULL;
        *place = page_new(number, shadow->global_grain);
        if (!*place)
            return NULL;
        shadow->count++;
    }
    shadow->last = *place;
    return &(*place)->at[address % BL_RACE_PAGE / shadow->global_grain];
}

enum bl_status bl_race_shadow_shared(struct bl_race_shadow *shadow, uint64_t bytes,
                                     struct bl_error *err)
{
    struct bl_race_cell *more;

    if (bytes <= shadow->shared_bytes)
        return BL_OK;
    bytes = (bytes + BL_RACE_GRAIN - 1) / BL_RACE_GRAIN * BL_RACE_GRAIN;
    /* What was there is of earlier launches. */
    more = calloc(bytes / shadow->shared_grain, sizeof *more);
    if (!more)
        return bl_error_nomem(err);
    free(shadow->shared);
    shadow->shared = more;
    shadow->shared_bytes = bytes;
    return BL_OK;
}

/* Each cell becomes as many as it takes, all alike. */
static void split(const struct bl_race_cell *from, size_t count, uint32_t into,
                  struct bl_race_cell *to)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < into; k++)
            to[i * into + k] = from[i];
}

static enum bl_status refine_shared(struct bl_race_shadow *shadow, uint32_t grain,
                                    struct bl_error *err)
{
    struct bl_race_cell *finer = calloc(shadow->shared_bytes / grain + 1, sizeof *finer);

    if (!finer)
        return bl_error_nomem(err);
    split(shadow->shared, shadow->shared_bytes / shadow->shared_grain,
          shadow->shared_grain / grain, finer);
    free(shadow->shared);
    shadow->shared = finer;
    shadow->shared_grain = grain;
    return BL_OK;
}

/* Pages made before one fails are finer than the rest: then none is of use any more. */
static enum bl_status refine_global(struct bl_race_shadow *shadow, uint32_t grain,
                                    struct bl_error *err)
{
    for (size_t i = 0; i < shadow->slots; i++) {
        struct bl_race_page *page = shadow->table[i], *finer;

        if (!page)
            continue;
        finer = page_new(page->number, grain);
        if (!finer) {
            bl_race_shadow_clear(shadow);
            return bl_error_nomem(err);
        }
        split(page->at, BL_RACE_PAGE / shadow->global_grain, shadow->global_grain / grain,
              finer->at);
        shadow->table[i] = finer;
        free(page);
    }
    shadow->last = NULL;
    shadow->global_grain = grain;
    return BL_OK;
}

enum bl_status bl_race_shadow_refine(struct bl_race_shadow *shadow,
                                     enum bl_ptx_space space, uint32_t width,
                                     struct bl_error *err)
{
    const bool shared = space == BL_SPACE_SHARED;

    if (width >= (shared ? shadow->shared_grain : shadow->global_grain))
        return BL_OK;
    return shared ? refine_shared(shadow, width, err) : refine_global(shadow, width, err);
}

void bl_race_shadow_clear(struct bl_race_shadow *shadow)
{
    for (size_t i = 0; i < shadow->slots; i++) {
        free(shadow->table[i]);
        shadow->table[i] = NULL;
    }
    free(shadow->shared);
    shadow->shared = NULL;
    shadow->shared_bytes = 0;
    shadow->shared_grain = shadow->global_grain = BL_RACE_GRAIN;
    shadow->last = NULL;
    shadow->count = 0;
}

void bl_race_shadow_free(struct bl_race_shadow *shadow)
{
    bl_race_shadow_clear(shadow);
    free(shadow->table);
}

/* ---- what was stored to ------------------------------------------------------------ */

bool bl_races_block_wrote(const struct bl_races *races, uint64_t number)
{
    for (size_t i = 0; i < races->block_count; i++)
        if (races->blocks[i].number == number && races->blocks[i].wrote)
            return true;
    return false;
}

/* The bytes of a page's cells that were stored to in this run. */
static bool stored(const struct bl_races *races, const struct bl_race_page *page,
                   uint64_t bits[BL_RACE_PAGE / 64])
{
    const uint32_t grain = races->shadow.global_grain;
    bool any = false;

    memset(bits, 0, BL_RACE_PAGE / 64 * sizeof *bits);
    for (uint32_t b = 0; b < BL_RACE_PAGE; b++)
        if (page->at[b / grain].store.clock >= races->order.run_begin) {
            bits[b / 64] |= UINT64_C(1) << b % 64;
            any = true;
        }
    return any;
}

void bl_races_written(const struct bl_races *races, bl_races_written_fn *each, void *ctx)
{
    const struct bl_race_shadow *shadow = &races->shadow;
    uint64_t bits[BL_RACE_PAGE / 64];

    for (size_t i = 0; i < shadow->slots; i++) {
        const struct bl_race_page *page = shadow->table[i];
        const uint64_t at = page ? page->number * BL_RACE_PAGE - races->output : 0;

        if (page && at < races->output_bytes && stored(races, page, bits))
            each(ctx, at, bits);
    }
}
