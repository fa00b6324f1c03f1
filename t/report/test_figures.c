/* SPDX-License-Identifier: Apache-2.0
 *
 * test_figures.c - numbers and text as a report prints them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/figures.h"

static void short_figures(void **state)
{
    static const struct {
        uint64_t value;
        const char *text;
    } table[] = {
        {0, "0"},           {999, "999"},          {1000, "1.00k"},   {1004, "1.00k"},
        {9994, "9.99k"},    {9996, "10.0k"},       {65536, "65.5k"},  {99960, "100k"},
        {131072, "131k"},   {999499, "999k"},      {999500, "1.00M"}, {1048576, "1.05M"},
        {4194304, "4.19M"}, {UINT64_MAX, "18.4E"},
    };
    char figure[BL_FIGURE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bl_figure_short(table[i].value, figure);
        assert_string_equal(figure, table[i].text);
    }
}

static void real_figures(void **state)
{
    char figure[BL_FIGURE_MAX];

    (void)state;
    bl_figure_real(1234567.891, 2, figure);
    assert_string_equal(figure, "1,234,567.89");
    bl_figure_real(999.996, 2, figure);
    assert_string_equal(figure, "1,000.00");
    bl_figure_real(0, 0, figure);
    assert_string_equal(figure, "0");
    bl_figure_real(-1234.5, 1, figure);
    assert_string_equal(figure, "-1,234.5");
    bl_figure_real(DBL_MAX, 9, figure);
    assert_true(strlen(figure) < BL_FIGURE_MAX);
    bl_figure_plain(2.23, figure);
    assert_string_equal(figure, "2.23");
    bl_figure_plain(1048576, figure);
    assert_string_equal(figure, "1048576");
}

static void decimals(void **state)
{
    (void)state;
    assert_int_equal(bl_figure_decimals(0), 2);
    assert_int_equal(bl_figure_decimals(-1), 2);
    assert_int_equal(bl_figure_decimals(1), 2);
    assert_int_equal(bl_figure_decimals(44.38), 1);
    assert_int_equal(bl_figure_decimals(148), 0);
    assert_int_equal(bl_figure_decimals(1e9), 0);
    assert_int_equal(bl_figure_decimals(0.0123), 4);
    assert_int_equal(bl_figure_decimals(1e-9), 4);
}

/* A point, a comma, and one of several bytes. */
static void any_locale(void **state)
{
    static const char *const points[] = {".", ",", "\xd9\xab"};

    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char figure[BL_FIGURE_MAX];

        snprintf(figure, sizeof figure, "1234%s5", points[i]);
        bl_figure_point(figure, points[i]);
        assert_string_equal(figure, "1234.5");
        strcpy(figure, "1234");
        bl_figure_point(figure, points[i]);
        assert_string_equal(figure, "1234");
    }
}

static void text(void **state)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);

    (void)state;
    assert_non_null(out);
    bl_text_write(out, "a\nb\033[0m\177\tc\xc3\xa9", "\n> ");
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, "a\n> b?[0m??c\xc3\xa9");
    free(written);
    assert_int_equal(bl_text_columns(""), 0);
    assert_int_equal(bl_text_columns("abc"), 3);
    assert_int_equal(bl_text_columns("\xc3\xa9t\xc3\xa9"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_figures), cmocka_unit_test(real_figures),
        cmocka_unit_test(decimals),      cmocka_unit_test(any_locale),
        cmocka_unit_test(text),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
