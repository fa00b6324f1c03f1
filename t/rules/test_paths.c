/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/paths.h"
#include "base/text.h"

static char *tree; /* a made-up build tree: core/build-tree, core/.libs */

static void write_file(const char *name, const char *text)
{
    char *path = bl_text_format("%s/%s", tree, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

static void make_dir(const char *name)
{
    char *path = bl_text_format("%s/%s", tree, name);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

static int make_tree(void **state)
{
    static char template[] = "/tmp/banklab-paths-XXXXXX";
    (void)state;
    tree = mkdtemp(template);
    assert_non_null(tree);
    make_dir("core");
    make_dir("core/.libs");
    make_dir("bare");
    write_file("core/build-tree", "/source of it\n");
    return 0;
}

static int remove_tree(void **state)
{
    char *command = bl_text_format("rm -r %s", tree);
    int rc = system(command);
    (void)state;
    free(command);
    return rc;
}

static void find(const char *exe, const char *plugin_path, struct bl_paths *out)
{
    static const char *const extra[] = {"one", "/two"};
    char *path = bl_text_format("%s/%s", tree, exe);
    struct bl_error err;
    if (bl_paths_find_from(path, plugin_path, extra, 2, out, &err) != BL_OK)
        fail_msg("%s", err.text);
    free(path);
}

static void expect_dir(const struct bl_paths *paths, size_t i, const char *dir,
                       const char *origin)
{
    assert_true(i < paths->plugin_dir_count);
    assert_string_equal(paths->plugin_dirs[i], dir);
    assert_string_equal(paths->plugin_origins[i], origin);
}

static void test_build_tree(void **state)
{
    const char *exes[] = {"core/banklab", "core/.libs/banklab"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bl_paths paths;
        char *plugins = bl_text_format("%s/plugins", tree);
        find(exes[i], NULL, &paths);
        assert_int_equal(paths.plugin_dir_count, 3);
        expect_dir(&paths, 0, "one", "--plugin-dir");
        expect_dir(&paths, 1, "/two", "--plugin-dir");
        expect_dir(&paths, 2, plugins, "build tree");
        assert_string_equal(paths.conf_dir, "/source of it/conf");
        assert_string_equal(paths.plugin_profile_dir, "/source of it/plugins");
        bl_paths_free(&paths);
        free(plugins);
    }
}

static void test_installed(void **state)
{
    struct bl_paths paths;
    (void)state;
    find("bare/banklab", "", &paths);
    assert_int_equal(paths.plugin_dir_count, 3);
    expect_dir(&paths, 2, BANKLAB_PLUGIN_DIR, "installed");
    assert_string_equal(paths.conf_dir, BANKLAB_CONF_DIR);
    assert_string_equal(paths.plugin_profile_dir, BANKLAB_CONF_DIR "/plugins");
    bl_paths_free(&paths);
}

/* "mkdir -p" within the tree. */
static void make_dirs(const char *path)
{
    char *command = bl_text_format("mkdir -p %s%s", tree, path);
    assert_int_equal(system(command), 0);
    free(command);
}

/* As make install DESTDIR=TREE leaves it: what is there is found from the program, and
 * what is not is where it was to be installed. */
static void test_moved(void **state)
{
    struct bl_paths paths;
    char *plugins = bl_text_format("%s%s", tree, BANKLAB_PLUGIN_DIR);
    char *conf = bl_text_format("%s%s", tree, BANKLAB_CONF_DIR);
    char *exe = bl_text_format("%s/banklab", &BANKLAB_BIN_DIR[1]);
    (void)state;
    make_dirs(BANKLAB_PLUGIN_DIR);
    find(exe, NULL, &paths);
    expect_dir(&paths, 2, plugins, "installed");
    assert_string_equal(paths.conf_dir, BANKLAB_CONF_DIR);
    bl_paths_free(&paths);
    make_dirs(BANKLAB_CONF_DIR);
    find(exe, NULL, &paths);
    expect_dir(&paths, 2, plugins, "installed");
    assert_string_equal(paths.conf_dir, conf);
    bl_paths_free(&paths);
    find("bare/banklab", NULL, &paths);
    expect_dir(&paths, 2, BANKLAB_PLUGIN_DIR, "installed");
    bl_paths_free(&paths);
    free(plugins);
    free(conf);
    free(exe);
}

/* An empty entry is nothing, never the current directory. */
static void test_plugin_path(void **state)
{
    struct bl_paths paths;
    (void)state;
    find("bare/banklab", ":/a::b/c:", &paths);
    assert_int_equal(paths.plugin_dir_count, 5);
    expect_dir(&paths, 2, "/a", "BANKLAB_PLUGIN_PATH");
    expect_dir(&paths, 3, "b/c", "BANKLAB_PLUGIN_PATH");
    expect_dir(&paths, 4, BANKLAB_PLUGIN_DIR, "installed");
    bl_paths_free(&paths);
}

static void test_bad_marker(void **state)
{
    char *exe = bl_text_format("%s/core/banklab", tree);
    struct bl_paths paths;
    struct bl_error err;
    (void)state;
    write_file("core/build-tree", "relative\n");
    assert_int_equal(bl_paths_find_from(exe, "x", NULL, 0, &paths, &err), BL_E_IO);
    assert_non_null(strstr(err.text, "core/build-tree:1: "));
    write_file("core/build-tree", "/source of it\n");
    free(exe);
}

static void test_this_program(void **state)
{
    struct bl_paths paths;
    struct bl_error err;
    (void)state;
    setenv("BANKLAB_PLUGIN_PATH", "/from/environment", 1);
    assert_int_equal(bl_paths_find(NULL, 0, &paths, &err), BL_OK);
    expect_dir(&paths, 0, "/from/environment", "BANKLAB_PLUGIN_PATH");
    assert_int_equal(paths.plugin_dir_count, 2);
    bl_paths_free(&paths);
}

static void test_conf_names(void **state)
{
    struct bl_paths paths = {.conf_dir = tree};
    struct bl_error err;
    char **names, *path;
    size_t count;
    (void)state;
    make_dir("arch");
    write_file("arch/b.ini", "");
    write_file("arch/a.ini", "");
    write_file("arch/.ini", "");
    write_file("arch/.c.ini", "");
    write_file("arch/a.ini~", "");
    assert_int_equal(bl_paths_conf_names(&paths, "arch", &names, &count, &err), BL_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "b");
    bl_paths_names_free(names, count);
    assert_int_equal(bl_paths_conf_names(&paths, "none", &names, &count, &err), BL_OK);
    assert_int_equal(count, 0);
    assert_int_equal(bl_paths_conf_names(&paths, NULL, &names, &count, &err), BL_OK);
    assert_int_equal(count, 0);
    assert_int_equal(bl_paths_conf_names(&paths, "arch/a.ini", &names, &count, &err),
                     BL_E_IO);
    assert_int_equal(bl_paths_conf_find(&paths, "arch", "arch", "a", &path, &err), BL_OK);
    assert_non_null(strstr(path, "/arch/a.ini"));
    free(path);
    assert_int_equal(bl_paths_conf_find(&paths, "none", "thing", "a", &path, &err),
                     BL_E_INPUT);
    assert_non_null(strstr(err.text, "unknown thing 'a'"));
    assert_non_null(strstr(err.text, "/none has: nothing"));
}

static void test_plugin_profile(void **state)
{
    struct bl_paths paths = {.plugin_profile_dir = tree};
    char *path, *want;
    (void)state;
    make_dir("copy");
    write_file("copy/copy.ini", "");
    path = bl_paths_plugin_profile(&paths, "copy");
    want = bl_text_format("%s/copy/copy.ini", tree);
    assert_string_equal(path, want);
    free(path);
    free(want);
    path = bl_paths_plugin_profile(&paths, "other");
    want = bl_text_format("%s/other.ini", tree);
    assert_string_equal(path, want);
    free(path);
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_tree), cmocka_unit_test(test_installed),
        cmocka_unit_test(test_moved),      cmocka_unit_test(test_plugin_path),
        cmocka_unit_test(test_bad_marker), cmocka_unit_test(test_this_program),
        cmocka_unit_test(test_conf_names), cmocka_unit_test(test_plugin_profile),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
