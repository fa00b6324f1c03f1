/* SPDX-License-Identifier: Apache-2.0
 *
 * race_order.c - what comes before what: clocks of warps, and where lanes of a warp met
 * without the others, of lanes.
 */
#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"

void bl_race_block_begin(struct bl_race_order *order)
{
    const uint32_t warps = order->warps;

    order->block_begin = ++order->now;
    for (uint32_t w = 0; w < warps; w++) {
        memset(order->knows[w], 0, warps * sizeof order->knows[w][0]);
        memset(order->committed[w], 0, sizeof order->committed[w]);
        if (order->parted >> w & 1)
            memset(order->lanes[w], 0, sizeof order->lanes[w]);
    }
    memset(order->brought, 0, sizeof order->brought);
    memset(order->ended, 0, sizeof order->ended);
    memset(order->met, 0, sizeof order->met);
    order->parted = 0;
    order->copy_count = order->object_count = 0;
}

static bool lanes_ordered(const struct bl_race_order *order,
                          const struct bl_race_mark *mark, uint32_t warp, uint32_t lane)
{
    const uint32_t other = mark->who & (BL_RACE_LANES - 1);

    if (other == lane || order->lock_step || order->met[warp] >= mark->clock)
        return true;
    return (order->parted >> warp & 1) && order->lanes[warp][lane][other] >= mark->clock;
}

bool bl_race_is_ordered(const struct bl_race_order *order,
                        const struct bl_race_mark *mark, enum bl_ptx_space space,
                        uint32_t warp, uint32_t lane)
{
    const uint32_t thread = mark->who & BL_RACE_THREAD, other = thread / BL_RACE_LANES;

    if (mark->clock < order->launch_begin)
        return true;
    if (mark->clock < order->block_begin)
        return space == BL_SPACE_SHARED; /* shared: it was the other block's own */
    if (mark->who & BL_RACE_FLYING)
        return false;
    if (other != warp)
        return order->knows[warp][other] >= mark->clock;
    return mark->clock == order->now || lanes_ordered(order, mark, warp, lane);
}

/* ---- waiting ----------------------------------------------------------------------- */

static void learn(uint32_t *to, const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (to[i] < from[i])
            to[i] = from[i];
}

/* What the warp has done and knows, into `to`. */
static void bring(struct bl_race_order *order, uint32_t warp, uint32_t *to)
{
    learn(to, order->knows[warp], order->warps);
    to[warp] = order->now;
}

static void open_barrier(struct bl_race_order *order, const struct bl_watch_sync *sync)
{
    uint32_t *brought = order->brought[sync->barrier];

    if (sync->threads == 0)
        learn(brought, order->ended, order->warps);
    for (uint64_t set = sync->waited; set; set &= set - 1)
        learn(order->knows[__builtin_ctzll(set)], brought, order->warps);
    memset(brought, 0, sizeof order->brought[0]);
}

/* Each lane of `mask` learns what all of them know and have done. */
static void lanes_meet(struct bl_race_order *order, uint32_t warp, uint32_t mask)
{
    uint32_t all[BL_RACE_LANES] = {0};
    uint32_t(*lanes)[BL_RACE_LANES] = order->lanes[warp];

    order->parted |= UINT64_C(1) << warp;
    for (uint32_t m = mask; m; m &= m - 1)
        learn(all, lanes[__builtin_ctz(m)], BL_RACE_LANES);
    for (uint32_t m = mask; m; m &= m - 1)
        all[__builtin_ctz(m)] = order->now;
    for (uint32_t m = mask; m; m &= m - 1)
        memcpy(lanes[__builtin_ctz(m)], all, sizeof all);
}

static enum bl_status warp_sync(struct bl_race_order *order, uint32_t warp, uint32_t mask,
                                struct bl_error *err)
{
    if (mask == UINT32_MAX) {
        order->met[warp] = order->now;
        return BL_OK;
    }
    if (!order->lanes)
        order->lanes = calloc(BL_RACE_WARPS, sizeof *order->lanes);
    if (!order->lanes)
        return bl_error_nomem(err);
    lanes_meet(order, warp, mask);
    return BL_OK;
}

/* ---- mbarriers --------------------------------------------------------------------- */

static struct bl_race_object *object_at(struct bl_race_order *order, uint64_t offset,
                                        uint64_t phase, struct bl_error *err)
{
    struct bl_race_object *object = NULL;

    for (size_t i = 0; i < order->object_count && !object; i++)
        if (order->objects[i].offset == offset)
            object = &order->objects[i];
    if (!object) {
        if (order->object_count == order->object_cap) {
            const size_t cap = order->object_cap ? 2 * order->object_cap : 4;
            struct bl_race_object *more = realloc(order->objects, cap * sizeof *more);

            if (!more) {
                bl_error_nomem(err);
                return NULL;
            }
            order->objects = more;
            order->object_cap = cap;
        }
        object = &order->objects[order->object_count++];
        *object = (struct bl_race_object){.offset = offset};
    }
    if (phase > object->phase) {
        learn(object->over, object->running, order->warps);
        memset(object->running, 0, sizeof object->running);
        object->phase = phase;
    }
    return object;
}

