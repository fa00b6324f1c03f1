/* SPDX-License-Identifier: Apache-2.0
 *
 * huge.c - a problem of more than 2^32 elements, without the memory for it.
 *
 * Where an index, or an offset in bytes, is computed in 32 bits, it is wrong in the far
 * end of a large buffer alone, which no test has the time to fill. So only a few blocks
 * are run: the first, the last, and some in the middle, where element 2^31 is. The
 * buffers are address space with pages only where a block goes. The input is one piece of
 * memory, seen again and again, whose length divides no power of two: an index that is
 * off by 2^31 or 2^32 finds other bytes than it should. Each element that these blocks
 * wrote must be right. One that went round to the start of the buffer is another block's:
 * then two blocks wrote it; the problem is so little larger than 2^32 that the one it
 * belongs to is among the first.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/causes.h"
#include "check/parts.h"
#include "load/plugin_calls.h"
#include "work/kind.h"
#include "work/number.h"
#include "work/stream.h"

enum { MIDDLE = 3, ENDS = 3, BLOCKS = 2 * ENDS + MIDDLE };
/* Not square, no multiples of a tile, and in x and in y no more blocks of 2 than a grid
 * takes. 2^32 + 29 elements; and for plugins that refuse those, as they need whole
 * vectors, 2^32 + 5888: 16 times odd numbers; and where one side must be small. */
static const struct {
    uint64_t rows, cols;
} shapes[] = {{65175, 65899}, {62704, 68496}, {4500037, 955}};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const uint64_t piece_bytes = UINT64_C(4096) * 12007; /* a prime number of pages */
static const uint64_t steps = 2000000;                      /* of one block */

struct huge {
    struct bl_check *check;
    uint64_t rows, cols;
    uint32_t elem;
    uint64_t bytes;
    const struct bl_kind *kind;
    const struct banklab_module *module;
    const struct banklab_plan *plan;
    struct bl_regions regions;
    uint64_t mapped; /* of an image */
    uint64_t only[BLOCKS];
    size_t only_count;
    /* What is wrong, the first; empty: nothing. */
    char wrong[1000];
};

/* ---- memory ------------------------------------------------------------------------ */

