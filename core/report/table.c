/* SPDX-License-Identifier: Apache-2.0
 *
 * table.c - the report for people: prints the grid, and what stands around it.
 */
#include <string.h>

#include "report/table_grid.h"

/* Spaces are held back until something follows, so that no line ends in them. */
static void spaces(struct bl_grid *grid, int count)
{
    grid->pending += count > 0 ? count : 0;
}

static void write(struct bl_grid *grid, const char *text)
{
    if (!*text)
        return;
    fprintf(grid->out, "%*s", grid->pending, "");
    bl_text_write(grid->out, text, " ");
    grid->pending = 0;
    grid->begun = true;
}

/* A line of heads that would be empty is none. */
static void end_line(struct bl_grid *grid)
{
    if (grid->begun)
        fputc('\n', grid->out);
    grid->begun = false;
    grid->pending = 0;
}

/* Names and words to the left, numbers to the right. */
static void put(struct bl_grid *grid, size_t at, const char *text)
{
    const int pad = grid->width[at] - bl_text_columns(text);
    const bool left = grid->columns[at].group == BL_GROUP_CASE;

    spaces(grid, left ? 0 : pad);
    write(grid, text);
    spaces(grid, left ? pad : 0);
}

/* A name that is too long, with its middle left out. */
static void put_name(struct bl_grid *grid, const char *name)
{
    char cut[BL_NAME_CUT_MAX + 1];
    const size_t length = strlen(name), limit = (size_t)grid->name_limit;
    size_t front, back;

    if (limit == 0 || length <= limit) {
        put(grid, 0, name);
        return;
    }
    front = (limit - 2) / 2;
    back = limit - 2 - front;
    memcpy(cut, name, front);
    memcpy(cut + front, "..", 2);
    memcpy(cut + front + 2, name + length - back, back + 1);
    put(grid, 0, cut);
}

/* Before the column `at`; `before` is the one printed last, or grid->count. */
static void put_gap(struct bl_grid *grid, size_t before, size_t at)
{
    if (before != grid->count)
        spaces(grid,
               bl_grid_gap(grid, grid->columns[before].group != grid->columns[at].group));
}

static void dashes(struct bl_grid *grid, int count)
{
    for (int i = 0; i < count; i++)
        write(grid, "-");
}

static void put_title(struct bl_grid *grid, enum bl_group group, int width)
{
    char buffer[64];
    const char *title = bl_grid_group_title(grid, group, width, buffer);
    const int room = width - bl_text_columns(title);

    if (!*title || room < 2) {
        write(grid, title);
        spaces(grid, room);
        return;
    }
    dashes(grid, (room - 2) / 2);
    spaces(grid, 1);
    write(grid, title);
    spaces(grid, 1);
    dashes(grid, (room - 2) - (room - 2) / 2);
}

static void print_titles(struct bl_grid *grid)
{
    bool first = true;
    int width;

    for (size_t at = 0, next, last = 0; at < grid->count; at = next) {
        next = bl_grid_group_end(grid, at, &width, &last);
        if (width == 0)
            continue;
        spaces(grid, first ? 0 : bl_grid_gap(grid, true));
        put_title(grid, grid->columns[at].group, width);
        first = false;
    }
    end_line(grid);
}

static void print_heads(struct bl_grid *grid, int line)
{
    size_t before = grid->count;

    for (size_t at = 0; at < grid->count; at++) {
        if (!grid->shown[at])
            continue;
        put_gap(grid, before, at);
        put(grid, at, bl_grid_head(grid, at, line));
        before = at;
    }
    end_line(grid);
}

static void print_row(struct bl_grid *grid, size_t row)
{
    size_t before = grid->count;
    char buffer[BL_TEXT_MAX];
    struct bl_cell cell;

    for (size_t at = 0; at < grid->count; at++) {
        const char *text;

        if (!grid->shown[at])
            continue;
        put_gap(grid, before, at);
        before = at;
        bl_grid_cell(grid, at, row, &cell);
        text = bl_grid_text(grid, at, &cell, buffer);
        bl_tint_begin(grid->out, grid->style, cell.tint);
        if (at == 0)
            put_name(grid, text);
        else
            put(grid, at, text);
        bl_tint_end(grid->out, grid->style, cell.tint);
    }
    end_line(grid);
}

static void print_left_out(const struct bl_grid *grid)
{
    const char *separator = "not shown, as the terminal is narrow: ";

    for (size_t at = 0; at < grid->count; at++) {
        if (!grid->some[at] || grid->shown[at])
            continue;
        fprintf(grid->out, "%s%s", separator, grid->columns[at].title);
        separator = ", ";
    }
    if (*separator == ',')
        fputc('\n', grid->out);
}

enum bl_status bl_report_table(const struct bl_report *report,
                               const struct bl_style *style, FILE *out,
                               struct bl_error *err)
{
    struct bl_grid grid = {.report = report, .style = style, .out = out};

    grid.columns = bl_columns(&grid.count);
    bl_grid_lay_out(&grid);
    bl_table_preface(report, style, out);
    fputc('\n', out);
    bl_tint_begin(out, style, BL_STRONG);
    print_titles(&grid);
    print_heads(&grid, 0);
    print_heads(&grid, 1);
    bl_tint_end(out, style, BL_STRONG);
    for (size_t row = 0; row < report->count; row++)
        print_row(&grid, row);
    fputc('\n', out);
    bl_tint_begin(out, style, BL_FAINT);
    print_left_out(&grid);
    bl_tint_end(out, style, BL_FAINT);
    bl_table_afterword(report, style, out);
    return bl_report_flush(out, err);
}
