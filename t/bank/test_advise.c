/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for layouts: known tiles, a tile that has none, and random tiles against
 * banks counted word by word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../rules/rows.h"
#include "bank/advise.h"
#include "bank/advise_patterns.h"
#include "work/rates.h"

enum { WARPS_MOST = 32 };

static struct bl_arch cc90;
static struct bl_rates h200;

static int read_rules(void **state)
{
    struct bl_paths paths;
    struct bl_error err;

    (void)state;
    arch_of("cc90", &cc90);
    source_paths(&paths);
    assert_int_equal(bl_rates_read(&paths, "h200", &h200, &err), BL_OK);
    bl_paths_free(&paths);
    return 0;
}

/* An access of a block of bx x by threads: row and column by thread. */
typedef void place_fn(uint32_t tx, uint32_t ty, uint32_t *row, uint32_t *col);

struct made {
    struct bl_tile_access access;
    struct bl_tile_lanes lanes[WARPS_MOST];
};

static void make(struct made *made, const char *name, uint32_t width, uint32_t bx,
                 uint32_t by, place_fn *place)
{
    made->access = (struct bl_tile_access){.name = (char *)name,
                                           .is_store = name[0] == 's',
                                           .width = width,
                                           .at = made->lanes,
                                           .count = bx * by / 32};
    for (uint32_t t = 0; t < bx * by; t++) {
        struct bl_tile_lanes *lanes = &made->lanes[t / 32];
        lanes->warp = t / 32;
        lanes->mask = UINT32_MAX;
        lanes->times = 1;
        place(t % bx, t / bx, &lanes->row[t % 32], &lanes->col[t % 32]);
    }
}

static void by_row(uint32_t tx, uint32_t ty, uint32_t *row, uint32_t *col)
{
    *row = ty;
    *col = tx;
}

static void by_column(uint32_t tx, uint32_t ty, uint32_t *row, uint32_t *col)
{
    *row = tx;
    *col = ty;
}

/* Eight lanes a row, four elements each. */
static void by_four(uint32_t tx, uint32_t ty, uint32_t *row, uint32_t *col)
{
    *row = ty * 4 + tx / 8;
    *col = tx % 8 * 4;
}

static void advise(const struct made *store, const struct made *load, struct bl_tile tile,
                   uint32_t threads, struct bl_advice *out)
{
    const struct bl_tile_access both[] = {store->access, load->access};
    const struct bl_advise_job job = {
        .tile = tile, .accesses = both, .count = 2, .room = {&cc90, &h200, threads, 0}};
    struct bl_error err = {0};

    if (bl_advise(&job, out, &err) != BL_OK)
        fail_msg("%s", err.text);
}

/* A square tile, stored by rows and loaded by columns. */
static void transpose(uint32_t side, uint32_t by, uint32_t elem, struct bl_advice *out)
{
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);

    assert_true(store && load);
    make(store, "store", elem, side, by, by_row);
    make(load, "load", elem, side, by, by_column);
    advise(store, load, (struct bl_tile){side, elem, side}, side * by, out);
    free(store);
    free(load);
}

