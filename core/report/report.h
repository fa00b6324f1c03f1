/* SPDX-License-Identifier: Apache-2.0
 *
 * report.h - views of one struct bl_report.
 *
 * The JSON (banklab.report/1, doc/report.schema.json) is the document; table, CSV and
 * TAP show parts of it. A number that was not measured is left out (JSON), empty
 * (CSV) or "-" (table).
 */
#ifndef BL_REPORT_H
#define BL_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "work/measure.h"

enum bl_format { BL_FORMAT_TABLE, BL_FORMAT_JSON, BL_FORMAT_CSV, BL_FORMAT_TAP };

/* The formats' names in the order of the enum, NULL-terminated. */
const char *const *bl_format_names(void);
/* BL_E_INPUT, with the nearest name, if there is no such format. */
enum bl_status bl_format_find(const char *name, enum bl_format *out,
                              struct bl_error *err);

struct bl_style {
    bool colour;
    int width; /* columns of the terminal; 0: no limit */
};

/* Each writes the whole view to `out` and flushes it; BL_E_IO if writing failed. */
enum bl_status bl_report_table(const struct bl_report *report,
                               const struct bl_style *style, FILE *out,
                               struct bl_error *err);
enum bl_status bl_report_json(const struct bl_report *report, FILE *out,
                              struct bl_error *err);
/* RFC 4180: a header, then one record a case, lines ended by CR LF. */
enum bl_status bl_report_csv(const struct bl_report *report, FILE *out,
                             struct bl_error *err);
/* One point a case; skip is "ok N - name # SKIP reason". */
enum bl_status bl_report_tap(const struct bl_report *report, FILE *out,
                             struct bl_error *err);

enum bl_status bl_report_write(const struct bl_report *report, enum bl_format format,
                               const struct bl_style *style, FILE *out,
                               struct bl_error *err);

/* Flushes `out`; BL_E_IO, with the system's reason, if anything written to it failed. */
enum bl_status bl_report_flush(FILE *out, struct bl_error *err);

/* Refuses, before a long run, a path that bl_report_save could not write: a folder, or
 * a file in a folder that does not exist or can't be written. */
enum bl_status bl_report_save_check(const char *path, struct bl_error *err);

/* To a file: written beside it under a temporary name, then renamed, so that a reader
 * never sees half a report. A symbolic link is followed. What is no regular file (a
 * terminal, a pipe, /dev/null) is written to as it is. */
enum bl_status bl_report_save(const struct bl_report *report, enum bl_format format,
                              const char *path, struct bl_error *err);

#endif
