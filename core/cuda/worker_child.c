/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/counters.h"
#include "cuda/gpu_patterns.h"
#include "cuda/gpu_time.h"
#include "cuda/shelf.h"
#include "cuda/wire.h"
#include "cuda/worker.h"

/* Everything that the child holds. */
struct child {
    int fd;
    volatile uint32_t *place;
    struct bl_shelf *shelf;
    struct bl_gpu gpu;
    struct bl_gpu_timer *timer;
    struct bl_gpu_patterns *patterns;
    struct bl_nvml *nvml;
    struct bl_counters *counters;
    struct bl_error no_counters; /* why there are none; BL_OK: not tried yet */
};

/* The asked PTX, as the driver wants it: with a NUL behind. */
static char *take_ptx(struct bl_wire_cursor *cursor, size_t bytes, struct bl_error *err)
{
    void *at = bl_wire_take(cursor, bytes);
    char *ptx = at ? malloc(bytes + 1) : NULL;

    if (!ptx) {
        bl_error_set(err, at ? BL_E_NOMEM : BL_E_INTERNAL, "the question is cut short");
        return NULL;
    }
    memcpy(ptx, at, bytes);
    ptx[bytes] = '\0';
    return ptx;
}

static enum bl_status take(struct bl_wire_cursor *cursor, void *out, size_t bytes,
                           struct bl_error *err)
{
    void *at = bl_wire_take(cursor, bytes);

    if (!at)
        return bl_error_set(err, BL_E_INTERNAL, "the question is cut short");
    memcpy(out, at, bytes);
    return BL_OK;
}

static void answer(struct child *child, uint32_t op, enum bl_status status,
                   const struct bl_error *err, const struct bl_wire_part *more,
                   size_t count)
{
    struct bl_wire_part parts[4]; /* as many groups as any answer has, and one */
    struct bl_answer head = {.status = status};

    if (status != BL_OK)
        snprintf(head.text, sizeof head.text, "%s", err->text);
    parts[0] = (struct bl_wire_part){&head, sizeof head};
    for (size_t i = 0; i < count; i++)
        parts[1 + i] = more[i];
    /* If the lab is gone there is nobody to tell. */
    bl_wire_send(child->fd, -1, op, parts, status == BL_OK ? 1 + count : 1, NULL);
}

/* ---- one run ------------------------------------------------------------------- */

static enum bl_status take_regions(struct child *child, struct bl_wire_cursor *cursor,
                                   uint32_t count, struct bl_regions *out,
                                   struct bl_error *err)
{
    uint64_t places[BL_REGION_MAX], end = 0;
    enum bl_status status;

    memset(out, 0, sizeof *out);
    if (count > BL_REGION_MAX)
        return bl_error_set(err, BL_E_INTERNAL, "%u buffers; at most %d", count,
                            BL_REGION_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct bl_region *region = &out->at[i];
        struct bl_ask_region asked;

        if ((status = take(cursor, &asked, sizeof asked, err)) != BL_OK)
            return status;
        region->role = asked.role;
        memcpy(region->name, asked.name, sizeof region->name);
        region->bytes = asked.bytes;
        places[i] = end = asked.place;
        bl_shelf_place(&end, asked.bytes + 2 * BL_GUARD_BYTES);
    }
    if (count && (status = bl_shelf_see(child->shelf, end, err)) != BL_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        out->at[i].image = child->shelf->at + places[i];
    out->count = count;
    return BL_OK;
}

struct counted_run {
    struct child *child;
    const struct bl_gpu_code *code;
    const struct banklab_plan *plan;
    struct bl_regions *regions;
};

static enum bl_status run_again(void *ctx, struct bl_error *err)
{
    struct counted_run *run = ctx;