static void assert_layout(const struct bl_layout *layout, uint32_t rows,
                          const char *expected)
{
    char *text = bl_layout_place_text(layout, rows, "row", "col");

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void assert_clean(const struct bl_proposal *proposal)
{
    assert_int_equal(proposal->found, BL_FOUND_ALL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(proposal->after[i].conflicts, 0);
        assert_int_equal(proposal->after[i].ways, 1);
        assert_int_equal(proposal->after[i].wavefronts, proposal->after[i].ideal);
    }
}

/* ---- known tiles ----------------------------------------------------------------- */

static void test_words_32(void **state)
{
    struct bl_advice advice;

    (void)state;
    transpose(32, 8, 4, &advice);
    assert_false(advice.clean);
    assert_int_equal(advice.bound, 32);
    assert_int_equal(advice.before[0].conflicts, 0);
    assert_int_equal(advice.before[1].ways, 32);
    assert_int_equal(advice.before[1].wavefronts, 8 * 32);
    assert_int_equal(advice.bytes, 4096);
    for (int kind = 0; kind < BL_LAYOUTS; kind++)
        assert_clean(&advice.at[kind]);
    assert_layout(&advice.at[BL_LAYOUT_PAD].layout, 32, "row * 33 + col");
    assert_layout(&advice.at[BL_LAYOUT_ROTATE].layout, 32, "row * 32 + (col + row) % 32");
    assert_layout(&advice.at[BL_LAYOUT_XOR].layout, 32, "row * 32 + (col ^ row)");
    assert_int_equal(advice.at[BL_LAYOUT_PAD].bytes, 4096 + 128);
    /* 2048 threads an SM, 256 a block. */
    assert_int_equal(advice.at[BL_LAYOUT_PAD].room.blocks, 8);
    assert_string_equal(advice.at[BL_LAYOUT_PAD].room.limit, "threads");
    assert_int_equal(advice.chosen, BL_LAYOUT_PAD);
    bl_advice_free(&advice);
}

/* A warp covers two rows: no pitch serves both sides, a rotation or XOR does. */
static void test_words_16(void **state)
{
    struct bl_advice advice;

    (void)state;
    transpose(16, 16, 4, &advice);
    assert_int_equal(advice.before[1].ways, 8);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].found, BL_FOUND_BEST);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].tried, 33);
    assert_false(advice.at[BL_LAYOUT_PAD].cut);
    /* At 18 the load is free; the store's second row ends where the first begins. */
    assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, 18);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].after[0].ways, 2);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].after[0].conflicts, 8);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].after[1].conflicts, 0);
    assert_clean(&advice.at[BL_LAYOUT_ROTATE]);
    assert_clean(&advice.at[BL_LAYOUT_XOR]);
    assert_layout(&advice.at[BL_LAYOUT_ROTATE].layout, 16, "row * 16 + (col + row) % 16");
    assert_layout(&advice.at[BL_LAYOUT_XOR].layout, 16, "row * 16 + (col ^ row)");
    assert_int_equal(advice.chosen, BL_LAYOUT_XOR);
    bl_advice_free(&advice);
}

static void test_wide(void **state)
{
    (void)state;
    for (uint32_t elem = 8; elem <= 16; elem *= 2) {
        struct bl_advice advice;

        transpose(32, 8, elem, &advice);
        assert_int_equal(advice.before[1].ways, elem == 8 ? 16 : 8);
        for (int kind = 0; kind < BL_LAYOUTS; kind++)
            assert_clean(&advice.at[kind]);
        assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, 33);
        bl_advice_free(&advice);
    }
}

/* Rows of 64 bytes: neighbouring rows differ only within words, so r counts for more. */
static void test_bytes(void **state)
{
    struct bl_advice advice;

    (void)state;
    transpose(64, 4, 1, &advice);
    assert_int_equal(advice.before[1].ways, 16);
    for (int kind = 0; kind < BL_LAYOUTS; kind++)
        assert_clean(&advice.at[kind]);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, 68);
    bl_advice_free(&advice);
}

/* Pieces of 16 bytes must stay whole, so a column of words reaches 8 banks at most. */
static void test_none(void **state)
{
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);
    struct bl_advice advice;

    (void)state;
    assert_true(store && load);
    make(store, "store", 16, 32, 8, by_four);
    make(load, "load", 4, 32, 32, by_column);
    advise(store, load, (struct bl_tile){32, 4, 32}, 1024, &advice);
    for (int kind = 0; kind < BL_LAYOUTS; kind++) {
        const struct bl_proposal *best = &advice.at[kind];
        assert_int_equal(best->found, BL_FOUND_BEST);
        assert_int_equal(best->after[0].conflicts, 0);
        assert_int_equal(best->after[1].ways, 4);
    }
    assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, 36);
    assert_int_equal(advice.chosen, BL_LAYOUTS);
    bl_advice_free(&advice);
    free(store);
    free(load);
}

