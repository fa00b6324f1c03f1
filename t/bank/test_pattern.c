/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bank/lane_list.h"
#include "bank/question.h"
#include "../rules/rows.h"

static struct bl_access_form form_of(const char *op, const char *width, const char *block)
{
    struct bl_access_form form = bl_question_default.form;
    struct bl_error err;

    assert_int_equal(bl_form_set_op(&form, op, &err), BL_OK);
    assert_int_equal(bl_form_set_width(&form, width, &err), BL_OK);
    assert_int_equal(bl_form_set_block(&form, block, &err), BL_OK);
    return form;
}

static enum bl_status lanes_of(const char *text, const struct bl_access_form *form,
                               const struct bl_constants *constants, uint32_t warp,
                               struct bl_warp_lanes *out, struct bl_error *err)
{
    static const struct bl_constants none;
    struct bl_address *address;
    enum bl_status status;

    constants = constants ? constants : &none;
    status = bl_address_read(text, constants, &address, err);
    if (status != BL_OK)
        return status;
    status = bl_address_lanes(address, form, constants->values, warp, out, err);
    bl_address_free(address);
    return status;
}

static void threads_have_places(void **state)
{
    static const char *const pairs[] = {
        "t == tx + bx * (ty + by * tz)",
        "warp == t / 32 && lane == t % 32",
        "threadIdx.x == tx && threadIdx.y == ty && threadIdx.z == tz",
        "blockDim.x == bx && blockDim.y == by && blockDim.z == bz",
        "tx < bx && ty < by && tz < bz && bx == 8 && by == 6 && bz == 3",
    };
    struct bl_access_form form = form_of("load", "4", "8x6x3");
    struct bl_warp_lanes lanes;
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_form_threads(&form), 144);
    assert_int_equal(bl_form_warps(&form), 5);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (uint32_t warp = 0; warp < 5; warp++) {
            char text[200];

            snprintf(text, sizeof text, "(%s) * 4", pairs[i]);
            assert_int_equal(lanes_of(text, &form, NULL, warp, &lanes, &err), BL_OK);
            assert_int_equal(lanes.mask, warp < 4 ? 0xffffffff : 0xffff);
            for (uint32_t lane = 0; lane < (warp < 4 ? 32 : 16); lane++)
                assert_int_equal(lanes.address[lane], 4);
        }
}

/* What an absent lane would do is never asked. */
static void absent_lanes(void **state)
{
    struct bl_access_form form = form_of("store", "4", "20");
    struct bl_warp_lanes lanes;
    struct bl_error err;

    (void)state;
    assert_int_equal(lanes_of("4 * (t < 20 ? t : t / 0)", &form, NULL, 0, &lanes, &err),
                     BL_OK);
    assert_int_equal(lanes.mask, 0xfffff);
    assert_int_equal(lanes.address[19], 76);
    assert_int_equal(lanes.address[20], 0);
    assert_int_equal(bl_form_set_mask(&form, "0x80000003", &err), BL_OK);
    assert_int_equal(lanes_of("4*t", &form, NULL, 0, &lanes, &err), BL_OK);
    assert_int_equal(lanes.mask, 3);
}

static void bad_lanes(void **state)
{
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"t", "lane 1 of warp 1 (tx 1, ty 2, tz 0): address 33 is not a multiple"},
        {"4*(t-40)", "lane 0 of warp 1 (tx 0, ty 2, tz 0): address -32 is negative"},
        {"4*(100/(t-35))", "lane 0 of warp 1 (tx 0, ty 2, tz 0): address -132 is neg"},
        {"4/(35-t)*0", "lane 3 of warp 1 (tx 3, ty 2, tz 0): column 2: 4 is divided by"},
        {"(1<<32)*(t==34)", "lane 2 of warp 1 (tx 2, ty 2, tz 0): address 4294967296"},
    };
    struct bl_access_form form = form_of("load", "4", "16x16");
    struct bl_warp_lanes lanes;
    struct bl_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lanes_of(bad[i].text, &form, NULL, 1, &lanes, &err), BL_E_INPUT);
        if (strncmp(err.text, bad[i].reason, strlen(bad[i].reason)) != 0)
            fail_msg("%s: %s", bad[i].text, err.text);
    }
    form.is_global = true;
    assert_int_equal(lanes_of("1<<40", &form, NULL, 1, &lanes, &err), BL_OK);
    assert_true(lanes.address[31] == UINT64_C(1) << 40);
}

