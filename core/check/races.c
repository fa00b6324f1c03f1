/* SPDX-License-Identifier: Apache-2.0
 *
 * races.c - the detector as its users see it: made, reset, asked.
 */
#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"

/* Past this moment the clock is put back to its start, with all that is remembered. */
static const uint32_t late = UINT32_C(1) << 31;

enum bl_status bl_races_new(size_t pages, struct bl_races **out, struct bl_error *err)
{
    struct bl_races *races = calloc(1, sizeof *races);

    if (!races)
        return bl_error_nomem(err);
    bl_race_watcher_init(races);
    races->shadow.most = pages;
    bl_races_reset(races);
    *out = races;
    return BL_OK;
}

void bl_races_free(struct bl_races *races)
{
    if (!races)
        return;
    bl_race_shadow_free(&races->shadow);
    free(races->order.lanes);
    free(races->order.copies);
    free(races->order.objects);
    free(races->sites);
    free(races->blocks);
    free(races->variables);
    free(races);
}

const struct bl_watcher *bl_races_watcher(struct bl_races *races)
{
    return &races->watcher;
}

void bl_races_reset(struct bl_races *races)
{
    struct bl_race_shadow *shadow = &races->shadow;

    bl_race_shadow_clear(shadow);
    if (races->order.now > late)
        races->order.now = 0;
    races->order.run_begin = ++races->order.now;
    races->found_count = races->launch_found = races->pair_count = 0;
    races->block_count = 0;
    races->partial = races->began = false;
}

uint64_t bl_races_effort(const struct bl_races *races)
{
    return races->effort;
}

bool bl_races_is_partial(const struct bl_races *races)
{
    return races->partial;
}

void bl_races_set_strict(struct bl_races *races, bool strict)
{
    races->strict = strict;
}

const struct bl_hazard *bl_races_found(const struct bl_races *races, size_t *count)
{
    *count = races->found_count;
    return races->found;
}
