/* SPDX-License-Identifier: Apache-2.0
 *
 * What a profile's text does not show: --set, --case, and the table of run keys. The
 * grammar and its errors are in t/load/golden.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text.h"
#include "load/profile.h"
#include "load/run_keys.h"

static const char profile_text[] = "[run]\n"
                                   "baseline = plain\n"
                                   "[problem]\n"
                                   "rows = 64\n"
                                   "[case plain]\n"
                                   "plugin = probe\n"
                                   "pad = 0\n"
                                   "[case swept.by-stride]\n"
                                   "plugin = probe\n"
                                   "stride = 1,2,4\n"
                                   "expect.shared_load_ways = 1\n"
                                   "[case other]\n"
                                   "plugin = newer\n"
                                   "rows = 5\n"
                                   "expect.verdict = skip\n";

struct lab {
    char path[40];
    char *dirs[1];
    struct bl_paths paths;
    struct bl_registry *reg;
    struct bl_profile *profile;
    struct bl_error err;
};

static int setup(void **state)
{
    static const char *origin = "--plugin-dir";
    const char *top = getenv("top_builddir");
    struct lab *lab = calloc(1, sizeof *lab);
    int file;
    if (!lab)
        return -1;
    *state = lab;
    strcpy(lab->path, "/tmp/banklab-profile-XXXXXX");
    file = mkstemp(lab->path);
    if (file < 0 || write(file, profile_text, strlen(profile_text)) < 0 || close(file))
        return -1;
    lab->dirs[0] = bl_text_format("%s/t/load/good", top ? top : ".");
    lab->paths.plugin_dirs = lab->dirs;
    lab->paths.plugin_origins = &origin;
    lab->paths.plugin_dir_count = 1;
    return bl_registry_new(&lab->paths, NULL, NULL, &lab->reg, &lab->err) == BL_OK ? 0
                                                                                   : -1;
}

static int teardown(void **state)
{
    struct lab *lab = *state;
    bl_profile_free(lab->profile);
    bl_registry_free(lab->reg);
    free(lab->dirs[0]);
    unlink(lab->path);
    free(lab);
    return 0;
}

static enum bl_status read_with(struct lab *lab, const char *set, const char *only)
{
    struct bl_override override = {set};
    bl_profile_free(lab->profile);
    lab->profile = NULL;
    return bl_profile_read(lab->path, lab->reg, set ? &override : NULL, set ? 1 : 0, only,
                           &lab->profile, &lab->err);
}

static void read_good(struct lab *lab, const char *set, const char *only)
{
    if (read_with(lab, set, only) != BL_OK)
        fail_msg("%s", lab->err.text);
}

/* The cases' names, joined by blanks. */
static void check_names(const struct lab *lab, const char *wanted)
{
    char joined[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < lab->profile->case_count; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s",
                                 i ? " " : "", lab->profile->cases[i].name);
    assert_true(used < sizeof joined);
    assert_string_equal(joined, wanted);
}

static int64_t param_of(const struct lab *lab, size_t at, const char *name)
{
    const struct bl_case *of = &lab->profile->cases[at];
    int param = bl_plugin_param(of->plugin, name);
    assert_true(param >= 0);
    return of->params[param].i;
}

static void test_plain(void **state)
{
    struct lab *lab = *state;
    const struct bl_case *cases;
    read_good(lab, NULL, NULL);
    check_names(lab, "plain swept.by-stride[stride=1] swept.by-stride[stride=2] "
                     "swept.by-stride[stride=4] other");
    cases = lab->profile->cases;
    assert_string_equal(lab->profile->path, lab->path);
    assert_int_equal(lab->profile->baseline, 0);
    assert_int_equal(cases[0].problem.struct_size, sizeof cases[0].problem);
    assert_int_equal(cases[0].problem.rows, 64);
    assert_int_equal(cases[0].problem.batch, 1);
    assert_int_equal(cases[4].problem.rows, 5);
    assert_int_equal(cases[0].expect_count, 0);
    assert_int_equal(cases[2].expect_count, 1);
    assert_int_equal(cases[2].expects[0].op, BL_EQ);
    assert_true(cases[2].expects[0].number == 1);
    assert_string_equal(cases[4].expects[0].text, "skip");
    assert_int_equal(param_of(lab, 2, "stride"), 2);
    assert_int_equal(param_of(lab, 2, "tile"), 32);
}

static void test_set_run(void **state)
{
    struct lab *lab = *state;
    read_good(lab, "seed = 99", NULL);
    assert_int_equal(lab->profile->run.seed, 99);
    read_good(lab, "device=cuda:1", NULL);
    assert_string_equal(lab->profile->run.device, "cuda:1");
    read_good(lab, "baseline=other", NULL);
    assert_int_equal(lab->profile->baseline, 4);
    read_good(lab, "baseline=none", NULL);
    assert_int_equal(lab->profile->baseline, -1);
    assert_null(lab->profile->run.baseline);
}

