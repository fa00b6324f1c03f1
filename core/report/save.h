/* SPDX-License-Identifier: Apache-2.0
 *
 * save.h - any report to a file, all or nothing.
 */
#ifndef BL_SAVE_H
#define BL_SAVE_H

#include <stdio.h>

#include "report/report.h"

/* Writes `what` to `out` and flushes it. */
typedef enum bl_status bl_save_fn(const void *what, FILE *out, struct bl_error *err);

/* As bl_report_save, of whatever `write` writes. */
enum bl_status bl_save(const char *path, bl_save_fn *write, const void *what,
                       struct bl_error *err);

#endif
