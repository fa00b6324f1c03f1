/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <string.h>

#include "work/buffers.h"
#include "work/number.h"
#include "work/stream.h"

static struct bl_regions fresh(uint64_t bytes)
{
    struct banklab_plan plan = {.struct_size = sizeof plan};
    struct bl_regions regions;

    plan.clock.warps = 3;
    plan.scratch_bytes[1] = 100;
    assert_int_equal(bl_regions_new(&plan, bytes, 1 << 20, NULL, &regions, NULL), BL_OK);
    bl_regions_fill(&regions, 42);
    return regions;
}

static void lays_out_what_the_plan_uses(void **state)
{
    struct bl_regions regions = fresh(37);
    const struct {
        uint32_t role;
        const char *name;
        uint64_t bytes;
    } want[] = {{BANKLAB_INPUT, "input", 37},
                {BANKLAB_OUTPUT, "output", 37},
                {BANKLAB_CLOCK, "clock", 48},
                {BANKLAB_SCRATCH0 + 1, "scratch1", 100}};

    (void)state;
    assert_int_equal(regions.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct bl_region *region = bl_regions_find(&regions, want[i].role);
        assert_non_null(region);
        assert_string_equal(region->name, want[i].name);
        assert_int_equal(region->bytes, want[i].bytes);
        assert_int_equal((uintptr_t)bl_region_payload(region) % 256, 0);
    }
    assert_null(bl_regions_find(&regions, BANKLAB_SCRATCH0));
    for (int i = 0; i < 100; i++)
        assert_int_equal(bl_region_payload(&regions.at[3])[i], 0);
    bl_regions_free(&regions, NULL);
}

static void input_is_a_function_of_the_seed(void **state)
{
    struct bl_regions a = fresh(64), b = fresh(64);
    const uint8_t *x = bl_region_payload(&a.at[0]), *y = bl_region_payload(&b.at[0]);

    (void)state;
    assert_memory_equal(x, y, 64);
    bl_regions_fill(&b, 43);
    assert_memory_not_equal(x, y, 64);
    bl_regions_free(&a, NULL);
    bl_regions_free(&b, NULL);
}

/* For every byte there is, many times over: poison never is the right byte. */
static void poison_is_never_right(void **state)
{
    enum { BYTES = 256 * 64 + 5 };
    struct bl_regions regions = fresh(BYTES);
    const uint8_t *output = bl_region_payload(bl_regions_find(&regions, BANKLAB_OUTPUT));
    uint8_t *expected = regions.expected;
    size_t same_as_next = 0;

    (void)state;
    for (size_t i = 0; i < BYTES; i++)
        expected[i] = (uint8_t)i;
    bl_regions_poison(&regions, 42);
    for (uint64_t i = 0; i < BYTES; i++) {
        assert_int_not_equal(output[i], expected[i]);
        assert_true(bl_poison_intact(output, expected, i, 1, bl_regions_poison_seed(42)));
        assert_false(
            bl_poison_intact(expected, expected, i, 1, bl_regions_poison_seed(42)));
        same_as_next += i > 0 && output[i] == output[i - 1];
    }
    /* Not a run of one value: of 16,389 bytes, about 64 equal the one before. */
    assert_true(same_as_next < 300);
    assert_int_equal(bl_regions_check(&regions, 42, NULL), BL_OK);
    bl_regions_free(&regions, NULL);
}

/* Turns over one byte at `at` of the image of region `index` and expects `says`. */
static void spoil(size_t index, uint64_t at, const char *says)
{
    struct bl_regions regions = fresh(37);
    struct bl_error err;

    assert_int_equal(bl_regions_check(&regions, 42, NULL), BL_OK);
    regions.at[index].image[at] ^= 0x01;
    assert_int_equal(bl_regions_check(&regions, 42, &err), BL_E_FAULT);
    assert_contains(err.text, says);
    bl_regions_free(&regions, NULL);
}

static void sees_every_guard(void **state)
{
    (void)state;
    spoil(0, 0, "'input': byte 4096 before its start");
    spoil(1, BL_GUARD_BYTES - 1, "'output': byte 1 before its start");
    spoil(1, BL_GUARD_BYTES + 37, "'output': byte 0 after its end");
    spoil(2, 2 * BL_GUARD_BYTES + 48 - 1, "'clock': byte 4095 after its end");
    spoil(3, BL_GUARD_BYTES + 100 + 13, "'scratch1': byte 13 after its end");
}

static void sees_a_changed_input(void **state)
{
    (void)state;
    spoil(0, BL_GUARD_BYTES + 36, "changed its input: byte 36");
    spoil(0, BL_GUARD_BYTES, "changed its input: byte 0");
}

