/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <string.h>

#include "fake_lab.h"

/* ---- verdicts ----------------------------------------------------------------- */

static void each_deed_gets_its_verdict(void **state)
{
    static const struct {
        enum fake_deed deed;
        enum bl_verdict verdict;
        const char *says;
        bool counted;
    } want[] = {
        {FAKE_RIGHT, BL_PASS, "", true},
        {FAKE_WRONG, BL_FAIL, "1 of 128 elements wrong, first at row 0 column 5", true},
        {FAKE_UNWRITTEN, BL_FAIL,
         "1 of 128 elements wrong (1 never written), first at row 7 column 15", true},
        {FAKE_IDLE, BL_FAIL, "128 of 128 elements wrong (128 never written)", true},
        {FAKE_GUARD, BL_FAIL, "outside of the buffer 'output': byte 3 after its end",
         true},
        {FAKE_GUARD_BEFORE, BL_FAIL,
         "outside of the buffer 'input': byte 8 before its start", true},
        {FAKE_INPUT_CHANGED, BL_FAIL, "changed its input: byte 7", true},
        {FAKE_FAULT, BL_FAIL, "out of bounds by the fake", false},
        {FAKE_BAD_PTX, BL_ERROR, "no such kernel", false},
        {FAKE_UNSUPPORTED, BL_SKIP, "not here", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct lab lab;
        const struct bl_result *results;

        lab_init(&lab);
        lab_add(&lab, "before", FAKE_RIGHT, 1);
        lab_add(&lab, "it", want[i].deed, 1);
        lab_add(&lab, "after", FAKE_RIGHT, 1);
        results = lab_run(&lab);
        assert_int_equal(results[1].verdict, want[i].verdict);
        assert_contains(results[1].detail, want[i].says);
        assert_int_equal(results[1].counts.shared_source == BL_SRC_MODEL,
                         want[i].counted);
        assert_int_equal(results[0].verdict, BL_PASS);
        assert_int_equal(results[2].verdict, BL_PASS);
        assert_string_equal(results[2].detail, "");
        lab_end(&lab);
    }
}

static void a_missing_write_shows_at_every_width(void **state)
{
    static const uint32_t elems[] = {1, 4, 16};

    (void)state;
    /* One byte, many seeds: were the poison blind to what is right, 1 run in 256
     * would pass. */
    for (size_t e = 0; e < 3; e++)
        for (uint64_t seed = 0; seed < 1500; seed++) {
            struct lab lab;
            lab_init(&lab);
            lab.profile.run.seed = seed;
            lab_add(&lab, "it", FAKE_UNWRITTEN, 1)->problem.elem = elems[e];
            assert_int_equal(lab_run(&lab)[0].verdict, BL_FAIL);
            lab_end(&lab);
        }
}

/* Who does not know batches is not asked for one, and never wrong. */
static void batches_are_for_those_that_know_them(void **state)
{
    struct lab lab;
    const struct bl_result *results;
    struct bl_plugin knows = fake_plugin;

    (void)state;
    knows.abi.flags = BANKLAB_BATCHES;
    lab_init(&lab);
    lab_add(&lab, "not asked", FAKE_RIGHT, 1)->problem.batch = 3;
    lab_add(&lab, "one", FAKE_RIGHT, 1)->problem.batch = 1;
    for (size_t i = 2; i < 4; i++) {
        struct bl_case *of = lab_add(&lab, i == 2 ? "right" : "wrong",
                                     i == 2 ? FAKE_RIGHT : FAKE_UNWRITTEN, 1);
        of->plugin = &knows;
        of->problem.batch = 3;
    }
    results = lab_run(&lab);
    assert_int_equal(results[0].verdict, BL_SKIP);
    assert_string_equal(results[0].detail, "batch = 3: this plugin knows no batches");
    assert_int_equal(results[1].verdict, BL_PASS);
    assert_int_equal(results[2].verdict, BL_PASS);
    assert_int_equal(results[3].verdict, BL_FAIL);
    assert_contains(results[3].detail, "1 of 384 elements wrong (1 never written), first "
                                       "at matrix 2 row 7 column 15");
    lab_end(&lab);
}

static void skips_say_why(void **state)
{
    struct lab lab;
    const struct bl_result *results;
    struct bl_plugin newer = fake_plugin;

    (void)state;
    newer.abi.min_cc = 100;
    lab_init(&lab);
    lab_add(&lab, "wide", FAKE_RIGHT, 1)->problem.elem = 8;
    lab_add(&lab, "newer", FAKE_RIGHT, 1)->plugin = &newer;
    lab_add(&lab, "unlucky", FAKE_RIGHT, 1)->problem.rows = 13;
    results = lab_run(&lab);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(results[i].verdict, BL_SKIP);
    assert_string_equal(results[0].detail,
                        "elements of 8 bytes: this plugin does those of 1, 4 or 16");
    assert_string_equal(results[1].detail,
                        "needs compute capability 10.0, the device has 9.0");
    assert_string_equal(results[2].detail, "13 rows bring bad luck");
    assert_int_equal(lab.fake.runs, 0);
    assert_int_equal(bl_report_exit_status(lab.report), 0);
    lab_end(&lab);
}

static void too_large_a_problem_fails_alone(void **state)
{
    struct lab lab;
    const struct bl_result *results;

    (void)state;
    lab_init(&lab);
    lab_add(&lab, "large", FAKE_RIGHT, 1)->problem.cols = 1 << 20;
    lab_add(&lab, "huge", FAKE_RIGHT, 1)->problem.cols = UINT64_MAX;
    lab_add(&lab, "small", FAKE_RIGHT, 1);
    results = lab_run(&lab);
    assert_int_equal(results[0].verdict, BL_ERROR);
    assert_contains(results[0].detail, "needs 100,679,680 bytes of memory (96.0 MiB); a "
                                       "case may use 1,048,576 (1.0 MiB)");
    assert_int_equal(results[1].verdict, BL_ERROR);
    assert_int_equal(results[2].verdict, BL_PASS);
    assert_int_equal(bl_report_exit_status(lab.report), 2);
    lab_end(&lab);
}

/* ---- bad plugins ---------------------------------------------------------------- */

static int plan_calls;

static int plan_impure(const struct banklab_problem *problem, const banklab_value *params,
                       struct banklab_plan *plan, struct banklab_error *error)
{
    const int said = fake_plugin.abi.plan(problem, params, plan, error);
    plan->launches[0].shared_bytes = (uint32_t)++plan_calls;
    return said;
}

static int plan_broken(const struct banklab_problem *problem, const banklab_value *params,
                       struct banklab_plan *plan, struct banklab_error *error)
{
    (void)problem, (void)params, (void)plan;
    memset(error->text, 'x', sizeof error->text); /* no NUL */
    return BANKLAB_FAILED;
}

static int plan_odd(const struct banklab_problem *problem, const banklab_value *params,
                    struct banklab_plan *plan, struct banklab_error *error)
{
    (void)problem, (void)params, (void)plan, (void)error;
    return 7;
}

static int plan_empty(const struct banklab_problem *problem, const banklab_value *params,
                      struct banklab_plan *plan, struct banklab_error *error)
{
    (void)problem, (void)params, (void)plan, (void)error;
    return BANKLAB_OK;
}

static void bad_plans_are_errors(void **state)
{
    static const struct {
        int (*plan)(const struct banklab_problem *, const banklab_value *,
                    struct banklab_plan *, struct banklab_error *);
        const char *says;
    } bad[] = {
        {plan_impure, "fake.so: plan is not pure"},
        {plan_broken, "fake.so: plan failed: xxx"},
        {plan_odd, "fake.so: plan returned 7"},
        {plan_empty, "fake.so: plan: 0 launches"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bl_plugin plugin = fake_plugin;
        const struct bl_result *result;
        struct lab lab;

        plugin.abi.plan = bad[i].plan;
        lab_init(&lab);
        lab_add(&lab, "it", FAKE_RIGHT, 1)->plugin = &plugin;
        result = lab_run(&lab);
        assert_int_equal(result->verdict, BL_ERROR);
        assert_contains(result->detail, bad[i].says);
        assert_int_equal(lab.fake.runs, 0);
        lab_end(&lab);
    }
}

static int reference_inverse(const struct banklab_problem *problem,
                             const banklab_value *params, const void *in, void *out,
                             struct banklab_error *error)
{
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)params;
    if (problem->rows == 7)
        return banklab_unsupported(error, "no reference for 7 rows");
    for (uint64_t i = 0; i < problem->rows * problem->cols * problem->elem; i++)
        to[i] = (uint8_t)~from[i];
    return BANKLAB_OK;
}

static void a_plugin_may_bring_its_reference(void **state)
{
    struct bl_plugin own = fake_plugin, none = fake_plugin;
    const struct bl_result *results;
    struct lab lab;

    (void)state;
    own.abi.reference = reference_inverse;
    none.abi.kind = "pattern";
    lab_init(&lab);
    lab_add(&lab, "own", FAKE_RIGHT, 1)->plugin = &own;
    lab_add(&lab, "refuses", FAKE_RIGHT, 1)->plugin = &own;
    lab.cases[1].problem.rows = 7;
    lab_add(&lab, "none", FAKE_RIGHT, 1)->plugin = &none;
    results = lab_run(&lab);
    assert_int_equal(results[0].verdict, BL_FAIL); /* a copy is not the inverse */
    assert_contains(results[0].detail, "128 of 128 elements wrong, first");
    assert_int_equal(results[1].verdict, BL_SKIP);
    assert_string_equal(results[1].detail, "no reference for 7 rows");
    assert_int_equal(results[2].verdict, BL_ERROR);
    assert_contains(results[2].detail, "must bring a reference");
    lab_end(&lab);
}

/* ---- inputs, progress ------------------------------------------------------------- */

static void inputs_differ_by_case_and_seed(void **state)
{
    struct lab a, b;

    (void)state;
    lab_init(&a);
    lab_add(&a, "one", FAKE_RIGHT, 1);
    lab_add(&a, "two", FAKE_RIGHT, 1);
    lab_run(&a);
    lab_init(&b);
    lab_add(&b, "two", FAKE_RIGHT, 1);
    lab_run(&b);
    assert_int_not_equal(a.fake.first_input[0], a.fake.first_input[1]);
    assert_int_equal(a.fake.first_input[1], b.fake.first_input[0]);
    lab_end(&b);
    b.profile.run.seed++;
    lab_run(&b);
    assert_int_not_equal(b.fake.first_input[0], b.fake.first_input[1]);
    lab_end(&a);
    lab_end(&b);
}

static void progress_counts_every_run(void **state)
{
    struct lab lab;

    (void)state;
    lab_init(&lab);
    lab_add(&lab, "a", FAKE_RIGHT, 4);
    lab_add(&lab, "b", FAKE_WRONG, 1);
    lab_run(&lab);
    assert_string_equal(lab.progress, "0/3 a\n1/3 b\n2/3 a, twin ways=1\n");
    assert_string_equal(lab.fake.labels[2], "a, twin ways=1");
    lab_end(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_deed_gets_its_verdict),
        cmocka_unit_test(a_missing_write_shows_at_every_width),
        cmocka_unit_test(skips_say_why),
        cmocka_unit_test(batches_are_for_those_that_know_them),
        cmocka_unit_test(too_large_a_problem_fails_alone),
        cmocka_unit_test(bad_plans_are_errors),
        cmocka_unit_test(a_plugin_may_bring_its_reference),
        cmocka_unit_test(inputs_differ_by_case_and_seed),
        cmocka_unit_test(progress_counts_every_run),
    };
    return RUN_TAP(tests);
}
