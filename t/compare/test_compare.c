/* SPDX-License-Identifier: Apache-2.0
 *
 * Ratios, their intervals and verdicts, and counts, of reports made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compare/compare.h"
#include "report_text.h"

static const struct bl_cmp_options usual = {.tolerance = 0.01};

static struct bl_saved saved(const char *text)
{
    struct bl_saved out;
    struct bl_error err;

    if (bl_saved_parse("x.json", text, strlen(text), &out, &err) != BL_OK)
        fail_msg("%s", err.text);
    return out;
}

/* Compares; ends with done(). */
struct both {
    struct bl_saved a, b;
    struct bl_comparison of;
};

static void start(struct both *both, const char *a, const char *b,
                  const struct bl_cmp_options *options)
{
    struct bl_error err;

    both->a = saved(a);
    if (b)
        both->b = saved(b);
    if (bl_compare(&both->a, b ? &both->b : NULL, options, &both->of, &err) != BL_OK)
        fail_msg("%s", err.text);
}

static void done(struct both *both, bool two)
{
    bl_compare_free(&both->of);
    bl_saved_free(&both->a);
    if (two)
        bl_saved_free(&both->b);
}

/* One timed case: 100 us, 99 to 101, or what else is asked for. */
static void timed(char *out, size_t size, const char *source, double median, double low,
                  double high)
{
    snprintf(
        out, size,
        HEAD("m", "x") "{\"case\": \"x\", \"plugin\": \"tile\", \"kind\": "
                       "\"transpose\", \"params\": {}, \"problem\": {\"rows\": 64, "
                       "\"cols\": 32, \"elem\": 4}, \"verdict\": \"pass\", "
                       "\"detail\": \"\", \"time\": {\"source\": \"%s\", "
                       "\"median_us\": %.17g, \"low_us\": %.17g, \"high_us\": %.17g, "
                       "\"samples\": 9}}" TAIL,
        source, median, low, high);
}

/* ---- verdicts
 * -------------------------------------------------------------------------- */

static enum bl_cmp_verdict verdict_at(double low, double high, double tolerance,
                                      bool swapped)
{
    const struct bl_cmp_options options = {.tolerance = tolerance};
    char a[1024], b[1024];
    struct both both;
    enum bl_cmp_verdict verdict;

    timed(a, sizeof a, "gpu", 1, 1, 1);
    timed(b, sizeof b, "gpu", (low + high) / 2, low, high);
    start(&both, swapped ? b : a, swapped ? a : b, &options);
    assert_int_equal(both.of.count, 1);
    assert_true(both.of.pairs[0].has_ratio);
    assert_int_equal(both.of.pairs[0].how, BL_CMP_MEDIANS);
    verdict = both.of.pairs[0].verdict;
    assert_int_equal(both.of.verdicts[verdict], 1);
    done(&both, true);
    return verdict;
}

static void test_verdicts(void **state)
{
    static const struct {
        double low, high, tolerance;
        enum bl_cmp_verdict verdict, swapped;
    } cases[] = {
        {1, 1, 0.01, BL_CMP_SAME, BL_CMP_SAME},
        {1, 1, 0, BL_CMP_SAME, BL_CMP_SAME},
        {0.995, 1.005, 0.01, BL_CMP_SAME, BL_CMP_SAME},
        {0.991, 1.0099, 0.01, BL_CMP_SAME, BL_CMP_SAME},
        {1.002, 1.008, 0.01, BL_CMP_SAME, BL_CMP_SAME}, /* surely, but by little */
        {1.005, 1.02, 0.01, BL_CMP_UNDECIDED, BL_CMP_UNDECIDED},
        {0.98, 0.995, 0.01, BL_CMP_UNDECIDED, BL_CMP_UNDECIDED},
        {0.9, 1.1, 0.01, BL_CMP_UNDECIDED, BL_CMP_UNDECIDED},
        {1.011, 1.02, 0.01, BL_CMP_SLOWER, BL_CMP_FASTER},
        {0.98, 0.99, 0.01, BL_CMP_FASTER, BL_CMP_SLOWER},
        {1.011, 1.02, 0.05, BL_CMP_SAME, BL_CMP_SAME},
        {1.04, 1.06, 0.05, BL_CMP_UNDECIDED, BL_CMP_UNDECIDED},
        {1.0001, 1.0002, 0, BL_CMP_SLOWER, BL_CMP_FASTER},
        {2, 3, 10, BL_CMP_SAME, BL_CMP_SAME},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            verdict_at(cases[i].low, cases[i].high, cases[i].tolerance, false),
            cases[i].verdict);
        assert_int_equal(
            verdict_at(cases[i].low, cases[i].high, cases[i].tolerance, true),
            cases[i].swapped);
    }
}

