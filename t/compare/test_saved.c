/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports read back: what is there, and what is refused, with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compare/saved.h"
#include "report_text.h"

static const char whole[] = HEAD("a device", "x") CASE(
    "x", "\"pad\": 1, \"order\": \"rows\"", "pass",
    TIME("gpu", "1.5", "1.25", "2") SHARED("model\"", SIDE("128", "124", "32")) GLOBAL(
        "64") ", \"model\": {\"blocks\": 3, \"instructions\": 77}") "," CASE("w", "",
                                                                             "skip", "")
    TAIL;

static void test_whole(void **state)
{
    const struct bl_saved_case *of;
    struct bl_saved saved;
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_saved_parse("a.json", whole, strlen(whole), &saved, &err), BL_OK);
    assert_int_equal(saved.count, 2);
    assert_string_equal(saved.device, "a device");
    assert_string_equal(saved.baseline, "x");
    assert_null(saved.driver);
    of = bl_saved_find(&saved, "x");
    assert_ptr_equal(of, &saved.cases[0]);
    assert_ptr_equal(bl_saved_find(&saved, "w"), &saved.cases[1]);
    assert_null(bl_saved_find(&saved, "v"));
    assert_int_equal(of->rows, 64);
    assert_int_equal(of->verdict, BL_PASS);
    assert_int_equal(saved.cases[1].verdict, BL_SKIP);
    assert_string_equal(of->arch, "cc90");
    assert_float_equal(of->time.low_us, 1.25, 0);
    assert_string_equal(of->shared.source, "model");
    assert_string_equal(bl_shared_fields[4].name, "ways");
    assert_int_equal(of->shared.at[4].value, 32);
    assert_true(of->shared.at[BL_SHARED_FIELDS - 1].has);
    assert_int_equal(of->shared.at[BL_SHARED_FIELDS - 1].value, 8);
    assert_false(of->global.at[2].has); /* load.ideal */
    assert_true(of->global.at[5].has);
    assert_int_equal(of->model.at[1].value, 77);
    assert_null(saved.cases[1].time.source);
    bl_saved_free(&saved);
}

/* The first `from` in the whole report, as `to`. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(whole, from);
    char *out = malloc(sizeof whole + strlen(to) + 1);

    assert_non_null(at);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    return out;
}

static void test_refused(void **state)
{
    static const struct {
        const char *from, *to, *error;
    } cases[] = {
        {"report/1", "report/2",
         "a.json: schema: \"banklab.report/2\" is a format that this banklab does not "
         "know; it reads \"banklab.report/1\""},
        {"report/1", "advise/1",
         "a.json: schema: must be \"banklab.report/1\", not \"banklab.advise/1\"; "
         "`banklab run --format json' writes one"},
        {"\"schema\"", "\"scheme\"",
         "a.json: no report: \"schema\" is missing; `banklab run --format json' writes "
         "one"},
        {"\"seed\": \"1\"", "\"seed\": 1", "a.json: run.seed: must be a text, not 1"},
        {"\"arch\": \"cc90\"", "\"cc\": 90", "a.json: device.arch: is missing"},
        {"\"rows\": 64", "\"rows\": 0",
         "a.json: cases[0].problem.rows: must be a whole number, 1 or more, not 0"},
        {"\"median_us\": 1.5", "\"median_us\": -1",
         "a.json: cases[0].time.median_us: must be a number, 0 or more, not -1"},
        {"\"median_us\": 1.5", "\"median_us\": null",
         "a.json: cases[0].time.median_us: must be a number, 0 or more, not null"},
        {"\"low_us\": 1.25", "\"low_us\": 3",
         "a.json: cases[0].time.low_us: must not be above high_us"},
        {"\"wavefronts\": 128", "\"wavefronts\": 1.5",
         "a.json: cases[0].shared.load.wavefronts: must be a whole number, 0 or more, "
         "not "
         "1.5"},
        {"\"wavefronts\": 128,", "",
         "a.json: cases[0].shared.load.wavefronts: is missing"},
        {"\"source\": \"gpu\"", "\"source\": \"guess\"",
         "a.json: cases[0].time.source: must be \"gpu\" or \"predicted\", not \"guess\""},
        {"\"verdict\": \"skip\"", "\"verdict\": []",
         "a.json: cases[1].verdict: must be \"pass\", \"fail\", \"skip\" or \"error\", "
         "not "
         "an array"},
        {"\"pad\": 1", "\"pad\": 1.5",
         "a.json: cases[0].params.pad: must be a whole number or the name of a choice"},
        {"\"case\": \"w\"", "\"case\": \"x\"",
         "a.json: cases[1].case: \"x\" is the name of cases[0] too"},
        {"\"case\": \"w\"", "\"case\": \"\"", "a.json: cases[1].case: must not be empty"},
        {"\"cases\": [", "\"cases\": [7, ", "a.json: cases[0]: must be an object"},
        {"\"cases\": [", "\"warnings\": [1], \"cases\": [",
         "a.json: warnings: must be an array of texts"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = changed(cases[i].from, cases[i].to);
        struct bl_saved saved;
        struct bl_error err;

        assert_int_equal(bl_saved_parse("a.json", text, strlen(text), &saved, &err),
                         BL_E_INPUT);
        assert_string_equal(err.text, cases[i].error);
        free(text);
    }
}

static void test_no_json(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "a.json: empty, no report"},
        {"profile  x.ini\n", "a.json:1: column "},
        {"{\n\"schema\": \"banklab.report/1\",\n!", "a.json:3: column "},
        {"{\"schema\": 1, \"schema\": 2}", "a.json:1: column "},
        {"[]", "a.json: no report: a report is one JSON object"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bl_saved saved;
        struct bl_error err;

        assert_int_equal(
            bl_saved_parse("a.json", cases[i].text, strlen(cases[i].text), &saved, &err),
            BL_E_INPUT);
        assert_memory_equal(err.text, cases[i].error, strlen(cases[i].error));
    }
}

/* A later minor of the format has more. */
static void test_unknown_members(void **state)
{
    char *text = changed("\"cases\": [", "\"later\": {\"x\": [null]}, \"cases\": [");
    struct bl_saved saved;
    struct bl_error err;

    (void)state;
    assert_int_equal(bl_saved_parse("a.json", text, strlen(text), &saved, &err), BL_OK);
    bl_saved_free(&saved);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_json),
        cmocka_unit_test(test_unknown_members),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("saved", tests, NULL, NULL);
}
