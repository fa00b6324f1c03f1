/* SPDX-License-Identifier: Apache-2.0
 *
 * fixture.h - reports made by hand, and comparing a view with a golden file.
 */
#ifndef T_REPORT_FIXTURE_H
#define T_REPORT_FIXTURE_H

#include "report/report.h"

enum { FIXTURE_CASES = 8 };

struct fixture {
    struct bl_report report;
    struct bl_profile profile;
    struct bl_plugin tile, copy;
    struct bl_case cases[FIXTURE_CASES];
    struct bl_result results[FIXTURE_CASES];
    banklab_value params[FIXTURE_CASES][2];
};

/* An empty report of the model, to which cases are added. */
void fixture_begin(struct fixture *fix);

/* Adds a case that passed, with nothing measured. `pad` below 0: of the plugin without
 * parameters. */
struct bl_result *fixture_case(struct fixture *fix, const char *name, int pad);

/* Fills every group of a result: `ways` wide conflicts, `slow` times the baseline. */
void fixture_measure(struct bl_result *result, uint32_t ways, double slow);

/* conflicted, padded, copy, all measured by the model. */
void fixture_usual(struct fixture *fix);

/* The view as one string, to be freed. */
char *fixture_view(const struct fixture *fix, enum bl_format format,
                   const struct bl_style *style);

/* Fails unless `view` is what t/report/golden/NAME holds, the program's version apart;
 * what came is then left in t/report/NAME.got of the build tree. With UPDATE_GOLDEN set
 * in the environment it becomes the golden file. */
void fixture_golden(const char *name, const char *view);

#endif
