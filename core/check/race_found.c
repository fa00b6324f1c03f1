/* SPDX-License-Identifier: Apache-2.0
 *
 * race_found.c - what was found, once for each pair of source lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"
#include "model/fault.h"

/* The line in the file that the kernel is in: of an instruction that was inlined from a
 * header, the line there that called for it. */
static void name_source(const struct bl_ptx_module *module,
                        const struct bl_ptx_insn *insn, char *text, size_t size)
{
    struct bl_ptx_insn shown = *insn;
    const struct bl_ptx_place *at = insn->called_at;
    int file = insn->loc_file;

    for (const struct bl_ptx_place *outer = at; outer; outer = outer->called_at)
        file = outer->file;
    while (at && shown.loc_file != file) {
        shown.loc_file = at->file;
        shown.loc_line = at->line;
        at = at->called_at;
    }
    bl_insn_source(module, &shown, text, size);
}

static void name_end(const struct bl_races *races, const struct bl_ptx_insn *insn,
                     struct bl_hazard_end *end)
{
    const struct bl_ptx_module *module = races->launch.module;
    char inner[64];

    name_source(module, insn, end->source, sizeof end->source);
    bl_insn_source(module, insn, inner, sizeof inner);
    if (*inner && strcmp(inner, end->source) != 0) {
        const size_t used = strlen(end->source);

        snprintf(end->source + used, sizeof end->source - used, " (%s)", inner);
    }
    if (!*end->source)
        snprintf(end->source, sizeof end->source, "%.80s:%d", module->name, insn->line);
    bl_insn_name(insn, end->insn, sizeof end->insn);
    end->line = insn->line;
}

/* The block whose time the moment is in: the last that began before it. */
static uint64_t block_at(const struct bl_races *races, uint32_t clock)
{
    size_t low = 0, high = races->block_count;

    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;

        if (races->blocks[middle].begin <= clock)
            low = middle;
        else
            high = middle;
    }
    return races->block_count ? races->blocks[low].number : 0;
}

static void end_of_mark(const struct bl_races *races, const struct bl_race_mark *mark,
                        struct bl_hazard_end *end)
{
    const struct bl_race_site *site = &races->sites[mark->site];
    const uint32_t thread = mark->who & BL_RACE_THREAD;

    name_end(races, site->insn, end);
    end->is_store = site->is_store;
    end->is_atomic = site->is_atomic;
    end->is_async = site->is_async;
    end->warp = thread / BL_RACE_LANES;
    end->lane = thread % BL_RACE_LANES;
    end->block = block_at(races, mark->clock);
}

static void end_of_access(const struct bl_races *races,
                          const struct bl_watch_access *access, uint32_t lane,
                          struct bl_hazard_end *end)
{
    name_end(races, access->at.insn, end);
    end->is_store = access->op == BL_WATCH_STORE;
    end->is_atomic = access->op == BL_WATCH_ATOMIC;
    end->is_async = races->sites[access->site].is_async;
    end->warp = access->at.warp;
    end->lane = lane;
    end->block = access->at.block;
}

/* Whether both are to be told as one: the same lines, whichever came first. */
static bool is_same(const struct bl_hazard *a, const struct bl_hazard *b)
{
    const bool straight = strcmp(a->first.source, b->first.source) == 0 &&
                          strcmp(a->then.source, b->then.source) == 0;
    const bool crossed = strcmp(a->first.source, b->then.source) == 0 &&
                         strcmp(a->then.source, b->first.source) == 0;

    return a->kind == b->kind && a->space == b->space &&
           a->between_blocks == b->between_blocks && a->same == b->same &&
           (straight || crossed) && strcmp(a->buffer, b->buffer) == 0 &&
           strcmp(a->kernel, b->kernel) == 0;
}

/* What needs a barrier of the block is told rather than what needs one of a warp. */
static void prefer(struct bl_hazard *known, const struct bl_hazard *other)
{
    const uint64_t count = known->count;

    if (known->kind != BL_HAZARD_RACE || known->first.warp != known->then.warp ||
        other->first.warp == other->then.warp)
        return;
    *known = *other;
    known->count = count;
}

