/* SPDX-License-Identifier: Apache-2.0
 *
 * race.c - the watcher: takes each access to the bytes that it touches.
 */
#include "check/race.h"

#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"
#include "model/memory.h"
#include "model/program.h"

/* ---- a launch, a block ------------------------------------------------------------- */

static enum bl_status begin(void *ctx, const struct bl_watch_launch *launch,
                            struct bl_error *err)
{
    struct bl_races *races = ctx;
    struct bl_race_order *order = &races->order;
    enum bl_status status;

    if (launch->workers != 1)
        return bl_error_set(err, BL_E_INTERNAL,
                            "races are looked for with one worker, not %u",
                            (unsigned)launch->workers);
    if (launch->sites > UINT16_MAX || launch->warps > BL_RACE_WARPS)
        return bl_error_set(
            err, BL_E_UNSUPPORTED,
            "the kernel has %zu memory instructions; races are looked for "
            "among up to %d",
            launch->sites, UINT16_MAX);
    status = bl_race_shadow_shared(&races->shadow, launch->shared_bytes, err);
    if (status != BL_OK)
        return status;
    free(races->sites);
    races->sites = calloc(launch->sites + 1, sizeof *races->sites);
    if (!races->sites)
        return bl_error_nomem(err);
    races->launch = *launch;
    races->output_bytes = 0;
    for (size_t i = 0; i < launch->memory->count; i++)
        if (strcmp(launch->memory->spans[i].name, "output") == 0) {
            races->output = launch->memory->spans[i].address;
            races->output_bytes = launch->memory->spans[i].bytes;
        }
    races->pair_count = races->block_count = 0;
    races->launch_found = races->found_count;
    races->fences = races->flags = false;
    order->launch_begin = ++order->now;
    order->lock_step = launch->arch->cc < 70;
    order->warps = launch->warps;
    return bl_race_variables_begin(races, err);
}

static enum bl_status end(void *ctx, const struct bl_watch_launch *launch,
                          const struct bl_model_profile *profile, struct bl_error *err)
{
    struct bl_races *races = ctx;

    (void)launch;
    (void)err;
    if (profile)
        bl_race_variables_end(races);
    for (size_t i = races->launch_found; i < races->found_count; i++)
        races->found[i].unsure =
            races->found[i].between_blocks && races->fences && races->flags;
    return BL_OK;
}

static void block_begin(void *ctx, uint32_t worker, uint64_t number)
{
    struct bl_races *races = ctx;

    (void)worker;
    bl_race_block_begin(&races->order);
    races->left = 0;
    if (races->block_count == races->block_cap) {
        const size_t cap = races->block_cap ? 2 * races->block_cap : 256;
        struct bl_race_block *more = realloc(races->blocks, cap * sizeof *more);

        if (!more)
            return; /* a report may then name a wrong block */
        races->blocks = more;
        races->block_cap = cap;
    }
    races->blocks[races->block_count++] =
        (struct bl_race_block){.begin = races->order.block_begin, .number = number};
}

/* ---- accesses ---------------------------------------------------------------------- */

static bool has_mod(const struct bl_ptx_insn *insn, const char *const *names)
{
    for (uint32_t i = 0; i < insn->mod_count; i++)
        for (const char *const *name = names; *name; name++)
            if (strcmp(insn->mods[i], *name) == 0)
                return true;
    return false;
}

static bool is_strong(const struct bl_watch_access *access)
{
    static const char *const mods[] = {"relaxed", "acquire", "release", "mmio", NULL};

    return access->op == BL_WATCH_ATOMIC || has_mod(access->at.insn, mods);
}

/* An access under way. */
struct touch {
    struct bl_races *races;
    const struct bl_watch_access *access;
    const char *buffer; /* NULL: shared memory */
    bool fresh;         /* what was not stored to in this run is not to be loaded */
    bool strong, flying, stores, loads;
    bool same; /* stores what is there already */
    bool is_variable;
    uint32_t lane;
    uint32_t noted;  /* of this lane, by kind: it counts once, not by byte */
    uint64_t offset; /* of the byte */
};

/* `other` is what first was, of a race: 0 a store, 1 a load. */
static void note(struct touch *touch, enum bl_hazard_kind kind, unsigned other,
                 const struct bl_race_mark *first)
{
    const uint32_t bit = UINT32_C(1) << (2 * (unsigned)kind + other);
    const bool same = kind == BL_HAZARD_RACE && other == 0 && touch->same;
    const struct bl_race_event event = {.kind = kind,
                                        .access = touch->access,
                                        .lane = touch->lane,
                                        .first = first,
                                        .same = same,
                                        .buffer = touch->buffer,
                                        .offset = touch->offset};

    if (touch->noted & bit)
        return;
    touch->noted |= bit;
    bl_race_note(touch->races, &event);
}

