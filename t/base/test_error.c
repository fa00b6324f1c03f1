/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"

static void sets(void **state)
{
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_error_set(&err, BL_E_INPUT, "pad %d", 9), BL_E_INPUT);
    assert_int_equal(err.status, BL_E_INPUT);
    assert_string_equal(err.text, "pad 9");
    assert_int_equal(bl_error_set(NULL, BL_E_IO, "nobody listens"), BL_E_IO);
    assert_int_equal(bl_error_nomem(&err), BL_E_NOMEM);
    assert_string_equal(err.text, "out of memory");
}

static void names_the_place(void **state)
{
    struct bl_error err;

    (void)state;
    bl_error_at(&err, BL_E_INPUT, "a.ini", 3, "no key %s", "x");
    assert_string_equal(err.text, "a.ini:3: no key x");
    bl_error_at(&err, BL_E_INPUT, "a.ini", 0, "empty");
    assert_string_equal(err.text, "a.ini: empty");
    assert_int_equal(bl_error_at(NULL, BL_E_INPUT, "a.ini", 1, "x"), BL_E_INPUT);
}

static void prefixes(void **state)
{
    struct bl_error err;

    (void)state;
    bl_error_set(&err, BL_E_FAULT, "100%% wrong: %%s");
    assert_int_equal(bl_error_prefix(&err, "case %s", "a"), BL_E_FAULT);
    assert_string_equal(err.text, "case a: 100% wrong: %s");
}

static void marks_what_is_cut(void **state)
{
    static const char end[] = "...";
    struct bl_error err;
    char longest[3000];
    size_t length;

    (void)state;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    bl_error_at(&err, BL_E_INPUT, "a.ini", 3, "%s", longest);
    length = strlen(err.text);
    assert_int_equal(length, sizeof err.text - 1);
    assert_memory_equal(err.text, "a.ini:3: xxx", 12);
    assert_string_equal(err.text + length - 3, end);
    bl_error_at(&err, BL_E_INPUT, longest, 3, "y");
    assert_string_equal(err.text + strlen(err.text) - 3, end);
    bl_error_prefix(&err, "%s", longest);
    assert_string_equal(err.text + strlen(err.text) - 3, end);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(names_the_place),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(marks_what_is_cut),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