/* Which of those found it is; as many as there may be: none. */
static size_t keep(struct bl_races *races, const struct bl_hazard *hazard)
{
    for (size_t i = 0; i < races->found_count; i++)
        if (is_same(&races->found[i], hazard)) {
            prefer(&races->found[i], hazard);
            return i;
        }
    if (races->found_count == BL_RACE_FOUND)
        return BL_RACE_FOUND;
    races->found[races->found_count] = *hazard;
    return races->found_count++;
}

static void start(const struct bl_races *races, enum bl_hazard_kind kind,
                  enum bl_ptx_space space, struct bl_hazard *hazard)
{
    *hazard = (struct bl_hazard){.kind = kind, .space = space};
    memcpy(hazard->grid, races->launch.launch->grid, sizeof hazard->grid);
    snprintf(hazard->kernel, sizeof hazard->kernel, "%s", races->launch.kernel->name);
}

static bool is_of_one_warp(const struct bl_race_event *event)
{
    return event->first &&
           (event->first->who & BL_RACE_THREAD) / BL_RACE_LANES == event->access->at.warp;
}

/* The pair of instructions, found fast: a racing kernel has a race in each access. */
static struct bl_race_pair *pair_of(struct bl_races *races,
                                    const struct bl_race_event *event, bool *is_new)
{
    const size_t most = sizeof races->pairs / sizeof *races->pairs;
    const bool between = event->first && event->first->clock < races->order.block_begin;
    const uint64_t key =
        (uint64_t)event->kind << 40 | (uint64_t)between << 36 |
        (uint64_t)event->same << 37 | (uint64_t)is_of_one_warp(event) << 38 |
        (uint64_t)(event->access->space == BL_SPACE_GLOBAL) << 35 |
        (uint64_t)(event->first ? event->first->site : 0) << 16 | event->access->site;

    for (size_t i = 0; i < races->pair_count; i++)
        if (races->pairs[i].key == key) {
            *is_new = false;
            return &races->pairs[i];
        }
    *is_new = true;
    if (races->pair_count == most)
        return NULL;
    races->pairs[races->pair_count] =
        (struct bl_race_pair){.key = key, .found = BL_RACE_FOUND};
    return &races->pairs[races->pair_count++];
}

void bl_race_note(struct bl_races *races, const struct bl_race_event *event)
{
    bool is_new;
    struct bl_race_pair *pair = pair_of(races, event, &is_new);

    if (!pair)
        return;
    if (is_new) {
        struct bl_hazard hazard;

        start(races, event->kind, event->access->space, &hazard);
        hazard.offset = event->offset;
        hazard.same = event->same;
        hazard.between_blocks =
            event->first && event->first->clock < races->order.block_begin;
        if (event->buffer)
            snprintf(hazard.buffer, sizeof hazard.buffer, "%s", event->buffer);
        if (event->first)
            end_of_mark(races, event->first, &hazard.first);
        end_of_access(races, event->access, event->lane, &hazard.then);
        pair->found = keep(races, &hazard);
    }
    if (pair->found < BL_RACE_FOUND)
        races->found[pair->found].count++;
}

void bl_race_note_left(struct bl_races *races, const struct bl_watch_sync *sync,
                       uint32_t threads)
{
    struct bl_hazard hazard, *found;
    size_t at;

    start(races, BL_HAZARD_LEFT, BL_SPACE_SHARED, &hazard);
    name_end(races, sync->at.insn, &hazard.then);
    hazard.then.warp = sync->at.warp;
    hazard.then.block = sync->at.block;
    at = keep(races, &hazard);
    if (at == BL_RACE_FOUND)
        return;
    found = &races->found[at];
    found->count++;
    if (found->threads < threads)
        found->threads = threads;
}

void bl_race_note_state(struct bl_races *races, const char *variable, uint64_t offset,
                        const struct bl_ptx_insn *insn)
{
    struct bl_hazard hazard;
    size_t at;

    start(races, BL_HAZARD_STATE, BL_SPACE_GLOBAL, &hazard);
    name_end(races, insn, &hazard.then);
    snprintf(hazard.buffer, sizeof hazard.buffer, "%s", variable);
    hazard.offset = offset;
    at = keep(races, &hazard);
    if (at < BL_RACE_FOUND)
        races->found[at].count++;
}