static void refuses_what_is_too_large(void **state)
{
    struct banklab_plan plan = {.struct_size = sizeof plan};
    struct bl_regions regions;
    struct bl_error err;
    const uint64_t need = bl_regions_need(&plan, 1000);

    (void)state;
    assert_int_equal(need, 3 * 1000 + 4 * BL_GUARD_BYTES);
    assert_int_equal(bl_regions_new(&plan, 1000, need - 1, NULL, &regions, &err),
                     BL_E_INPUT);
    assert_contains(err.text, "needs 19,384 bytes");
    assert_contains(err.text, "19,383");
    assert_int_equal(bl_regions_new(&plan, 1000, need, NULL, &regions, &err), BL_OK);
    bl_regions_free(&regions, NULL);
    plan.scratch_bytes[0] = UINT64_MAX;
    assert_int_equal(bl_regions_need(&plan, 1000), UINT64_MAX);
    plan.scratch_bytes[0] = 0;
    plan.clock.warps = UINT64_MAX / 4;
    assert_int_equal(bl_regions_need(&plan, 1000), UINT64_MAX);
}

static void large_images_serve_the_next_case(void **state)
{
    const struct banklab_plan plan = {.struct_size = sizeof plan};
    const uint64_t bytes = 8 << 20;
    struct bl_spare spare = {0};
    struct bl_regions regions;
    uint8_t *images[3];

    (void)state;
    assert_int_equal(bl_regions_new(&plan, bytes, UINT64_MAX, &spare, &regions, NULL),
                     BL_OK);
    for (int i = 0; i < 2; i++)
        images[i] = regions.at[i].image;
    images[2] = regions.expected;
    memset(regions.expected, 0xa5, bytes);
    bl_regions_free(&regions, &spare);

    assert_int_equal(bl_regions_new(&plan, bytes, UINT64_MAX, &spare, &regions, NULL),
                     BL_OK);
    for (int i = 0; i < 3; i++) /* in whatever order */
        assert_true(images[i] == regions.at[0].image ||
                    images[i] == regions.at[1].image || images[i] == regions.expected);
    assert_ptr_not_equal(regions.at[0].image, regions.at[1].image);
    for (uint64_t i = 0; i < bytes; i += 4093)
        assert_int_equal(regions.expected[i], 0);
    bl_regions_free(&regions, &spare);

    /* Another size: what was kept is of no use any more. */
    assert_int_equal(
        bl_regions_new(&plan, bytes + 16, UINT64_MAX, &spare, &regions, NULL), BL_OK);
    for (int i = 0; i < 3; i++)
        assert_null(spare.at[i].image);
    bl_regions_free(&regions, &spare);
    bl_spare_free(&spare);
    assert_null(spare.at[0].image);
}

static void streams_can_be_read_in_pieces(void **state)
{
    uint8_t whole[40], part[13];
    uint64_t at;

    (void)state;
    bl_stream_fill(whole, sizeof whole, 7);
    bl_stream_fill(part, sizeof part, 7);
    assert_memory_equal(whole, part, sizeof part);
    assert_true(bl_stream_check(whole + 0, 33, 7, &at));
    whole[32] ^= 4;
    assert_false(bl_stream_check(whole, 33, 7, &at));
    assert_int_equal(at, 32);
    whole[9] ^= 4;
    assert_false(bl_stream_check(whole, 33, 7, &at));
    assert_int_equal(at, 9);
}

static void numbers_read_well(void **state)
{
    char out[BL_NUMBER_MAX];

    (void)state;
    assert_string_equal(bl_number_group(0, out), "0");
    assert_string_equal(bl_number_group(999, out), "999");
    assert_string_equal(bl_number_group(1000, out), "1,000");
    assert_string_equal(bl_number_group(UINT64_MAX, out), "18,446,744,073,709,551,615");
    assert_string_equal(bl_number_bytes(1023, out), "1023 bytes");
    assert_string_equal(bl_number_bytes(48 << 20, out), "48.0 MiB");
    assert_string_equal(bl_number_bytes(UINT64_MAX, out), "16.0 EiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lays_out_what_the_plan_uses),
        cmocka_unit_test(input_is_a_function_of_the_seed),
        cmocka_unit_test(poison_is_never_right),
        cmocka_unit_test(sees_every_guard),
        cmocka_unit_test(sees_a_changed_input),
        cmocka_unit_test(refuses_what_is_too_large),
        cmocka_unit_test(large_images_serve_the_next_case),
        cmocka_unit_test(streams_can_be_read_in_pieces),
        cmocka_unit_test(numbers_read_well),
    };
    return RUN_TAP(tests);
}