static void test_interval(void **state)
{
    char a[1024], b[1024];
    struct both both;

    (void)state;
    timed(a, sizeof a, "gpu", 100, 98, 104);
    timed(b, sizeof b, "gpu", 150, 147, 153);
    start(&both, a, b, &usual);
    assert_float_equal(both.of.pairs[0].ratio, 1.5, 1e-12);
    assert_float_equal(both.of.pairs[0].low, 147.0 / 104, 1e-12);
    assert_float_equal(both.of.pairs[0].high, 153.0 / 98, 1e-12);
    done(&both, true);
}

static void test_sources(void **state)
{
    char gpu[1024], predicted[1024], zero[1024];
    struct both both;

    (void)state;
    timed(gpu, sizeof gpu, "gpu", 100, 99, 101);
    timed(predicted, sizeof predicted, "predicted", 100, 100, 100);
    timed(zero, sizeof zero, "gpu", 100, 0, 100);
    start(&both, predicted, gpu, &usual);
    assert_false(both.of.pairs[0].has_ratio);
    assert_int_equal(both.of.pairs[0].verdict, BL_CMP_NONE);
    assert_string_equal(both.of.pairs[0].why,
                        "A's time is predicted, B's timed on a GPU");
    done(&both, true);
    start(&both, predicted, predicted, &usual);
    assert_int_equal(both.of.pairs[0].how, BL_CMP_EXACT);
    assert_int_equal(both.of.pairs[0].verdict, BL_CMP_SAME);
    done(&both, true);
    start(&both, zero, gpu, &usual);
    assert_false(both.of.pairs[0].has_ratio);
    assert_string_equal(both.of.pairs[0].why, "a time of 0");
    done(&both, true);
    start(&both, HEAD("m", "x") CASE("x", "", "pass", "") TAIL, gpu, &usual);
    assert_string_equal(both.of.pairs[0].why, "only B has a time");
    done(&both, true);
}

/* ---- counts
 * ---------------------------------------------------------------------------- */

#define ONE(groups) HEAD("m", "x") CASE("x", "", "pass", groups) TAIL

static const struct bl_cmp_count *find(const struct bl_cmp_pair *pair, const char *name)
{
    char here[64];

    for (size_t i = 0; i < pair->changed_count; i++) {
        bl_cmp_count_name(&pair->changed[i], here, sizeof here);
        if (strcmp(here, name) == 0)
            return &pair->changed[i];
    }
    return NULL;
}

static void test_counts(void **state)
{
    const char *a = ONE(SHARED("model\"", SIDE("4", "0", "1")) GLOBAL("64"));
    const char *b = ONE(SHARED("model\"", SIDE("128", "124", "32")) GLOBAL("32"));
    const struct bl_cmp_count *count;
    struct both both;

    (void)state;
    start(&both, a, b, &usual);
    assert_int_equal(both.of.pairs[0].changed_count, 4);
    assert_int_equal(both.of.with_changes, 1);
    assert_string_equal(both.of.pairs[0].shared_source, "model");
    count = find(&both.of.pairs[0], "shared.load.ways");
    assert_non_null(count);
    assert_int_equal(count->a.value, 1);
    assert_int_equal(count->b.value, 32);
    assert_true(count->worse);
    count = find(&both.of.pairs[0], "global.load.sectors");
    assert_non_null(count);
    assert_false(count->worse); /* fewer */
    assert_null(find(&both.of.pairs[0], "shared.load.requests"));
    done(&both, true);
    start(&both, a, a, &usual);
    assert_int_equal(both.of.pairs[0].changed_count, 0);
    assert_int_equal(both.of.with_changes, 0);
    done(&both, true);
}