static uint8_t *reserve(uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* Lays the piece over the payload, as often as it goes. */
static bool lay(uint8_t *payload, uint64_t bytes, int piece)
{
    for (uint64_t at = 0; at < bytes; at += piece_bytes) {
        const uint64_t left = bytes - at;
        const uint64_t length = left < piece_bytes ? left : piece_bytes;

        if (mmap(payload + at, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                 piece, 0) == MAP_FAILED)
            return false;
    }
    return true;
}

/* A file without a name that holds the piece. */
static int make_piece(uint64_t seed)
{
    const int piece = memfd_create("banklab", MFD_CLOEXEC);
    void *at;

    if (piece < 0)
        return -1;
    at = ftruncate(piece, (off_t)piece_bytes) == 0
             ? mmap(NULL, piece_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, piece, 0)
             : MAP_FAILED;
    if (at == MAP_FAILED) {
        close(piece);
        return -1;
    }
    bl_stream_fill(at, piece_bytes, seed);
    munmap(at, piece_bytes);
    return piece;
}

static bool add_region(struct huge *huge, uint32_t role, const char *name)
{
    struct bl_region *region = &huge->regions.at[huge->regions.count];

    region->image = reserve(huge->mapped);
    if (!region->image)
        return false;
    region->role = role;
    region->bytes = huge->bytes;
    snprintf(region->name, sizeof region->name, "%s", name);
    huge->regions.count++;
    return true;
}

static bool make_regions(struct huge *huge)
{
    const int piece = make_piece(bl_stream_seed(huge->check->options->run.seed, 2));
    bool made;

    huge->mapped = (huge->bytes + 4095) / 4096 * 4096 + 2 * BL_GUARD_BYTES;
    made = piece >= 0 && add_region(huge, BANKLAB_INPUT, "input") &&
           add_region(huge, BANKLAB_OUTPUT, "output") &&
           lay(bl_region_payload(&huge->regions.at[0]), huge->bytes, piece);
    if (piece >= 0)
        close(piece);
    return made;
}

static void free_regions(struct huge *huge)
{
    for (size_t i = 0; i < huge->regions.count; i++)
        munmap(huge->regions.at[i].image, huge->mapped);
    huge->regions.count = 0;
}

/* ---- verification ------------------------------------------------------------------ */

static uint64_t source_of(const struct huge *huge, uint64_t at)
{
    /* The output of a transpose is cols x rows. */
    return huge->kind->transposed ? at % huge->rows * huge->cols + at / huge->rows : at;
}

static void look_at(struct huge *huge, uint64_t at)
{
    const uint8_t *in = bl_region_payload(&huge->regions.at[0]);
    const uint8_t *out = bl_region_payload(&huge->regions.at[1]);
    char number[BL_NUMBER_MAX];

    if (*huge->wrong || memcmp(out + at * huge->elem,
                               in + source_of(huge, at) * huge->elem, huge->elem) == 0)
        return;
    snprintf(huge->wrong, sizeof huge->wrong,
             "a wrong value was stored to element %s of the output",
             bl_number_group(at, number));
}

static void look_at_page(void *ctx, uint64_t offset, const uint64_t bits[64])
{
    struct huge *huge = ctx;

    /* Elements lie within a page: their size divides it. */
    for (uint32_t b = 0; b < 4096; b += huge->elem)
        if (bits[b / 64] >> b % 64 & 1)
            look_at(huge, (offset + b) / huge->elem);
}

static bool wrote_any(const struct huge *huge, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (bl_races_block_wrote(huge->check->races, huge->only[i]))
            return true;
    return false;
}

static void look_at_blocks(struct huge *huge)
{
    const uint64_t last = huge->only[huge->only_count - 1];
    char number[BL_NUMBER_MAX];

    if (*huge->wrong || huge->only_count < BLOCKS)
        return;
    if (!wrote_any(huge, 0, ENDS))
        snprintf(huge->wrong, sizeof huge->wrong, "the first blocks write nothing");
    else if (!wrote_any(huge, ENDS, ENDS + MIDDLE) ||
             !wrote_any(huge, ENDS + MIDDLE, BLOCKS))
        snprintf(huge->wrong, sizeof huge->wrong,
                 "the first blocks write, but %s write nothing (the last is block %s)",
                 wrote_any(huge, ENDS, ENDS + MIDDLE) ? "the last ones"
                                                      : "those in the middle",
                 bl_number_group(last, number));
}

static void look_at_hazards(struct huge *huge)
{
    size_t count;
    const struct bl_hazard *found = bl_races_found(huge->check->races, &count);

    for (size_t i = 0; i < count && !*huge->wrong; i++)
        if (found[i].kind != BL_HAZARD_LEFT && !found[i].unsure &&
            (found[i].between_blocks || !found[i].same))
            bl_hazard_print(&found[i], huge->wrong, sizeof huge->wrong);
}

/* ---- a run ------------------------------------------------------------------------- */

static void choose_blocks(struct huge *huge)
{
    const uint32_t *grid = huge->plan->launches[0].grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];

    huge->only_count = 0;
    for (uint64_t i = 0; i < blocks && i < ENDS; i++)
        huge->only[huge->only_count++] = i;
    if (blocks < 2 * BLOCKS)
        return;
    for (uint64_t i = 0; i < MIDDLE; i++)
        huge->only[huge->only_count++] = blocks / 2 + i;
    for (uint64_t i = 0; i < ENDS; i++)
        huge->only[huge->only_count++] = blocks - ENDS + i;
}

static enum bl_status run(struct huge *huge, struct bl_error *err)
{
    struct bl_run_options options = bl_check_run_options(huge->check);
    const struct bl_job job = {.label = "huge",
                               .plugin_path = huge->check->plugin->path,
                               .module = huge->module,
                               .plan = huge->plan,
                               .regions = &huge->regions,
                               .options = &options,
                               .watcher = bl_races_watcher(huge->check->races),
                               .only = huge->only,
                               .only_count = huge->only_count};
    struct bl_counts counts = {.shared_source = BL_SRC_NONE};
    enum bl_status status;

    options.steps = steps;
    bl_races_reset(huge->check->races);
    bl_races_set_strict(huge->check->races, true);
    status = huge->check->model->ops->run(huge->check->model, &job, &counts, err);
    bl_races_set_strict(huge->check->races, false);
    return status;
}

/* ---- the point --------------------------------------------------------------------- */

static void point(struct huge *huge, enum bl_point_state state, const char *why)
{
    struct bl_points *points = huge->check->points;
    char rows[BL_NUMBER_MAX], cols[BL_NUMBER_MAX];

    bl_points_add(points, state, "%s: indexes more than 2^32 elements",
                  huge->check->plugin->abi.name);
    if (state == BL_POINT_SKIPPED)
        bl_points_why(points, "%s", why);
    if (state != BL_POINT_FAILED)
        return;
    bl_points_say(points,
                  "index overflow: with %s x %s elements of %" PRIu32
                  " byte%s, more than "
                  "2^31 and than 2^32, %s",
                  bl_number_group(huge->rows, rows), bl_number_group(huge->cols, cols),
                  huge->elem, huge->elem == 1 ? "" : "s", why);
    bl_points_say(points,
                  "  is an index, an offset or a size computed in 32 bits? Make the "
                  "first factor 64 bits wide, or refuse such problems in plan");
}