/* Eight words of a row of words, read 16 bytes wide: the XOR is by pieces. */
static void test_pieces(void **state)
{
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);
    struct bl_advice advice;

    (void)state;
    assert_true(store && load);
    make(store, "store", 16, 32, 8, by_four);
    make(load, "load", 16, 32, 8, by_column);
    for (uint32_t t = 0; t < 256; t++) /* lane by lane down the pieces of a column */
        load->lanes[t / 32].col[t % 32] *= 4;
    advise(store, load, (struct bl_tile){32, 4, 32}, 256, &advice);
    assert_int_equal(advice.before[1].ways, 8);
    for (int kind = 0; kind < BL_LAYOUTS; kind++)
        assert_clean(&advice.at[kind]);
    assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, 36);
    assert_layout(&advice.at[BL_LAYOUT_ROTATE].layout, 32,
                  "row * 32 + (col + row * 4) % 32");
    assert_layout(&advice.at[BL_LAYOUT_XOR].layout, 32,
                  "row * 32 + (col ^ ((row & 7) << 2))");
    bl_advice_free(&advice);
    free(store);
    free(load);
}

static void test_clean(void **state)
{
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);
    struct bl_advice advice;

    (void)state;
    assert_true(store && load);
    make(store, "store", 4, 32, 8, by_row);
    make(load, "load", 4, 32, 8, by_row);
    advise(store, load, (struct bl_tile){32, 4, 8}, 256, &advice);
    assert_true(advice.clean);
    assert_int_equal(advice.chosen, BL_LAYOUTS);
    bl_advice_free(&advice);
    free(store);
    free(load);
}

/* 48 KB a block are four an SM, 49.5 KB too; 56 and 57.75 KB are four and three. */
static void test_room(void **state)
{
    struct bl_advice advice;
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);

    (void)state;
    assert_true(store && load);
    make(store, "store", 4, 32, 8, by_row);
    make(load, "load", 4, 32, 8, by_column);
    advise(store, load, (struct bl_tile){32, 4, 448}, 256, &advice);
    assert_int_equal(advice.room.blocks, 4);
    assert_string_equal(advice.room.limit, "shared memory");
    assert_int_equal(advice.at[BL_LAYOUT_PAD].room.blocks, 3);
    assert_int_equal(advice.at[BL_LAYOUT_XOR].room.blocks, 4);
    assert_int_equal(advice.chosen, BL_LAYOUT_XOR);
    bl_advice_free(&advice);
    /* 227 KB fit in a block, and a padding of theirs does not. */
    advise(store, load, (struct bl_tile){32, 4, 1816}, 256, &advice);
    assert_true(advice.room.fits);
    assert_false(advice.at[BL_LAYOUT_PAD].room.fits);
    assert_int_equal(advice.chosen, BL_LAYOUT_XOR);
    bl_advice_free(&advice);
    free(store);
    free(load);
}

/* ---- what is refused ------------------------------------------------------------- */

