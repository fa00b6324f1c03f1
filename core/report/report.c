/* SPDX-License-Identifier: Apache-2.0
 *
 * report.c - picks the view, and knows the views' names.
 */
#include "report/report.h"

#include <stddef.h>
#include <string.h>

#include "load/hint.h"

static const char *const format_names[] = {"table", "json", "csv", "tap", NULL};

const char *const *bl_format_names(void)
{
    return format_names;
}

enum bl_status bl_format_find(const char *name, enum bl_format *out, struct bl_error *err)
{
    const size_t count = sizeof format_names / sizeof *format_names - 1;
    char hint[BL_HINT_SIZE];

    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, format_names[i]) == 0) {
            *out = (enum bl_format)i;
            return BL_OK;
        }
    }
    bl_hint_print(name, format_names, count, hint, sizeof hint);
    return bl_error_set(err, BL_E_INPUT, "unknown format \"%.80s\"%s", name, hint);
}

enum bl_status bl_report_write(const struct bl_report *report, enum bl_format format,
                               const struct bl_style *style, FILE *out,
                               struct bl_error *err)
{
    switch (format) {
    case BL_FORMAT_TABLE: return bl_report_table(report, style, out, err);
    case BL_FORMAT_JSON: return bl_report_json(report, out, err);
    case BL_FORMAT_CSV: return bl_report_csv(report, out, err);
    case BL_FORMAT_TAP: return bl_report_tap(report, out, err);
    }
    return bl_error_set(err, BL_E_INTERNAL, "no report format %d", (int)format);
}