/* It beats the cases' own keys. */
static void test_set_problem(void **state)
{
    struct lab *lab = *state;
    read_good(lab, "batch=9", NULL);
    for (size_t i = 0; i < lab->profile->case_count; i++)
        assert_int_equal(lab->profile->cases[i].problem.batch, 9);
    read_good(lab, "rows=7", NULL);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(lab->profile->cases[i].problem.rows, 7);
    read_good(lab, "other.rows=8", NULL);
    assert_int_equal(lab->profile->cases[0].problem.rows, 64);
    assert_int_equal(lab->profile->cases[4].problem.rows, 8);
}

static void test_set_param(void **state)
{
    struct lab *lab = *state;
    read_good(lab, "pad=3", NULL);
    assert_int_equal(lab->profile->case_count, 5);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(param_of(lab, i, "pad"), 3);
    read_good(lab, "first=1", NULL);
    assert_int_equal(param_of(lab, 4, "first"), 1);
    read_good(lab, "swept.by-stride.stride=9", NULL);
    check_names(lab, "plain swept.by-stride other");
    assert_int_equal(param_of(lab, 0, "stride"), 1);
    assert_int_equal(param_of(lab, 1, "stride"), 9);
}

static void test_set_sweep(void **state)
{
    struct lab *lab = *state;
    read_good(lab, "other.first=0,1", NULL);
    check_names(lab, "plain swept.by-stride[stride=1] swept.by-stride[stride=2] "
                     "swept.by-stride[stride=4] other[first=0] other[first=1]");
    read_good(lab, "swept.by-stride.stride=0..8+8", NULL);
    check_names(lab, "plain swept.by-stride[stride=0] swept.by-stride[stride=8] other");
}

static void check_refused(struct lab *lab, const char *set, const char *wanted)
{
    char *text = bl_text_format("--set %s: %s", set, wanted);
    assert_int_equal(read_with(lab, set, NULL), BL_E_INPUT);
    assert_null(lab->profile);
    assert_string_equal(lab->err.text, text);
    free(text);
}

static void test_set_refused(void **state)
{
    struct lab *lab = *state;
    check_refused(lab, "pad", "no '='; write KEY=VALUE or CASE.KEY=VALUE");
    check_refused(lab, "=1", "no key before the '='");
    check_refused(lab, "plain.=1", "no key before the '='");
    check_refused(lab, "pad=", "pad has no value");
    check_refused(lab, "pda=1",
                  "\"pda\" is no key of [run] or [problem], and no parameter of a plugin "
                  "of this profile; did you mean \"pad\"?");
    check_refused(
        lab, "other.pad=1",
        "the case \"other\" has no key \"pad\"; it can be rows, cols, elem, batch, "
        "arch, first or second");
    check_refused(lab, "palin.pad=1",
                  "there is no case \"palin\"; did you mean \"plain\"?");
    check_refused(lab, "plain.seed=1",
                  "seed is a key of [run], not of a case; write --set seed=1");
    check_refused(lab, "plain.plugin=newer",
                  "a case's plugin can't be set; write another case");
    check_refused(lab, "plain.expect.shared_load_ways=1",
                  "expectations can't be set; write them in the profile");
    check_refused(lab, "expect.shared_load_ways=1",
                  "expectations can't be set; write them in the profile");
    check_refused(lab, "pad=9", "pad takes -2..8, not 9; the nearest is 8");
    check_refused(lab, "rows=0", "rows takes a whole number of at least 1, not \"0\"");
    check_refused(lab, "batch=0", "batch takes a whole number of at least 1, not \"0\"");
    check_refused(lab, "stride=4..1",
                  "stride: the range \"4..1\" is empty: 4 is above 1");
    check_refused(lab, "device=gpu",
                  "device takes auto, model, cuda or cuda:NUMBER, not \"gpu\"");
    check_refused(
        lab, "baseline=swept.by-stride",
        "the baseline \"swept.by-stride\" is a sweep; name one of its cases, as "
        "swept.by-stride[stride=1]");
}

