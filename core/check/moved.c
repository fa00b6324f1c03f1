/* SPDX-License-Identifier: Apache-2.0 */
#include "check/moved.h"

#include <stdlib.h>
#include <string.h>

#include "work/stream.h"

/* How many wrong elements are looked at; how far a tile reaches; elements so narrow are
 * each found somewhere. */
enum { LOOKED_AT = 16, REACH = 64, NARROW = 4 };

struct search {
    const uint8_t *expected, *got;
    uint64_t count, cols; /* of the output's shape */
    uint32_t elem;
};

/* Where in the answer the value is; `count`: nowhere. */
static uint64_t place_of(const struct search *s, const uint8_t *value)
{
    for (uint64_t i = 0; i < s->count; i++)
        if (memcmp(s->expected + i * s->elem, value, s->elem) == 0)
            return i;
    return s->count;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static enum bl_moved_kind kind_of(const struct search *s, uint64_t at, uint64_t seed,
                                  uint64_t *from)
{
    const uint8_t *value = s->got + at * s->elem;

    if (bl_poison_intact(s->got, s->expected, at, s->elem, seed))
        return BL_MOVED_UNWRITTEN;
    *from = place_of(s, value);
    if (*from == s->count)
        return BL_MOVED_STRANGE;
    return apart(*from / s->cols, at / s->cols) < REACH &&
                   apart(*from % s->cols, at % s->cols) < REACH
               ? BL_MOVED_NEAR
               : BL_MOVED_FAR;
}

void bl_moved_find(const struct bl_kind *kind, const struct banklab_problem *problem,
                   struct bl_regions *regions, uint64_t seed, struct bl_moved *out)
{
    const struct search s = {
        .expected = regions->expected,
        .got = bl_region_payload(bl_regions_find(regions, BANKLAB_OUTPUT)),
        .count = problem->rows * problem->cols * bl_problem_batch(problem),
        .cols = kind->transposed ? problem->rows : problem->cols,
        .elem = problem->elem};
    struct bl_moved moved = {.kind = BL_MOVED_UNKNOWN};
    unsigned seen = 0;

    for (uint64_t i = 0; i < s.count && seen < LOOKED_AT; i++) {
        uint64_t from = 0;
        enum bl_moved_kind one;

        if (memcmp(s.expected + i * s.elem, s.got + i * s.elem, s.elem) == 0)
            continue;
        one = kind_of(&s, i, bl_regions_poison_seed(seed), &from);
        if (s.elem < NARROW && one != BL_MOVED_UNWRITTEN)
            one = BL_MOVED_UNKNOWN;
        if (seen++ == 0)
            moved = (struct bl_moved){.kind = one,
                                      .row = i / s.cols,
                                      .col = i % s.cols,
                                      .from_row = from / s.cols,
                                      .from_col = from % s.cols};
        else if (one == BL_MOVED_STRANGE ||
                 (one == BL_MOVED_FAR && moved.kind == BL_MOVED_NEAR))
            moved.kind = one;
    }
    *out = moved;
}
