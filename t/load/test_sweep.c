/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "load/param.h"

/* Expands, and compares with the values joined by blanks. */
static void check(const char *text, const char *wanted)
{
    struct bl_error err = {BL_OK, ""};
    char joined[512] = "";
    char **list = NULL;
    size_t count = 0, used = 0;
    assert_int_equal(bl_sweep_expand(text, &list, &count, &err), BL_OK);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s",
                                 i ? " " : "", list[i]);
    assert_true(used < sizeof joined);
    assert_null(list[count]);
    bl_sweep_free(list);
    assert_string_equal(joined, wanted);
}

static void check_refused(const char *text, const char *wanted)
{
    struct bl_error err = {BL_OK, ""};
    char **list = NULL;
    size_t count = 77;
    assert_int_equal(bl_sweep_expand(text, &list, &count, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, wanted));
    assert_null(list);
    assert_int_equal(count, 77);
}

static void test_plain(void **state)
{
    (void)state;
    check("5", "5");
    check("load", "load");
    check("-3", "-3");
    check(" 5 ", "5");
    check("1.5", "1.5"); /* the parameter refuses it, with better words */
}

static void test_lists(void **state)
{
    (void)state;
    check("1,2,4", "1 2 4");
    check("1 , 2,\t4", "1 2 4");
    check("load,store", "load store");
    check("0x10,7", "0x10 7");
}

static void test_ranges(void **state)
{
    (void)state;
    check("0..3", "0 1 2 3");
    check("-2..1", "-2 -1 0 1");
    check("-4..-2", "-4 -3 -2");
    check("7..7", "7");
    check("0 .. 3", "0 1 2 3");
    check("0..+2", "0 1 2");
    check("0x8..0xa", "8 9 10");
}

static void test_steps(void **state)
{
    (void)state;
    check("0..32+8", "0 8 16 24 32");
    check("0..33+8", "0 8 16 24 32");
    check("0..7+8", "0");
    check("0 .. 4 + 2", "0 2 4");
    check("9223372036854775805..9223372036854775807+2",
          "9223372036854775805 9223372036854775807");
    check("-9223372036854775808..9223372036854775807+9223372036854775807",
          "-9223372036854775808 -1 9223372036854775806");
}

static void test_powers(void **state)
{
    (void)state;
    check("1..1024*2", "1 2 4 8 16 32 64 128 256 512 1024");
    check("3..100*3", "3 9 27 81");
    check("1..9223372036854775807*4294967296", "1 4294967296");
}

static void test_mixed(void **state)
{
    (void)state;
    check("0, 2..8*2, 16..20+2, 33", "0 2 4 8 16 18 20 33");
}

static void test_refused(void **state)
{
    (void)state;
    check_refused("", "the value is empty");
    check_refused("  ", "the value is empty");
    check_refused("1,", "\"1,\" has an empty value beside a comma");
    check_refused(",", "has an empty value beside a comma");
    check_refused("1,,2", "\"1,,2\" has an empty value beside a comma");
    check_refused("..", "\"..\" is not a range of whole numbers; write LOW..HIGH, "
                        "LOW..HIGH+STEP or LOW..HIGH*FACTOR");
    check_refused("1..", "is not a range");
    check_refused("..4", "is not a range");
    check_refused("1...4", "is not a range");
    check_refused("1..2..3", "is not a range");
    check_refused("a..b", "is not a range");
    check_refused("0..8+", "is not a range");
    check_refused("0..8+2*2", "is not a range");
    check_refused("0..99999999999999999999", "is not a range");
    check_refused("4..3", "the range \"4..3\" is empty: 4 is above 3");
    check_refused("0..8+0", "the step of \"0..8+0\" must be at least 1");
    check_refused("0..8+-1", "must be at least 1");
    check_refused("1..8*1", "\"1..8*1\" does not grow");
    check_refused("0..8*2", "does not grow");
    check_refused("-8..-1*2", "does not grow");
}

/* The most is allowed, one more is not. */
static void test_most(void **state)
{
    struct bl_error err = {BL_OK, ""};
    char **list = NULL;
    size_t count = 0;
    (void)state;
    assert_int_equal(bl_sweep_expand("1..4096", &list, &count, &err), BL_OK);
    assert_int_equal(count, BL_SWEEP_MAX);
    assert_string_equal(list[4095], "4096");
    bl_sweep_free(list);
    check_refused("1..4097", "\"1..4097\" has more than 4096 values");
    check_refused("1..4096,5", "has more than 4096 values");
    check_refused("0..9223372036854775807", "has more than 4096 values");
    bl_sweep_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),   cmocka_unit_test(test_lists),
        cmocka_unit_test(test_ranges),  cmocka_unit_test(test_steps),
        cmocka_unit_test(test_powers),  cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_most),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
