/* SPDX-License-Identifier: Apache-2.0
 *
 * bl_plugin_open on sound plugins and on everything that can be wrong with one. Each
 * row of `bad` is a file of t/load/bad.
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

static const struct {
    const char *name;
    const char *message; /* after "PATH: " */
} bad[] = {
    {"choice_astray",
     "a choice is no text: its pointer leads out of the plugin, or no NUL "
     "ends it"},
    {"choice_default", "the default 17 of parameter tile is not in 16 or 32"},
    {"choice_index", "the default of parameter op is choice 2, but they are 0..1"},
    {"choice_none", "parameter op has an empty list of choices"},
    {"choice_null", "parameter op is a choice without choices; set .choices to a "
                    "NULL-terminated list of names"},
    {"choice_number",
     "parameter tile is a whole number, but one of its choices is \"big\""},
    {"choice_text", "the choice \"load,store\" of parameter op must be at most 64 "
                    "letters, digits, '_', '-', '+' or single '.'"},
    {"choice_twice", "parameter op has the choice \"load\" twice"},
    {"empty_name", "no name; set .name to the file's base name"},
    {"empty_text", "module 0 has no PTX text"},
    {"is_function",
     "banklab_plugin is a function; it must be data, a const struct banklab_plugin"},
    {"many_params", "param_count is 100000; at most 64 make sense"},
    {"no_kind", "no kind; set .kind to \"transpose\", \"copy\" or \"pattern\""},
    {"no_modules", "no device code; list at least one PTX module with BANKLAB_MODULES"},
    {"no_name", "no name; set .name to the file's base name"},
    {"no_plan", "no plan; set .plan to the function that plans the launches"},
    {"no_reference", "no reference; a plugin of kind \"pattern\" must say itself what "
                     "the output must hold"},
    {"no_summary", "no summary; set .summary to one line of text"},
    {"no_symbol", "no symbol banklab_plugin; a plugin exports it: BANKLAB_EXPORT const "
                  "struct banklab_plugin banklab_plugin"},
    {"null_params", "param_count is 2, but there is no table; use BANKLAB_PARAMS"},
    {"null_text", "module 0 has no PTX text"},
    {"odd.name", "the name \"odd.name\" must be at most 64 letters, digits, '_' or '-'"},
    {"odd_elems", "elems is 0x8; it may only hold BANKLAB_ELEM of 1, 2, 4, 8 and 16"},
    {"other_major", "built for plugin ABI 2.3, but this lab has 1.1; build it against "
                    "this lab's banklab/plugin.h"},
    {"other_name", "calls itself \"quite_another\", but its file is other_name.so; both "
                   "must agree: name it \"other_name\" or build quite_another.so"},
    {"overlong_struct", "struct_size is 4096, but banklab_plugin has only 128 bytes"},
    {"param_badly_named", "the parameter name \"Pad\" must be lower-case letters, digits "
                          "and '_', the first a letter, at most 64"},
    {"param_default", "the default 9 of parameter pad is not in 0..8"},
    {"param_empty_range", "parameter pad has minimum 3 above maximum 2"},
    {"param_helpless", "parameter pad has no help; set .help to one line"},
    {"param_nameless", "parameter 0 has no name"},
    {"param_reserved",
     "a parameter can't be called \"rows\": that is a key of every case"},
    {"param_batch", "a parameter can't be called \"batch\": that is a key of every case"},
    {"param_twice", "two parameters are called \"pad\""},
    {"param_type", "parameter pad has the unknown type 9; use BANKLAB_PARAM_INT or "
                   "BANKLAB_PARAM_CHOICE"},
    {"param_unit", "the unit of parameter pad must be one line"},
    {"plan_astray", "plan points to no code"},
    {"short_struct", "struct_size is 32, but ABI 1.0 already has 120 bytes; use "
                     "BANKLAB_PLUGIN_HEAD, which sets it"},
    {"size_astray", "the table of 2 times 4294967295 bytes leads out of the plugin; use "
                    "BANKLAB_PARAMS, which sets all three"},
    {"text_astray", "summary is no text: its pointer leads out of the plugin, or no NUL "
                    "ends it"},
    {"text_endless",
     "a parameter's help is no text: its pointer leads out of the plugin, "
     "or no NUL ends it"},
    {"text_length", "the text of module 0, 1073741824 bytes, leads out of the plugin"},
    {"tiny_symbol",
     "banklab_plugin has only 8 bytes; it must be a const struct banklab_plugin"},
    {"twin_astray",
     "a setting's value is no text: its pointer leads out of the plugin, or "
     "no NUL ends it"},
    {"twin_null", "setting 0 of the twin has no name or value"},
    {"twin_twice", "the twin sets pad twice"},
    {"twin_unknown", "the twin sets an unknown parameter \"pda\"; did you mean \"pad\"?"},
    {"twin_value", "twin: pad takes 0..8, not 9; the nearest is 8"},
    {"undefined_symbol",
     "cannot be loaded: undefined symbol: banklab_fixture_missing; a plugin links "
     "nothing from the lab and must bring all that it calls"},
    {"unknown_kind", "unknown kind \"transpos\"; did you mean \"transpose\"?"},
    {"wrong_magic", "wrong magic 0x0000000000001234 in banklab_plugin, not "
                    "0x3142414c4b4e4142; start it with BANKLAB_PLUGIN_HEAD"},
    {"zero_size", "param_size is 0; use BANKLAB_PARAMS, which sets it"},
};