    return bl_gpu_run(&run->child->gpu, run->code, run->plan, run->regions, false, err);
}

/* Leaves the images as they are. Counters that can't be read leave the case without
 * counts, not without a verdict. */
static enum bl_status count(struct child *child, const struct bl_gpu_code *code,
                            const struct banklab_plan *plan, struct bl_regions *regions,
                            struct bl_count_card *out, struct bl_error *err)
{
    struct counted_run run = {child, code, plan, regions};
    const struct bl_error *why = &child->no_counters;
    enum bl_status status = child->no_counters.status;

    if (child->counters) {
        status = bl_counters_count(child->counters, run_again, &run, &out->counts, err);
        out->spent = bl_counters_once(child->counters);
        why = err;
    }
    if (status == BL_OK)
        return BL_OK;
    memset(&out->counts, 0, sizeof out->counts);
    snprintf(out->no_counters, sizeof out->no_counters, "%.500s", why->text);
    return status == BL_E_FAULT ? status : BL_OK;
}

static void open_counters(struct child *child, enum bl_counted by)
{
    if (!child->counters && child->no_counters.status == BL_OK)
        bl_counters_open(&child->gpu, by, &child->counters, &child->no_counters);
}

/* A question of BL_OP_RUN or BL_OP_COUNT, its code loaded. */
struct asked_run {
    struct bl_ask_code asked;
    struct bl_regions regions;
    struct bl_gpu_code code;
};

static enum bl_status take_run(struct child *child, struct bl_wire_cursor cursor,
                               struct asked_run *out, struct bl_error *err)
{
    enum bl_status status = take(&cursor, &out->asked, sizeof out->asked, err);
    char *ptx = NULL;

