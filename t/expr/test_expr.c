/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "expr/expr.h"

static const char *const names[] = {"t", "tx", "ty", "threadIdx.x", "cols"};
static const int64_t values[] = {37, 5, 2, 7, 100};
enum { NAMES = 5 };

static struct bl_expr *read_expr(const char *text)
{
    struct bl_expr *expr = NULL;
    struct bl_error err;

    if (bl_expr_read(text, names, NAMES, &expr, &err) != BL_OK)
        fail_msg("%s: %s", text, err.text);
    return expr;
}

static void check_value(const char *text, int64_t expected)
{
    struct bl_expr *expr = read_expr(text);
    struct bl_error err;
    int64_t value = ~expected;

    if (bl_expr_value(expr, values, &value, &err) != BL_OK)
        fail_msg("%s: %s", text, err.text);
    if (value != expected)
        fail_msg("%s is %" PRId64 ", not %" PRId64, text, value, expected);
    bl_expr_free(expr);
}

/* The compiler says what C makes of it. */
#define SAME(expression) check_value(#expression, (int64_t)(expression))

static void as_in_c(void **state)
{
    const int64_t t = 37, tx = 5, ty = 2;

    (void)state;
    SAME(t);
    SAME(4 * (17 * ty + tx));
    SAME(4 * 17 * ty + tx);
    SAME(1 - 2 - 3);
    SAME(100 / 7 / 2);
    SAME(100 / (7 / 2));
    SAME(100 % 7 * 3);
    SAME(-7 / 2);
    SAME(-7 % 3);
    SAME(7 % -3);
    SAME(-t + +tx);
    SAME(- -tx);
    SAME(~t & 0xff);
    SAME(!t + !0);
    SAME(!!t);
    SAME((t & 7) << 3 >> 1);
    SAME(1 << (2 + 3));
    SAME(-8 >> 1);
    SAME(-1 >> 31);
    SAME((32 * t) + (5 ^ (t & 7)));
    SAME(tx < ty == 0);
    SAME((tx > ty) + (tx >= 5) + (tx <= 5) + (tx != ty) + (tx == ty) + (tx < ty));
    SAME(tx == 5 && ty == 3 || t == 37);
    SAME(1 || 0 && 0);
    SAME(tx ? ty ? 1 : 2 : 3);
    SAME(0 ? 1 : 0 ? 2 : 3);
    SAME((tx ? 10 : 20) + 1);
    SAME(tx - 5 ? 10 : 20 + 1);
    SAME(0x1f + 017 + 0 + 0XAB);
    SAME(7u + 7UL + 7ll);
    SAME(9223372036854775807);
    SAME(-9223372036854775807 - 1);
}

#define SAME_AS(text, expression) check_value(text, (int64_t)(expression))

static void bindings(void **state)
{
    const int64_t t = 37, tx = 5, ty = 2;

    (void)state;
    /* Without parentheses, which the compiler would ask for. */
    SAME_AS("t&7^3|8", ((t & 7) ^ 3) | 8);
    SAME_AS("1|2^3&4", 1 | (2 ^ (3 & 4)));
    SAME_AS("t&7==5", t & (7 == 5));
    SAME_AS("1<<2+3", 1 << (2 + 3));
    SAME_AS("tx<ty==0", (tx < ty) == 0);
    SAME_AS("1<2<3", (1 < 2) < 3);
    SAME_AS("  4\t*\n( tx + ty )\r ", 4 * (tx + ty));
    SAME_AS("threadIdx.x*2", 14);
}

static void short_cuts(void **state)
{
    (void)state;
    check_value("0 && 1/0", 0);
    check_value("1 || 1/0", 1);
    check_value("1 ? 2 : 1/0", 2);
    check_value("0 ? 1/0 : 3", 3);
    check_value("5 && 7", 1);
    check_value("0 || 7", 1);
    check_value("0 || 0", 0);
    check_value("2 * (1 && 2) + 3 * (0 || 0)", 2);
    check_value("min(t || 0, 9) + (0 && 0 || 4)", 2);
}