/* Arriving releases, and a wait that saw the phase complete acquires. Both are taken as
 * the whole warp's, though a lane may do it for itself. */
static enum bl_status object_sync(struct bl_race_order *order,
                                  const struct bl_watch_sync *sync, struct bl_error *err)
{
    const uint32_t warp = sync->at.warp;
    struct bl_race_object *object = object_at(order, sync->object, sync->epoch, err);

    if (!object)
        return BL_E_NOMEM;
    if (sync->kind == BL_WATCH_OBJECT_ARRIVE) {
        bring(order, warp, object->running);
        return BL_OK;
    }
    learn(order->knows[warp], object->over, order->warps);
    if (order->met[warp] < object->over[warp])
        order->met[warp] = object->over[warp];
    return BL_OK;
}

/* ---- copies ------------------------------------------------------------------------ */

enum bl_status bl_race_order_copy(struct bl_race_order *order, uint64_t offset,
                                  uint32_t width, uint32_t warp, uint32_t lane,
                                  struct bl_error *err)
{
    if (order->copy_count == order->copy_cap) {
        const size_t cap = order->copy_cap ? 2 * order->copy_cap : 64;
        struct bl_race_copy *more = realloc(order->copies, cap * sizeof *more);

        if (!more)
            return bl_error_nomem(err);
        order->copies = more;
        order->copy_cap = cap;
    }
    order->copies[order->copy_count++] =
        (struct bl_race_copy){.offset = offset,
                              .clock = order->now,
                              .group = order->committed[warp][lane],
                              .width = (uint8_t)width,
                              .warp = (uint8_t)warp,
                              .lane = (uint8_t)lane};
    return BL_OK;
}

/* The copy's bytes are the lane's store from now on. */
static void land(const struct bl_race_order *order, struct bl_race_shadow *shadow,
                 const struct bl_race_copy *copy)
{
    const uint32_t who = copy->warp * BL_RACE_LANES + copy->lane;

    for (uint32_t i = 0; i < copy->width; i += shadow->shared_grain) {
        struct bl_race_mark *store =
            &shadow->shared[(copy->offset + i) / shadow->shared_grain].store;

        if (store->clock != copy->clock || (store->who & BL_RACE_THREAD) != who)
            continue;
        store->clock = order->now;
        store->who = (uint16_t)(store->who & ~BL_RACE_FLYING);
    }
}

static void wait_copies(struct bl_race_order *order, struct bl_race_shadow *shadow,
                        const struct bl_watch_sync *sync)
{
    const uint32_t *committed = order->committed[sync->at.warp];
    size_t kept = 0;

    for (size_t i = 0; i < order->copy_count; i++) {
        const struct bl_race_copy copy = order->copies[i];

        if (copy.warp == sync->at.warp && (sync->mask >> copy.lane & 1) &&
            copy.group + (uint64_t)sync->groups < committed[copy.lane])
            land(order, shadow, &copy);
        else
            order->copies[kept++] = copy;
    }
    order->copy_count = kept;
}

enum bl_status bl_race_order_sync(struct bl_race_order *order,
                                  struct bl_race_shadow *shadow,
                                  const struct bl_watch_sync *sync, struct bl_error *err)
{
    const uint32_t warp = sync->at.warp;

    order->now++;
    switch (sync->kind) {
    case BL_WATCH_ARRIVE:
        bring(order, warp, order->brought[sync->barrier]);
        if (sync->waits)
            order->met[warp] = order->now; /* of all lanes that there still are */
        break;
    case BL_WATCH_OPEN: open_barrier(order, sync); break;
    case BL_WATCH_WARP_SYNC: return warp_sync(order, warp, sync->mask, err);
    case BL_WATCH_COMMIT:
        for (uint32_t m = sync->mask; m; m &= m - 1)
            order->committed[warp][__builtin_ctz(m)]++;
        break;
    case BL_WATCH_WAIT: wait_copies(order, shadow, sync); break;
    case BL_WATCH_WARP_END: bring(order, warp, order->ended); break;
    case BL_WATCH_OBJECT_ARRIVE:
    case BL_WATCH_OBJECT_SEEN: return object_sync(order, sync, err);
    case BL_WATCH_FENCE: break;
    }
    return BL_OK;
}