/* Atomics that there were none of are 0 of them, and not a number that is unknown. */
static void test_atomics(void **state)
{
    const char *a = ONE(SHARED("model\"", SIDE("4", "0", "1")));
    const char *b =
        ONE(SHARED("model\"", SIDE("4", "0", "1") ", \"atomic\": " SIDE("9", "5", "3")));
    const struct bl_cmp_count *count;
    struct both both;

    (void)state;
    start(&both, a, b, &usual);
    count = find(&both.of.pairs[0], "shared.atomic.wavefronts");
    assert_non_null(count);
    assert_true(count->a.has);
    assert_int_equal(count->a.value, 0);
    assert_int_equal(count->b.value, 9);
    assert_true(count->worse);
    count = find(&both.of.pairs[0], "shared.atomic.ways");
    assert_non_null(count);
    assert_false(count->a.has);
    assert_false(count->worse);
    done(&both, true);
}

#define HARDWARE     "counter\", \"counted_by\": \"hardware\""
#define INSTRUCTIONS "counter\", \"counted_by\": \"instructions\""
#define BESIDE(load)                                                                     \
    ", \"model\": {\"blocks\": 1, \"instructions\": 9, \"shared\": {\"load\": " load     \
    ", \"store\": " SIDE("4", "0", "1") "}}"

static void test_count_sources(void **state)
{
    const char *model = ONE(SHARED("model\"", SIDE("4", "0", "1")));
    const char *counter = ONE(SHARED(HARDWARE, SIDE("5", "1", "1")));
    const char *other = ONE(SHARED(INSTRUCTIONS, SIDE("4", "0", "1")));
    const char *untold = ONE(SHARED("counter\"", SIDE("4", "0", "1")));
    const char *with_model =
        ONE(SHARED(HARDWARE, SIDE("5", "1", "1")) BESIDE(SIDE("4", "0", "1")));
    struct both both;

    (void)state;
    start(&both, model, counter, &usual);
    assert_string_equal(both.of.pairs[0].shared_source, "mixed");
    assert_non_null(find(&both.of.pairs[0], "shared.load.wavefronts"));
    assert_false(find(&both.of.pairs[0], "shared.load.wavefronts")->worse);
    assert_false(both.of.pairs[0].gated);
    done(&both, true);
    start(&both, model, with_model, &usual);
    assert_string_equal(both.of.pairs[0].shared_source, "model");
    assert_null(find(&both.of.pairs[0], "shared.load.wavefronts"));
    assert_true(both.of.pairs[0].gated);
    done(&both, true);
    start(&both, other, counter, &usual);
    assert_string_equal(both.of.pairs[0].shared_source, "mixed");
    done(&both, true);
    start(&both, untold, counter, &usual);
    assert_string_equal(both.of.pairs[0].shared_source, "counter");
    assert_true(find(&both.of.pairs[0], "shared.load.wavefronts")->worse);
    done(&both, true);
    start(&both, model, ONE(""), &usual);
    assert_null(both.of.pairs[0].shared_source);
    assert_int_equal(both.of.pairs[0].changed_count, 0);
    done(&both, true);
}

/* 2^53 + 1 is no double. */
static void test_large_counts(void **state)
{
    const char *a = ONE(SHARED("model\"", SIDE("9007199254740992", "0", "1")));
    const char *b = ONE(SHARED("model\"", SIDE("9007199254740993", "0", "1")));
    struct both both;

    (void)state;
    start(&both, a, b, &usual);
    assert_int_equal(both.of.pairs[0].changed_count, 1);
    assert_true(both.of.pairs[0].changed[0].worse);
    done(&both, true);
}

#define CLOCK(source, cycles)                                                            \
    ", \"clock\": {\"source\": \"" source "\", \"cycles_per_access\": " cycles "}"

static void test_clock(void **state)
{
    struct both both;

    (void)state;
    start(&both, ONE(CLOCK("gpu", "2")), ONE(CLOCK("gpu", "2.019")), &usual);
    assert_int_equal(both.of.pairs[0].changed_count, 0);
    done(&both, true);
    start(&both, ONE(CLOCK("gpu", "2")), ONE(CLOCK("gpu", "4")), &usual);
    assert_non_null(find(&both.of.pairs[0], "clock.cycles_per_access"));
    done(&both, true);
    start(&both, ONE(CLOCK("gpu", "2")), ONE(CLOCK("predicted", "4")), &usual);
    assert_int_equal(both.of.pairs[0].changed_count, 0);
    done(&both, true);
}

/* ---- pairs
 * ------------------------------------------------------------------------------ */

#define US(n) TIME("predicted", n, n, n)
#define SLOW  TIME("gpu", "20", "20", "20")

