/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_lab.h - a profile made by hand, run on the fake device.
 */
#ifndef FAKE_LAB_H
#define FAKE_LAB_H

#include "fake_device.h"
#include "work/runner.h"

enum { CASES_MAX = 6 };

struct lab {
    struct fake_device fake;
    struct bl_profile profile;
    struct bl_case cases[CASES_MAX];
    banklab_value params[CASES_MAX][FAKE_PARAMS];
    struct bl_report *report;
    char progress[512];
};

void lab_init(struct lab *lab);

/* Appends a case of fake_case; to be changed before the run. */
struct bl_case *lab_add(struct lab *lab, const char *name, enum fake_deed deed,
                        int64_t ways);

/* Runs it, and notes the progress; the results, one a case. End with lab_end. */
const struct bl_result *lab_run(struct lab *lab);
void lab_end(struct lab *lab);

#endif