/* True if the mark is of a race with the access. */
static bool races_with(const struct touch *touch, const struct bl_race_mark *mark)
{
    if (touch->strong && (mark->who & BL_RACE_STRONG))
        return false;
    return !bl_race_is_ordered(&touch->races->order, mark, touch->access->space,
                               touch->access->at.warp, touch->lane);
}

/* 0 same thread, 1 same warp, 2 same block, 3 further. */
static int distance(const struct bl_races *races, const struct bl_race_mark *a,
                    const struct bl_race_mark *b)
{
    const uint32_t begin = races->order.block_begin;
    const uint32_t apart = (a->who ^ b->who) & BL_RACE_THREAD;

    if ((a->clock < begin) != (b->clock < begin))
        return 3;
    return apart == 0 ? 0 : apart < BL_RACE_LANES ? 1 : 2;
}

/* Of all loads two are kept: those still unordered, as far from each other as may be. */
static void keep_load(const struct touch *touch, struct bl_race_mark load[2],
                      const struct bl_race_mark *now)
{
    const struct bl_races *races = touch->races;
    int between;

    for (int i = 0; i < 2; i++)
        if (bl_race_is_ordered(&races->order, &load[i], touch->access->space,
                               touch->access->at.warp, touch->lane)) {
            load[i] = *now;
            return;
        }
    between = distance(races, &load[0], &load[1]);
    if (distance(races, &load[0], now) > between)
        load[1] = *now;
    else if (distance(races, &load[1], now) > between)
        load[0] = *now;
}

/* The variable's byte is loaded as it was before the run. */
static void keep_early(const struct touch *touch, struct bl_race_cell *cell)
{
    if (cell->early >= touch->races->order.run_begin)
        return;
    cell->early = touch->races->order.now;
    cell->early_insn = touch->access->at.insn;
}

