/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing in rounds, on a device whose every time is written here.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/timing.h"

enum { JOBS = 4 };

/* A device that times: job i takes base[i], all drift together, each has noise. */
struct clocked {
    struct bl_device dev;
    double base[JOBS];
    double drift, noise; /* a round; a part of each time */
    uint64_t random;
    int refuses, faults_when_added; /* these jobs; -1: none */
    int faults_when_timed;          /* this job, in round `fault_round` */
    size_t fault_round, rounds;
    bool says_which;
    int added[JOBS];
    size_t added_count, adds, ends, states;
};

static double random_part(struct clocked *clocked)
{
    clocked->random = clocked->random * UINT64_C(6364136223846793005) + 1;
    return (double)(clocked->random >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static enum bl_status time_add(struct bl_device *dev, const struct bl_timed_job *job,
                               const struct bl_run_options *options,
                               struct bl_timed_setup *out, struct bl_error *err)
{
    struct clocked *clocked = (struct clocked *)dev;
    const int which = job->label[0] - 'a';

    (void)options;
    clocked->adds++;
    if (which == clocked->refuses)
        return bl_error_set(err, BL_E_INPUT, "too large");
    if (which == clocked->faults_when_added) {
        clocked->added_count = 0;
        return bl_error_set(err, BL_E_FAULT, "fell over");
    }
    clocked->added[clocked->added_count++] = which;
    *out = (struct bl_timed_setup){.sets = 3, .runs = 6, .rotated = 1000, .l2 = 100};
    return BL_OK;
}

static enum bl_status time_round(struct bl_device *dev, double *out, size_t count,
                                 size_t *lost, struct bl_error *err)
{
    struct clocked *clocked = (struct clocked *)dev;

    assert_int_equal(count, clocked->added_count);
    for (size_t i = 0; i < count; i++) {
        const int which = clocked->added[i];
        if (which == clocked->faults_when_timed &&
            clocked->rounds == clocked->fault_round) {
            *lost = clocked->says_which ? i : BL_NO_JOB;
            clocked->added_count = 0;
            return bl_error_set(err, BL_E_FAULT, "fell over");
        }
        out[i] = clocked->base[which] * (1 + clocked->drift * (double)clocked->rounds) *
                 (1 + clocked->noise * random_part(clocked));
    }
    clocked->rounds++;
    return BL_OK;
}

static void time_end(struct bl_device *dev)
{
    struct clocked *clocked = (struct clocked *)dev;

    clocked->added_count = 0;
    clocked->ends++;
}

static void tell_state(struct bl_device *dev, struct bl_device_state *out)
{
    struct clocked *clocked = (struct clocked *)dev;

    *out = (struct bl_device_state){.present = true,
                                    .sm_mhz = 1000 + (uint32_t)clocked->rounds};
    clocked->states++;
}

static const struct bl_device_ops ops = {
    .backend = "clocked",
    .time_add = time_add,
    .time_round = time_round,
    .time_end = time_end,
    .state = tell_state,
};

/* ---- the lab around it ---------------------------------------------------------------
 */

struct bench {
    struct clocked clocked;
    struct bl_run_options options;
    struct bl_timing timing;
    size_t progress;
};

static void note(void *ctx, const char *what)
{
    struct bench *bench = ctx;

    assert_non_null(what);
    bench->progress++;
}

static int set_up(void **state)
{
    static const char *const labels[JOBS] = {"a", "b", "c", "d"};
    struct bench *bench = test_calloc(1, sizeof *bench);

    bench->clocked = (struct clocked){.dev = {.ops = &ops},
                                      .base = {10, 20, 30, 40},
                                      .random = 7,
                                      .refuses = -1,
                                      .faults_when_added = -1,
                                      .faults_when_timed = -1,
                                      .says_which = true};
    bench->options = (struct bl_run_options){.precision = 0.5, .max_time = 20};
    /* bl_timing_free frees it, so that it is not cmocka's. */
    bench->timing.subjects = calloc(JOBS, sizeof *bench->timing.subjects);
    bench->timing.count = JOBS;
    for (int i = 0; i < JOBS; i++)
        bench->timing.subjects[i].job.label = labels[i];
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;

    bl_timing_free(&bench->timing);
    test_free(bench);
    return 0;
}

static struct bl_subject *run(struct bench *bench)
{
    struct bl_error err = {.text = ""};

    if (bl_timing_run(&bench->clocked.dev, &bench->options, note, bench, &bench->timing,
                      &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(bench->clocked.added_count, 0);
    assert_true(bench->clocked.ends > 0 && bench->progress > 0);
    return bench->timing.subjects;
}

static struct bl_estimate ratio(struct bench *bench, int self, int other)
{
    struct bl_estimate out;
    struct bl_error err;

    assert_int_equal(bl_timing_ratio(&bench->timing, &bench->timing.subjects[self],
                                     &bench->timing.subjects[other], &out, &err),
                     BL_OK);
    return out;
}

static void a_still_device_needs_seven_rounds(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects = run(bench);

    assert_int_equal(bench->timing.rounds, 7);
    assert_int_equal(bench->timing.end, BL_END_PRECISE);
    for (int i = 0; i < JOBS; i++) {
        assert_true(subjects[i].timed);
        assert_true(subjects[i].us.median == 10.0 * (i + 1));
        assert_true(subjects[i].us.low == subjects[i].us.high);
        assert_int_equal(subjects[i].setup.sets, 3);
    }
    assert_int_equal(bench->timing.before.sm_mhz, 1000);
    assert_int_equal(bench->timing.after.sm_mhz, 1007);
}

static void noise_takes_more_rounds(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects;

    bench->clocked.noise = 0.01;
    subjects = run(bench);
    assert_true(bench->timing.rounds > 7);
    assert_int_equal(bench->timing.end, BL_END_PRECISE);
    for (int i = 0; i < JOBS; i++)
        assert_true(subjects[i].us.high - subjects[i].us.low <=
                    subjects[i].us.median * 0.005);
}

static void what_drifts_hits_all_alike(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects;
    struct bl_estimate out;

    bench->clocked.drift = 0.05;
    bench->clocked.noise = 0.002;
    bench->options.max_time = 0.02;
    subjects = run(bench);
    assert_true(bench->timing.end != BL_END_PRECISE);
    /* The times are all over the place, ... */
    assert_true(subjects[2].us.high - subjects[2].us.low > 0.1 * subjects[2].us.median);
    /* ... the ratios are not, and they are right. */
    out = ratio(bench, 2, 0);
    assert_true(fabs(out.median - 3) < 0.01);
    assert_true(out.low <= 3.002 && out.high >= 2.998);
    assert_true(out.high - out.low < 0.01 * out.median);
}

static void it_stops_when_time_is_over(void **state)
{
    struct bench *bench = *state;

    bench->clocked.noise = 0.5;
    bench->options.precision = 0.0001;
    bench->options.max_time = 0.01;
    run(bench);
    assert_int_equal(bench->timing.end, BL_END_TIME);
    assert_true(bench->timing.rounds >= 7);
}

static void it_stops_when_rounds_are_many(void **state)
{
    struct bench *bench = *state;

    bench->clocked.noise = 0.5;
    bench->options.precision = 0.0001;
    bench->options.max_time = 1000;
    run(bench);
    assert_int_equal(bench->timing.end, BL_END_ROUNDS);
    assert_int_equal(bench->timing.rounds, 2000);
}

static void who_can_not_be_added_is_left_out(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects;

    bench->clocked.refuses = 1;
    subjects = run(bench);
    assert_false(subjects[1].timed);
    assert_string_equal(subjects[1].why.text, "too large");
    assert_true(subjects[0].us.median == 10 && subjects[2].us.median == 30 &&
                subjects[3].us.median == 40);
    assert_int_equal(bench->clocked.adds, 4);
}

static void who_faults_when_added_costs_itself(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects;

    bench->clocked.faults_when_added = 2;
    subjects = run(bench);
    assert_false(subjects[2].timed);
    assert_int_equal(subjects[2].why.status, BL_E_FAULT);
    assert_true(subjects[0].us.median == 10 && subjects[1].us.median == 20 &&
                subjects[3].us.median == 40);
}

static void who_faults_in_a_round_costs_itself(void **state)
{
    for (int which = 0; which < JOBS; which++) {
        struct bench *bench = *state;
        struct bl_subject *subjects;

        bench->clocked.faults_when_timed = which;
        bench->clocked.fault_round = 5;
        subjects = run(bench);
        for (int i = 0; i < JOBS; i++) {
            assert_int_equal(subjects[i].timed, i != which);
            if (i != which)
                assert_true(subjects[i].us.median == bench->clocked.base[i]);
        }
        assert_int_equal(subjects[which].why.status, BL_E_FAULT);
        assert_int_equal(bench->timing.rounds, 7);
        tear_down(state);
        set_up(state);
    }
}

static void a_loss_of_nobody_knows_whom_costs_all(void **state)
{
    struct bench *bench = *state;
    struct bl_subject *subjects;

    bench->clocked.faults_when_timed = 1;
    bench->clocked.fault_round = 3;
    bench->clocked.says_which = false;
    subjects = run(bench);
    for (int i = 0; i < JOBS; i++) {
        assert_false(subjects[i].timed);
        assert_string_equal(subjects[i].why.text, "fell over");
    }
    assert_int_equal(bench->timing.rounds, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_still_device_needs_seven_rounds),
        TEST(noise_takes_more_rounds),
        TEST(what_drifts_hits_all_alike),
        TEST(it_stops_when_time_is_over),
        TEST(it_stops_when_rounds_are_many),
        TEST(who_can_not_be_added_is_left_out),
        TEST(who_faults_when_added_costs_itself),
        TEST(who_faults_in_a_round_costs_itself),
        TEST(a_loss_of_nobody_knows_whom_costs_all),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("timing", tests, NULL, NULL);
}
