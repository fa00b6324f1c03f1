/* SPDX-License-Identifier: Apache-2.0
 *
 * test_calibrate.c - the comparison: a device that is as the rules say has no
 * disagreement, one that is otherwise has, and each is told.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../rules/rows.h"
#include "calibrate/calibrate.h"
#include "calibrate/calibrate_model.h"

/* A device whose numbers are the rules of another arch, a little changed. */
struct made_up {
    struct bl_arch arch;
    double more_cycles; /* above the rule */
    enum bl_number lacks;
    enum bl_status fails;
    size_t asked;
};

static enum bl_status measure(struct bl_cal_device *device, const struct bl_operation *op,
                              const struct bl_pattern_args *args, size_t count,
                              struct bl_numbers *out, struct bl_error *err)
{
    struct made_up *made = device->ctx;
    made->asked++;
    if (made->fails && made->asked == 3)
        return bl_error_set(err, made->fails, "lost");
    for (size_t i = 0; i < count; i++) {
        bl_numbers_expect(&made->arch, op, &args[i], &out[i]);
        out[i].at[BL_NUMBER_CYCLES] += made->more_cycles;
        if (made->lacks != BL_NUMBERS)
            out[i].at[made->lacks] = NAN;
    }
    return BL_OK;
}

struct seen {
    size_t rows, bad, bad_loads, operations;
    struct bl_cal_sum sums;
};

static void row(void *ctx, const struct bl_cal_row *row)
{
    struct seen *seen = ctx;
    bool good = true;
    for (int i = 0; i < BL_NUMBERS; i++)
        good = good && row->agrees[i];
    seen->rows++;
    seen->bad += !good;
    seen->bad_loads += !good && row->op->kind == BL_CAL_SHARED_LOAD;
}

static void done(void *ctx, const struct bl_operation *op, const struct bl_cal_sum *sum)
{
    struct seen *seen = ctx;
    (void)op;
    seen->operations++;
    seen->sums.patterns += sum->patterns;
    seen->sums.disagreements += sum->disagreements;
}

static enum bl_status run(struct made_up *made, uint32_t cc, size_t patterns,
                          struct seen *seen, struct bl_cal_sum *sum, struct bl_error *err)
{
    struct bl_calibration calibration = {
        .patterns = patterns, .seed = 1, .row = row, .done = done, .ctx = seen};
    struct bl_cal_device device = {.cc = cc, .ctx = made, .measure = measure};
    arch_of("cc90", &device.arch);
    memset(seen, 0, sizeof *seen);
    return bl_calibrate(&calibration, &device, sum, err);
}

static struct made_up right(void)
{
    struct made_up made = {.lacks = BL_NUMBERS};
    arch_of("cc90", &made.arch);
    return made;
}

static void as_the_rules(void **state)
{
    struct made_up made = right();
    struct bl_cal_sum sum;
    struct bl_error err;
    struct seen seen;
    size_t count;
    (void)state;
    bl_operation_all(&count);
    assert_int_equal(run(&made, 90, 5000, &seen, &sum, &err), BL_OK);
    assert_int_equal(sum.patterns, 5000);
    assert_int_equal(sum.disagreements, 0);
    assert_int_equal(seen.rows, 5000);
    assert_int_equal(seen.sums.patterns, 5000);
    assert_int_equal(seen.operations, count);
    /* cp.async.cg has not always a number that is known. */
    assert_true(sum.counted > 4900 && sum.timed > 3000 && sum.timed < 4000);
    /* Fewer patterns than operations: one each. */
    assert_int_equal(run(&made, 90, 1, &seen, &sum, &err), BL_OK);
    assert_int_equal(sum.patterns, count);
}

