/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/seen.h"

#include <stdlib.h>
#include <string.h>

#include "explain/seen_set.h"

/* An instruction in one space, as one worker or, when all are put together, the case has
 * seen it. */
struct slot {
    struct bl_seen seen;
    uint32_t weight; /* of seen.worst: its wavefronts or sectors */
    struct bl_seen_warps warps;
    struct bl_seen_set set;
};

struct slots {
    struct slot *at;
    size_t count, cap;
};

struct bl_seen_list {
    struct bl_watcher watcher;
    /* Of the launch that runs: by worker, then site and space; NULL: not seen yet. */
    struct slot **now;
    size_t workers, places;
    struct bl_watch_launch launch;
    /* Of those that ran. */
    struct slots slots;
    struct bl_seen *all; /* the slots' */
    struct bl_insn_counts *counts;
    size_t count_count, count_cap;
    struct bl_arch arch;
    uint32_t launches;
};

static void free_slot(struct slot *slot)
{
    if (slot)
        bl_seen_set_free(&slot->set);
}

static void free_now(struct bl_seen_list *list)
{
    for (size_t i = 0; i < list->workers * list->places && list->now; i++) {
        free_slot(list->now[i]);
        free(list->now[i]);
    }
    free(list->now);
    list->now = NULL;
}

/* ---- an access --------------------------------------------------------------------- */

static uint32_t weight_of(const struct bl_watch_access *access)
{
    uint32_t weight = access->shared ? access->shared->wavefronts : 0;

    weight += access->loads ? access->loads->wavefronts : 0;
    return weight + (access->global ? access->global->sectors : 0);
}

static void keep(const struct bl_seen_list *list, const struct bl_watch_access *access,
                 struct bl_seen_access *out)
{
    const uint32_t *grid = list->launch.launch->grid;
    const uint64_t block = access->at.block;

    *out = (struct bl_seen_access){.launch = list->launches,
                                   .block = block,
                                   .warp = access->at.warp,
                                   .mask = access->mask};
    out->index[0] = (uint32_t)(block % grid[0]);
    out->index[1] = (uint32_t)(block / grid[0] % grid[1]);
    out->index[2] = (uint32_t)(block / grid[0] / grid[1]);
    for (uint32_t m = access->mask; m; m &= m - 1) {
        const int l = __builtin_ctz(m);

        out->address[l] = access->address[l];
    }
}

static struct slot *slot_new(const struct bl_seen_list *list,
                             const struct bl_watch_access *access)
{
    struct slot *slot = calloc(1, sizeof *slot);

    if (slot)
        slot->seen = (struct bl_seen){.module = list->launch.module,
                                      .insn = access->at.insn,
                                      .func = access->at.func,
                                      .space = access->space,
                                      .op = access->op,
                                      .form = access->form,
                                      .width = access->width};
    return slot;
}

static uint64_t turn_of(const struct bl_arch *arch, enum bl_ptx_space space,
                        uint32_t width)
{
    return space == BL_SPACE_GLOBAL ? bl_access_global_turn(arch)
                                    : bl_access_shared_turn(arch, width);
}

/* Blocks come in rising order, a block's warps don't. */
static bool is_worse(const struct slot *slot, uint32_t weight,
                     const struct bl_watch_at *at)
{
    const struct bl_seen_access *worst = &slot->seen.worst;

    return weight > slot->weight || (weight == slot->weight &&
                                     at->block == worst->block && at->warp < worst->warp);
}

static enum bl_status see(void *ctx, const struct bl_watch_access *access,
                          struct bl_error *err)
{
    struct bl_seen_list *list = ctx;
    struct slot **place = &list->now[access->at.worker * list->places + 2 * access->site +
                                     (access->space == BL_SPACE_GLOBAL)];
    struct bl_seen_pattern pattern, *known;
    const uint32_t weight = weight_of(access);
    enum bl_status status;

    if (!*place)
        *place = slot_new(list, access);
    struct slot *slot = *place;
    if (!slot)
        return bl_error_nomem(err);
    if (slot->seen.executions++ == 0 || is_worse(slot, weight, &access->at)) {
        slot->weight = weight;
        slot->seen.counted = access->shared || access->global;
        keep(list, access, &slot->seen.worst);
    }
    bl_seen_warp(&slot->warps, access->at.block, access->at.warp);
    if (slot->set.full)
        return BL_OK;
    bl_seen_pattern(turn_of(list->launch.arch, access->space, access->width),
                    access->mask, access->address, &pattern);
    status = bl_seen_set_find(&slot->set, &pattern, &known, err);
    if (known) {
        known->executions++;
        bl_seen_warp(&known->warps, access->at.block, access->at.warp);
    }
    return status;
}

/* ---- a launch ---------------------------------------------------------------------- */

static enum bl_status begin(void *ctx, const struct bl_watch_launch *launch,
                            struct bl_error *err)
{
    struct bl_seen_list *list = ctx;

    free_now(list);
    list->launch = *launch;
    list->workers = launch->workers;
    list->places = 2 * launch->sites;
    list->now = calloc(list->workers * list->places + 1, sizeof(struct slot *));
    return list->now ? BL_OK : bl_error_nomem(err);
}

static bool is_before(const struct bl_seen_access *a, const struct bl_seen_access *b)
{
    return a->launch != b->launch ? a->launch < b->launch : a->block < b->block;
}

