/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "fake_lab.h"

void lab_init(struct lab *lab)
{
    memset(lab, 0, sizeof *lab);
    fake_device_init(&lab->fake);
    lab->profile.path = (char *)"x.ini";
    lab->profile.cases = lab->cases;
    lab->profile.baseline = -1;
    lab->profile.run.seed = 5;
}

struct bl_case *lab_add(struct lab *lab, const char *name, enum fake_deed deed,
                        int64_t ways)
{
    const size_t at = lab->profile.case_count++;
    assert_true(at < CASES_MAX);
    lab->cases[at] = fake_case(name, lab->params[at], deed, ways);
    return &lab->cases[at];
}

static void note(void *ctx, size_t done, size_t total, const char *label)
{
    struct lab *lab = ctx;
    const size_t used = strlen(lab->progress);
    snprintf(lab->progress + used, sizeof lab->progress - used, "%zu/%zu %s\n", done,
             total, label);
}

const struct bl_result *lab_run(struct lab *lab)
{
    struct bl_error err = {.text = ""};
    if (bl_runner_run(&lab->profile, &lab->fake.dev, note, lab, &lab->report, &err))
        fail_msg("runner: %s", err.text);
    assert_int_equal(lab->report->count, lab->profile.case_count);
    return lab->report->results;
}

void lab_end(struct lab *lab)
{
    bl_report_free(lab->report);
}
