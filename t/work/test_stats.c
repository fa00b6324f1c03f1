/* SPDX-License-Identifier: Apache-2.0
 *
 * Medians and their intervals: by hand where there are few samples, and by how often the
 * interval holds the truth where there are many.
 */
#include "cmocka_all.h"

#include <math.h>

#include "work/stats.h"

static struct bl_estimate estimate(const double *samples, size_t count)
{
    struct bl_estimate out;
    struct bl_error err;

    assert_int_equal(bl_stats_estimate(samples, count, &out, &err), BL_OK);
    return out;
}

static void medians(void **state)
{
    const double odd[] = {5, 1, 9, 3, 7}, even[] = {8, 2, 4, 6}, one[] = {3};

    (void)state;
    assert_true(estimate(odd, 5).median == 5);
    assert_true(estimate(even, 4).median == 5);
    assert_true(estimate(one, 1).median == 3);
}

static void samples_stay_as_they_are(void **state)
{
    const double samples[] = {5, 1, 9, 3, 7}, same[] = {5, 1, 9, 3, 7};

    (void)state;
    estimate(samples, 5);
    assert_memory_equal(samples, same, sizeof same);
}

static void few_samples_give_their_range(void **state)
{
    const double two[] = {4, 2};
    const struct bl_estimate out = estimate(two, 2);

    (void)state;
    assert_true(out.low == 2 && out.high == 4);
}

static void equal_samples_leave_no_doubt(void **state)
{
    const double same[] = {2, 2, 2, 2, 2, 2, 2, 2};
    const struct bl_estimate out = estimate(same, 8);

    (void)state;
    assert_true(out.low == 2 && out.median == 2 && out.high == 2);
}

static void same_samples_same_interval(void **state)
{
    const double samples[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    const struct bl_estimate a = estimate(samples, 11), b = estimate(samples, 11);

    (void)state;
    assert_true(a.low == b.low && a.high == b.high);
    assert_true(a.low <= a.median && a.median <= a.high && a.low < a.high);
}

/* ---- how often the interval holds the truth -----------------------------------------
 */

static uint64_t seed = 12345;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(seed >> 11) / (double)(UINT64_C(1) << 53);
}

/* As times are: bounded below, with a tail. Its median is log 2. */
static double exponential(void)
{
    return -log(1 - uniform());
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(2 * acos(-1) * uniform());
}

static double coverage(double (*draw)(void), double median, size_t count)
{
    enum { TRIALS = 400, MOST = 128 };
    double samples[MOST];
    int held = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct bl_estimate out;
        for (size_t i = 0; i < count; i++)
            samples[i] = draw();
        out = estimate(samples, count);
        held += out.low <= median && median <= out.high;
    }
    return held / (double)TRIALS;
}

/* 95 in 100, give or take what 400 trials can (two standard deviations: 2.2) and more
 * for few samples, where the ends jump from one sample to the next. */
static void intervals_hold_the_truth(void **state)
{
    const size_t counts[] = {7, 8, 11, 15, 40, 120};

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const double a = coverage(exponential, log(2), counts[i]);
        const double b = coverage(normal, 0, counts[i]);
        print_message("# %zu samples: %.1f %% and %.1f %%\n", counts[i], 100 * a,
                      100 * b);
        assert_true(a >= 0.92 && a <= 0.995);
        assert_true(b >= 0.92 && b <= 0.995);
    }
}

/* Half the interval for four times the samples. */
static void more_samples_narrow_it(void **state)
{
    enum { FEW = 30, MANY = 120, TRIALS = 50 };
    double samples[MANY], few = 0, many = 0;

    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bl_estimate out;
        for (size_t i = 0; i < MANY; i++)
            samples[i] = normal();
        out = estimate(samples, FEW);
        few += out.high - out.low;
        out = estimate(samples, MANY);
        many += out.high - out.low;
    }
    assert_true(few / many > 1.7 && few / many < 2.4);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(samples_stay_as_they_are),
        cmocka_unit_test(few_samples_give_their_range),
        cmocka_unit_test(equal_samples_leave_no_doubt),
        cmocka_unit_test(same_samples_same_interval),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(more_samples_narrow_it),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