static char *fixture(const char *folder, const char *name)
{
    const char *top = getenv("top_builddir");
    char *path = bl_text_format("%s/t/load/%s/%s.so", top ? top : ".", folder, name);
    assert_non_null(path);
    return path;
}

static struct bl_plugin *open_good(const char *name)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_plugin *plugin = NULL;
    char *path = fixture("good", name);
    if (bl_plugin_open(path, "test", &plugin, &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_string_equal(plugin->path, path);
    assert_string_equal(plugin->origin, "test");
    free(path);
    return plugin;
}

static void check_refused(const char *path, const char *message)
{
    struct bl_plugin *plugin = NULL;
    struct bl_error err = {BL_OK, ""};
    char *wanted = bl_text_format("%s: %s", path, message);
    enum bl_status st = bl_plugin_open(path, "test", &plugin, &err);
    if (st == BL_OK)
        print_error("%s was taken\n", path);
    assert_int_equal(st, BL_E_INPUT);
    assert_null(plugin);
    assert_int_equal(err.status, BL_E_INPUT);
    assert_string_equal(err.text, wanted);
    free(wanted);
}

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *path = fixture("bad", bad[i].name);
        check_refused(path, bad[i].message);
        free(path);
    }
}

/* A shared object of which the end is missing would kill the lab within dlopen: SIGBUS.
 */
static void test_cut_short(void **state)
{
    char *whole = fixture("good", "probe"), *text, *wanted;
    char path[] = "/tmp/banklab-cut-XXXXXX";
    struct bl_error err = {BL_OK, ""};
    struct bl_plugin *plugin = NULL;
    size_t length, kept;
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    if (bl_text_read_file(whole, 1 << 24, &text, &length, &err) != BL_OK)
        fail_msg("%s", err.text);
    kept = length / 4;
    assert_int_equal(write(fd, text, kept), kept);
    assert_int_equal(close(fd), 0);
    assert_int_equal(bl_plugin_open(path, "test", &plugin, &err), BL_E_INPUT);
    assert_null(plugin);
    wanted = bl_text_format("%s: cut short: %zu bytes, but its segments go on to ", path,
                            kept);
    err.text[strlen(wanted)] = '\0';
    assert_string_equal(err.text, wanted);
    unlink(path);
    free(wanted);
    free(text);
    free(whole);
}

/* Files that are no shared objects at all. */
static void test_not_objects(void **state)
{
    static const char *const texts[] = {"int main(void) { return 0; }\n", "", "\177EL"};
    char folder[] = "/tmp/banklab-plugin-XXXXXX";
    char *path, *pipe_path;
    (void)state;
    assert_non_null(mkdtemp(folder));
    path = bl_text_format("%s/text.so", folder);
    pipe_path = bl_text_format("%s/pipe.so", folder);
    check_refused(path, "No such file or directory");
    check_refused(folder, "not a regular file");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    check_refused(pipe_path, "not a regular file");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(texts[i], file);
        assert_int_equal(fclose(file), 0);
        check_refused(path, "not a shared object (no ELF header); a plugin is built with "
                            "the linker, not copied from a source or a script");
    }
    unlink(path);
    unlink(pipe_path);
    rmdir(folder);
    free(path);
    free(pipe_path);
}

