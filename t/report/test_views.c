/* SPDX-License-Identifier: Apache-2.0
 *
 * test_views.c - the table, CSV, TAP and JSON of reports made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "fixture.h"

static const struct bl_style plain = {false, 0};

static void check(const struct fixture *fix, enum bl_format format,
                  const struct bl_style *style, const char *golden)
{
    char *text = fixture_view(fix, format, style);

    fixture_golden(golden, text);
    free(text);
}

/* The text's longest line. */
static size_t widest(const char *text)
{
    size_t most = 0;

    while (*text) {
        const size_t length = strcspn(text, "\n");

        most = length > most ? length : most;
        text += length + (text[length] == '\n');
    }
    return most;
}

static void all_present(void **state)
{
    struct fixture fix;

    (void)state;
    fixture_usual(&fix);
    check(&fix, BL_FORMAT_TABLE, &plain, "usual.txt");
    check(&fix, BL_FORMAT_CSV, &plain, "usual.csv");
    check(&fix, BL_FORMAT_TAP, &plain, "usual.tap");
    check(&fix, BL_FORMAT_JSON, &plain, "usual.json");
}

static void all_absent(void **state)
{
    struct fixture fix;

    (void)state;
    fixture_begin(&fix);
    fixture_case(&fix, "bare", -1);
    fix.report.device.rates[0] = '\0';
    check(&fix, BL_FORMAT_TABLE, &plain, "bare.txt");
    check(&fix, BL_FORMAT_CSV, &plain, "bare.csv");
    check(&fix, BL_FORMAT_JSON, &plain, "bare.json");
}

/* A fixture with every verdict, details that hold what each format must escape, and
 * problems that differ. */
static void verdicts_fixture(struct fixture *fix)
{
    struct bl_result *result;

    fixture_usual(fix);
    result = fixture_case(fix, "wrong # \\ \"quoted\", a", 0);
    result->verdict = BL_FAIL;
    strcpy(result->detail, "1 of 4 elements wrong, first at row 0 column 1: "
                           "expected 0x1, got 0x2\nsecond line");
    result = fixture_case(fix, "odd", 1);
    result->verdict = BL_SKIP;
    strcpy(result->detail, "tile 64 needs rows divisible by 64");
    fix->cases[4].problem.rows = 31;
    fix->cases[4].problem.batch = 512;
    result = fixture_case(fix, "broken", 1);
    result->verdict = BL_ERROR;
    strcpy(result->detail, "\033[31mplugin: no kernel");
    result = fixture_case(fix, "asked", 0);
    strcpy(result->detail, "failed as expected: out of bounds");
}

/* Where the arch leaves it open, the table says from what to what. */
static void least_and_most(void **state)
{
    struct fixture fix;
    char *text;

    (void)state;
    fixture_usual(&fix);
    fix.report.results[0].counts.shared_load.ways = 8;
    fix.report.results[0].counts.shared_load.ways_least = 2;
    fix.report.results[0].counts.shared_load.wavefronts_least = 1000000;
    fix.report.results[0].counts.shared_store.ways_least = 1; /* which is the most */
    fix.report.results[0].counts.shared_store.wavefronts_least = 131072;
    text = fixture_view(&fix, BL_FORMAT_TABLE, &plain);
    assert_non_null(strstr(text, " 2-8 "));
    assert_non_null(strstr(text, " 1,000,000-4,194,304 "));
    assert_non_null(strstr(text, " 131,072 "));
    assert_null(strstr(text, "1-1"));
    free(text);
    text = fixture_view(&fix, BL_FORMAT_JSON, &plain);
    assert_non_null(strstr(text, "\"ways_least\": 2"));
    assert_non_null(strstr(text, "\"wavefronts_least\": 1000000"));
    free(text);
    text = fixture_view(&fix, BL_FORMAT_CSV, &plain);
    assert_non_null(strstr(text, ",8,1000000,2,"));
    free(text);
}

static void verdicts(void **state)
{
    struct fixture fix;

    (void)state;
    verdicts_fixture(&fix);
    assert_int_equal(bl_report_exit_status(&fix.report), 2);
    check(&fix, BL_FORMAT_TABLE, &plain, "verdicts.txt");
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){true, 0}, "verdicts-colour.txt");
    check(&fix, BL_FORMAT_CSV, &plain, "verdicts.csv");
    check(&fix, BL_FORMAT_TAP, &plain, "verdicts.tap");
    check(&fix, BL_FORMAT_JSON, &plain, "verdicts.json");
}

