/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "work/measure_fields.h"

/* ---- fields --------------------------------------------------------------- */

static void every_field_is_named_once_and_found(void **state)
{
    size_t count;
    const struct bl_field *fields = bl_field_all(&count);

    (void)state;
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(bl_field_find(fields[i].name), &fields[i]);
        assert_true(strlen(fields[i].help) > 3);
        for (const char *at = fields[i].name; *at; at++)
            assert_true(islower((unsigned char)*at) || *at == '_');
    }
    assert_null(bl_field_find("shared_load_way"));
    assert_null(bl_field_find(BL_FIELD_VERDICT));
}

static void nothing_measured_gives_no_number(void **state)
{
    struct bl_result result;
    size_t count;
    const struct bl_field *fields = bl_field_all(&count);
    double value = 0;

    (void)state;
    /* Numbers are there, but no group says that they were measured. */
    memset(&result, 0, sizeof result);
    result.counts.shared_load.ways = 3;
    result.time.median_us = 3;
    result.baseline.ratio = 3;
    for (size_t i = 0; i < count; i++)
        assert_false(fields[i].get(&result, &value));
    assert_true(value == 0);
}

static void fields_read_their_own_number(void **state)
{
    static const struct {
        const char *name;
        double value;
    } want[] = {
        {"shared_load_requests", 1},
        {"shared_load_wavefronts", 2},
        {"shared_load_ideal", 3},
        {"shared_load_conflicts", 4},
        {"shared_load_ways", 5},
        {"shared_load_wavefronts_least", 47},
        {"shared_load_ways_least", 48},
        {"shared_store_requests", 6},
        {"shared_store_wavefronts", 7},
        {"shared_store_ideal", 8},
        {"shared_store_conflicts", 9},
        {"shared_store_ways", 10},
        {"shared_store_wavefronts_least", 49},
        {"shared_store_ways_least", 50},
        {"global_load_requests", 11},
        {"global_load_sectors", 12},
        {"global_load_ideal", 13},
        {"global_store_requests", 14},
        {"global_store_sectors", 15},
        {"global_store_ideal", 16},
        {"data_stage_cycles", 17},
        {"blocks", 18},
        {"instructions", 19},
        {"block_shared_bytes", 46},
        {"time_median_us", 20.5},
        {"time_low_us", 20.25},
        {"time_high_us", 21},
        {"time_samples", 22},
        {"throughput_gbps", 23},
        {"throughput_percent_of_copy", 24},
        {"clock_cycles_per_access", 25},
        {"slowdown_baseline_ratio", 26},
        {"slowdown_baseline_low", 27},
        {"slowdown_baseline_high", 28},
        {"slowdown_baseline_predicted", 29},
        {"slowdown_baseline_data_stage", 30},
        {"slowdown_twin_ratio", 31},
        {"slowdown_twin_low", 32},
        {"slowdown_twin_high", 33},
        {"slowdown_twin_predicted", 34},
        {"slowdown_twin_data_stage", 35},
        {"shared_atomic_requests", 36},
        {"shared_atomic_wavefronts", 37},
        {"shared_atomic_conflicts", 39},
        {"shared_atomic_ways", 40},
        {"shared_async_requests", 41},
        {"shared_async_wavefronts", 42},
        {"shared_async_conflicts", 44},
        {"shared_async_ways", 45},
    };
    const struct bl_result result = {
        .counts = {.shared_source = BL_SRC_MODEL,
                   .global_source = BL_SRC_MODEL,
                   .shared_load = {1, 2, 3, 4, 5, 47, 48},
                   .shared_store = {6, 7, 8, 9, 10, 49, 50},
                   .shared_atomic = {36, 37, 38, 39, 40, 0, 0},
                   .shared_async = {41, 42, 43, 44, 45, 0, 0},
                   .global_load = {11, 12, 13},
                   .global_store = {14, 15, 16},
                   .has_cycles = true,
                   .data_stage_cycles = 17,
                   .blocks = 18,
                   .instructions = 19,
                   .block_shared = 46},
        .time = {BL_SRC_GPU, 20.5, 20.25, 21, 22},
        .throughput = {true, true, 23, 24},
        .clock = {BL_SRC_GPU, 25},
        .baseline = {true, NULL, true, 26, 27, 28, true, 29, true, 30},
        .twin = {true, NULL, true, 31, 32, 33, true, 34, true, 35},
    };
    size_t count;

    (void)state;
    bl_field_all(&count);
    assert_int_equal(count, sizeof want / sizeof *want);
    for (size_t i = 0; i < count; i++) {
        const struct bl_field *field = bl_field_find(want[i].name);
        double value = -1;
        assert_non_null(field);
        assert_true(field->get(&result, &value));
        assert_true(value == want[i].value);
    }
}