/* An ELF header with nothing behind it gets past the first look; dlopen words it. */
static void test_cut_object(void **state)
{
    char path[] = "/tmp/banklab-cut-XXXXXX";
    int file = mkstemp(path);
    struct bl_error err = {BL_OK, ""};
    struct bl_plugin *plugin = NULL;
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "\177ELF", 4), 4);
    close(file);
    assert_int_equal(bl_plugin_open(path, "test", &plugin, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, ": cannot be loaded: "));
    assert_memory_equal(err.text, path, strlen(path));
    assert_null(strstr(err.text + strlen(path), path)); /* said once */
    unlink(path);
}

static void test_good(void **state)
{
    struct bl_plugin *plugin = open_good("probe");
    (void)state;
    assert_string_equal(plugin->abi.name, "probe");
    assert_string_equal(plugin->abi.kind, "copy");
    assert_int_equal(plugin->abi.param_count, 4);
    assert_int_equal(plugin->abi.module_count, 1);
    assert_int_equal(plugin->abi.twin_count, 2);
    assert_int_equal(plugin->abi.elems, BANKLAB_ELEM(4) | BANKLAB_ELEM(8));
    assert_string_equal(plugin->abi.params[2].name, "tile");
    assert_string_equal(plugin->abi.twin[1].value, "load");
    assert_int_equal(bl_plugin_param(plugin, "stride"), 0);
    assert_int_equal(bl_plugin_param(plugin, "op"), 3);
    assert_int_equal(bl_plugin_param(plugin, "nothing"), -1);
    bl_plugin_close(plugin);
    bl_plugin_close(NULL);
}

/* Longer structs and elements of a later minor: what they have beyond ours is left out,
 * and the second element is found. */
static void test_newer(void **state)
{
    struct bl_plugin *plugin = open_good("newer");
    (void)state;
    assert_int_equal(plugin->abi.abi_minor, 7);
    assert_int_equal(plugin->abi.struct_size, sizeof plugin->abi);
    assert_int_equal(plugin->abi.param_size, sizeof(struct banklab_param));
    assert_int_equal(plugin->abi.param_count, 2);
    assert_string_equal(plugin->abi.params[0].name, "first");
    assert_string_equal(plugin->abi.params[1].name, "second");
    assert_int_equal(plugin->abi.params[1].maximum, 2);
    bl_plugin_close(plugin);
}

/* Shorter elements: what they lack reads as zero. */
static void test_older(void **state)
{
    struct bl_plugin *plugin = open_good("older");
    (void)state;
    assert_int_equal(plugin->abi.module_count, 2);
    assert_int_equal(plugin->abi.module_size, sizeof(struct banklab_module));
    assert_memory_equal(plugin->abi.modules[0].text, "// one", 6);
    assert_int_equal(plugin->abi.modules[0].cc, 0);
    assert_memory_equal(plugin->abi.modules[1].text, "// two", 5);
    assert_int_equal(plugin->abi.modules[1].length, 5);
    assert_int_equal(plugin->abi.modules[1].cc, 0);
    bl_plugin_close(plugin);
}

/* A plugin of 1.0 has no flags, and a parameter may have what is a key since. */
static void test_before_batches(void **state)
{
    struct bl_plugin *plugin = open_good("before_batches");
    (void)state;
    assert_int_equal(plugin->abi.abi_minor, 0);
    assert_int_equal(plugin->abi.flags, 0);
    assert_int_equal(bl_plugin_param(plugin, "batch"), 0);
    bl_plugin_close(plugin);
}

/* A path without a '/' means the working folder, not the system's libraries. */
static void test_bare_path(void **state)
{
    struct bl_error err = {BL_OK, ""};
    struct bl_plugin *plugin = NULL;
    char *path = fixture("good", "probe"), here[4096];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    *strrchr(path, '/') = '\0';
    assert_int_equal(chdir(path), 0);
    if (bl_plugin_open("probe.so", "test", &plugin, &err) != BL_OK)
        fail_msg("%s", err.text);
    bl_plugin_close(plugin);
    assert_int_equal(chdir(here), 0);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad),         cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_not_objects), cmocka_unit_test(test_cut_object),
        cmocka_unit_test(test_good),        cmocka_unit_test(test_newer),
        cmocka_unit_test(test_older),       cmocka_unit_test(test_before_batches),
        cmocka_unit_test(test_bare_path),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