static void touch_byte(struct touch *touch, struct bl_race_cell *cell)
{
    const struct bl_race_order *order = &touch->races->order;
    const struct bl_race_mark now = {
        .clock = order->now,
        .site = (uint16_t)touch->access->site,
        .who = (uint16_t)(touch->access->at.warp * BL_RACE_LANES + touch->lane +
                          (touch->strong ? BL_RACE_STRONG : 0) +
                          (touch->flying ? BL_RACE_FLYING : 0))};

    if (touch->loads && cell->store.clock < order->run_begin) {
        if (touch->fresh)
            note(touch, BL_HAZARD_UNWRITTEN, 0, NULL);
        if (touch->is_variable)
            keep_early(touch, cell);
    }
    if (races_with(touch, &cell->store))
        note(touch, BL_HAZARD_RACE, 0, &cell->store);
    if (!touch->stores) {
        keep_load(touch, cell->load, &now);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (races_with(touch, &cell->load[i])) {
            note(touch, BL_HAZARD_RACE, 1, &cell->load[i]);
            break;
        }
    cell->store = now;
}

/* The bytes of one lane. */
static enum bl_status touch_lane(struct touch *touch, uint64_t address, uint32_t width,
                                 struct bl_error *err)
{
    struct bl_races *races = touch->races;
    const uint64_t first = touch->offset;

    const uint32_t grain =
        touch->buffer ? races->shadow.global_grain : races->shadow.shared_grain;

    for (uint32_t i = 0; i < width; i += grain) {
        struct bl_race_cell *cell = touch->buffer
                                        ? bl_race_cell_at(&races->shadow, address + i)
                                        : &races->shadow.shared[(address + i) / grain];

        if (!cell) {
            races->partial = true;
            return races->strict ? bl_error_set(err, BL_E_UNSUPPORTED,
                                                "a block touches more memory than is "
                                                "watched")
                                 : BL_OK;
        }
        touch->offset = first + i;
        touch_byte(touch, cell);
        races->effort++;
    }
    return BL_OK;
}

/* Finds the buffer. False: there is nothing to remember of the access. */
static bool find_buffer(struct touch *touch, uint64_t address)
{
    const struct bl_memory_span *span =
        bl_memory_find(touch->races->launch.memory, address);

    if (!span)
        return false;
    touch->buffer = span->name;
    touch->offset = address - span->address;
    /* A variable may be called like a buffer. */
    touch->is_variable = address >> BL_WINDOW_SHIFT == BL_WINDOW_VARS;
    touch->fresh = !touch->is_variable && (strcmp(span->name, "output") == 0 ||
                                           strcmp(span->name, "clock") == 0);
    if (touch->fresh && touch->stores && touch->races->block_count &&
        strcmp(span->name, "output") == 0)
        touch->races->blocks[touch->races->block_count - 1].wrote = true;
    if (touch->is_variable || strcmp(span->name, "input") != 0)
        return true;
    if (touch->stores)
        note(touch, BL_HAZARD_INPUT, 0, NULL);
    return false;
}

static void know_site(struct bl_races *races, const struct bl_watch_access *access,
                      const struct touch *touch)
{
    races->sites[access->site] =
        (struct bl_race_site){.insn = access->at.insn,
                              .is_store = access->op == BL_WATCH_STORE,
                              .is_atomic = access->op == BL_WATCH_ATOMIC,
                              .is_async = touch->flying};
    if (access->space == BL_SPACE_GLOBAL && touch->strong)
        races->flags = true;
}

static enum bl_status see(void *ctx, const struct bl_watch_access *access,
                          struct bl_error *err)
{
    static const char *const order_mods[] = {"acquire", "release", "acq_rel", NULL};
    struct bl_races *races = ctx;
    struct touch touch = {.races = races,
                          .access = access,
                          .strong = is_strong(access),
                          .flying = access->form == BL_WATCH_ASYNC &&
                                    access->space == BL_SPACE_SHARED,
                          .stores = access->op != BL_WATCH_LOAD,
                          .loads = access->op != BL_WATCH_STORE};
    const uint32_t width = access->form == BL_WATCH_MATRIX ? 16 : access->width;
    enum bl_status status = BL_OK;

    races->order.now++;
    status = bl_race_shadow_refine(&races->shadow, access->space, width, err);
    know_site(races, access, &touch);
    if (access->space == BL_SPACE_GLOBAL && has_mod(access->at.insn, order_mods))
        races->fences = true;
    for (uint32_t m = access->mask; m && status == BL_OK; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t address = access->address[lane];

        touch.lane = lane;
        touch.noted = 0;
        touch.same = access->same >> lane & 1;
        touch.offset = address;
        if (access->space == BL_SPACE_GLOBAL && !find_buffer(&touch, address))
            continue;
        if (access->lost >> lane & 1)
            note(&touch, BL_HAZARD_SAME, 0, NULL);
        if (touch.flying)
            status = bl_race_order_copy(&races->order, address, width, access->at.warp,
                                        lane, err);
        if (status == BL_OK)
            status = touch_lane(&touch, address, width, err);
    }
    return status;
}

/* ---- waiting ----------------------------------------------------------------------- */

static uint32_t lanes_of(const struct bl_races *races, uint32_t warp)
{
    const uint32_t threads = races->launch.threads - warp * BL_RACE_LANES;

    return threads < BL_RACE_LANES ? threads : BL_RACE_LANES;
}

/* Threads that have ended are counted when their warp arrives or ends without them. */
static void note_left(struct bl_races *races, const struct bl_watch_sync *sync)
{
    if (sync->kind == BL_WATCH_WARP_END)
        races->left += lanes_of(races, sync->at.warp);
    else if (sync->kind == BL_WATCH_ARRIVE && sync->threads == 0) {
        const uint32_t gone =
            lanes_of(races, sync->at.warp) - (uint32_t)__builtin_popcount(sync->mask);

        if (gone)
            bl_race_note_left(races, sync, gone);
    } else if (sync->kind == BL_WATCH_OPEN && sync->threads == 0 && races->left &&
               sync->at.insn)
        bl_race_note_left(races, sync, races->left);
}

static enum bl_status wait(void *ctx, const struct bl_watch_sync *sync,
                           struct bl_error *err)
{
    static const char *const gpu_mods[] = {"gl", "gpu", "sys", NULL};
    struct bl_races *races = ctx;

    if (sync->kind == BL_WATCH_FENCE && has_mod(sync->at.insn, gpu_mods))
        races->fences = true;
    note_left(races, sync);
    return bl_race_order_sync(&races->order, &races->shadow, sync, err);
}

void bl_race_watcher_init(struct bl_races *races)
{
    races->watcher = (struct bl_watcher){.ctx = races,
                                         .begin = begin,
                                         .end = end,
                                         .block_begin = block_begin,
                                         .access = see,
                                         .sync = wait};
}