static enum bl_status merge(struct slot *to, const struct slot *from,
                            struct bl_error *err)
{
    to->seen.executions += from->seen.executions;
    to->warps.count += from->warps.count;
    if (from->weight > to->weight ||
        (from->weight == to->weight && is_before(&from->seen.worst, &to->seen.worst))) {
        to->weight = from->weight;
        to->seen.worst = from->seen.worst;
        to->seen.counted = from->seen.counted;
    }
    return bl_seen_set_add(&to->set, &from->set, err);
}

/* Into the case's slots. */
static enum bl_status add_slot(struct bl_seen_list *list, struct slot *slot,
                               struct bl_error *err)
{
    struct slots *slots = &list->slots;

    for (size_t i = 0; i < slots->count; i++)
        if (slots->at[i].seen.insn == slot->seen.insn &&
            slots->at[i].seen.space == slot->seen.space)
            return merge(&slots->at[i], slot, err);
    if (slots->count == slots->cap) {
        const size_t cap = slots->cap ? 2 * slots->cap : 16;
        struct slot *at = realloc(slots->at, cap * sizeof *at);

        if (!at)
            return bl_error_nomem(err);
        slots->at = at;
        slots->cap = cap;
    }
    slots->at[slots->count++] = *slot;
    slot->set = (struct bl_seen_set){.full = false}; /* it has moved */
    return BL_OK;
}

static enum bl_status add_count(struct bl_seen_list *list,
                                const struct bl_insn_counts *counts, struct bl_error *err)
{
    for (size_t i = 0; i < list->count_count; i++) {
        struct bl_insn_counts *to = &list->counts[i];

        if (to->insn == counts->insn && to->is_shared == counts->is_shared &&
            to->is_special == counts->is_special) {
            bl_insn_counts_add(to, counts);
            return BL_OK;
        }
    }
    if (list->count_count == list->count_cap) {
        const size_t cap = list->count_cap ? 2 * list->count_cap : 16;
        struct bl_insn_counts *at = realloc(list->counts, cap * sizeof *at);

        if (!at)
            return bl_error_nomem(err);
        list->counts = at;
        list->count_cap = cap;
    }
    list->counts[list->count_count++] = *counts;
    return BL_OK;
}

/* What the set knows of the worst one. */
static void settle(const struct bl_arch *arch, struct slot *slot)
{
    const struct bl_seen_access *worst = &slot->seen.worst;
    struct bl_seen_pattern pattern, *known = NULL;

    slot->seen.warps = slot->warps.count;
    slot->seen.patterns = slot->set.full ? 0 : slot->set.count;
    bl_seen_pattern(turn_of(arch, slot->seen.space, slot->seen.width), worst->mask,
                    worst->address, &pattern);
    /* It is in the set, or the set is full: nothing is added. */
    bl_seen_set_find(&slot->set, &pattern, &known, NULL);
    slot->seen.like_worst = known ? known->executions : 0;
    slot->seen.warps_like_worst = known ? known->warps.count : 0;
}

static enum bl_status list_all(struct bl_seen_list *list, struct bl_error *err)
{
    struct bl_seen *all = realloc(list->all, (list->slots.count + 1) * sizeof *all);

    if (!all)
        return bl_error_nomem(err);
    list->all = all;
    for (size_t i = 0; i < list->slots.count; i++) {
        settle(&list->arch, &list->slots.at[i]);
        all[i] = list->slots.at[i].seen;
    }
    return BL_OK;
}

static enum bl_status end(void *ctx, const struct bl_watch_launch *launch,
                          const struct bl_model_profile *profile, struct bl_error *err)
{
    struct bl_seen_list *list = ctx;
    enum bl_status status = BL_OK;

    if (!profile) {
        free_now(list);
        return BL_OK;
    }
    list->arch = *launch->arch;
    for (size_t i = 0; i < list->workers * list->places && !status; i++)
        if (list->now[i])
            status = add_slot(list, list->now[i], err);
    for (size_t i = 0; i < profile->count && !status; i++)
        status = add_count(list, &profile->at[i], err);
    if (status == BL_OK)
        status = list_all(list, err);
    list->launches++;
    free_now(list);
    return status;
}

/* ---- from outside ------------------------------------------------------------------ */

enum bl_status bl_seen_new(struct bl_seen_list **out, struct bl_error *err)
{
    struct bl_seen_list *list = calloc(1, sizeof *list);

    if (!list)
        return bl_error_nomem(err);
    list->watcher =
        (struct bl_watcher){.ctx = list, .begin = begin, .end = end, .access = see};
    *out = list;
    return BL_OK;
}

void bl_seen_free(struct bl_seen_list *list)
{
    if (!list)
        return;
    free_now(list);
    for (size_t i = 0; i < list->slots.count; i++)
        free_slot(&list->slots.at[i]);
    free(list->slots.at);
    free(list->all);
    free(list->counts);
    free(list);
}

const struct bl_watcher *bl_seen_watcher(const struct bl_seen_list *list)
{
    return &list->watcher;
}

uint32_t bl_seen_launches(const struct bl_seen_list *list)
{
    return list->launches;
}

const struct bl_arch *bl_seen_arch(const struct bl_seen_list *list)
{
    return &list->arch;
}

const struct bl_seen *bl_seen_all(const struct bl_seen_list *list, size_t *count)
{
    *count = list->all ? list->slots.count : 0;
    return list->all;
}

const struct bl_insn_counts *bl_seen_counts(const struct bl_seen_list *list,
                                            size_t *count)
{
    *count = list->count_count;
    return list->counts;
}
