/* SPDX-License-Identifier: Apache-2.0
 *
 * test_draw.c - drawn patterns are valid, the same for the same seed, and of every kind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "calibrate/draw.h"

enum { PATTERNS = 2000 };

static void valid(void **state)
{
    size_t count;
    const struct bl_operation *ops = bl_operation_all(&count);
    (void)state;
    assert_true(count > 40);
    for (size_t i = 0; i < count; i++)
        for (uint64_t n = 0; n < PATTERNS; n++) {
            struct bl_pattern pattern;
            bl_pattern_draw(&ops[i], 7, n, &pattern);
            assert_true(pattern.args.mask != 0);
            assert_int_equal(pattern.args.shared_bytes, BL_PATTERN_SHARED);
            for (int l = 0; l < 32; l++) {
                assert_true(pattern.args.near[l] % ops[i].width == 0);
                assert_true(pattern.args.near[l] + ops[i].width <= BL_PATTERN_SHARED);
                assert_true(pattern.args.far[l] % ops[i].width == 0);
                assert_true(pattern.args.far[l] + ops[i].width <= BL_PATTERN_GLOBAL);
            }
        }
}

static void same_for_a_seed(void **state)
{
    const struct bl_operation *op = &bl_operation_all(&(size_t){0})[2];
    size_t differ = 0;
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        struct bl_pattern a, b, other;
        bl_pattern_draw(op, 1, n, &a);
        bl_pattern_draw(op, 1, n, &b);
        bl_pattern_draw(op, 2, n, &other);
        assert_memory_equal(&a.args, &b.args, sizeof a.args);
        assert_ptr_equal(a.family, b.family);
        differ += memcmp(&a.args, &other.args, sizeof a.args) != 0;
    }
    assert_true(differ > 90);
}

/* How many different names `name` gives over all patterns of an operation. */
static size_t names(const struct bl_operation *op, bool of_lanes)
{
    const char *seen[64];
    size_t count = 0;
    for (uint64_t n = 0; n < PATTERNS; n++) {
        struct bl_pattern pattern;
        size_t at = 0;
        bl_pattern_draw(op, 3, n, &pattern);
        const char *name = of_lanes ? pattern.lanes : pattern.family;
        while (at < count && strcmp(seen[at], name) != 0)
            at++;
        if (at == count)
            seen[count++] = name;
    }
    return count;
}

static void every_kind(void **state)
{
    size_t count;
    const struct bl_operation *ops = bl_operation_all(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool matrix = ops[i].kind == BL_CAL_LDMATRIX || ops[i].kind == BL_CAL_STMATRIX;
        assert_int_equal(names(&ops[i], false), 13);
        /* A matrix is the whole warp's. */
        assert_int_equal(names(&ops[i], true), matrix ? 1 : 7);
    }
}

/* The costs that a draw is for: no conflict, and the worst; merged and not. */
static void reaches(void **state)
{
    static const struct bl_arch arch = {.banks = 32,
                                        .bank_bytes = 4,
                                        .group = 32,
                                        .phase_lanes = {32, 32, 32, 16, 8},
                                        .merge_xor = {1, 2},
                                        .bank_rows = 1,
                                        .access_bytes = 16,
                                        .beats = {1, 1, 1, 2, 4},
                                        .wavefront_cycles = 1,
                                        .global_lanes = {32, 32, 32, 32, 32},
                                        .sector_bytes = 32};
    const struct bl_operation *op = &bl_operation_all(&(size_t){0})[4];
    bool merged = false, worst = false, free_of_any = false;
    (void)state;
    assert_string_equal(op->name, "shared_load_16");
    for (uint64_t n = 0; n < PATTERNS; n++) {
        struct bl_pattern pattern;
        struct bl_shared_cost cost;
        bl_pattern_draw(op, 5, n, &pattern);
        bl_access_shared(&arch, false, 16, pattern.args.mask, pattern.args.near, &cost);
        merged = merged || (cost.phases == 2 && pattern.args.mask == UINT32_MAX);
        worst = worst || cost.ways == 8;
        free_of_any = free_of_any || (cost.conflicts == 0 && cost.ideal == 4);
    }
    assert_true(merged && worst && free_of_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid), cmocka_unit_test(same_for_a_seed),
        cmocka_unit_test(every_kind), cmocka_unit_test(reaches)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
