/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_report.h - an advice, told: as text and as JSON (banklab.advise/1).
 */
#ifndef BL_ADVISE_REPORT_H
#define BL_ADVISE_REPORT_H

#include <stdio.h>

#include "bank/advise.h"

struct bl_advice_report {
    const struct bl_advise_job *job;
    const struct bl_advice *advice;
    bool wrong;          /* the accesses are of a kernel whose results are wrong */
    const char *subject; /* one line: whose accesses these are */
    /* What to write for each layout: pasted[kind * job->count + access], each fresh or
     * NULL; NULL altogether where accesses have no expressions. */
    char **pasted;
    const char *const *notes; /* what a reader must know besides */
    size_t note_count;
};

/* The article's decision tree, answered from the advice. */
enum bl_question { BL_Q_MEMORY, BL_Q_SPEED, BL_Q_FIXED, BL_Q_ELSE, BL_QUESTIONS };
const char *bl_question_text(enum bl_question question);
/* Both fresh; NULL if memory ran out. */
char *bl_advice_answer(const struct bl_advice_report *report, enum bl_question question);
char *bl_advice_verdict(const struct bl_advice_report *report);

/* Each writes all and flushes it; BL_E_IO if that failed. */
enum bl_status bl_advice_text(const struct bl_advice_report *report, FILE *out,
                              struct bl_error *err);
enum bl_status bl_advice_json(const struct bl_advice_report *report, FILE *out,
                              struct bl_error *err);

#endif
