/* SPDX-License-Identifier: Apache-2.0
 *
 * points.c - what a check says, and how it is printed.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "report/figures.h"
#include "report/report.h"

__attribute__((format(printf, 1, 0))) static char *format_text(const char *format,
                                                               va_list ap)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, ap);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, ap);
    return text;
}

void bl_points_add(struct bl_points *points, enum bl_point_state state,
                   const char *format, ...)
{
    struct bl_point *more = realloc(points->at, (points->count + 1) * sizeof *points->at);
    va_list ap;

    if (!more) {
        points->lost = true;
        return;
    }
    points->at = more;
    points->at[points->count] = (struct bl_point){.state = state};
    va_start(ap, format);
    points->at[points->count].name = format_text(format, ap);
    va_end(ap);
    points->lost |= !points->at[points->count].name;
    points->count++;
}

void bl_points_why(struct bl_points *points, const char *format, ...)
{
    va_list ap;
    struct bl_point *point;

    if (points->count == 0)
        return;
    point = &points->at[points->count - 1];
    free(point->why);
    va_start(ap, format);
    point->why = format_text(format, ap);
    va_end(ap);
    points->lost |= !point->why;
}

void bl_points_say(struct bl_points *points, const char *format, ...)
{
    struct bl_point *point;
    char **more;
    va_list ap;

    if (points->count == 0)
        return;
    point = &points->at[points->count - 1];
    more = realloc(point->lines, (point->line_count + 1) * sizeof *more);
    if (!more) {
        points->lost = true;
        return;
    }
    point->lines = more;
    va_start(ap, format);
    point->lines[point->line_count] = format_text(format, ap);
    va_end(ap);
    if (point->lines[point->line_count])
        point->line_count++;
    else
        points->lost = true;
}

void bl_points_free(struct bl_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        struct bl_point *point = &points->at[i];

        for (size_t k = 0; k < point->line_count; k++)
            free(point->lines[k]);
        free(point->lines);
        free(point->name);
        free(point->why);
    }
    free(points->at);
    *points = (struct bl_points){.at = NULL};
}

size_t bl_points_failed(const struct bl_points *points)
{
    size_t failed = 0;

    for (size_t i = 0; i < points->count; i++)
        failed += points->at[i].state == BL_POINT_FAILED;
    return failed;
}

enum bl_status bl_points_print(const struct bl_points *points, FILE *out,
                               struct bl_error *err)
{
    if (points->lost)
        return bl_error_nomem(err);
    fprintf(out, "1..%zu\n", points->count);
    for (size_t i = 0; i < points->count; i++) {
        const struct bl_point *point = &points->at[i];

        fprintf(out, "%sok %zu - ", point->state == BL_POINT_FAILED ? "not " : "", i + 1);
        bl_text_write_tap(out, point->name);
        if (point->state == BL_POINT_SKIPPED) {
            fputs(" # SKIP ", out);
            bl_text_write(out, point->why ? point->why : "", " ");
        }
        fputc('\n', out);
        for (size_t k = 0; k < point->line_count; k++) {
            fputs("# ", out);
            bl_text_write(out, point->lines[k], "\n#   ");
            fputc('\n', out);
        }
    }
    return bl_report_flush(out, err);
}