static void constants(void **state)
{
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"P", "NAME=VALUE is expected"},
        {"=3", "can't be a name"},
        {"a b=3", "can't be a name"},
        {"min=3", "can't be a name"},
        {"tx=3", "tx has a meaning in addresses already"},
        {"blockDim.x=3", "has a meaning"},
        {"P=4", "P has a value already: 33"},
        {"R=", "the value of R: an expression is expected"},
        {"R=X", "the value of R: column 1: unknown name \"X\"; it can be P, Q,"},
        {"R=1/0", "the value of R: column 2: 1 is divided by zero"},
    };
    struct bl_access_form form = form_of("load", "4", "32x2");
    struct bl_constants all = {.count = 0};
    struct bl_warp_lanes lanes;
    struct bl_address *address;
    struct bl_error err;
    int64_t others[2] = {1, 2};

    (void)state;
    assert_int_equal(bl_constants_add(&all, "P=33", &err), BL_OK);
    assert_int_equal(bl_constants_add(&all, "Q=P*2-1", &err), BL_OK);
    assert_int_equal(all.values[1], 65);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(bl_constants_add(&all, bad[i].text, &err), BL_E_INPUT);
        if (!strstr(err.text, bad[i].reason))
            fail_msg("%s: %s", bad[i].text, err.text);
    }
    assert_int_equal(all.count, 2);
    assert_int_equal(lanes_of("4*(Q*ty+tx)", &form, &all, 1, &lanes, &err), BL_OK);
    assert_int_equal(lanes.address[3], 4 * 68);

    assert_int_equal(bl_address_read("4*(Q*ty+tx)", &all, &address, &err), BL_OK);
    assert_false(bl_address_uses(address, 0));
    assert_true(bl_address_uses(address, 1));
    assert_true(bl_address_needs_shape(address));
    assert_int_equal(bl_address_lanes(address, &form, others, 1, &lanes, &err), BL_OK);
    assert_int_equal(lanes.address[3], 4 * 5);
    bl_address_free(address);
    for (int i = 2; i < BL_CONSTANTS_MAX; i++) {
        char text[16];

        snprintf(text, sizeof text, "c%d=%d", i, i);
        assert_int_equal(bl_constants_add(&all, text, &err), BL_OK);
    }
    assert_int_equal(bl_constants_add(&all, "last=1", &err), BL_E_INPUT);
    bl_constants_free(&all);
    assert_int_equal(all.count, 0);
}

static void shapes(void **state)
{
    static const struct {
        const char *text;
        bool needs;
    } some[] = {{"4*t", false},           {"4*tx", false}, {"threadIdx.x*4", false},
                {"4*(warp+lane)", false}, {"4*ty", true},  {"4*threadIdx.y", true},
                {"tz*4", true},           {"bx*4", true},  {"blockDim.z*4", true}};
    static const struct bl_constants none;
    struct bl_error err;

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        struct bl_address *address;

        assert_int_equal(bl_address_read(some[i].text, &none, &address, &err), BL_OK);
        assert_int_equal(bl_address_needs_shape(address), some[i].needs);
        bl_address_free(address);
    }
}

static void words(void **state)
{
    static const char *const blocks[] = {"",     "0",           "x",     "16x",
                                         "x16",  "1x1x1x1",     "16X16", "-1",
                                         "0x10", "99999999999", "16 x16"};
    static const char *const widths[] = {"", "0", "3", "64", "-4", "4.0", "word"};
    static const char *const masks[] = {"", "0x", "0", "0x0", "g", "0x100000000", "-1"};
    struct bl_access_form form = form_of("load", "4", "16x8x2"), before = form;
    struct bl_error err;

    (void)state;
    assert_int_equal(form.block[0], 16);
    assert_int_equal(form.block[1], 8);
    assert_int_equal(form.block[2], 2);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        assert_int_equal(bl_form_set_block(&form, blocks[i], &err), BL_E_INPUT);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        assert_int_equal(bl_form_set_width(&form, widths[i], &err), BL_E_INPUT);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        assert_int_equal(bl_form_set_mask(&form, masks[i], &err), BL_E_INPUT);
    assert_int_equal(bl_form_set_op(&form, "laod", &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "did you mean \"load\"?"));
    assert_int_equal(bl_form_set_space(&form, "local", &err), BL_E_INPUT);
    assert_memory_equal(&form, &before, sizeof form);
    assert_int_equal(bl_form_set_mask(&form, "Ff", &err), BL_OK);
    assert_int_equal(form.mask, 0xff);
}

