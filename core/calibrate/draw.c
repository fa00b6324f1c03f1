/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/draw.h"

#include <stdbool.h>

#include "work/stream.h"

enum { LANES = 32 };

/* Draws in order from one stream. */
struct dice {
    uint64_t seed, at;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
    return (uint32_t)((bl_stream_word(dice->seed, dice->at++) >> 32) * sides >> 32);
}

static bool chance(struct dice *dice, uint32_t in_16)
{
    return roll(dice, 16) < in_16;
}

static uint32_t pick(struct dice *dice, const uint32_t *from, size_t count)
{
    return from[roll(dice, (uint32_t)count)];
}
#define PICK(dice, ...)                                                                  \
    pick(dice, (const uint32_t[]){__VA_ARGS__},                                          \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Where addresses may lie, in elements of the access's width. */
struct place {
    uint32_t elements;
    uint32_t row; /* elements that all banks hold once; 1 for wide ones at least */
};

/* How many elements the draw is over: few make broadcasts, many make conflicts. */
static uint32_t window(struct dice *dice, const struct place *place)
{
    uint32_t few = PICK(dice, 2, 4, 8, 16, 32, 64, 128, 256, 1024, UINT32_MAX);
    return few < place->elements ? few : place->elements;
}

static void shuffle(struct dice *dice, uint32_t *at, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = roll(dice, i), swap = at[i - 1];
        at[i - 1] = at[j];
        at[j] = swap;
    }
}

/* ---- families: each fills 32 element numbers ----------------------------------------
 */

typedef void family_fn(struct dice *dice, const struct place *place, uint32_t out[LANES]);

static void draw_random(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    uint32_t over = window(dice, place);
    for (int l = 0; l < LANES; l++)
        out[l] = roll(dice, over);
}

static void draw_stride(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    uint32_t step = chance(dice, 4) ? PICK(dice, 32, 64, 128, 256, 512) : roll(dice, 66);
    uint32_t first = chance(dice, 8) ? roll(dice, place->elements) : 0;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = first + l * step;
}

static void draw_reverse(struct dice *dice, const struct place *place,
                         uint32_t out[LANES])
{
    uint32_t step = roll(dice, 34), first = roll(dice, place->elements);
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = first + (31 - l) * step;
}

static void draw_permutation(struct dice *dice, const struct place *place,
                             uint32_t out[LANES])
{
    uint32_t step = PICK(dice, 1, 1, 2, 3, 8, 32, 33);
    (void)place;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = l * step;
    shuffle(dice, out, LANES);
}

static void draw_broadcast(struct dice *dice, const struct place *place,
                           uint32_t out[LANES])
{
    uint32_t values[LANES], count = 1 + roll(dice, 8);
    for (uint32_t i = 0; i < count; i++)
        values[i] = roll(dice, place->elements);
    for (int l = 0; l < LANES; l++)
        out[l] = values[roll(dice, count)];
}

/* Runs of neighbouring lanes at one place each. */
static void draw_groups(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    uint32_t run = PICK(dice, 2, 4, 8, 16), over = window(dice, place), at = 0;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = at = l % run ? at : roll(dice, over);
}

/* All in few banks, in as many rows as there are. */
static void draw_bank(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    uint32_t banks = 1 + roll(dice, 4), rows = place->elements / place->row;
    uint32_t first = roll(dice, place->row);
    if (chance(dice, 8))
        rows = 1 + roll(dice, rows < 40 ? rows : 40);
    for (int l = 0; l < LANES; l++)
        out[l] = (first + roll(dice, banks)) % place->row + place->row * roll(dice, rows);
}

/* Lane by lane with some bits turned over, in rows of a tile. */
static void draw_swizzle(struct dice *dice, const struct place *place,
                         uint32_t out[LANES])
{
    uint32_t columns = PICK(dice, 2, 4, 8, 16, 32), pitch = columns + roll(dice, 5);
    uint32_t turn = roll(dice, columns), mode = roll(dice, 3);
    (void)place;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t row = l / columns, column = l % columns;
        uint32_t bits = mode == 0 ? turn : mode == 1 ? row : row * turn;
        out[l] = mode == 2 && turn % 2 ? column * pitch + row
                                       : row * pitch + (column ^ (bits % columns));
    }
}

/* Lanes l and l ^ x at one place, for all pairs. */
static void pair(struct dice *dice, uint32_t over, uint32_t x, uint32_t first,
                 uint32_t end, uint32_t out[LANES])
{
    for (uint32_t l = first; l < end; l++)
        if ((l ^ x) > l)
            out[l] = out[l ^ x] = roll(dice, over);
}

