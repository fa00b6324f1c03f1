/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_watch.c - gathers the distinct patterns of a case's accesses: by worker while
 * blocks run, then, launch by launch, by source line.
 */
#include "bank/advise_watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise_patterns.h"
#include "base/text.h"

/* One source line's. */
struct place {
    char *file; /* NULL: `line` is of the PTX */
    int line;
    bool is_store;
    uint32_t width;
    struct bl_tile_lanes *at;
    size_t count, room;
};

struct bl_gather {
    struct bl_watcher watcher;
    struct bl_patterns *workers; /* of the launch that runs */
    uint32_t worker_count;
    struct place *places;
    size_t place_count;
    uint32_t threads, launches;
    uint64_t shared_bytes, others;
};

/* ---- while blocks run -------------------------------------------------------------- */

static enum bl_status on_access(void *ctx, const struct bl_watch_access *access,
                                struct bl_error *err)
{
    struct bl_gather *gather = ctx;
    struct bl_patterns *patterns = &gather->workers[access->at.worker];
    struct bl_pattern pattern = {.insn = access->at.insn,
                                 .is_store = access->op == BL_WATCH_STORE,
                                 .width = access->width,
                                 .mask = access->mask,
                                 .warp = access->at.warp,
                                 .times = 1};

    if (access->space != BL_SPACE_SHARED)
        return BL_OK;
    if (access->op == BL_WATCH_ATOMIC || access->form != BL_WATCH_PLAIN) {
        patterns->others++;
        return BL_OK;
    }
    for (uint32_t m = access->mask; m != 0; m &= m - 1) {
        int l = __builtin_ctz(m);
        pattern.address[l] = (uint32_t)access->address[l];
    }
    return bl_patterns_count(patterns, &pattern, err);
}

/* ---- launch by launch ----------------------------------------------------------------
 */

static void free_workers(struct bl_gather *gather)
{
    for (uint32_t w = 0; w < gather->worker_count; w++)
        bl_patterns_free(&gather->workers[w]);
    free(gather->workers);
    gather->workers = NULL;
    gather->worker_count = 0;
}

static enum bl_status on_begin(void *ctx, const struct bl_watch_launch *launch,
                               struct bl_error *err)
{
    struct bl_gather *gather = ctx;

    free_workers(gather); /* those of a launch that failed */
    gather->workers = calloc(launch->workers, sizeof *gather->workers);
    gather->worker_count = gather->workers ? launch->workers : 0;
    return gather->workers ? BL_OK : bl_error_nomem(err);
}

static const char *file_of(const struct bl_watch_launch *launch, int file)
{
    return file >= 0 && (size_t)file < launch->module->file_count
               ? launch->module->files[file]
               : NULL;
}

/* A plugin's reader looks for its lines in the plugin: what device.h has is told by where
 * it was called. */
static bool is_ours(const char *file)
{
    const char *slash = strrchr(file, '/');

    return strcmp(slash ? slash + 1 : file, "device.h") == 0;
}

static int line_of(const struct bl_watch_launch *launch, const struct bl_ptx_insn *insn,
                   const char **file)
{
    const struct bl_ptx_place *at = insn->called_at;
    int line = insn->loc_line;

    *file = file_of(launch, insn->loc_file);
    for (; *file && is_ours(*file) && at && file_of(launch, at->file);
         at = at->called_at) {
        *file = file_of(launch, at->file);
        line = at->line;
    }
    return *file ? line : insn->line;
}

static struct place *place_of(struct bl_gather *gather,
                              const struct bl_watch_launch *launch,
                              const struct bl_pattern *pattern)
{
    const char *file;
    const int line = line_of(launch, pattern->insn, &file);
    struct place *places;

    for (size_t i = 0; i < gather->place_count; i++) {
        struct place *place = &gather->places[i];

        if (place->line == line && place->is_store == pattern->is_store &&
            place->width == pattern->width && !place->file == !file &&
            (!file || strcmp(place->file, file) == 0))
            return place;
    }
    places = realloc(gather->places, (gather->place_count + 1) * sizeof *places);
    if (!places)
        return NULL;
    gather->places = places;
    places += gather->place_count;
    *places = (struct place){.file = file ? strdup(file) : NULL,
                             .line = line,
                             .is_store = pattern->is_store,
                             .width = pattern->width};
    if (file && !places->file)
        return NULL;
    gather->place_count++;
    return places;
}

static enum bl_status add_pattern(struct place *place, const struct bl_pattern *pattern,
                                  struct bl_error *err)
{
    struct bl_tile_lanes *lanes;

    if (place->count == place->room) {
        const size_t room = place->room ? 2 * place->room : 16;

        lanes = realloc(place->at, room * sizeof *lanes);
        if (!lanes)
            return bl_error_nomem(err);
        place->at = lanes;
        place->room = room;
    }
    lanes = &place->at[place->count++];
    *lanes = (struct bl_tile_lanes){
        .warp = pattern->warp, .mask = pattern->mask, .times = pattern->times};
    memcpy(lanes->col, pattern->address, sizeof lanes->col);
    return BL_OK;
}