static void functions(void **state)
{
    (void)state;
    check_value("min(tx, ty)", 2);
    check_value("max(tx, ty * 10)", 20);
    check_value("abs(ty - tx) + abs(3)", 6);
    check_value("ceil(cols / 32)", 4);
    check_value("ceil((cols + 28) / 32)", 4);
    check_value("ceil((cols / 32))", 4);
    check_value("ceil(-7 / 2)", -3);
    check_value("ceil(7 / -2)", -3);
    check_value("ceil(-7 / -2)", 4);
    check_value("floor(-7 / 2)", -4);
    check_value("floor(7 / 2)", 3);
    check_value("floor(-8 / 2)", -4);
    check_value("ceil_div(cols, 32)", 4);
    check_value("ceil(cols * 3 / 32) * 2", 20);
    check_value("ceil(ceil(cols / 32) / 3)", 2);
    check_value("ceil_div(cols / 32, 2)", 2);
}

static void edges(void **state)
{
    (void)state;
    check_value("-9223372036854775807 - 1", INT64_MIN);
    check_value("(-9223372036854775807 - 1) % -1", 0);
    check_value("1 << 62", INT64_C(1) << 62);
    check_value("-1 << 63", INT64_MIN);
    check_value("0 << 63", 0);
    check_value("(-9223372036854775807 - 1) >> 63", -1);
    check_value("-1 << 2", -4);
}

/* ---- errors
 * ---------------------------------------------------------------------------- */

static void check_error(const char *text, int column, const char *part)
{
    struct bl_expr *expr = NULL;
    struct bl_error err = {BL_OK, ""};
    char head[32];
    int64_t value = 4711;
    enum bl_status status = bl_expr_read(text, names, NAMES, &expr, &err);

    if (status == BL_OK)
        status = bl_expr_value(expr, values, &value, &err);
    bl_expr_free(expr);
    assert_int_equal(status, BL_E_INPUT);
    assert_int_equal(value, 4711);
    snprintf(head, sizeof head, "column %d: ", column);
    if (strncmp(err.text, head, strlen(head)) != 0 || !strstr(err.text, part))
        fail_msg("%s: \"%s\" is not at column %d or lacks \"%s\"", text, err.text, column,
                 part);
    /* The mark stands below that column of the text, two to the right. */
    if (strlen(text) <= 40) {
        const char *mark = strrchr(err.text, '\n') + 1;

        assert_int_equal(strcspn(mark, "^"), column - 1 + 2);
    }
}

static void errors_of_texts(void **state)
{
    (void)state;
    check_error("4*(tv+1)", 4, "unknown name \"tv\"; did you mean \"t\"?");
    check_error("threadIdx.y", 1, "did you mean \"threadIdx.x\"?");
    check_error("4*colls", 3, "did you mean \"cols\"?");
    check_error("minn(1,2)", 1, "did you mean \"min\"?");
    check_error("4*", 3, "not the end");
    check_error("4*(tx", 6, "\")\" is expected here, not the end");
    check_error("4 tx", 3, "an operator is expected here, not \"tx\"");
    check_error("4*tx)", 5, "an operator is expected here, not \")\"");
    check_error("tx ? 1", 7, "the \":\" of \"?\"");
    check_error("tx = 1", 4, "== compares");
    check_error("1.5*tx", 1, "\"1.5\" is no whole number");
    check_error(".5", 1, "no point");
    check_error("08", 1, "\"08\" is no whole number");
    check_error("0x", 1, "\"0x\" is no whole number");
    check_error("12ab", 1, "\"12ab\" is no whole number");
    check_error("9223372036854775808", 1, "64 bits");
    check_error("tx ** 2", 5, "not \"*\"");
    check_error("tx # 2", 4, "'#' is no operator");
    check_error("tx \xc3\xa4", 4, "0xc3");
    check_error("1 , 2", 3, "an operator is expected");
    check_error("()", 2, "not \")\"");
}

static void errors_of_calls(void **state)
{
    (void)state;
    check_error("min(1)", 6, "min takes 2 arguments, min(a, b)");
    check_error("min(1,2,3)", 8, "one argument too many: min(a, b)");
    check_error("min + 1", 1, "min is a function: min(a, b)");
    check_error("2*ceil(cols)", 3, "ceil takes one quotient: ceil(a / b)");
    check_error("ceil(cols/2*3)", 1, "ceil takes one quotient");
    check_error("ceil(tx ? cols : cols/3)", 1, "ceil takes one quotient");
    check_error("ceil(tx || cols/3)", 1, "ceil takes one quotient");
    check_error("ceil(cols/2/3)", 12, "write a / (b * c)");
    check_error("ceil((cols/2)/3)", 14, "write a / (b * c)");
}

