/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of a timing before its numbers are believed.
 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "load/registry.h"
#include "work/rates.h"
#include "work/timed_notes.h"

/* Two cases that were timed: a copy, and a pattern that moves no data. */
struct bench {
    struct bl_device dev;
    struct bl_rates rates;
    struct bl_plugin plugins[2];
    struct bl_case cases[2];
    struct bl_profile profile;
    struct bl_subject subjects[2];
    struct bl_timing timing;
    struct bl_report report;
};

static int set_up(void **state)
{
    static const char *const kinds[] = {"copy", "pattern"};
    struct bench *bench = test_calloc(1, sizeof *bench);

    bench->rates.peak_gbps = 1000;
    bench->dev.rates = &bench->rates;
    bench->profile.cases = bench->cases;
    bench->profile.case_count = 2;
    bench->profile.run.precision = 0.5;
    bench->profile.run.max_time = 20;
    bench->report.profile = &bench->profile;
    bench->report.results = test_calloc(2, sizeof *bench->report.results);
    bench->report.count = 2;
    bench->timing.subjects = bench->subjects;
    bench->timing.count = 2;
    bench->timing.rounds = 9;
    for (int i = 0; i < 2; i++) {
        struct bl_result *result = &bench->report.results[i];
        bench->plugins[i].abi.kind = kinds[i];
        bench->cases[i] = (struct bl_case){.name = (char *)(uintptr_t)kinds[i],
                                           .plugin = &bench->plugins[i],
                                           .problem = {.rows = 8, .cols = 8, .elem = 4}};
        result->of = &bench->cases[i];
        result->time.source = BL_SRC_GPU;
        result->throughput.has_gbps = true;
        result->throughput.gbps = 900;
        bench->subjects[i].result = result;
        bench->subjects[i].job.label = kinds[i];
        bench->subjects[i].timed = true;
        bench->subjects[i].setup =
            (struct bl_timed_setup){.sets = 5, .rotated = 4 << 20, .l2 = 1 << 20};
    }
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    for (size_t i = 0; i < bench->report.warning_count; i++)
        free(bench->report.warnings[i]);
    free(bench->report.warnings);
    test_free(bench->report.results);
    test_free(bench);
    return 0;
}

/* The one warning; NULL if there is none. */
static const char *note(struct bench *bench)
{
    struct bl_error err;

    assert_int_equal(bl_timed_note(&bench->dev, &bench->timing, &bench->report, &err),
                     BL_OK);
    assert_true(bench->report.warning_count <= 1);
    return bench->report.warning_count ? bench->report.warnings[0] : NULL;
}

static void nothing_to_say(void **state)
{
    struct bench *bench = *state;

    assert_null(note(bench));
    assert_true(bench->report.timing.present);
    assert_int_equal(bench->report.timing.rounds, 9);
    assert_int_equal(bench->report.timing.end, BL_END_PRECISE);
}

static void nothing_was_timed(void **state)
{
    struct bench *bench = *state;

    bench->timing.rounds = 0;
    bench->timing.end = BL_END_TIME;
    assert_null(note(bench));
    assert_false(bench->report.timing.present);
}

static void above_the_peak(void **state)
{
    struct bench *bench = *state;

    bench->report.results[0].throughput.gbps = 1234;
    assert_string_equal(note(bench), "copy: 1234 GB/s are more than the memory's 1000: a "
                                     "cache served part of it");
}

static void above_the_peak_from_a_warm_cache(void **state)
{
    struct bench *bench = *state;

    bench->report.results[0].throughput.gbps = 1234;
    bench->profile.run.warm = true;
    assert_null(note(bench));
}

static void a_cache_that_is_not_cold(void **state)
{
    struct bench *bench = *state;

    bench->subjects[0].setup.rotated = 3 << 20;
    bench->subjects[1].setup.rotated = 1; /* it moves no data */
    assert_string_equal(note(bench),
                        "copy: the cache is not cold: 5 sets of buffers, 3 MiB, take "
                        "turns, which are less than four times the L2 cache of 1 MiB");
}

static void a_working_set_within_the_cache(void **state)
{
    struct bench *bench = *state;

    bench->subjects[0].setup.rotated = 1 << 20;
    assert_contains(note(bench), "which fit in the L2 cache of 1 MiB");
}

static void ends(void **state)
{
    struct bench *bench = *state;

    bench->timing.end = BL_END_TIME;
    assert_string_equal(note(bench), "timing stopped after max_time, 20 s: some 95 % "
                                     "intervals are wider than 0.5 %");
    tear_down(state);
    set_up(state);
    bench = *state;
    bench->timing.end = BL_END_ROUNDS;
    assert_contains(note(bench), "timing stopped after 9 rounds: ");
}

static void clocks(void **state)
{
    struct bench *bench = *state;

    bench->timing.before =
        (struct bl_device_state){.present = true, .sm_mhz = 1000, .memory_mhz = 2000};
    bench->timing.after = bench->timing.before;
    bench->timing.after.sm_mhz = 1029;
    assert_null(note(bench));
    bench->timing.after.sm_mhz = 1031;
    assert_contains(note(bench), "the SM clock moved from 1000 to 1031 MHz");
    tear_down(state);
    set_up(state);
    bench = *state;
    bench->timing.before.sm_mhz = 1; /* not present: not read */
    assert_null(note(bench));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(nothing_to_say),
        TEST(nothing_was_timed),
        TEST(above_the_peak),
        TEST(above_the_peak_from_a_warm_cache),
        TEST(a_cache_that_is_not_cold),
        TEST(a_working_set_within_the_cache),
        TEST(ends),
        TEST(clocks),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
