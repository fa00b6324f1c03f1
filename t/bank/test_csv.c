/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bank/csv.h"

/* The records as "line:[a][b]" each, or "error: ...". */
static char *read_all(const char *text, size_t length, const char *expected_comments)
{
    char *seen = NULL, *comments = NULL;
    size_t seen_size, comments_size;
    FILE *in = fmemopen((void *)text, length, "rb");
    FILE *out = open_memstream(&seen, &seen_size);
    FILE *aside = open_memstream(&comments, &comments_size);
    struct bl_csv_record row;
    struct bl_error err;
    struct bl_csv *csv;

    assert_true(in && out && aside);
    assert_int_equal(bl_csv_open(in, "f", aside, &csv, &err), BL_OK);
    for (;;) {
        if (bl_csv_next(csv, &row, &err) != BL_OK) {
            fprintf(out, "error: %s", err.text);
            break;
        }
        if (row.count == 0)
            break;
        fprintf(out, "%d:", row.line);
        for (size_t i = 0; i < row.count; i++)
            fprintf(out, "[%s]", row.fields[i]);
    }
    bl_csv_close(csv);
    fclose(in);
    fclose(out);
    fclose(aside);
    assert_string_equal(comments, expected_comments);
    free(comments);
    return seen;
}

static void check(const char *text, const char *expected)
{
    char *seen = read_all(text, strlen(text), "");

    assert_string_equal(seen, expected);
    free(seen);
}

static void records(void **state)
{
    (void)state;
    check("a,b\n1,2\n", "1:[a][b]2:[1][2]");
    check("a,b\r\n1,2\r\n", "1:[a][b]2:[1][2]");
    check("a,b\n1,2", "1:[a][b]2:[1][2]");
    check("\n\na\n\n\n1\n\n", "3:[a]6:[1]");
    check("a,,\n,,b\n", "1:[a][][]2:[][][b]");
    check("\xef\xbb\xbf"
          "a\n1\n",
          "1:[a]2:[1]");
    check(" a ,b \n", "1:[ a ][b ]");
    check("", "");
}

static void quotes(void **state)
{
    (void)state;
    check("\"a,b\",\"c\"\"d\"\n", "1:[a,b][c\"d]");
    check("\"a\nb\",c\nd,e\n", "1:[a\nb][c]3:[d][e]");
    check("\"\",\"\"\n", "1:[][]");
    check("\"a\r\nb\"\r\nc\r\n", "1:[a\r\nb]3:[c]");
    check("a,\"b", "error: f:1: the quote that begins here has no end");
    check("a\nb,\"c\nd\n", "1:[a]error: f:2: the quote that begins here has no end");
    check("\"a\"b\n", "error: f:1: a comma or the line's end is expected behind a quote");
    check("a\"b\n", "error: f:1: a quote in a field that begins without one; "
                    "\"a \"\"b\"\"\" would be right");
    check("a\rb\n", "error: f:1: a carriage return that ends no line");
}

static void comments(void **state)
{
    static const char text[] = "# one, \"two\n# three\na,b\n#c,d\n";
    char *seen = read_all(text, sizeof text - 1, "# one, \"two\n# three\n");

    (void)state;
    assert_string_equal(seen, "3:[a][b]4:[#c][d]");
    free(seen);
}

static void no_text(void **state)
{
    char *seen = read_all("a\nb\0c\n", 6, "");

    (void)state;
    assert_string_equal(seen, "1:[a]error: f:2: a byte 0: this is no text");
    free(seen);
}

static void limits(void **state)
{
    const size_t size = BL_CSV_RECORD_MAX + 100;
    char *text = malloc(size), *seen;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', size);
    text[0] = '"';
    seen = read_all(text, size, "");
    assert_non_null(strstr(seen, "f:1: a record of more than 1048576 bytes"));
    free(seen);
    memset(text, ',', size);
    seen = read_all(text, size, "");
    assert_string_equal(seen, "error: f:1: more than 512 fields in a record");
    free(seen);
    free(text);
}

static void put(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    bl_csv_put(out, "plain");
    fputc('|', out);
    bl_csv_put(out, "a,b\"c\n");
    fclose(out);
    assert_string_equal(text, "plain|\"a,b\"\"c\n\"");
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(records), cmocka_unit_test(quotes), cmocka_unit_test(comments),
        cmocka_unit_test(no_text), cmocka_unit_test(limits), cmocka_unit_test(put),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