static void a_case_without_requests_has_no_ways(void **state)
{
    struct bl_result result;
    double value;

    (void)state;
    memset(&result, 0, sizeof result);
    result.counts.shared_source = BL_SRC_MODEL;
    assert_true(bl_field_find("shared_load_requests")->get(&result, &value));
    assert_true(value == 0);
    assert_false(bl_field_find("shared_load_ways")->get(&result, &value));
    /* What few kernels do has no number at all then. */
    assert_false(bl_field_find("shared_atomic_requests")->get(&result, &value));
    assert_false(bl_field_find("shared_async_wavefronts")->get(&result, &value));
}

/* ---- expectations --------------------------------------------------------- */

struct expecting {
    struct bl_profile profile;
    struct bl_expect expects[3];
    struct bl_case of;
    struct bl_result result;
};

/* A result with 32 ways and the verdict; no expectation yet. */
static void expecting_init(struct expecting *e, enum bl_verdict verdict,
                           const char *detail)
{
    memset(e, 0, sizeof *e);
    e->profile.path = (char *)"x.ini";
    e->of.expects = e->expects;
    e->result.of = &e->of;
    e->result.counts.shared_source = BL_SRC_MODEL;
    e->result.counts.shared_load.requests = 1;
    e->result.counts.shared_load.ways = 32;
    bl_result_say(&e->result, verdict, "%s", detail);
}

static void expect(struct expecting *e, const char *field, enum bl_op op,
                   const char *text)
{
    struct bl_expect *at = &e->expects[e->of.expect_count++];
    at->field = (char *)(uintptr_t)field;
    at->op = op;
    at->text = (char *)(uintptr_t)text;
    at->number = atof(text);
    at->line = 12;
}

static void compares_by_each_operator(void **state)
{
    static const struct {
        enum bl_op op;
        bool below, equal, above; /* of 31, 32 and 33: does 32 OP that hold? */
    } table[] = {
        {BL_LT, false, false, true}, {BL_LE, false, true, true},
        {BL_GT, true, false, false}, {BL_GE, true, true, false},
        {BL_EQ, false, true, false}, {BL_NE, true, false, true},
    };
    static const char *const against[] = {"31", "32", "33"};

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int j = 0; j < 3; j++) {
            const bool want[] = {table[i].below, table[i].equal, table[i].above};
            struct expecting e;
            expecting_init(&e, BL_PASS, "");
            expect(&e, "shared_load_ways", table[i].op, against[j]);
            bl_expect_check(&e.profile, &e.result);
            assert_int_equal(e.result.verdict, want[j] ? BL_PASS : BL_FAIL);
        }
}

static void names_the_line_and_the_value(void **state)
{
    struct expecting e;

    (void)state;
    expecting_init(&e, BL_PASS, "");
    expect(&e, "shared_load_ways", BL_EQ, "32");
    expect(&e, "shared_load_ways", BL_LE, "1");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_FAIL);
    assert_string_equal(e.result.detail,
                        "x.ini:12: expect.shared_load_ways <= 1 is not met: got 32");
}