static void test_overlap(void **state)
{
    const char *a = HEAD("m", "x") CASE("y", "", "pass", US("1")) "," CASE(
        "x", "\"pad\": 0", "pass", US("2")) "," CASE("z", "", "pass", US("3")) TAIL;
    const char *b = HEAD("n", "x")
        CASE("w", "", "fail", "") "," CASE("x", "\"pad\": 1, \"new\": \"yes\"", "pass",
                                           US("1")) "," CASE("y", "", "fail", "") TAIL;
    struct both both;
    char *text;

    (void)state;
    start(&both, a, b, &usual);
    assert_int_equal(both.of.count, 4);
    assert_string_equal(both.of.pairs[0].a->name, "y");
    assert_string_equal(both.of.pairs[1].b->name, "x");
    assert_null(both.of.pairs[2].b);
    assert_null(both.of.pairs[3].a);
    assert_int_equal(both.of.both, 2);
    assert_int_equal(both.of.only_a, 1);
    assert_int_equal(both.of.only_b, 1);
    assert_int_equal(both.of.broke, 1);
    assert_int_equal(both.of.pairs[1].differs, BL_CMP_PARAMS);
    assert_int_equal(both.of.pairs[1].verdict, BL_CMP_FASTER);
    text = bl_cmp_differs_text(&both.of.pairs[1]);
    assert_string_equal(text, "pad 0 -> 1, new none -> yes");
    free(text);
    assert_int_equal(both.of.note_count, 1);
    assert_string_equal(both.of.notes[0], "another device: A m, B n");
    done(&both, true);
}

static void test_other_problem(void **state)
{
    const char *a = ONE(US("1") GLOBAL("32"));
    char b[2048];
    struct both both;
    char *at;

    (void)state;
    snprintf(b, sizeof b, "%s", ONE(US("2") GLOBAL("64")));
    at = strstr(b, "\"rows\": 64");
    memcpy(at, "\"rows\": 65", 10);
    start(&both, a, b, &usual);
    assert_int_equal(both.of.pairs[0].differs, BL_CMP_PROBLEM);
    assert_false(both.of.pairs[0].has_ratio);
    assert_int_equal(both.of.pairs[0].changed_count, 0);
    assert_string_equal(both.of.pairs[0].why, "another problem");
    done(&both, true);
}

/* Of what is as large, one is a batch. */
static void test_other_batch(void **state)
{
    const char *a = ONE(US("1") GLOBAL("32"));
    static const char whole[] = "\"elem\": 4}", batch[] = "\"elem\": 4, \"batch\": 2}";
    char b[2048];
    struct both both;
    const char *at;

    (void)state;
    at = strstr(a, whole);
    snprintf(b, sizeof b, "%.*s%s%s", (int)(at - a), a, batch, at + sizeof whole - 1);
    start(&both, a, b, &usual);
    assert_int_equal(both.a.cases[0].batch, 1);
    assert_int_equal(both.b.cases[0].batch, 2);
    assert_int_equal(both.of.pairs[0].differs, BL_CMP_PROBLEM);
    done(&both, true);
}

#define ROUNDS                                                                           \
    ", \"slowdown\": {\"baseline\": {\"case\": \"x\", \"ratio\": 2, \"low\": 1.99, "     \
    "\"high\": 2.01}}"

static void test_one_file(void **state)
{
    const struct bl_cmp_options against = {.tolerance = 0.01, .against = "y"};
    const char *a =
        HEAD("m", "x") CASE("x", "", "pass", TIME("gpu", "10", "9", "11")) "," CASE(
            "y", "", "pass", SLOW ROUNDS) "," CASE("z", "", "pass", SLOW) TAIL;
    struct both both;

    (void)state;
    start(&both, a, NULL, &usual);
    assert_int_equal(both.of.count, 2);
    assert_string_equal(both.of.against->name, "x");
    assert_int_equal(both.of.pairs[0].how, BL_CMP_ROUNDS);
    assert_float_equal(both.of.pairs[0].low, 1.99, 1e-12);
    assert_int_equal(both.of.pairs[1].how, BL_CMP_MEDIANS);
    assert_float_equal(both.of.pairs[1].low, 20.0 / 11, 1e-12);
    done(&both, false);
    start(&both, a, NULL, &against);
    assert_string_equal(both.of.pairs[0].b->name, "x");
    assert_float_equal(both.of.pairs[0].ratio, 0.5, 1e-12);
    assert_int_equal(both.of.pairs[0].how, BL_CMP_MEDIANS);
    assert_int_equal(both.of.pairs[1].verdict, BL_CMP_SAME);
    done(&both, false);
}

