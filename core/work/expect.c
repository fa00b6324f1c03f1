/* SPDX-License-Identifier: Apache-2.0
 *
 * expect.c - the assertions of a profile, against what came.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "work/measure_fields.h"

static const char *op_name(enum bl_op op)
{
    static const char *const names[] = {
        [BL_LT] = "<",  [BL_LE] = "<=", [BL_GT] = ">",
        [BL_GE] = ">=", [BL_EQ] = "=",  [BL_NE] = "!=",
    };
    return names[op];
}

static bool holds(double got, enum bl_op op, double wanted)
{
    switch (op) {
    case BL_LT: return got < wanted;
    case BL_LE: return got <= wanted;
    case BL_GT: return got > wanted;
    case BL_GE: return got >= wanted;
    case BL_EQ: return got == wanted;
    case BL_NE: break;
    }
    return got != wanted;
}

static bool is_verdict(const struct bl_expect *expect)
{
    return strcmp(expect->field, BL_FIELD_VERDICT) == 0;
}

/* Makes the case fail by this expectation; `got` says what came instead. */
static void refuse(const struct bl_profile *profile, const struct bl_expect *expect,
                   const char *got, struct bl_result *result)
{
    bl_result_say(result, BL_FAIL, "%s:%d: expect.%s %s %s is not met: %s", profile->path,
                  expect->line, expect->field, op_name(expect->op), expect->text, got);
}

/* The result as expectations see it. What a profile expects of shared memory is a
 * property of the access pattern. Hardware counts more than that on a busy SM (see
 * doc/model.md, "What counters add"), and has no worst ways: where the model counted
 * beside it, the model's numbers decide. */
static struct bl_result of_the_pattern(const struct bl_result *result)
{
    struct bl_result view = *result;
    const struct bl_model_counts *model = &result->counts.beside;

    if (view.counts.shared_source != BL_SRC_COUNTER ||
        model->shared_source != BL_SRC_MODEL)
        return view;
    view.counts.shared_source = model->shared_source;
    view.counts.shared_load = model->shared_load;
    view.counts.shared_store = model->shared_store;
    view.counts.shared_atomic = model->shared_atomic;
    view.counts.shared_async = model->shared_async;
    return view;
}

static bool check_number(const struct bl_profile *profile, const struct bl_expect *expect,
                         struct bl_result *result)
{
    const struct bl_field *field = bl_field_find(expect->field);
    const struct bl_result view = of_the_pattern(result);
    char got[128];
    double value;

    if (!field || !field->get(&view, &value)) {
        refuse(profile, expect, "there is no such number here", result);
        return false;
    }
    if (holds(value, expect->op, expect->number))
        return true;
    if (field->whole)
        snprintf(got, sizeof got, "got %.0f", value);
    else
        snprintf(got, sizeof got, "got %.6g%s%s", value, field->unit ? " " : "",
                 field->unit ? field->unit : "");
    refuse(profile, expect, got, result);
    return false;
}

/* Turns a verdict that was asked for into a pass. */
static void pass_as_expected(struct bl_result *result)
{
    static const char *const did[] = {
        [BL_PASS] = "passed",
        [BL_FAIL] = "failed",
        [BL_SKIP] = "skipped",
        [BL_ERROR] = "had an error",
    };

    if (result->verdict != BL_PASS)
        bl_result_say(result, BL_PASS, "%s as expected: %s", did[result->verdict],
                      result->detail);
}

/* True if the other expectations are to be looked at. */
static bool check_verdict(const struct bl_profile *profile, struct bl_result *result)
{
    bool asked = false;

    for (size_t i = 0; i < result->of->expect_count; i++) {
        const struct bl_expect *expect = &result->of->expects[i];
        const char *is = bl_verdict_name(result->verdict);
        char got[sizeof result->detail + 16];

        if (!is_verdict(expect))
            continue;
        asked = true;
        if ((strcmp(expect->text, is) == 0) == (expect->op == BL_EQ))
            continue;
        snprintf(got, sizeof got, "got %s%s%s", is, *result->detail ? ": " : "",
                 result->detail);
        refuse(profile, expect, got, result);
        return false;
    }
    if (asked)
        pass_as_expected(result);
    return result->verdict == BL_PASS;
}

void bl_expect_check(const struct bl_profile *profile, struct bl_result *result)
{
    if (!check_verdict(profile, result))
        return;
    for (size_t i = 0; i < result->of->expect_count; i++) {
        const struct bl_expect *expect = &result->of->expects[i];
        if (!is_verdict(expect) && !check_number(profile, expect, result))
            return;
    }
}
