/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text.h"

static void formats(void **state)
{
    char *text = bl_text_format("%s-%05d", "case", 42);

    (void)state;
    assert_string_equal(text, "case-00042");
    free(text);
}

static void trim_cuts_both_ends(void **state)
{
    char inside[] = " \t a b\n", blank[] = " \t", plain[] = "x";

    (void)state;
    assert_string_equal(bl_text_trim(inside), "a b");
    assert_string_equal(bl_text_trim(blank), "");
    assert_ptr_equal(bl_text_trim(plain), plain);
    assert_string_equal(plain, "x");
}

static void nearest_finds_a_slip_of_the_pen(void **state)
{
    static const char *const names[] = {"rows", "cols", "elem", "transpose_tile"};

    (void)state;
    assert_string_equal(bl_text_nearest("row", names, 4), "rows");
    assert_string_equal(bl_text_nearest("elme", names, 4), "elem");
    assert_string_equal(bl_text_nearest("transpose_tiel", names, 4), "transpose_tile");
    assert_string_equal(bl_text_nearest("cols", names, 4), "cols");
}

static void nearest_leaves_strangers_alone(void **state)
{
    static const char *const names[] = {"rows", "pad"};
    char huge[500];

    (void)state;
    assert_null(bl_text_nearest("frobnicate", names, 2));
    assert_null(bl_text_nearest("x", names, 2));
    assert_null(bl_text_nearest("", names, 2));
    assert_null(bl_text_nearest("rows", names, 0));
    memset(huge, 'r', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(bl_text_nearest(huge, names, 2));
}

static void unsigned_numbers(void **state)
{
    static const char *const bad[] = {"",    " 1",  "1 ",   "-1",
                                      "+1",  "1e3", "0x",   "0xg",
                                      "1.0", "a",   "0x 1", "18446744073709551616"};
    uint64_t value = 7;

    (void)state;
    assert_true(bl_text_uint("0", &value) && value == 0);
    assert_true(bl_text_uint("0x1F", &value) && value == 31);
    assert_true(bl_text_uint("18446744073709551615", &value) && value == UINT64_MAX);
    value = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(bl_text_uint(bad[i], &value));
        assert_int_equal(value, 7);
    }
}

static void signed_numbers(void **state)
{
    int64_t value = 7;

    (void)state;
    assert_true(bl_text_int("-9223372036854775808", &value) && value == INT64_MIN);
    assert_true(bl_text_int("9223372036854775807", &value) && value == INT64_MAX);
    assert_true(bl_text_int("+5", &value) && value == 5);
    assert_true(bl_text_int("-0x10", &value) && value == -16);
    assert_false(bl_text_int("9223372036854775808", &value));
    assert_false(bl_text_int("-9223372036854775809", &value));
    assert_false(bl_text_int("--1", &value));
    assert_false(bl_text_int("-", &value));
}

static void real_numbers(void **state)
{
    double value = 7;

    (void)state;
    assert_true(bl_text_real("1.5", &value) && value == 1.5);
    assert_true(bl_text_real("-2e3", &value) && value == -2000);
    assert_false(bl_text_real("", &value));
    assert_false(bl_text_real("inf", &value));
    assert_false(bl_text_real("nan", &value));
    assert_false(bl_text_real("1e999", &value));
    assert_false(bl_text_real("0x10", &value));
    assert_false(bl_text_real("1.5 ", &value));
    assert_false(bl_text_real("1,5", &value));
}

static void files(void **state)
{
    char path[] = "text-XXXXXX", *text = NULL;
    struct bl_error err;
    size_t length = 0;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0 && write(fd, "ab\0c", 4) == 4);
    close(fd);
    assert_int_equal(bl_text_read_file(path, 4, &text, &length, &err), BL_OK);
    assert_int_equal(length, 4);
    assert_memory_equal(text, "ab\0c", 5);
    free(text);
    assert_int_equal(bl_text_read_file(path, 3, &text, &length, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "4 bytes; at most 3"));
    unlink(path);
    assert_int_equal(bl_text_read_file(path, 4, &text, &length, &err), BL_E_IO);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(bl_text_read_file("/", 4, &text, &length, &err), BL_E_IO);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(trim_cuts_both_ends),
        cmocka_unit_test(nearest_finds_a_slip_of_the_pen),
        cmocka_unit_test(nearest_leaves_strangers_alone),
        cmocka_unit_test(unsigned_numbers),
        cmocka_unit_test(signed_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(files),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