static void run_and_judge(struct huge *huge)
{
    struct bl_error err = {.status = BL_OK};
    enum bl_status status;

    if (!make_regions(huge)) {
        point(huge, BL_POINT_SKIPPED, "there is not enough address space");
        return;
    }
    choose_blocks(huge);
    status = run(huge, &err);
    if (status == BL_E_FAULT && !strstr(err.text, "step limit")) {
        point(huge, BL_POINT_FAILED, err.text);
        return;
    }
    if (status != BL_OK) {
        point(huge, BL_POINT_SKIPPED,
              status == BL_E_FAULT ? "a block has too much to do" : err.text);
        return;
    }
    look_at_hazards(huge);
    bl_races_written(huge->check->races, look_at_page, huge);
    look_at_blocks(huge);
    point(huge, *huge->wrong ? BL_POINT_FAILED : BL_POINT_OK, huge->wrong);
}

/* Why it can't be tried; NULL: it can. */
static const char *refusal(struct huge *huge, const struct bl_probe_answer *answer)
{
    static const char own[] =
        "its answer is known to its own reference alone, which needs "
        "the whole input";

    if (bl_plugin_has_reference(huge->check->plugin) || !huge->kind->reference)
        return own;
    if (answer->said == BANKLAB_UNSUPPORTED)
        return answer->reason.text;
    if (answer->said != BANKLAB_OK)
        return "plan failed";
    if (answer->plan.launch_count != 1)
        return "it takes several launches, which can't be run in part";
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++)
        if (answer->plan.scratch_bytes[i])
            return "it has scratch buffers";
    if (answer->plan.tensor_count)
        return "its bulk copies are not watched";
    if (answer->plan.clock.warps)
        return "it has a clock";
    return NULL;
}

static void try(struct huge *huge, const struct bl_probe_answer *answer)
{
    struct bl_error err = {.status = BL_OK};
    const char *why = refusal(huge, answer);

    huge->plan = &answer->plan;
    if (!why && bl_job_module(huge->check->plugin, huge->check->sample.values,
                              &huge->check->model->limits, &huge->module, &err) != BL_OK)
        why = err.text;
    if (!why && bl_plan_check(huge->check->plugin, huge->plan,
                              &huge->check->model->limits, &err) != BL_OK) {
        /* A grid that the device can't have is refused in any case; one that went round
         * to nothing is not. */
        point(huge,
              strstr(err.text, "over the device") ? BL_POINT_SKIPPED : BL_POINT_FAILED,
              err.text);
        return;
    }
    if (why)
        point(huge, BL_POINT_SKIPPED, why);
    else
        run_and_judge(huge);
    free_regions(huge);
}

enum bl_status bl_check_huge(struct bl_check *check, bool failed, struct bl_error *err)
{
    const struct banklab_plugin *abi = &check->plugin->abi;
    struct huge huge = {.check = check, .elem = 4};
    struct bl_probe_answer *answers;
    struct bl_probe_ask asks[SHAPES];
    enum bl_status status;
    size_t at = 0;

    while (abi->elems && !(abi->elems & BANKLAB_ELEM(huge.elem)))
        huge.elem = huge.elem == 1 ? 16 : huge.elem / 2;
    huge.kind = bl_kind_find(abi->kind);
    for (size_t i = 0; i < SHAPES; i++)
        asks[i] = (struct bl_probe_ask){.problem = {.rows = shapes[i].rows,
                                                    .cols = shapes[i].cols,
                                                    .elem = huge.elem},
                                        .params = check->sample.values};
    status =
        bl_probe(check->plugin, asks, SHAPES, check->options->run.timeout, &answers, err);
    if (status != BL_OK)
        return status;
    while (at + 1 < SHAPES && answers[at].said == BANKLAB_UNSUPPORTED)
        at++;
    huge.rows = shapes[at].rows;
    huge.cols = shapes[at].cols;
    huge.bytes = huge.rows * huge.cols * huge.elem;
    if (failed)
        point(&huge, BL_POINT_SKIPPED, "smaller problems fail already");
    else
        try(&huge, &answers[at]);
    free(answers);
    return BL_OK;
}
