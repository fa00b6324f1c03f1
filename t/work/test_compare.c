/* SPDX-License-Identifier: Apache-2.0
 *
 * What results say about one another: slowdowns, per cent of a copy, expectations.
 */
#include "cmocka_all.h"

#include <string.h>

#include "fake_lab.h"
#include "work/rates.h"

static struct bl_rates test_rates(void)
{
    return (struct bl_rates){.name = "test",
                             .sms = 1,
                             .clock_mhz = 1000,
                             .dram_gbps = 1000,
                             .l2_bytes = 1 << 20,
                             .memory_bytes = 1 << 30,
                             .partial_gsps = 1,
                             .sm_threads = 1024,
                             .sm_blocks = 8,
                             .sm_shared = 1 << 16,
                             .sm_issue = 1,
                             .overlap = 1};
}

static void slowdowns_against_baseline_and_twin(void **state)
{
    const struct bl_rates rates = test_rates();
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab.fake.dev.rates = &rates;
    lab_add(&lab, "eight", FAKE_RIGHT, 8);
    lab_add(&lab, "two", FAKE_RIGHT, 2);
    lab_add(&lab, "wrong", FAKE_WRONG, 8);
    lab.profile.baseline = 1;
    results = lab_run(&lab);
    assert_int_equal(lab.fake.runs, 4); /* one twin serves both */

    assert_true(results[0].baseline.present && results[0].baseline.has_data_stage);
    assert_string_equal(results[0].baseline.against, "two");
    assert_true(results[0].baseline.data_stage == 4.0);
    assert_true(results[0].twin.present);
    assert_string_equal(results[0].twin.against, "ways=1");
    assert_true(results[0].twin.data_stage == 8.0);
    assert_false(results[0].twin.has_ratio);
    assert_true(results[1].baseline.data_stage == 1.0);
    assert_true(results[1].twin.data_stage == 2.0);
    assert_false(results[2].baseline.present);
    assert_false(results[2].twin.present);

    /* One SM at 1 GHz: 8 million cycles are 8 ms, and 1024 useful bytes. */
    assert_int_equal(results[0].time.source, BL_SRC_PREDICTED);
    assert_true(results[0].time.median_us > 7900 && results[0].time.median_us < 8200);
    assert_true(results[0].baseline.has_predicted);
    assert_true(results[0].baseline.predicted > 3.9 &&
                results[0].baseline.predicted < 4.1);
    assert_true(results[0].throughput.has_gbps);
    assert_int_equal(results[2].time.source, BL_SRC_NONE);
    assert_false(results[2].throughput.has_gbps);
    lab_end(&lab);
}

static void a_case_of_the_profile_serves_as_twin(void **state)
{
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab_add(&lab, "eight", FAKE_RIGHT, 8);
    lab_add(&lab, "clean", FAKE_RIGHT, 1);
    results = lab_run(&lab);
    assert_int_equal(lab.fake.runs, 2);
    assert_true(results[0].twin.data_stage == 8.0);
    assert_true(results[1].twin.data_stage == 1.0);
    assert_false(results[0].baseline.present);
    lab_end(&lab);
}

static void no_ratio_without_a_passing_other_side(void **state)
{
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab_add(&lab, "base", FAKE_WRONG, 1);
    lab_add(&lab, "eight", FAKE_RIGHT, 8);
    lab_add(&lab, "zero", FAKE_RIGHT, 0); /* no data-stage cycles at all */
    lab.profile.baseline = 0;
    results = lab_run(&lab);
    assert_false(results[1].baseline.present);
    assert_true(results[1].twin.present);
    assert_false(results[2].twin.present);
    assert_null(results[2].twin.against);
    lab_end(&lab);
}

static void per_cent_of_the_fastest_copy_of_the_same_bytes(void **state)
{
    const struct bl_rates rates = test_rates();
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab.fake.dev.rates = &rates;
    lab_add(&lab, "slow", FAKE_RIGHT, 8);
    lab_add(&lab, "fast", FAKE_RIGHT, 2);
    lab_add(&lab, "other", FAKE_RIGHT, 4)->problem.rows = 9;
    lab_add(&lab, "wrong", FAKE_WRONG, 1);
    results = lab_run(&lab);
    assert_true(results[0].throughput.has_percent);
    assert_true(results[0].throughput.percent_of_copy > 24 &&
                results[0].throughput.percent_of_copy < 26);
    assert_true(results[1].throughput.percent_of_copy == 100);
    assert_true(results[2].throughput.percent_of_copy == 100);
    assert_false(results[3].throughput.has_percent);
    lab_end(&lab);
}

static void the_kernels_own_clock_is_read(void **state)
{
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab_add(&lab, "clocked", FAKE_RIGHT, 1);
    lab.params[0][FAKE_CLOCKED].i = 1;
    lab_add(&lab, "silent", FAKE_RIGHT, 1);
    results = lab_run(&lab);
    assert_int_equal(results[0].clock.source, BL_SRC_GPU);
    assert_true(results[0].clock.cycles_per_access == 7.5); /* blocks of 50 and 100 */
    assert_int_equal(results[1].clock.source, BL_SRC_NONE);
    lab_end(&lab);
}

static void expectations_see_the_slowdowns(void **state)
{
    struct bl_expect met = {(char *)"slowdown_twin_data_stage", BL_EQ, 8, (char *)"8", 3};
    struct bl_expect not_met = {(char *)"slowdown_twin_data_stage", BL_LT, 8, (char *)"8",
                                4};
    const struct bl_result *results;
    struct bl_case *of;
    struct lab lab;

    (void)state;
    lab_init(&lab);
    of = lab_add(&lab, "met", FAKE_RIGHT, 8);
    of->expects = &met;
    of->expect_count = 1;
    of = lab_add(&lab, "not met", FAKE_RIGHT, 8);
    of->expects = &not_met;
    of->expect_count = 1;
    results = lab_run(&lab);
    assert_int_equal(results[0].verdict, BL_PASS);
    assert_int_equal(results[1].verdict, BL_FAIL);
    assert_contains(results[1].detail, "x.ini:4: expect.slowdown_twin_data_stage < 8");
    lab_end(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slowdowns_against_baseline_and_twin),
        cmocka_unit_test(a_case_of_the_profile_serves_as_twin),
        cmocka_unit_test(no_ratio_without_a_passing_other_side),
        cmocka_unit_test(per_cent_of_the_fastest_copy_of_the_same_bytes),
        cmocka_unit_test(the_kernels_own_clock_is_read),
        cmocka_unit_test(expectations_see_the_slowdowns),
    };
    return RUN_TAP(tests);
}