static char *gpu_warnings[] = {
    (char *)"the SM clock moved from 1980 to 1755 MHz during the timing",
    (char *)"the GPU was throttled: power"};

/* What a GPU gives: measured times and ratios, no model's counts, a clock. */
static void measured(void **state)
{
    struct fixture fix;

    (void)state;
    fixture_usual(&fix);
    strcpy(fix.report.device.backend, "cuda");
    strcpy(fix.report.device.name, "NVIDIA H200");
    strcpy(fix.report.device.driver, "580.95");
    fix.report.timing = (struct bl_timing_note){
        .present = true,
        .rounds = 25,
        .end = BL_END_TIME,
        .before = {true, 1980, 1980, 3201, 41, 250.5, ""},
        .after = {true, 1755, 1980, 3201, 55, 690, "power"},
    };
    fix.report.warnings = gpu_warnings;
    fix.report.warning_count = 2;
    for (size_t i = 0; i < fix.report.count; i++) {
        struct bl_result *result = &fix.results[i];

        result->time.source = BL_SRC_GPU;
        result->time.samples = 25;
        result->time.low_us -= 0.5;
        result->time.high_us += 0.5;
        result->counts.shared_source = BL_SRC_COUNTER;
        result->counts.global_source = BL_SRC_NONE;
        result->throughput.has_percent = true;
        result->throughput.percent_of_copy = 87.25;
        result->clock.source = BL_SRC_GPU;
        result->clock.cycles_per_access = 3.9687;
        result->baseline.has_ratio = true;
        result->baseline.ratio = 2.5;
        result->baseline.low = 2.4;
        result->baseline.high = 2.625;
    }
    check(&fix, BL_FORMAT_TABLE, &plain, "measured.txt");
    check(&fix, BL_FORMAT_CSV, &plain, "measured.csv");
    check(&fix, BL_FORMAT_TAP, &plain, "measured.tap");
    check(&fix, BL_FORMAT_JSON, &plain, "measured.json");
}

/* Where the model stands in for counters that some case lacks, the table must not credit
 * all counts to one source, whichever case comes first. */
static void mixed_sources(void **state)
{
    struct fixture fix;

    (void)state;
    for (int first = 0; first < 2; first++) {
        char *text, *line;

        fixture_usual(&fix);
        fix.results[first].counts.shared_source = BL_SRC_COUNTER;
        fix.results[first].counts.global_source = BL_SRC_COUNTER;
        text = fixture_view(&fix, BL_FORMAT_TABLE, &plain);
        line = strstr(text, "\ncounts ");
        assert_non_null(line);
        line[1 + strcspn(line + 1, "\n")] = '\0';
        assert_non_null(strstr(line, "the model"));
        assert_non_null(strstr(line, "hardware counters"));
        assert_non_null(strstr(line, "tell which"));
        free(text);
    }
}

static void huge_numbers(void **state)
{
    struct fixture fix;
    struct bl_result *result;

    (void)state;
    fixture_usual(&fix);
    result = &fix.results[0];
    result->counts.shared_load.wavefronts = UINT64_C(9007199254740993);
    result->counts.shared_load.conflicts = UINT64_MAX;
    result->counts.global_load.sectors = INT64_MAX;
    result->time.median_us = 1e300;
    result->throughput.gbps = 0.000125;
    fix.cases[0].name =
        (char *)"a_name_that_goes_on_and_on_for_much_longer_than_any_terminal_"
                "would_have_room_for_and_then_some[pad=0]";
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, 120}, "huge-120.txt");
    check(&fix, BL_FORMAT_CSV, &plain, "huge.csv");
    check(&fix, BL_FORMAT_JSON, &plain, "huge.json");
}

/* A number that is none must not reach a document. */
static void no_nan(void **state)
{
    struct fixture fix;
    char *text;

    (void)state;
    fixture_usual(&fix);
    fix.results[0].throughput.gbps = (double)NAN;
    fix.results[0].baseline.predicted = (double)INFINITY;
    text = fixture_view(&fix, BL_FORMAT_JSON, &plain);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    text = fixture_view(&fix, BL_FORMAT_CSV, &plain);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    text = fixture_view(&fix, BL_FORMAT_TABLE, &plain);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, " inf"));
    free(text);
}