static void refuse(const struct made *made, struct bl_tile tile, uint32_t bound,
                   const char *part)
{
    const struct bl_advise_job job = {.tile = tile,
                                      .accesses = &made->access,
                                      .count = 1,
                                      .bound = bound,
                                      .room = {&cc90, NULL, 0, 0}};
    struct bl_advice advice;
    struct bl_error err = {0};

    assert_int_equal(bl_advise(&job, &advice, &err), BL_E_INPUT);
    if (!strstr(err.text, part))
        fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

static void test_refused(void **state)
{
    struct made *made = calloc(1, sizeof *made);

    (void)state;
    assert_non_null(made);
    make(made, "store", 4, 32, 8, by_row);
    refuse(made, (struct bl_tile){31, 4, 8}, 0, "lane 31 of warp 0 touches columns 31");
    refuse(made, (struct bl_tile){32, 4, 7}, 0, "lane 0 of warp 7 is in row 7");
    refuse(made, (struct bl_tile){0, 4, 8}, 0, "a pitch is 1 to 65536");
    refuse(made, (struct bl_tile){32, 4, 0}, 0, "a tile has 1 to");
    refuse(made, (struct bl_tile){32, 4, 1 << 20}, UINT32_C(1) << 20, "2 GiB");
    make(made, "store", 16, 32, 8, by_four);
    refuse(made, (struct bl_tile){33, 4, 32}, 0,
           "byte 132 of the tile, which is not a multiple");
    free(made);
}

/* ---- random tiles, slowly -------------------------------------------------------- */

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Words only: a bank with two words is a conflict. */
static bool conflict_free(const struct made *made, uint32_t pitch)
{
    for (size_t i = 0; i < made->access.count; i++)
        for (uint32_t a = 0; a < 32; a++)
            for (uint32_t b = 0; b < a; b++) {
                const struct bl_tile_lanes *at = &made->lanes[i];
                uint32_t wa = at->row[a] * pitch + at->col[a];
                uint32_t wb = at->row[b] * pitch + at->col[b];
                if ((at->mask >> a & at->mask >> b & 1) && wa != wb && wa % 32 == wb % 32)
                    return false;
            }
    return true;
}

static void test_random(void **state)
{
    uint64_t seed = 1;
    int found = 0, none = 0;
    struct made *store = calloc(1, sizeof *store), *load = calloc(1, sizeof *load);

    (void)state;
    assert_true(store && load);
    for (int round = 0; round < 300; round++) {
        struct bl_tile tile = {.pitch = 1 + next(&seed) % 40, .elem = 4, .rows = 16};
        struct bl_advice advice;
        uint32_t pad = 0;

        make(store, "store", 4, 32, 1, by_row);
        make(load, "load", 4, 32, 1, by_row);
        for (uint32_t l = 0; l < 32; l++) {
            store->lanes[0].row[l] = l * (1 + (uint32_t)round % 3) / 8 % 16;
            store->lanes[0].col[l] = l % (1 + next(&seed) % 2 * 7) % tile.pitch;
            load->lanes[0].row[l] = l / (1 + (uint32_t)round % 5) % 16;
            load->lanes[0].col[l] = l * (uint32_t)round % 4 % tile.pitch;
        }
        store->lanes[0].mask = UINT32_MAX >> next(&seed) % 32;
        advise(store, load, tile, 32, &advice);
        while (pad <= 32 && (!conflict_free(store, tile.pitch + pad) ||
                             !conflict_free(load, tile.pitch + pad)))
            pad++;
        assert_int_equal(advice.clean, pad == 0);
        if (pad > 32)
            assert_int_not_equal(advice.at[BL_LAYOUT_PAD].found, BL_FOUND_ALL);
        else if (pad > 0)
            assert_int_equal(advice.at[BL_LAYOUT_PAD].layout.pitch, tile.pitch + pad);
        found += pad > 0 && pad <= 32;
        none += pad > 32;
        bl_advice_free(&advice);
    }
    assert_true(found > 20 && none > 20);
    free(store);
    free(load);
}

/* ---- patterns that a worker sees ------------------------------------------------- */

static void test_patterns(void **state)
{
    struct bl_patterns patterns = {.count = 0};
    struct bl_error err = {0};
    uint32_t most = 0;

    (void)state;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 1000; i++) {
            struct bl_pattern pattern = {
                .width = 4, .mask = 1, .warp = 7 - (uint32_t)round, .times = 1};
            pattern.address[i % 32] = i * 4;
            assert_int_equal(bl_patterns_count(&patterns, &pattern, &err), BL_OK);
        }
    assert_int_equal(patterns.count, 1000);
    for (size_t i = 0; i < patterns.count; i++) {
        assert_int_equal(patterns.at[i].times, 2);
        assert_int_equal(patterns.at[i].warp, 6);
    }
    /* Without end they are refused, and those that were seen stay. */
    for (;; most++) {
        struct bl_pattern pattern = {.width = 8, .mask = 1, .times = 1};
        pattern.address[0] = most * 8;
        if (bl_patterns_count(&patterns, &pattern, &err) != BL_OK)
            break;
        assert_true(most < 100000);
    }
    assert_int_equal(err.status, BL_E_UNSUPPORTED);
    assert_int_equal(patterns.count, 1000 + most);
    bl_patterns_free(&patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_32), cmocka_unit_test(test_words_16),
        cmocka_unit_test(test_wide),     cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_none),     cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_clean),    cmocka_unit_test(test_room),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_patterns),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, read_rules, NULL);
}
