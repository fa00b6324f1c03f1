/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding plugins: a tree of folders under /tmp whose files are links to the fixtures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text.h"
#include "load/registry.h"

enum { MADE_MAX = 32, WARNINGS_MAX = 64 };

struct tree {
    char root[40];
    char *made[MADE_MAX]; /* files and folders, in the order of making */
    size_t made_count;
    char *dirs[4];
    const char *origins[4];
    struct bl_paths paths;
    struct bl_registry *reg;
    char *warnings[WARNINGS_MAX];
    size_t warning_count;
};

static void note_warning(void *ctx, const char *text)
{
    struct tree *tree = ctx;
    assert_true(tree->warning_count < WARNINGS_MAX);
    assert_null(strchr(text, '\n'));
    tree->warnings[tree->warning_count++] = strdup(text);
}

static char *below(struct tree *tree, const char *name)
{
    char *path = bl_text_format("%s/%s", tree->root, name);
    assert_non_null(path);
    assert_true(tree->made_count < MADE_MAX);
    tree->made[tree->made_count++] = path;
    return path;
}

static void make_folder(struct tree *tree, const char *name)
{
    assert_int_equal(mkdir(below(tree, name), 0700), 0);
}

/* A copy, not a link: two links to one file would be one plugin. */
static void make_plugin(struct tree *tree, const char *name, const char *folder,
                        const char *from)
{
    const char *top = getenv("top_builddir");
    char *source = bl_text_format("%s/t/load/%s/%s.so", top ? top : ".", folder, from);
    char *text;
    size_t length;
    struct bl_error err = {BL_OK, ""};
    FILE *file;
    if (bl_text_read_file(source, 1 << 24, &text, &length, &err) != BL_OK)
        fail_msg("%s", err.text);
    file = fopen(below(tree, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    free(text);
    free(source);
}

static void add_dir(struct tree *tree, const char *name, const char *origin)
{
    size_t at = tree->paths.plugin_dir_count++;
    tree->dirs[at] = bl_text_format("%s/%s", tree->root, name);
    tree->origins[at] = origin;
}

static void open_registry(struct tree *tree)
{
    struct bl_error err;
    tree->paths.plugin_dirs = tree->dirs;
    tree->paths.plugin_origins = tree->origins;
    assert_int_equal(bl_registry_new(&tree->paths, note_warning, tree, &tree->reg, &err),
                     BL_OK);
}

static int setup(void **state)
{
    struct tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return -1;
    strcpy(tree->root, "/tmp/banklab-registry-XXXXXX");
    *state = tree;
    return mkdtemp(tree->root) ? 0 : -1;
}

static int teardown(void **state)
{
    struct tree *tree = *state;
    bl_registry_free(tree->reg);
    while (tree->made_count > 0) {
        char *path = tree->made[--tree->made_count];
        remove(path);
        free(path);
    }
    rmdir(tree->root);
    for (size_t i = 0; i < tree->paths.plugin_dir_count; i++)
        free(tree->dirs[i]);
    for (size_t i = 0; i < tree->warning_count; i++)
        free(tree->warnings[i]);
    free(tree);
    return 0;
}

static const struct bl_plugin *find(struct tree *tree, const char *name)
{
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    if (bl_registry_find(tree->reg, name, &plugin, &err) != BL_OK)
        fail_msg("%s", err.text);
    return plugin;
}

static void check_path(const struct tree *tree, const struct bl_plugin *plugin,
                       const char *wanted)
{
    assert_memory_equal(plugin->path, tree->root, strlen(tree->root));
    assert_string_equal(plugin->path + strlen(tree->root) + 1, wanted);
}

/* The three places in a folder. */
static void test_places(void **state)
{
    struct tree *tree = *state;
    make_folder(tree, "d");
    make_folder(tree, "d/newer");
    make_folder(tree, "d/newer/.libs");
    make_folder(tree, "d/older");
    make_plugin(tree, "d/probe.so", "good", "probe");
    make_plugin(tree, "d/newer/.libs/newer.so", "good", "newer");
    make_plugin(tree, "d/older/older.so", "good", "older");
    add_dir(tree, "d", "--plugin-dir");
    open_registry(tree);
    check_path(tree, find(tree, "probe"), "d/probe.so");
    check_path(tree, find(tree, "newer"), "d/newer/.libs/newer.so");
    check_path(tree, find(tree, "older"), "d/older/older.so");
    assert_string_equal(find(tree, "probe")->origin, "--plugin-dir");
    assert_ptr_equal(find(tree, "probe"), find(tree, "probe"));
    assert_int_equal(bl_registry_count(tree->reg), 3);
    assert_int_equal(tree->warning_count, 0);
}

/* All that is there, by name; bad ones and other files are no error. */
static void test_scan(void **state)
{
    struct tree *tree = *state;
    struct bl_error err = {BL_OK, ""};
    static const char *const wanted[] = {"newer", "older", "probe"};
    make_folder(tree, "b");
    make_folder(tree, "a");
    make_folder(tree, "a/empty");
    make_plugin(tree, "b/probe.so", "good", "probe");
    make_plugin(tree, "b/newer.so", "good", "newer");
    make_plugin(tree, "a/older.so", "good", "older");
    make_plugin(tree, "a/no_plan.so", "bad", "no_plan");
    make_plugin(tree, "a/other_major.so", "bad", "other_major");
    make_plugin(tree, "a/README", "good", "probe");
    add_dir(tree, "b", "--plugin-dir");
    add_dir(tree, "a", "installed");
    open_registry(tree);
    check_path(tree, find(tree, "probe"), "b/probe.so");
    assert_int_equal(bl_registry_scan(tree->reg, &err), BL_OK);
    assert_int_equal(bl_registry_count(tree->reg), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(bl_registry_at(tree->reg, i)->abi.name, wanted[i]);
    assert_int_equal(tree->warning_count, 2);
    assert_non_null(strstr(tree->warnings[0], "a/no_plan.so: no plan;"));
    assert_non_null(strstr(tree->warnings[1], "a/other_major.so: built for plugin ABI"));
    assert_memory_equal(tree->warnings[0], "skipped: ", 9);
    /* Again: nothing is loaded twice. */
    assert_int_equal(bl_registry_scan(tree->reg, &err), BL_OK);
    assert_int_equal(bl_registry_count(tree->reg), 3);
}

/* What is called like a plugin and is no file at all: it was once told of as "no plugin
 * called x; did you mean x?". */
static void test_no_file(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    make_folder(tree, "one");
    make_folder(tree, "one/folder.so");
    assert_int_equal(mkfifo(below(tree, "one/pipe.so"), 0600), 0);
    assert_int_equal(symlink("nowhere", below(tree, "one/stale.so")), 0);
    assert_int_equal(symlink("wheel.so", below(tree, "one/wheel.so")), 0);
    add_dir(tree, "one", "--plugin-dir");
    open_registry(tree);
    assert_int_equal(bl_registry_scan(tree->reg, &err), BL_OK);
    assert_int_equal(bl_registry_count(tree->reg), 0);
    assert_int_equal(tree->warning_count, 4);
    assert_non_null(strstr(tree->warnings[0], "one/folder.so: not a regular file"));
    assert_non_null(strstr(tree->warnings[1], "one/pipe.so: not a regular file"));
    assert_non_null(strstr(tree->warnings[2], "one/stale.so: No such file or directory"));
    assert_non_null(strstr(tree->warnings[3], "one/wheel.so: Too many levels of "));
    assert_int_equal(bl_registry_find(tree->reg, "pipe", &plugin, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "one/pipe.so: not a regular file"));
}

static void test_first_wins(void **state)
{
    struct tree *tree = *state;
    char *wanted;
    make_folder(tree, "one");
    make_folder(tree, "two");
    make_plugin(tree, "one/probe.so", "good", "probe");
    make_plugin(tree, "two/probe.so", "good", "probe");
    add_dir(tree, "two", "BANKLAB_PLUGIN_PATH");
    add_dir(tree, "one", "installed");
    open_registry(tree);
    check_path(tree, find(tree, "probe"), "two/probe.so");
    find(tree, "probe");
    assert_int_equal(tree->warning_count, 1);
    wanted = bl_text_format("plugin probe: %s/one/probe.so is hidden by %s/two/probe.so "
                            "(BANKLAB_PLUGIN_PATH)",
                            tree->root, tree->root);
    assert_string_equal(tree->warnings[0], wanted);
    free(wanted);
}

/* The same folder twice hides nothing. */
static void test_same_folder(void **state)
{
    struct tree *tree = *state;
    struct bl_error err = {BL_OK, ""};
    make_folder(tree, "one");
    make_plugin(tree, "one/probe.so", "good", "probe");
    add_dir(tree, "one", "--plugin-dir");
    add_dir(tree, "one/../one", "installed");
    open_registry(tree);
    assert_int_equal(bl_registry_scan(tree->reg, &err), BL_OK);
    assert_int_equal(bl_registry_count(tree->reg), 1);
    assert_int_equal(tree->warning_count, 0);
}

static void test_unknown(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    char *wanted;
    make_folder(tree, "one");
    make_folder(tree, "two");
    make_plugin(tree, "two/probe.so", "good", "probe");
    add_dir(tree, "one", "--plugin-dir");
    add_dir(tree, "two", "installed");
    open_registry(tree);
    assert_int_equal(bl_registry_find(tree->reg, "porbe", &plugin, &err), BL_E_INPUT);
    wanted = bl_text_format("no plugin called \"porbe\"; did you mean \"probe\"? (looked "
                            "in %s/one (--plugin-dir), %s/two (installed))",
                            tree->root, tree->root);
    assert_string_equal(err.text, wanted);
    assert_null(plugin);
    free(wanted);
}

/* Named, a bad plugin is an error with its own words. */
static void test_named_bad(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    make_folder(tree, "one");
    make_plugin(tree, "one/no_plan.so", "bad", "no_plan");
    add_dir(tree, "one", "--plugin-dir");
    open_registry(tree);
    assert_int_equal(bl_registry_find(tree->reg, "no_plan", &plugin, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "one/no_plan.so: no plan;"));
    assert_null(plugin);
    assert_int_equal(bl_registry_count(tree->reg), 0);
    assert_int_equal(tree->warning_count, 0);
}

/* A path is taken as it is, beside a searched plugin of the same name. */
static void test_path(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *by_path;
    char *path;
    make_folder(tree, "one");
    make_folder(tree, "two");
    make_plugin(tree, "one/probe.so", "good", "probe");
    make_plugin(tree, "two/probe.so", "good", "probe");
    add_dir(tree, "one", "--plugin-dir");
    open_registry(tree);
    path = bl_text_format("%s/two/probe.so", tree->root);
    by_path = find(tree, path);
    check_path(tree, by_path, "two/probe.so");
    assert_string_equal(by_path->origin, "profile");
    check_path(tree, find(tree, "probe"), "one/probe.so");
    assert_ptr_equal(find(tree, path), by_path);
    assert_int_equal(bl_registry_count(tree->reg), 2);
    free(path);
}

/* A folder that the user named must be there; the install folder need not. */
static void test_missing_folders(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    add_dir(tree, "named", "--plugin-dir");
    add_dir(tree, "later", "installed");
    open_registry(tree);
    assert_int_equal(tree->warning_count, 1);
    assert_non_null(
        strstr(tree->warnings[0], "/named (--plugin-dir): No such file or directory"));
    assert_int_equal(bl_registry_scan(tree->reg, &err), BL_OK);
    assert_int_equal(bl_registry_find(tree->reg, "probe", &plugin, &err), BL_E_INPUT);
}

static void test_no_folder(void **state)
{
    struct tree *tree = *state;
    const struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    open_registry(tree);
    assert_int_equal(bl_registry_find(tree->reg, "probe", &plugin, &err), BL_E_INPUT);
    assert_string_equal(err.text, "no plugin called \"probe\"; it can be kernel "
                                  "(looked in no plugin folder)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_places),     TEST(test_scan),        TEST(test_no_file),
        TEST(test_first_wins), TEST(test_same_folder), TEST(test_unknown),
        TEST(test_named_bad),  TEST(test_path),        TEST(test_missing_folders),
        TEST(test_no_folder),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