static void left_out(void **state)
{
    struct made_up made = right();
    struct bl_cal_sum sum;
    struct bl_error err;
    struct seen seen;
    size_t count, of_later = 0;
    const struct bl_operation *ops = bl_operation_all(&count);
    (void)state;
    for (size_t i = 0; i < count; i++)
        of_later += ops[i].cc > 75;
    assert_int_equal(of_later, 10);
    assert_int_equal(run(&made, 75, 1000, &seen, &sum, &err), BL_OK);
    assert_int_equal(seen.operations, count - of_later);
    assert_int_equal(sum.patterns, 1000);
}

static void otherwise(void **state)
{
    struct bl_cal_sum sum;
    struct bl_error err;
    struct seen seen;
    struct made_up made = right();
    (void)state;
    made.arch.merge_xor[1] = 0;
    assert_int_equal(run(&made, 90, 3000, &seen, &sum, &err), BL_OK);
    assert_true(sum.disagreements > 20 && sum.disagreements < 300);
    assert_int_equal(seen.bad, sum.disagreements);
    assert_int_equal(seen.sums.disagreements, sum.disagreements);
    /* Loads, and the loads of loops of 8 bytes. */
    assert_true(seen.bad_loads > 20);

    made = right();
    made.arch.sector_bytes = 64;
    assert_int_equal(run(&made, 90, 3000, &seen, &sum, &err), BL_OK);
    assert_true(sum.disagreements > 200);
    assert_int_equal(seen.bad_loads, 0);

    /* Half a cycle is more than the clock errs by; a tenth is not. */
    made = right();
    made.more_cycles = 0.5;
    assert_int_equal(run(&made, 90, 1000, &seen, &sum, &err), BL_OK);
    assert_int_equal(sum.disagreements, sum.timed);
    made.more_cycles = 0.1;
    assert_int_equal(run(&made, 90, 1000, &seen, &sum, &err), BL_OK);
    assert_int_equal(sum.disagreements, 0);
    made.more_cycles = -0.5;
    assert_int_equal(run(&made, 90, 1000, &seen, &sum, &err), BL_OK);
    assert_true(sum.disagreements > sum.timed / 2);
}

static void absent(void **state)
{
    struct made_up made = right();
    struct bl_cal_sum sum;
    struct bl_error err;
    struct seen seen;
    (void)state;
    made.lacks = BL_NUMBER_CYCLES;
    assert_int_equal(run(&made, 90, 1000, &seen, &sum, &err), BL_OK);
    assert_int_equal(sum.timed, 0);
    assert_int_equal(sum.disagreements, 0);
    made.lacks = BL_NUMBERS;
    made.fails = BL_E_FAULT;
    made.asked = 0;
    assert_int_equal(run(&made, 90, 1000, &seen, &sum, &err), BL_E_FAULT);
    assert_string_equal(err.text, "shared_load_4: lost");
}

/* The emulator against the engine: the kernels, carried out. */
static void on_the_model(void **state)
{
    struct bl_calibration calibration = {.patterns = 1500, .seed = 11};
    struct bl_cal_device device;
    struct bl_cal_sum sum;
    struct bl_error err;
    struct bl_arch arch;
    (void)state;
    arch_of("cc90", &arch);
    assert_int_equal(bl_cal_model_open(&arch, &device, &err), BL_OK);
    if (bl_calibrate(&calibration, &device, &sum, &err) != BL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(sum.patterns, 1500);
    assert_int_equal(sum.counted, 1500);
    assert_int_equal(sum.disagreements, 0);
    /* Its rules, not those compared with: each number is measured, not copied. */
    device.arch.merge_xor[0] = device.arch.merge_xor[1] = 0;
    struct made_up made = right();
    struct seen seen;
    made.arch = device.arch;
    assert_int_equal(run(&made, 90, 1500, &seen, &sum, &err), BL_OK);
    assert_true(sum.disagreements > 0);
    device.close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_rules), cmocka_unit_test(left_out),
        cmocka_unit_test(otherwise), cmocka_unit_test(absent),
        cmocka_unit_test(on_the_model)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