/* From 60 columns on, the grid keeps within the terminal. */
static void fits(void **state)
{
    struct fixture fix;

    (void)state;
    fixture_usual(&fix);
    for (int width = 60; width <= 200; width++) {
        char *text =
            fixture_view(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, width});
        char *grid = strstr(text, "\n\n"), *end = grid ? strstr(grid + 2, "\n\n") : NULL;

        assert_non_null(end);
        *end = '\0';
        assert_true(widest(grid) <= (size_t)width);
        assert_non_null(strstr(grid, "32"));
        free(text);
    }
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, 120}, "usual-120.txt");
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, 100}, "usual-100.txt");
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, 60}, "usual-60.txt");
    check(&fix, BL_FORMAT_TABLE, &(struct bl_style){false, 1}, "usual-1.txt");
}

static json_t *parsed(const struct fixture *fix)
{
    char *text = fixture_view(fix, BL_FORMAT_JSON, &plain);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);

    free(text);
    if (!root)
        fail_msg("line %d: %s", error.line, error.text);
    return root;
}

static void json_is_exact(void **state)
{
    struct fixture fix;
    json_t *root;
    json_int_t wavefronts, pad;
    double median, predicted;
    const char *order, *seed, *twin, *source;

    (void)state;
    fixture_usual(&fix);
    fix.results[0].counts.shared_load.wavefronts = UINT64_C(9007199254740993);
    root = parsed(&fix);
    assert_int_equal(json_unpack(root,
                                 "{s:{s:s}, s:[{s:{s:I, s:s}, s:{s:{s:I}}, "
                                 "s:{s:s, s:F}, s:{s:{s:{s:s}, s:F}}}]}",
                                 "run", "seed", &seed, "cases", "params", "pad", &pad,
                                 "order", &order, "shared", "load", "wavefronts",
                                 &wavefronts, "time", "source", &source, "median_us",
                                 &median, "slowdown", "twin", "params", "order", &twin,
                                 "predicted", &predicted),
                     0);
    assert_string_equal(seed, "18446744073709551615");
    assert_true(wavefronts == INT64_C(9007199254740993));
    assert_true(pad == 0);
    assert_string_equal(order, "columns");
    assert_string_equal(twin, "columns");
    assert_string_equal(source, "predicted");
    assert_true(median == 12.5 * 2.23);
    assert_true(predicted == 2.23);
    json_decref(root);
}

static void json_leaves_out(void **state)
{
    static const char *const groups[] = {"shared", "global", "time",    "throughput",
                                         "clock",  "model",  "slowdown"};
    struct fixture fix;
    json_t *root, *one;

    (void)state;
    fixture_begin(&fix);
    fixture_case(&fix, "bare", -1);
    root = parsed(&fix);
    one = json_array_get(json_object_get(root, "cases"), 0);
    assert_string_equal(json_string_value(json_object_get(one, "case")), "bare");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        assert_null(json_object_get(one, groups[i]));
    json_decref(root);
}

static void json_is_utf8(void **state)
{
    struct fixture fix;
    json_t *root;

    (void)state;
    fixture_begin(&fix);
    strcpy(fixture_case(&fix, "latin \xe9", -1)->detail, "\xff\xfe ok");
    root = parsed(&fix);
    json_decref(root);
}

static void write_error(void **state)
{
    struct fixture fix;
    struct bl_error err;

    (void)state;
    fixture_usual(&fix);
    for (int format = BL_FORMAT_TABLE; format <= BL_FORMAT_TAP; format++) {
        FILE *full = fopen("/dev/full", "w");

        assert_non_null(full);
        assert_int_equal(
            bl_report_write(&fix.report, (enum bl_format)format, &plain, full, &err),
            BL_E_IO);
        assert_non_null(strstr(err.text, "No space"));
        fclose(full);
    }
}

static void format_names(void **state)
{
    enum bl_format format = BL_FORMAT_TABLE;
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_format_find("json", &format, &err), BL_OK);
    assert_int_equal(format, BL_FORMAT_JSON);
    assert_int_equal(bl_format_find("jsn", &format, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "\"json\""));
    assert_int_equal(bl_format_find("postscript", &format, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "tap"));
    assert_int_equal(format, BL_FORMAT_JSON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_present),
        cmocka_unit_test(all_absent),
        cmocka_unit_test(least_and_most),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(measured),
        cmocka_unit_test(huge_numbers),
        cmocka_unit_test(mixed_sources),
        cmocka_unit_test(no_nan),
        cmocka_unit_test(fits),
        cmocka_unit_test(json_is_exact),
        cmocka_unit_test(json_leaves_out),
        cmocka_unit_test(json_is_utf8),
        cmocka_unit_test(write_error),
        cmocka_unit_test(format_names),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