static enum bl_status add_worker(struct bl_gather *gather,
                                 const struct bl_watch_launch *launch,
                                 const struct bl_patterns *patterns, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    gather->others += patterns->others;
    for (size_t i = 0; i < patterns->count && status == BL_OK; i++) {
        const struct bl_pattern *pattern = &patterns->at[i];
        struct place *place = place_of(gather, launch, pattern);

        status = place ? add_pattern(place, pattern, err) : bl_error_nomem(err);
    }
    return status;
}

static enum bl_status on_end(void *ctx, const struct bl_watch_launch *launch,
                             const struct bl_model_profile *profile, struct bl_error *err)
{
    struct bl_gather *gather = ctx;
    enum bl_status status = BL_OK;
    bool any = false;

    (void)profile;
    for (uint32_t w = 0; w < gather->worker_count && status == BL_OK; w++) {
        any = any || gather->workers[w].count > 0;
        status = add_worker(gather, launch, &gather->workers[w], err);
    }
    free_workers(gather);
    if (any) {
        gather->launches++;
        if (launch->threads > gather->threads)
            gather->threads = launch->threads;
        if (launch->shared_bytes > gather->shared_bytes)
            gather->shared_bytes = launch->shared_bytes;
    }
    return status;
}

/* ---- all together ---------------------------------------------------------------------
 */

enum bl_status bl_gather_new(struct bl_gather **out, struct bl_error *err)
{
    struct bl_gather *gather = calloc(1, sizeof *gather);

    if (!gather)
        return bl_error_nomem(err);
    gather->watcher = (struct bl_watcher){
        .ctx = gather, .begin = on_begin, .end = on_end, .access = on_access};
    *out = gather;
    return BL_OK;
}

void bl_gather_free(struct bl_gather *gather)
{
    if (!gather)
        return;
    free_workers(gather);
    for (size_t i = 0; i < gather->place_count; i++) {
        free(gather->places[i].file);
        free(gather->places[i].at);
    }
    free(gather->places);
    free(gather);
}

const struct bl_watcher *bl_gather_watcher(struct bl_gather *gather)
{
    return &gather->watcher;
}

static int by_line(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    const int file = strcmp(left->file ? left->file : "", right->file ? right->file : "");

    if (file != 0)
        return file;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->is_store != right->is_store)
        return left->is_store ? -1 : 1;
    return (left->width > right->width) - (left->width < right->width);
}

static int by_lanes(const void *a, const void *b)
{
    const struct bl_tile_lanes *left = a, *right = b;

    if (left->mask != right->mask)
        return left->mask < right->mask ? -1 : 1;
    return memcmp(left->col, right->col, sizeof left->col);
}

/* Workers, launches and unrolled instructions of one line may have had the same. */
static void join_equal(struct place *place)
{
    size_t kept = 0;

    qsort(place->at, place->count, sizeof *place->at, by_lanes);
    for (size_t i = 0; i < place->count; i++) {
        struct bl_tile_lanes *last = kept > 0 ? &place->at[kept - 1] : NULL;

        if (!last || by_lanes(last, &place->at[i]) != 0) {
            place->at[kept++] = place->at[i];
            continue;
        }
        last->times += place->at[i].times;
        if (place->at[i].warp < last->warp)
            last->warp = place->at[i].warp;
    }
    place->count = kept;
}

static char *name_of(const struct place *place)
{
    const char *slash = place->file ? strrchr(place->file, '/') : NULL;

    return bl_text_format("%s %s:%d, %" PRIu32 " byte%s",
                          place->is_store ? "store" : "load",
                          !place->file ? "PTX"
                          : slash      ? slash + 1
                                       : place->file,
                          place->line, place->width, place->width == 1 ? "" : "s");
}

enum bl_status bl_gather_take(struct bl_gather *gather, struct bl_gathered *out,
                              struct bl_error *err)
{
    struct bl_gathered gathered = {.threads = gather->threads,
                                   .shared_bytes = gather->shared_bytes,
                                   .launches = gather->launches,
                                   .others = gather->others};

    if (gather->place_count > 0)
        qsort(gather->places, gather->place_count, sizeof *gather->places, by_line);
    gathered.accesses = calloc(gather->place_count + 1, sizeof *gathered.accesses);
    if (!gathered.accesses)
        return bl_error_nomem(err);
    for (size_t i = 0; i < gather->place_count; i++) {
        struct place *place = &gather->places[i];
        struct bl_tile_access *access = &gathered.accesses[gathered.count++];

        join_equal(place);
        *access = (struct bl_tile_access){.name = name_of(place),
                                          .is_store = place->is_store,
                                          .width = place->width,
                                          .at = place->at,
                                          .count = place->count};
        place->at = NULL;
        place->count = 0;
        if (!access->name) {
            bl_gathered_free(&gathered);
            return bl_error_nomem(err);
        }
    }
    *out = gathered;
    return BL_OK;
}

void bl_gathered_free(struct bl_gathered *gathered)
{
    for (size_t i = 0; i < gathered->count; i++) {
        free(gathered->accesses[i].name);
        free(gathered->accesses[i].at);
    }
    free(gathered->accesses);
    *gathered = (struct bl_gathered){.count = 0};
}
