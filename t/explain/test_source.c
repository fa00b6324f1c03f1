/* SPDX-License-Identifier: Apache-2.0
 *
 * Which source file a name in PTX means, and its lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "explain/source.h"

struct fixture {
    char folder[64];
    char *plugin;
    struct bl_sources *sources;
    struct bl_paths paths;
};

/* The file, `age` seconds old. Fresh. */
static char *put(const struct fixture *f, const char *name, const char *text, int age)
{
    char *path = bl_text_format("%s/%s", f->folder, name);
    const struct timespec when = {.tv_sec = time(NULL) - age};
    const struct timespec times[] = {when, when};
    FILE *out;

    assert_non_null(path);
    out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    assert_int_equal(utimensat(0, path, times, 0), 0);
    return path;
}

static void set_up(struct fixture *f)
{
    static const char *const folders[] = {"a", "a/b", "a/b/c", "a/b/c/.libs", "src"};
    struct bl_error err;

    memset(f, 0, sizeof *f);
    strcpy(f->folder, "/tmp/test_source.XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = bl_text_format("%s/%s", f->folder, folders[i]);

        assert_int_equal(mkdir(path, 0700), 0);
        free(path);
    }
    f->plugin = put(f, "a/b/c/.libs/p.so", "", 100);
    f->paths.source_dir = bl_text_format("%s/src", f->folder);
    assert_int_equal(bl_sources_new(&f->paths, f->plugin, &f->sources, &err), BL_OK);
}

static void tear_down(struct fixture *f)
{
    char *remove = bl_text_format("rm -rf '%s'", f->folder);

    bl_sources_free(f->sources);
    free(f->plugin);
    free(f->paths.source_dir);
    assert_int_equal(system(remove), 0);
    free(remove);
}

static void is_line(struct fixture *f, const char *name, int line, const char *expected)
{
    struct bl_error err;
    char *text;

    assert_int_equal(bl_sources_line(f->sources, name, line, &text, &err), BL_OK);
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
    free(text);
}

static void test_places(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f);
    char *beside = put(&f, "a/b/c/.libs/beside.cu", "beside\n", 200);
    free(put(&f, "a/b/c/up.cu", "one up\n", 200));
    free(put(&f, "a/far.cu", "three up\n", 200));
    free(put(&f, "src/tree.cu", "in the tree\n", 200));
    is_line(&f, "beside.cu", 1, "beside");
    is_line(&f, "up.cu", 1, "one up");
    is_line(&f, "b/../far.cu", 1, "three up");
    is_line(&f, "far.cu", 1, "three up");
    is_line(&f, "tree.cu", 1, "in the tree");
    is_line(&f, beside, 1, "beside");
    is_line(&f, "nowhere.cu", 1, NULL);
    is_line(&f, "nowhere.cu", 1, NULL); /* that, too, is remembered */
    is_line(&f, "/nowhere.cu", 1, NULL);
    is_line(&f, "", 1, NULL);
    is_line(&f, "c", 1, NULL); /* a folder */
    free(beside);
    tear_down(&f);
}

/* A file that was changed since has other lines. */
static void test_changed(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f);
    free(put(&f, "a/b/c/new.cu", "changed\n", 10));
    is_line(&f, "new.cu", 1, NULL);
    tear_down(&f);
}

static void test_lines(void **state)
{
    struct fixture f;

    (void)state;
    set_up(&f);
    free(put(&f, "src/t.cu", "first\n\n \t third \t\tpart  \r\nlast", 200));
    is_line(&f, "t.cu", 1, "first");
    is_line(&f, "t.cu", 2, "");
    is_line(&f, "t.cu", 3, "third part");
    is_line(&f, "t.cu", 4, "last");
    is_line(&f, "t.cu", 5, NULL);
    is_line(&f, "t.cu", 0, NULL);
    is_line(&f, "t.cu", -1, NULL);
    free(put(&f, "src/empty.cu", "", 200));
    is_line(&f, "empty.cu", 1, NULL);
    assert_null(bl_text_line("a\n", 2, 2));
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest source[] = {cmocka_unit_test(test_places),
                                        cmocka_unit_test(test_changed),
                                        cmocka_unit_test(test_lines)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(source, NULL, NULL);
}