static void limits(void **state)
{
    struct bl_access_form form = form_of("load", "32", "1024");
    struct bl_arch arch;
    struct bl_error err;

    (void)state;
    arch_of("cc90", &arch);
    assert_int_equal(bl_form_check(&form, &arch, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "32 bytes a lane is global memory's"));
    form.is_global = true;
    assert_int_equal(bl_form_check(&form, &arch, &err), BL_OK);
    form = form_of("load", "4", "1025");
    assert_int_equal(bl_form_check(&form, &arch, &err), BL_E_INPUT);
    form = form_of("load", "4", "1x1x65");
    assert_int_equal(bl_form_check(&form, &arch, &err), BL_E_INPUT);
    form = form_of("load", "4", "1024x1024x64");
    assert_int_equal(bl_form_check(&form, &arch, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "1024x1024x64 = 67108864 threads"));
}

static void lists(void **state)
{
    static const struct {
        uint32_t mask;
        const char *text;
    } some[] = {{0, ""},
                {1, "0"},
                {3, "0 1"},
                {7, "0-2"},
                {0xffffffff, "0-31"},
                {0x80000000, "31"},
                {0xc0000005, "0 2 30 31"}};
    char text[BL_LANE_LIST_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        assert_int_equal(bl_lane_list(some[i].mask, text), strlen(some[i].text));
        assert_string_equal(text, some[i].text);
    }
    /* The longest. */
    assert_true(bl_lane_list(0x6db6dbff & 0x55555555, text) < BL_LANE_LIST_MAX);
    assert_true(bl_lane_list(0xdb6db6db, text) < BL_LANE_LIST_MAX - 1);
    assert_string_equal(text + strlen(text) - 5, "30 31");
}

static void answers(void **state)
{
    struct bl_question question = bl_question_default;
    struct bl_address *address;
    struct bl_answer answer;
    struct bl_arch arch;
    struct bl_error err;

    (void)state;
    arch_of("cc90", &arch);
    assert_int_equal(bl_form_set_block(&question.form, "40x2", &err), BL_OK);
    question.block_given = true;
    question.all_warps = true;
    /* Warp 0 has no conflict, warp 1 two ways, and warp 2, with 16 lanes, none. */
    assert_int_equal(bl_address_read("4*(t * (warp == 1 ? 2 : 1))", &question.constants,
                                     &address, &err),
                     BL_OK);
    assert_int_equal(bl_question_answer(&question, address, &arch, &answer, &err), BL_OK);
    assert_int_equal(answer.warps, 3);
    assert_int_equal(answer.warp, 1);
    assert_int_equal(answer.alike, 1);
    assert_int_equal(answer.cost.shared.wavefronts, 2);
    assert_int_equal(answer.sum.shared.wavefronts, 4);
    assert_int_equal(answer.sum.shared.conflicts, 1);
    assert_int_equal(answer.sum.shared.ways, 2);
    assert_int_equal(answer.end, 4 * 127);
    question.all_warps = false;
    question.warp = 3;
    assert_int_equal(bl_question_answer(&question, address, &arch, &answer, &err),
                     BL_E_INPUT);
    assert_non_null(strstr(err.text, "warp 3 of a block of 80 threads, which has 3"));
    /* A warp of which no lane takes part costs nothing. */
    question.warp = 2;
    question.form.mask = 0xffff0000;
    assert_int_equal(bl_question_answer(&question, address, &arch, &answer, &err), BL_OK);
    assert_int_equal(answer.lanes.mask, 0);
    assert_int_equal(answer.cost.shared.phases, 0);
    bl_address_free(address);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_places),
        cmocka_unit_test(absent_lanes),
        cmocka_unit_test(bad_lanes),
        cmocka_unit_test(constants),
        cmocka_unit_test(shapes),
        cmocka_unit_test(words),
        cmocka_unit_test(limits),
        cmocka_unit_test(lists),
        cmocka_unit_test(answers),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