/* The baseline stays, whatever is asked for. */
static void test_only(void **state)
{
    struct lab *lab = *state;
    read_good(lab, NULL, "other");
    check_names(lab, "plain other");
    assert_int_equal(lab->profile->baseline, 0);
    read_good(lab, "baseline=other", "plain");
    check_names(lab, "plain other");
    assert_int_equal(lab->profile->baseline, 1);
    read_good(lab, "baseline=swept.by-stride[stride=4]", "o*");
    check_names(lab, "swept.by-stride[stride=4] other");
    assert_int_equal(lab->profile->baseline, 0);
    assert_int_equal(lab->profile->cases[0].expect_count, 1);
    read_good(lab, "baseline=none", "*=2]");
    check_names(lab, "swept.by-stride[stride=2]");
    assert_int_equal(lab->profile->baseline, -1);
}

/* A name as it is printed matches itself, and a section's name all of its cases. */
static void test_only_names(void **state)
{
    struct lab *lab = *state;
    read_good(lab, "baseline=none", "swept.by-stride[stride=2]");
    check_names(lab, "swept.by-stride[stride=2]");
    read_good(lab, "baseline=none", "swept.by-stride");
    check_names(lab, "swept.by-stride[stride=1] swept.by-stride[stride=2] "
                     "swept.by-stride[stride=4]");
}

static void test_only_nothing(void **state)
{
    struct lab *lab = *state;
    char *wanted = bl_text_format(
        "%s: no case matches \"plian\"; did you mean \"plain\"?", lab->path);
    assert_int_equal(read_with(lab, NULL, "plian"), BL_E_INPUT);
    assert_string_equal(lab->err.text, wanted);
    free(wanted);
}

/* Every key of the table reads its own default, and says what it takes. */
static void test_run_keys(void **state)
{
    size_t count;
    const struct bl_run_key *keys = bl_run_keys(&count);
    (void)state;
    assert_int_equal(count, 13);
    for (size_t i = 0; i < count; i++) {
        struct bl_run_options run = {0};
        assert_ptr_equal(bl_run_key_find(keys[i].name), &keys[i]);
        assert_int_equal(keys[i].parse(keys[i].fallback, (char *)&run + keys[i].offset),
                         BL_OK);
        assert_int_equal(keys[i].parse("-?", (char *)&run + keys[i].offset),
                         strcmp(keys[i].name, "baseline") == 0 ? BL_OK : BL_E_INPUT);
        assert_true(strlen(keys[i].takes) > 0 && strlen(keys[i].help) > 0);
        free(run.device);
        free(run.arch);
        free(run.rates);
        free(run.baseline);
    }
    assert_null(bl_run_key_find("rows"));
}

static enum bl_status parse(const char *key, const char *text, struct bl_run_options *run)
{
    const struct bl_run_key *at = bl_run_key_find(key);
    return at->parse(text, (char *)run + at->offset);
}

static void test_gpu_keys(void **state)
{
    static const char *const bad[][2] = {
        {"timeout", "0"},
        {"timeout", "-1"},
        {"timeout", "86401"},
        {"precision", "0"},
        {"precision", "101"},
        {"precision", "nan"},
        {"max_time", "1s"},
        {"cache", "hot"},
        {"counts", "counter"},
        {"reference", ""},
        {"reference", ","},
        {"reference", "memcpy,"},
        {"reference", "geam"},
        {"reference", "memcpy, memcpy"},
        {"reference", "memcpycublas"},
        {"reference", "memcpy cublas"},
    };
    struct bl_run_options run = {0};
    (void)state;
    assert_int_equal(parse("timeout", "0.5", &run), BL_OK);
    assert_true(run.timeout == 0.5);
    assert_int_equal(parse("cache", "warm", &run), BL_OK);
    assert_true(run.warm);
    assert_int_equal(parse("cache", "cold", &run), BL_OK);
    assert_false(run.warm);
    assert_int_equal(parse("counts", "none", &run), BL_OK);
    assert_int_equal(run.counts, BL_COUNTS_NONE);
    assert_int_equal(parse("reference", "memcpy, cublas", &run), BL_OK);
    assert_int_equal(run.references, BL_REFERENCE_MEMCPY | BL_REFERENCE_CUBLAS);
    assert_int_equal(parse("reference", "cublas", &run), BL_OK);
    assert_int_equal(run.references, BL_REFERENCE_CUBLAS);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (parse(bad[i][0], bad[i][1], &run) != BL_E_INPUT)
            fail_msg("%s = %s is taken", bad[i][0], bad[i][1]);
    assert_int_equal(run.references, BL_REFERENCE_CUBLAS);
    assert_int_equal(parse("reference", "none", &run), BL_OK);
    assert_int_equal(run.references, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_plain),     TEST(test_set_run),    TEST(test_set_problem),
        TEST(test_set_param), TEST(test_set_sweep),  TEST(test_set_refused),
        TEST(test_only),      TEST(test_only_names), TEST(test_only_nothing),
        TEST(test_run_keys),  TEST(test_gpu_keys),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