    if (status == BL_OK && !(ptx = take_ptx(&cursor, out->asked.ptx_bytes, err)))
        status = err->status;
    if (status == BL_OK)
        status = take_regions(child, &cursor, out->asked.regions, &out->regions, err);
    if (status == BL_OK)
        status = bl_gpu_load(&child->gpu, out->asked.label, ptx, out->asked.ptx_bytes,
                             &out->asked.plan, &out->code, err);
    free(ptx);
    return status;
}

static void serve_run(struct child *child, struct bl_wire_cursor cursor)
{
    struct asked_run run = {0};
    struct bl_error err = {0};
    enum bl_status status = take_run(child, cursor, &run, &err);

    if (status == BL_OK)
        status =
            bl_gpu_run(&child->gpu, &run.code, &run.asked.plan, &run.regions, true, &err);
    status = bl_gpu_unload(&child->gpu, &run.code, status, &err);
    answer(child, BL_OP_RUN, status, &err, NULL, 0);
}

static void serve_count(struct child *child, struct bl_wire_cursor cursor)
{
    struct bl_count_card card = {0};
    struct asked_run run = {0};
    struct bl_error err = {0};
    enum bl_status status = take_run(child, cursor, &run, &err);

    if (status == BL_OK)
        status = count(child, &run.code, &run.asked.plan, &run.regions, &card, &err);
    status = bl_gpu_unload(&child->gpu, &run.code, status, &err);
    answer(child, BL_OP_COUNT, status, &err, &(struct bl_wire_part){&card, sizeof card},
           1);
}

static void serve_counters(struct child *child, struct bl_wire_cursor cursor)
{
    struct bl_error err;
    uint32_t by = 0;
    enum bl_status status = take(&cursor, &by, sizeof by, &err);

    if (status == BL_OK)
        open_counters(child, (enum bl_counted)by);
    answer(child, BL_OP_COUNTERS, status, &err, NULL, 0);
}

/* ---- timing, state ---------------------------------------------------------------- */

static void serve_time_add(struct child *child, struct bl_wire_cursor cursor)
{
    struct bl_timing_card card = {0};
    struct bl_ask_timing timing;
    struct bl_ask_code asked;
    struct bl_error err = {0};
    enum bl_status status;
    char *ptx = NULL;

    status = take(&cursor, &asked, sizeof asked, &err);
    if (status == BL_OK && !(ptx = take_ptx(&cursor, asked.ptx_bytes, &err)))
        status = err.status;
    if (status == BL_OK)
        status = take(&cursor, &timing, sizeof timing, &err);
    if (status == BL_OK && !child->timer)
        status = bl_gpu_timer_new(&child->gpu, &child->timer, &err);
    if (status == BL_OK)
        status = bl_gpu_timer_add(child->timer, &asked, ptx, &timing, &card, &err);
    answer(child, BL_OP_TIME_ADD, status, &err,
           &(struct bl_wire_part){&card, sizeof card}, 1);
    free(ptx);
}

static void serve_time_round(struct child *child)
{
    size_t n = child->timer ? bl_gpu_timer_count(child->timer) : 0;
    double *times = calloc(n + 1, sizeof *times);
    struct bl_error err = {0};
    enum bl_status status = times ? BL_OK : bl_error_nomem(&err);

    if (status == BL_OK && n)
        status = bl_gpu_timer_round(child->timer, times, child->place, &err);
    answer(child, BL_OP_TIME_ROUND, status, &err,
           &(struct bl_wire_part){times, n * sizeof *times}, 1);
    free(times);
}

/* What can't be freed is lost with the worker: a fault, which ends it. */
static void serve_time_clear(struct child *child)
{
    struct bl_error err = {0};
    enum bl_status status = bl_gpu_timer_free(child->timer, &err);

    child->timer = NULL;
    answer(child, BL_OP_TIME_CLEAR, status, &err, NULL, 0);
}

static void serve_state(struct child *child)
{
    struct bl_gpu_state state = {0};
    struct bl_error ignored;

    if (!child->nvml)
        bl_nvml_open(child->gpu.bus_id, &child->nvml, &ignored);
    if (child->nvml)
        bl_nvml_state(child->nvml, &state);
    answer(child, BL_OP_STATE, BL_OK, NULL, &(struct bl_wire_part){&state, sizeof state},
           1);
}

static void serve_describe(struct child *child)
{
    /* Of three images that a case holds in the lab, two lie on the shelf as well. */
    const uint64_t host = bl_regions_limit() / 5 * 3;
    struct bl_gpu_state state = {0};
    struct bl_gpu_card card = {0};
    struct bl_error ignored;

    card.desc = child->gpu.desc;
    card.limits = child->gpu.limits;
    card.l2_bytes = child->gpu.l2_bytes;
    card.sms = child->gpu.sms;
    card.memory_bytes = card.limits.memory;
    if (card.limits.memory > host)
        card.limits.memory = host;
    if (!child->nvml)
        bl_nvml_open(child->gpu.bus_id, &child->nvml, &ignored);
    if (child->nvml)
        bl_nvml_state(child->nvml, &state);
    if (state.present)
        memcpy(card.desc.driver, state.driver, sizeof card.desc.driver);
    answer(child, BL_OP_DESCRIBE, BL_OK, NULL, &(struct bl_wire_part){&card, sizeof card},
           1);
}

/* ---- access patterns ------------------------------------------------------------- */

/* What the question and the answer hold besides their heads. */
struct pattern_parts {
    char *ptx;
    const char **names;
    struct bl_pattern_args *args;
    double *values, *cycles;
};

static enum bl_status take_patterns(struct bl_wire_cursor *cursor,
                                    const struct bl_ask_patterns *ask,
                                    struct pattern_parts *parts, struct bl_error *err)
{
    const size_t args_bytes = ask->count * sizeof *parts->args;
    char *names;
    void *args;