static void an_absent_number_is_not_met(void **state)
{
    struct expecting e;

    (void)state;
    expecting_init(&e, BL_PASS, "");
    expect(&e, "time_median_us", BL_GE, "0");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_FAIL);
    assert_contains(e.result.detail, "no such number here");
}

static void an_expected_failure_passes(void **state)
{
    struct expecting e;

    (void)state;
    expecting_init(&e, BL_FAIL, "5 elements wrong");
    expect(&e, "verdict", BL_EQ, "fail");
    expect(&e, "shared_load_ways", BL_EQ, "32");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_PASS);
    assert_string_equal(e.result.detail, "failed as expected: 5 elements wrong");

    /* The counts of a wrong kernel are asserted all the same. */
    expecting_init(&e, BL_FAIL, "5 elements wrong");
    expect(&e, "verdict", BL_EQ, "fail");
    expect(&e, "shared_load_ways", BL_EQ, "1");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_FAIL);

    expecting_init(&e, BL_SKIP, "too narrow");
    expect(&e, "verdict", BL_NE, "pass");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_PASS);
    assert_string_equal(e.result.detail, "skipped as expected: too narrow");
}

static void another_verdict_than_expected_fails(void **state)
{
    struct expecting e;

    (void)state;
    expecting_init(&e, BL_PASS, "");
    expect(&e, "verdict", BL_EQ, "fail");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_FAIL);
    assert_string_equal(e.result.detail,
                        "x.ini:12: expect.verdict = fail is not met: got pass");

    expecting_init(&e, BL_SKIP, "too narrow");
    expect(&e, "verdict", BL_EQ, "pass");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_FAIL);
    assert_contains(e.result.detail, "got skip: too narrow");
}

static void other_failures_stay_what_they_are(void **state)
{
    struct expecting e;

    (void)state;
    expecting_init(&e, BL_ERROR, "bad plan");
    expect(&e, "shared_load_ways", BL_EQ, "1");
    bl_expect_check(&e.profile, &e.result);
    assert_int_equal(e.result.verdict, BL_ERROR);
    assert_string_equal(e.result.detail, "bad plan");
}

/* ---- names, exit status ---------------------------------------------------- */

static void names_and_exit_status(void **state)
{
    struct bl_result results[2];
    struct bl_report report = {.results = results, .count = 2};

    (void)state;
    memset(results, 0, sizeof results);
    assert_null(bl_source_name(BL_SRC_NONE));
    assert_string_equal(bl_source_name(BL_SRC_MODEL), "model");
    assert_string_equal(bl_source_name(BL_SRC_COUNTER), "counter");
    assert_string_equal(bl_source_name(BL_SRC_GPU), "gpu");
    assert_string_equal(bl_source_name(BL_SRC_PREDICTED), "predicted");
    for (int v = BL_PASS; v <= BL_ERROR; v++) {
        results[1].verdict = (enum bl_verdict)v;
        assert_int_equal(bl_report_exit_status(&report), v == BL_ERROR  ? 2
                                                         : v == BL_FAIL ? 1
                                                                        : 0);
    }
    results[0].verdict = BL_FAIL; /* an error outweighs a failure, wherever it is */
    assert_int_equal(bl_report_exit_status(&report), 2);
    assert_string_equal(bl_verdict_name(BL_SKIP), "skip");
    assert_string_equal(bl_verdict_name(BL_ERROR), "error");
    bl_report_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_named_once_and_found),
        cmocka_unit_test(nothing_measured_gives_no_number),
        cmocka_unit_test(fields_read_their_own_number),
        cmocka_unit_test(a_case_without_requests_has_no_ways),
        cmocka_unit_test(compares_by_each_operator),
        cmocka_unit_test(names_the_line_and_the_value),
        cmocka_unit_test(an_absent_number_is_not_met),
        cmocka_unit_test(an_expected_failure_passes),
        cmocka_unit_test(another_verdict_than_expected_fails),
        cmocka_unit_test(other_failures_stay_what_they_are),
        cmocka_unit_test(names_and_exit_status),
    };
    return RUN_TAP(tests);
}
