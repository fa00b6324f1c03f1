/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "load/ini_read.h"

/* What was handed on, as "line[section]" and "line:section.name=value". */
struct heard {
    char text[4096];
    int refuse_line; /* the callback fails there; 0: nowhere */
};

static enum bl_status hear(void *ctx, const char *file, int line, const char *section,
                           const char *name, const char *value, struct bl_error *err)
{
    struct heard *heard = ctx;
    size_t used = strlen(heard->text);
    if (line == heard->refuse_line)
        return bl_error_at(err, BL_E_UNSUPPORTED, file, line, "not today");
    if (name)
        snprintf(heard->text + used, sizeof heard->text - used, "%d:%s.%s=%s|", line,
                 section, name, value);
    else {
        assert_null(value);
        snprintf(heard->text + used, sizeof heard->text - used, "%d[%s]|", line, section);
    }
    return BL_OK;
}

static void expect(const char *text, const char *want)
{
    struct heard heard = {{0}, 0};
    struct bl_error err;
    if (bl_ini_read_text("f.ini", text, strlen(text), hear, &heard, &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_string_equal(heard.text, want);
}

static void refuse_bytes(const char *text, size_t length, const char *want)
{
    struct heard heard = {{0}, 0};
    struct bl_error err;
    assert_int_equal(bl_ini_read_text("f.ini", text, length, hear, &heard, &err),
                     BL_E_INPUT);
    if (strncmp(err.text, want, strlen(want)) != 0)
        fail_msg("'%s' instead of '%s'", err.text, want);
}

static void refuse(const char *text, const char *want)
{
    refuse_bytes(text, strlen(text), want);
}

static void test_plain(void **state)
{
    (void)state;
    expect("", "");
    expect("; only a comment", "");
    expect("[run]\ndevice = auto\n\n[case a]\n", "1[run]|2:run.device=auto|4[case a]|");
    expect("[a]\n[b]\nx=1", "1[a]|2[b]|3:b.x=1|");
    expect("[a]\nx = 1 ; why\ny = a;b\nz =\n# no\n  ; no\n",
           "1[a]|2:a.x=1|3:a.y=a;b|4:a.z=|");
    expect("[ a ] ; why\n  \nexpect.ways = <= 32\nd = cuda:1\n",
           "1[a]|3:a.expect.ways=<= 32|4:a.d=cuda:1|");
    expect("[a]\nx=1\nx=2\n[a]\n", "1[a]|2:a.x=1|3:a.x=2|4[a]|");
    expect("[a]\nx : 1\n", "1[a]|2:a.x=1|");
}

static void test_line_ends(void **state)
{
    (void)state;
    expect("\xef\xbb\xbf[a]\r\nx = 1\r\n", "1[a]|2:a.x=1|");
    expect("[a]\r\nx = 1", "1[a]|2:a.x=1|");
    refuse("[a]\rx = 1\r", "f.ini:1: byte 0x0d in column 4");
    refuse("[a]\n\xef\xbb\xbf[b]\n", "f.ini:2: no '='");
}

static void test_bad_lines(void **state)
{
    (void)state;
    refuse("[a]\nfoo\nx = 1\n", "f.ini:2: no '='");
    refuse("[a]\nx = 1\nfoo", "f.ini:3: no '='");
    refuse("[a]\nfoo ; = 1\n", "f.ini:2: no '='");
    refuse("[a\nx = 1\n", "f.ini:1: the section's ']' is missing");
    refuse("[a ; ]\n", "f.ini:1: the section's ']' is missing");
    refuse("[a] b\n", "f.ini:1: text behind the section's ']': ' b'");
    refuse("[a]b]\n", "f.ini:1: text behind");
    refuse("[]\n", "f.ini:1: the section has no name");
    refuse("[ ]\n", "f.ini:1: the section has no name");
    refuse("\nx = 1\n[a]\n", "f.ini:2: 'x' stands before the first '[section]'");
    refuse("[a]\n= 1\n", "f.ini:2: no name before");
    refuse("[a]\nx = 1\n  and more\n", "f.ini:3: the line begins with whitespace");
    refuse("[a]\n\tx = 1\n", "f.ini:2: the line begins with whitespace");
    refuse("[a]\n [b]\n", "f.ini:2: the line begins with whitespace");
    refuse_bytes("[a]\nx = \0001\n", 10, "f.ini:2: byte 0x00 in column 5");
    refuse_bytes("[a]\nx = 1\001\n", 11, "f.ini:2: byte 0x01 in column 6");
}

/* `count` letters between `before` and `after`. */
static char *long_text(const char *before, size_t count, const char *after)
{
    size_t head = strlen(before), tail = strlen(after);
    char *text = malloc(head + count + tail + 1);
    assert_non_null(text);
    memcpy(text, before, head);
    memset(text + head, 'y', count);
    memcpy(text + head + count, after, tail + 1);
    return text;
}

static void test_long(void **state)
{
    struct heard heard = {{0}, 0};
    struct bl_error err;
    char *text = long_text("[a]\nx = ", 194, "\nz = 1\n");
    (void)state;
    assert_int_equal(bl_ini_read_text("f", text, strlen(text), hear, &heard, &err),
                     BL_OK);
    assert_int_equal(strlen(heard.text), strlen("1[a]|2:a.x=|3:a.z=1|") + 194);
    free(text);
    text = long_text("[a]\nx = ", 195, "\nz = 1\n");
    refuse(text, "f.ini:2: the line has 199 bytes; at most 198 are read");
    free(text);
    text = long_text("[a]\n; ", 5000, "");
    refuse(text, "f.ini:2: the line has 5002 bytes; at most 198 are read");
    free(text);
    text = long_text("[", 49, "]\n");
    heard.text[0] = '\0';
    assert_int_equal(bl_ini_read_text("f", text, strlen(text), hear, &heard, &err),
                     BL_OK);
    assert_int_equal(strlen(heard.text), 1 + 51 + 1);
    free(text);
    text = long_text("[", 50, "]\n");
    refuse(text, "f.ini:1: the section's name has 50 bytes; at most 49 are read");
    free(text);
    text = long_text("[a]\n", 50, " = 1\n");
    refuse(text, "f.ini:2: the name 'yyy");
    free(text);
    text = long_text("", (1 << 20) + 1, "");
    assert_int_equal(bl_ini_read_text("f", text, strlen(text), hear, &heard, &err),
                     BL_E_IO);
    free(text);
}

static void test_callback_stops(void **state)
{
    struct heard heard = {{0}, 3};
    struct bl_error err;
    const char *text = "[a]\nx = 1\ny = 2\nz = 3\nbad line\n";
    (void)state;
    assert_int_equal(bl_ini_read_text("f", text, strlen(text), hear, &heard, &err),
                     BL_E_UNSUPPORTED);
    assert_string_equal(heard.text, "1[a]|2:a.x=1|");
    assert_string_equal(err.text, "f:3: not today");
    heard = (struct heard){{0}, 1};
    assert_int_equal(bl_ini_read_text("f", text, strlen(text), hear, &heard, &err),
                     BL_E_UNSUPPORTED);
    assert_string_equal(err.text, "f:1: not today");
}

static void test_files(void **state)
{
    struct heard heard = {{0}, 0};
    struct bl_error err;
    char path[] = "/tmp/banklab-ini-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "[a]\nx = 1\noops", 14), 14);
    close(fd);
    assert_int_equal(bl_ini_read(path, hear, &heard, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, ":3: no '='"));
    unlink(path);
    assert_int_equal(bl_ini_read(path, hear, &heard, &err), BL_E_IO);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(bl_ini_read("/tmp", hear, &heard, &err), BL_E_IO);
    assert_non_null(strstr(err.text, "/tmp"));
    assert_int_equal(bl_ini_read("/tmp", hear, &heard, NULL), BL_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_bad_lines), cmocka_unit_test(test_long),
        cmocka_unit_test(test_files),     cmocka_unit_test(test_callback_stops),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