static void draw_pairs1(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    pair(dice, window(dice, place), 1, 0, LANES, out);
}
static void draw_pairs2(struct dice *dice, const struct place *place, uint32_t out[LANES])
{
    pair(dice, window(dice, place), 2, 0, LANES, out);
}
static void draw_pairs_far(struct dice *dice, const struct place *place,
                           uint32_t out[LANES])
{
    uint32_t x = PICK(dice, 3, 4, 8, 16, 31);
    pair(dice, window(dice, place), x, 0, LANES, out);
}
/* Some of the warp by 1, the rest by 2. */
static void draw_pairs_mixed(struct dice *dice, const struct place *place,
                             uint32_t out[LANES])
{
    uint32_t over = window(dice, place), cut = PICK(dice, 4, 8, 16, 24, 28);
    uint32_t x = 1 + roll(dice, 2);
    pair(dice, over, x, 0, cut, out);
    pair(dice, over, 3 - x, cut, LANES, out);
}
/* By 1 or by 2, but for one lane. */
static void draw_pairs_broken(struct dice *dice, const struct place *place,
                              uint32_t out[LANES])
{
    uint32_t over = window(dice, place);
    pair(dice, over, 1 + roll(dice, 2), 0, LANES, out);
    out[roll(dice, LANES)] = roll(dice, place->elements);
}

static const struct family {
    const char *name;
    family_fn *draw;
    uint32_t weight;
} families[] = {
    {"random", draw_random, 5},
    {"stride", draw_stride, 4},
    {"reverse", draw_reverse, 1},
    {"permutation", draw_permutation, 2},
    {"broadcast", draw_broadcast, 2},
    {"groups", draw_groups, 2},
    {"bank", draw_bank, 3},
    {"swizzle", draw_swizzle, 2},
    {"pairs ^1", draw_pairs1, 3},
    {"pairs ^2", draw_pairs2, 3},
    {"pairs far", draw_pairs_far, 1},
    {"pairs mixed", draw_pairs_mixed, 2},
    {"pairs broken", draw_pairs_broken, 2},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct family *draw_family(struct dice *dice)
{
    uint32_t sum = 0, at;
    for (size_t i = 0; i < FAMILIES; i++)
        sum += families[i].weight;
    at = roll(dice, sum);
    for (size_t i = 0; i < FAMILIES; i++) {
        if (at < families[i].weight)
            return &families[i];
        at -= families[i].weight;
    }
    return &families[0];
}

/* ---- masks ----------------------------------------------------------------------------
 */

static uint32_t draw_mask(struct dice *dice, const char **name)
{
    uint32_t word = roll(dice, UINT32_MAX), lanes = 1 + roll(dice, 31);
    switch (roll(dice, 12)) {
    case 0: *name = "first"; return (UINT32_C(1) << lanes) - 1;
    case 1: *name = "last"; return ~((UINT32_C(1) << lanes) - 1);
    case 2:
        *name = "half";
        return PICK(dice, 0xffff, 0xffff0000, 0x00ff00ff, 0x0f0f0f0f, 0x33333333,
                    0x55555555, 0xaaaaaaaa);
    case 3: *name = "one"; return UINT32_C(1) << roll(dice, 32);
    case 4: *name = "random"; return word ? word : 1;
    case 5:
        *name = "sparse";
        word &= roll(dice, UINT32_MAX) & roll(dice, UINT32_MAX);
        return word ? word : 1;
    default: *name = "all"; return UINT32_MAX;
    }
}

/* ---- the whole ------------------------------------------------------------------------
 */

static void addresses(struct dice *dice, const struct family *family, uint32_t width,
                      uint32_t bytes, uint32_t out[LANES])
{
    struct place place = {.elements = bytes / width, .row = 128 / width};
    uint32_t element[LANES] = {0};
    family->draw(dice, &place, element);
    for (int l = 0; l < LANES; l++)
        out[l] = element[l] % place.elements * width;
}

/* Global addresses that a warp often has; one family for both sides would never cross
 * them. */
static void far_side(struct dice *dice, const struct bl_operation *op,
                     uint32_t out[LANES])
{
    static const struct family line = {"stride", draw_stride, 0};
    if (chance(dice, 6))
        for (uint32_t l = 0; l < LANES; l++)
            out[l] = l * op->width;
    else
        addresses(dice, chance(dice, 4) ? &line : draw_family(dice), op->width,
                  BL_PATTERN_GLOBAL, out);
}

void bl_pattern_draw(const struct bl_operation *op, uint64_t seed, uint64_t number,
                     struct bl_pattern *out)
{
    struct dice dice = {.seed = bl_stream_seed(seed, number)};
    const struct family *family = draw_family(&dice);
    bool matrix = op->kind == BL_CAL_LDMATRIX || op->kind == BL_CAL_STMATRIX;

    *out = (struct bl_pattern){.family = family->name, .lanes = "all"};
    out->args.shared_bytes = BL_PATTERN_SHARED;
    out->args.mask = draw_mask(&dice, &out->lanes);
    if (matrix) {
        out->lanes = "all";
        out->args.mask = op->lanes == LANES ? UINT32_MAX : (UINT32_C(1) << op->lanes) - 1;
    }
    if (op->kind == BL_CAL_GLOBAL_LOAD || op->kind == BL_CAL_GLOBAL_STORE) {
        addresses(&dice, family, op->width, BL_PATTERN_GLOBAL, out->args.far);
        return;
    }
    addresses(&dice, family, op->width, BL_PATTERN_SHARED, out->args.near);
    if (op->kind == BL_CAL_CP_ASYNC)
        far_side(&dice, op, out->args.far);
}