/* ---- failing
 * ---------------------------------------------------------------------------- */

static unsigned failed(const char *a, const char *b, const struct bl_cmp_options *options)
{
    struct both both;
    unsigned out;

    start(&both, a, b, options);
    out = both.of.pairs[0].failed;
    assert_int_equal(bl_compare_failed(&both.of), out != 0);
    done(&both, true);
    return out;
}

static void test_fail(void **state)
{
    const struct bl_cmp_options slower = {
        .tolerance = 0.01, .has_fail_slower = true, .fail_slower = 0.02};
    const struct bl_cmp_options counts = {.tolerance = 0.01, .has_fail_counts = true};
    const char *fast = ONE(TIME("gpu", "10", "10", "10") GLOBAL("32"));
    const char *more = ONE(TIME("gpu", "10", "10", "10") GLOBAL("64"));
    const char *slow = ONE(TIME("gpu", "10.4", "10.3", "10.5") GLOBAL("32"));
    const char *maybe = ONE(TIME("gpu", "10.4", "10.1", "10.7") GLOBAL("32"));
    const char *broken = HEAD("m", "x") CASE("x", "", "fail", GLOBAL("32")) TAIL;
    const char *skipped = HEAD("m", "x") CASE("x", "", "skip", "") TAIL;

    (void)state;
    assert_int_equal(failed(fast, slow, &usual), 0);
    assert_int_equal(failed(fast, slow, &slower), BL_CMP_TOO_SLOW);
    assert_int_equal(failed(slow, fast, &slower), 0);
    assert_int_equal(failed(fast, maybe, &slower), 0);
    assert_int_equal(failed(fast, slow, &counts), 0);
    assert_int_equal(failed(fast, more, &counts), BL_CMP_COUNTS_ROSE);
    assert_int_equal(failed(fast, more, &slower), 0);
    assert_int_equal(failed(more, fast, &counts), 0);
    assert_int_equal(failed(fast, broken, &usual), 0);
    assert_int_equal(failed(fast, broken, &slower), BL_CMP_BROKE);
    assert_int_equal(failed(fast, broken, &counts), BL_CMP_BROKE);
    assert_int_equal(failed(broken, fast, &counts), 0);
    assert_int_equal(failed(broken, broken, &counts), 0);
    assert_int_equal(failed(fast, skipped, &slower), 0);
}

/* A test that tests nothing must not pass. */
static void test_gates(void **state)
{
    const struct bl_cmp_options slower = {.tolerance = 0.01, .has_fail_slower = true};
    const struct bl_cmp_options counts = {.tolerance = 0.01, .has_fail_counts = true};
    const char *untimed = ONE(GLOBAL("32")), *uncounted = ONE(US("1"));
    struct bl_error err;
    struct both both;

    (void)state;
    start(&both, untimed, untimed, &slower);
    assert_int_equal(bl_compare_gates(&both.of, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "--fail-slower"));
    done(&both, true);
    start(&both, untimed, untimed, &counts);
    assert_int_equal(bl_compare_gates(&both.of, &err), BL_OK);
    done(&both, true);
    start(&both, uncounted, uncounted, &counts);
    assert_int_equal(bl_compare_gates(&both.of, &err), BL_E_INPUT);
    assert_non_null(strstr(err.text, "--fail-counts"));
    done(&both, true);
    start(&both, uncounted, uncounted, &slower);
    assert_int_equal(bl_compare_gates(&both.of, &err), BL_OK);
    done(&both, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),     cmocka_unit_test(test_interval),
        cmocka_unit_test(test_sources),      cmocka_unit_test(test_counts),
        cmocka_unit_test(test_atomics),      cmocka_unit_test(test_count_sources),
        cmocka_unit_test(test_large_counts), cmocka_unit_test(test_clock),
        cmocka_unit_test(test_overlap),      cmocka_unit_test(test_other_problem),
        cmocka_unit_test(test_other_batch),  cmocka_unit_test(test_one_file),
        cmocka_unit_test(test_fail),         cmocka_unit_test(test_gates),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
