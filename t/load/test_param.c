/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "load/hint.h"
#include "load/param.h"

static const char *const tiles[] = {"16", "32", "64", NULL};
static const char *const ops[] = {"load", "store", NULL};
static const struct banklab_param stride = {
    .name = "stride", .type = BANKLAB_PARAM_INT, .minimum = -4, .maximum = 64};
static const struct banklab_param tile = {
    .name = "tile", .type = BANKLAB_PARAM_INT, .choices = tiles};
static const struct banklab_param op = {
    .name = "op", .type = BANKLAB_PARAM_CHOICE, .choices = ops};
static const struct banklab_param any = {
    .name = "any", .type = BANKLAB_PARAM_INT, .minimum = INT64_MIN, .maximum = INT64_MAX};

static void check_value(const struct banklab_param *param, const char *text,
                        int64_t wanted)
{
    struct bl_error err = {BL_OK, ""};
    banklab_value value = {-77};
    assert_int_equal(bl_param_parse(param, text, &value, &err), BL_OK);
    assert_true(value.i == wanted);
}

/* Refused with that text, and the output left alone. */
static void check_refused(const struct banklab_param *param, const char *text,
                          const char *wanted)
{
    struct bl_error err = {BL_OK, ""};
    banklab_value value = {-77};
    assert_int_equal(bl_param_parse(param, text, &value, &err), BL_E_INPUT);
    assert_string_equal(err.text, wanted);
    assert_true(value.i == -77);
}

static void test_values(void **state)
{
    (void)state;
    check_value(&stride, "-4", -4);
    check_value(&stride, "0", 0);
    check_value(&stride, "64", 64);
    check_value(&stride, "0x10", 16);
    check_value(&tile, "64", 64);
    check_value(&tile, "0x20", 32);
    check_value(&op, "load", 0);
    check_value(&op, "store", 1);
    check_value(&any, "-9223372036854775808", INT64_MIN);
    check_value(&any, "9223372036854775807", INT64_MAX);
}

static void test_refused(void **state)
{
    (void)state;
    check_refused(&stride, "65", "stride takes -4..64, not 65; the nearest is 64");
    check_refused(&stride, "-5", "stride takes -4..64, not -5; the nearest is -4");
    check_refused(&stride, "1 2", "stride takes a whole number, -4..64, not \"1 2\"");
    check_refused(&stride, "", "stride takes a whole number, -4..64, not \"\"");
    check_refused(&tile, "17", "tile takes 16, 32 or 64, not 17; the nearest is 16");
    check_refused(&tile, "-9223372036854775808",
                  "tile takes 16, 32 or 64, not -9223372036854775808; the nearest is 16");
    check_refused(&tile, "big", "tile takes a whole number, 16, 32 or 64, not \"big\"");
    check_refused(&op, "sotre",
                  "op takes load or store, not \"sotre\"; did you mean \"store\"?");
    check_refused(&op, "0", "op takes load or store, not \"0\"");
    check_refused(&any, "9223372036854775808",
                  "any takes a whole number, -9223372036854775808..9223372036854775807, "
                  "not \"9223372036854775808\"");
}

static void test_print(void **state)
{
    char text[32];
    (void)state;
    bl_param_print(&stride, (banklab_value){-3}, text, sizeof text);
    assert_string_equal(text, "-3");
    bl_param_print(&tile, (banklab_value){32}, text, sizeof text);
    assert_string_equal(text, "32");
    bl_param_print(&op, (banklab_value){1}, text, sizeof text);
    assert_string_equal(text, "store");
    bl_param_print(&op, (banklab_value){2}, text, sizeof text);
    assert_string_equal(text, "2");
    bl_param_print(&op, (banklab_value){1}, text, 3);
    assert_string_equal(text, "st");
}

static void test_domain(void **state)
{
    static const struct banklab_param one = {
        .name = "one", .type = BANKLAB_PARAM_INT, .minimum = 7, .maximum = 7};
    char text[64];
    (void)state;
    bl_param_domain(&stride, text, sizeof text);
    assert_string_equal(text, "-4..64");
    bl_param_domain(&tile, text, sizeof text);
    assert_string_equal(text, "16, 32 or 64");
    bl_param_domain(&op, text, sizeof text);
    assert_string_equal(text, "load or store");
    bl_param_domain(&one, text, sizeof text);
    assert_string_equal(text, "7");
}

static void test_hint(void **state)
{
    static const char *const names[] = {"stride", "pad", "tile"};
    char text[BL_HINT_SIZE];
    (void)state;
    bl_hint_print("tlie", names, 3, text, sizeof text);
    assert_string_equal(text, "; did you mean \"tile\"?");
    bl_hint_print("something", names, 3, text, sizeof text);
    assert_string_equal(text, "; it can be stride, pad or tile");
    bl_hint_print("something", names, 1, text, sizeof text);
    assert_string_equal(text, "; it can be stride");
    bl_hint_print("something", names, 0, text, sizeof text);
    assert_string_equal(text, "");
}

/* A list never overruns, and says where it was cut. */
static void test_list_cut(void **state)
{
    static const char *const names[] = {"stride", "pad", "tile"};
    char text[64];
    (void)state;
    for (size_t size = 8; size <= sizeof text; size++) {
        memset(text, '#', sizeof text);
        bl_hint_list(names, 3, text, size);
        assert_true(strlen(text) < size);
        for (size_t i = size; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
        if (strcmp(text, "stride, pad or tile") != 0)
            assert_string_equal(text + strlen(text) - 3, "...");
    }
    bl_hint_list(names, 3, text, 16);
    assert_string_equal(text, "stride, ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_print),  cmocka_unit_test(test_domain),
        cmocka_unit_test(test_hint),   cmocka_unit_test(test_list_cut),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