static void errors_of_values(void **state)
{
    (void)state;
    check_error("4*(17/(tx-5))", 6, "17 is divided by zero");
    check_error("t%(ty-2)", 2, "divided by zero");
    check_error("ceil(3/(ty-2))", 7, "divided by zero");
    check_error("1<<64", 2, "shift by 64");
    check_error("1>>(0-1)", 2, "shift by -1");
    check_error("9223372036854775807+1", 20, "64 bits");
    check_error("-9223372036854775807-2", 21, "64 bits");
    check_error("9223372036854775807*2", 20, "64 bits");
    check_error("1<<63", 2, "64 bits");
    check_error("-(-9223372036854775807-1)", 1, "64 bits");
    check_error("abs(-9223372036854775807-1)", 1, "64 bits");
    check_error("(-9223372036854775807-1)/-1", 25, "64 bits");
}

static void long_texts(void **state)
{
    char text[BL_EXPR_TEXT_MAX + 2];
    struct bl_expr *expr = NULL;
    struct bl_error err;

    (void)state;
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bl_expr_read(text, names, NAMES, &expr, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "at most 4096"));
    for (size_t i = 0; i < 4096; i += 2)
        memcpy(text + i, "1+", 2);
    text[4095] = '\0';
    check_value(text, 2048);
    text[3000] = 'q';
    check_error(text, 3001, "  ...1+1+");
    memset(text, ' ', 2000);
    strcpy(text + 2000, "\xc3\xa4");
    check_error(text, 2001, "0xc3");
    assert_int_equal(bl_expr_read(" ", names, NAMES, &expr, &err), BL_E_INPUT);
    assert_string_equal(err.text, "an expression is expected, not nothing");
}

/* Within each other: to the limit, and one deeper. */
static void deep_texts(void **state)
{
    static const char *const heads[] = {"(", "-", "min(1,", "1?1:", "1+(", "1?"};
    static const char *const tails[] = {")", "", ")", "", ")", ":1"};

    (void)state;
    for (size_t kind = 0; kind < sizeof heads / sizeof *heads; kind++) {
        for (int depth = BL_EXPR_DEPTH_MAX - 1; depth <= 600; depth += 250) {
            char text[8 * 600 + 8] = "";
            struct bl_expr *expr = NULL;
            struct bl_error err;
            enum bl_status status;

            for (int i = 0; i < depth; i++)
                strcat(text, heads[kind]);
            strcat(text, "1");
            for (int i = 0; i < depth; i++)
                strcat(text, tails[kind]);
            status = bl_expr_read(text, names, NAMES, &expr, &err);
            if (depth < BL_EXPR_DEPTH_MAX) {
                assert_int_equal(status, BL_OK);
                bl_expr_free(expr);
            } else {
                assert_int_equal(status, BL_E_INPUT);
                assert_true(strstr(err.text, "nested more than 64 deep") ||
                            strstr(err.text, "at most 4096"));
            }
        }
    }
}

static void waiting_values(void **state)
{
    char text[2000] = "";
    struct bl_expr *expr = NULL;
    struct bl_error err;

    (void)state;
    for (int i = 0; i < 60; i++)
        strcat(text, "1|1&1+(");
    strcat(text, "1");
    for (int i = 0; i < 60; i++)
        strcat(text, ")");
    assert_int_equal(bl_expr_read(text, names, NAMES, &expr, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "more than 128 values wait"));
}

static void uses(void **state)
{
    struct bl_expr *expr = read_expr("tx + (0 ? cols : 1)");

    (void)state;
    assert_false(bl_expr_uses(expr, 0));
    assert_true(bl_expr_uses(expr, 1));
    assert_true(bl_expr_uses(expr, 4));
    assert_string_equal(bl_expr_text(expr), "tx + (0 ? cols : 1)");
    bl_expr_free(expr);
    assert_true(bl_expr_is_name("P"));
    assert_true(bl_expr_is_name("_a9.b"));
    assert_false(bl_expr_is_name(""));
    assert_false(bl_expr_is_name("9a"));
    assert_false(bl_expr_is_name("a b"));
    assert_false(bl_expr_is_name("a."));
    assert_false(bl_expr_is_name("ceil"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_c),         cmocka_unit_test(bindings),
        cmocka_unit_test(short_cuts),      cmocka_unit_test(functions),
        cmocka_unit_test(edges),           cmocka_unit_test(errors_of_texts),
        cmocka_unit_test(errors_of_calls), cmocka_unit_test(errors_of_values),
        cmocka_unit_test(long_texts),      cmocka_unit_test(deep_texts),
        cmocka_unit_test(waiting_values),  cmocka_unit_test(uses),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