    parts->ptx = take_ptx(cursor, ask->ptx_bytes, err);
    if (!parts->ptx)
        return err->status;
    names = bl_wire_take(cursor, (size_t)ask->metrics * BL_METRIC_BYTES);
    args = bl_wire_take(cursor, args_bytes);
    if (!names || !args)
        return bl_error_set(err, BL_E_INTERNAL, "the question is cut short");
    parts->names = calloc(ask->metrics + 1, sizeof *parts->names);
    parts->args = malloc(args_bytes + 1);
    parts->values = calloc((size_t)ask->count * ask->metrics + 1, sizeof *parts->values);
    parts->cycles = calloc(ask->count + 1, sizeof *parts->cycles);
    if (!parts->names || !parts->args || !parts->values || !parts->cycles)
        return bl_error_nomem(err);
    for (uint32_t i = 0; i < ask->metrics; i++)
        parts->names[i] = names + (size_t)i * BL_METRIC_BYTES;
    memcpy(parts->args, args, args_bytes); /* which may lie unaligned */
    return BL_OK;
}

static void serve_patterns(struct child *child, struct bl_wire_cursor cursor)
{
    struct bl_patterns_card card = {{0}};
    struct pattern_parts parts = {0};
    struct bl_ask_patterns asked;
    struct bl_error err = {0}, why = {0};
    enum bl_status status = take(&cursor, &asked, sizeof asked, &err);

    if (status == BL_OK)
        status = take_patterns(&cursor, &asked, &parts, &err);
    if (status == BL_OK && !child->patterns)
        status = bl_gpu_patterns_new(&child->gpu, &child->patterns, &err);
    if (status == BL_OK)
        status = bl_gpu_patterns_run(child->patterns, &asked, parts.ptx, parts.names,
                                     parts.args, parts.values, parts.cycles, &why, &err);
    if (status == BL_OK) {
        snprintf(card.no_counters, sizeof card.no_counters, "%s", why.text);
        answer(child, BL_OP_PATTERNS, status, &err,
               (struct bl_wire_part[]){
                   {&card, sizeof card},
                   {parts.values,
                    sizeof *parts.values * asked.count * (size_t)asked.metrics},
                   {parts.cycles, asked.passes ? sizeof *parts.cycles * asked.count : 0}},
               3);
    } else {
        answer(child, BL_OP_PATTERNS, status, &err, NULL, 0);
    }
    free(parts.ptx);
    free(parts.names);
    free(parts.args);
    free(parts.values);
    free(parts.cycles);
}

/* ---- the loop --------------------------------------------------------------------- */

static void serve(struct child *child, uint32_t op, struct bl_wire_cursor cursor)
{
    struct bl_error err;

    switch (op) {
    case BL_OP_DESCRIBE: serve_describe(child); break;
    case BL_OP_RUN: serve_run(child, cursor); break;
    case BL_OP_COUNT: serve_count(child, cursor); break;
    case BL_OP_TIME_ADD: serve_time_add(child, cursor); break;
    case BL_OP_TIME_ROUND: serve_time_round(child); break;
    case BL_OP_STATE: serve_state(child); break;
    case BL_OP_PATTERNS: serve_patterns(child, cursor); break;
    case BL_OP_HELLO: answer(child, op, BL_OK, NULL, NULL, 0); break;
    case BL_OP_COUNTERS: serve_counters(child, cursor); break;
    case BL_OP_TIME_CLEAR: serve_time_clear(child); break;
    default:
        bl_error_set(&err, BL_E_INTERNAL, "the GPU worker knows no operation %u", op);
        answer(child, op, err.status, &err, NULL, 0);
        break;
    }
}

void bl_worker_serve(int fd, int ordinal, volatile uint32_t *place,
                     struct bl_shelf *shelf)
{
    struct child child = {.fd = fd, .place = place, .shelf = shelf};
    struct bl_error opening = {0};
    enum bl_status status = bl_gpu_open(&child.gpu, ordinal, &opening);
    struct bl_error err;
    uint8_t *body;
    size_t bytes;
    uint32_t op;

    while (bl_wire_receive(fd, -1, &op, &body, &bytes, &err) == BL_OK) {
        if (status != BL_OK)
            answer(&child, op, status, &opening, NULL, 0);
        else
            serve(&child, op, (struct bl_wire_cursor){body, bytes});
        free(body);
    }
    if (status != BL_OK)
        return;
    bl_gpu_timer_free(child.timer, NULL);
    bl_gpu_patterns_free(child.patterns);
    bl_counters_close(child.counters);
    bl_nvml_close(child.nvml);
    bl_gpu_close(&child.gpu);
}
