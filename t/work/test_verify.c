/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "work/stream.h"
#include "work/verify.h"

enum { SEED = 11 };

/* 3 x 5 elements: the expected bytes, and an output poisoned for them. */
struct image {
    struct banklab_problem problem;
    uint8_t expected[15 * 16], got[15 * 16];
    struct bl_verdict_detail said;
};

static struct image poisoned(uint32_t elem)
{
    struct image image = {.problem = {.rows = 3, .cols = 5, .elem = elem}};

    for (size_t i = 0; i < 15 * elem; i++)
        image.expected[i] = (uint8_t)(i + 1);
    bl_poison_fill(image.got, image.expected, 15 * elem, bl_regions_poison_seed(SEED));
    return image;
}

static void verify(struct image *image, const char *kind)
{
    bl_verify(bl_kind_find(kind), &image->problem, image->expected, image->got, SEED,
              &image->said);
}

static void accepts_only_what_is_right(void **state)
{
    static const uint32_t elems[] = {1, 2, 4, 8, 16};

    (void)state;
    for (size_t e = 0; e < 5; e++) {
        struct image image = poisoned(elems[e]);
        const size_t bytes = 15 * elems[e];

        memcpy(image.got, image.expected, bytes);
        verify(&image, "copy");
        assert_true(image.said.ok);
        assert_string_equal(image.said.text, "");
        /* Any one byte, any element: found, and placed. */
        for (size_t i = 0; i < bytes; i++) {
            image.got[i] ^= 0x80;
            verify(&image, "copy");
            assert_false(image.said.ok);
            assert_int_equal(image.said.wrong, 1);
            assert_int_equal(image.said.row, i / elems[e] / 5);
            assert_int_equal(image.said.col, i / elems[e] % 5);
            image.got[i] ^= 0x80;
        }
    }
}

static void tells_unwritten_from_wrong(void **state)
{
    struct image image = poisoned(4);

    (void)state;
    verify(&image, "copy");
    assert_int_equal(image.said.wrong, 15);
    assert_int_equal(image.said.unwritten, 15);
    assert_contains(image.said.text, "15 of 15 elements wrong (15 never written), first "
                                     "at row 0 column 0: expected 0x04030201, got 0x");
    memcpy(image.got, image.expected, 7 * 4);
    memset(image.got + 7 * 4, 0xee, 2 * 4);
    verify(&image, "copy");
    assert_int_equal(image.said.wrong, 8);
    assert_int_equal(image.said.unwritten, 6);
    assert_string_equal(image.said.text,
                        "8 of 15 elements wrong (6 never written), first at row 1 column "
                        "2: expected 0x201f1e1d, got 0xeeeeeeee");
}

static void places_in_the_shape_of_the_output(void **state)
{
    struct image image = poisoned(1);

    (void)state;
    memcpy(image.got, image.expected, 15);
    image.got[7] = 0xee;
    verify(&image, "transpose"); /* the output is 5 x 3 */
    assert_int_equal(image.said.row, 2);
    assert_int_equal(image.said.col, 1);
    assert_string_equal(image.said.text, "1 of 15 elements wrong, first at row 2 column "
                                         "1: expected 0x08, got 0xee");
}

static void prints_the_widest_element(void **state)
{
    struct image image = poisoned(16);

    (void)state;
    memcpy(image.got, image.expected, sizeof image.got);
    image.got[15] = 0;
    verify(&image, "copy");
    assert_contains(image.said.text, "expected 0x100f0e0d0c0b0a090807060504030201, got "
                                     "0x000f0e0d0c0b0a090807060504030201");
}

/* ---- clock --------------------------------------------------------------- */

static struct bl_regions clocked(const struct banklab_clock *clock,
                                 const uint64_t *readings)
{
    struct banklab_plan plan = {.struct_size = sizeof plan, .clock = *clock};
    struct bl_regions regions;

    assert_int_equal(bl_regions_new(&plan, 4, 1 << 20, NULL, &regions, NULL), BL_OK);
    bl_regions_fill(&regions, SEED);
    if (readings)
        memcpy(bl_region_payload(bl_regions_find(&regions, BANKLAB_CLOCK)), readings,
               16 * clock->warps);
    return regions;
}

static enum bl_status read_clock(const struct banklab_clock *clock,
                                 const uint64_t *readings, double *out,
                                 struct bl_error *err)
{
    struct bl_regions regions = clocked(clock, readings);
    enum bl_status status =
        bl_clock_read(clock, bl_regions_find(&regions, BANKLAB_CLOCK), SEED, out, err);
    bl_regions_free(&regions, NULL);
    return status;
}

static void takes_the_median_over_blocks(void **state)
{
    /* Blocks of two warps: 50, 100 and 400 cycles; 2 x 5 accesses. */
    static const uint64_t readings[] = {100,  140,  110, 150, 1000, 1060,
                                        1000, 1100, 7,   9,   9,    407};
    const struct banklab_clock three = {6, 2, 5}, two = {4, 2, 5};
    double cycles = 0;

    (void)state;
    assert_int_equal(read_clock(&three, readings, &cycles, NULL), BL_OK);
    assert_true(cycles == 10.0);
    assert_int_equal(read_clock(&two, readings, &cycles, NULL), BL_OK);
    assert_true(cycles == 7.5);
}

static void refuses_missing_readings(void **state)
{
    const struct banklab_clock clock = {4, 2, 5};
    static const uint64_t backwards[] = {1, 2, 1, 2, 1, 2, 9, 8};
    struct bl_error err;
    double cycles = -1;

    (void)state;
    assert_int_equal(read_clock(&clock, NULL, &cycles, &err), BL_E_FAULT);
    assert_contains(err.text, "warp 0 of the grid left no clock reading");
    assert_int_equal(read_clock(&clock, backwards, &cycles, &err), BL_E_FAULT);
    assert_contains(err.text, "warp 3 of the grid ends before it starts");
    assert_true(cycles == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_only_what_is_right),
        cmocka_unit_test(tells_unwritten_from_wrong),
        cmocka_unit_test(places_in_the_shape_of_the_output),
        cmocka_unit_test(prints_the_widest_element),
        cmocka_unit_test(takes_the_median_over_blocks),
        cmocka_unit_test(refuses_missing_readings),
    };
    return RUN_TAP(tests);
}
