/* SPDX-License-Identifier: Apache-2.0
 *
 * measure.c - names, ownership and the exit status of results.
 */
#include "work/measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bl_counted_name(enum bl_counted counted)
{
    static const char *const names[] = {NULL, "instructions", "hardware"};
    return names[counted];
}

const char *bl_source_name(enum bl_source source)
{
    switch (source) {
    case BL_SRC_MODEL: return "model";
    case BL_SRC_COUNTER: return "counter";
    case BL_SRC_GPU: return "gpu";
    case BL_SRC_PREDICTED: return "predicted";
    case BL_SRC_NONE: break;
    }
    return NULL;
}

const char *bl_verdict_name(enum bl_verdict verdict)
{
    switch (verdict) {
    case BL_PASS: return "pass";
    case BL_FAIL: return "fail";
    case BL_SKIP: return "skip";
    case BL_ERROR: break;
    }
    return "error";
}

static bool shared_differ(const struct bl_shared_counts *a,
                          const struct bl_shared_counts *b)
{
    return a->requests != b->requests || a->wavefronts != b->wavefronts ||
           a->conflicts != b->conflicts;
}

static bool global_differ(const struct bl_global_counts *a,
                          const struct bl_global_counts *b)
{
    return a->requests != b->requests || a->sectors != b->sectors;
}

bool bl_counts_differ(const struct bl_counts *counts)
{
    const struct bl_model_counts *model = &counts->beside;

    return (model->shared_source != BL_SRC_NONE &&
            (shared_differ(&counts->shared_load, &model->shared_load) ||
             shared_differ(&counts->shared_store, &model->shared_store) ||
             shared_differ(&counts->shared_atomic, &model->shared_atomic) ||
             shared_differ(&counts->shared_async, &model->shared_async))) ||
           (model->global_source != BL_SRC_NONE &&
            (global_differ(&counts->global_load, &model->global_load) ||
             global_differ(&counts->global_store, &model->global_store)));
}

void bl_result_say(struct bl_result *result, enum bl_verdict verdict, const char *format,
                   ...)
{
    char text[sizeof result->detail] = "";
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    result->verdict = verdict;
    memcpy(result->detail, text, sizeof text);
}

void bl_report_free(struct bl_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->count; i++) {
        free(report->results[i].baseline.against);
        free(report->results[i].twin.against);
    }
    for (size_t i = 0; i < report->reference_count; i++)
        free(report->references[i].name);
    for (size_t i = 0; i < report->warning_count; i++)
        free(report->warnings[i]);
    free(report->warnings);
    free(report->references);
    free(report->results);
    free(report);
}

enum bl_status bl_report_warn(struct bl_report *report, struct bl_error *err,
                              const char *format, ...)
{
    char **more =
        realloc(report->warnings, (report->warning_count + 1) * sizeof *report->warnings);
    char text[512];
    va_list ap;

    if (!more)
        return bl_error_nomem(err);
    report->warnings = more;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (!(more[report->warning_count] = strdup(text)))
        return bl_error_nomem(err);
    report->warning_count++;
    return BL_OK;
}

int bl_report_exit_status(const struct bl_report *report)
{
    int status = 0;

    for (size_t i = 0; i < report->count; i++) {
        if (report->results[i].verdict == BL_ERROR)
            return 2;
        if (report->results[i].verdict == BL_FAIL)
            status = 1;
    }
    return status;
}
