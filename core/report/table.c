/* SPDX-License-Identifier: Apache-2.0
 *
 * table.c - the grid: which columns there is room for, how wide, and printing them.
 */
#include "report/table.h"

#include <string.h>

#include "report/figures.h"
#include "work/number.h"

enum { NAME_MAX_CUT = 40, NAME_MIN_CUT = 16, TEXT_MAX = BL_FIGURE_MAX + 2 };

struct grid {
    const struct bl_report *report;
    const struct bl_style *style;
    FILE *out;
    const struct bl_column *columns;
    size_t count;
    bool some[BL_COLUMN_MAX]; /* a case has something to say there */
    bool shown[BL_COLUMN_MAX];
    int width[BL_COLUMN_MAX];
    int decimals[BL_COLUMN_MAX];
    bool roomy;     /* exact counts and wider gaps; else 1.05M */
    int name_limit; /* longer names are cut; 0: none are */
    int pending;    /* spaces due before what comes next on the line */
    bool begun;     /* the line has something on it */
};

static void cell_get(const struct grid *grid, size_t at, size_t row, struct bl_cell *cell)
{
    memset(cell, 0, sizeof *cell);
    grid->columns[at].get(&grid->report->results[row], cell);
}

/* What the cell looks like: its own text, or `buffer`. */
static const char *cell_text(const struct grid *grid, size_t at,
                             const struct bl_cell *cell, char buffer[TEXT_MAX])
{
    char *to = buffer;

    if (cell->predicted)
        *to++ = '~';
    switch (cell->type) {
    case BL_CELL_ABSENT: return "-";
    case BL_CELL_TEXT: return cell->text;
    case BL_CELL_REAL: bl_figure_real(cell->real, grid->decimals[at], to); break;
    case BL_CELL_COUNT:
        if (grid->roomy)
            bl_number_group(cell->count, to);
        else
            bl_figure_short(cell->count, to);
    }
    return buffer;
}

/* ---- layout ---------------------------------------------------------------------- */

static int columns_of(const struct grid *grid, size_t at, const char *text)
{
    const int columns = bl_text_columns(text);

    return at == 0 && grid->name_limit && columns > grid->name_limit ? grid->name_limit
                                                                     : columns;
}

/* The decimals that show three digits of the column's least number. */
static int column_decimals(const struct grid *grid, size_t at)
{
    struct bl_cell cell;
    double least = 0;

    if (grid->columns[at].decimals != BL_AUTO)
        return grid->columns[at].decimals;
    for (size_t row = 0; row < grid->report->count; row++) {
        cell_get(grid, at, row, &cell);
        if (cell.type == BL_CELL_REAL && cell.real > 0 &&
            (least == 0 || cell.real < least))
            least = cell.real;
    }
    return bl_figure_decimals(least);
}

/* A line of the column's head. */
static const char *head(const struct grid *grid, size_t at, int line)
{
    const struct bl_column *column = &grid->columns[at];

    if (grid->roomy && column->roomy)
        return line ? column->roomy : "";
    return column->head[line];
}

static int column_width(const struct grid *grid, size_t at)
{
    int width = bl_text_columns(head(grid, at, 0)), here;
    char buffer[TEXT_MAX];
    struct bl_cell cell;

    here = bl_text_columns(head(grid, at, 1));
    width = here > width ? here : width;
    for (size_t row = 0; row < grid->report->count; row++) {
        cell_get(grid, at, row, &cell);
        here = columns_of(grid, at, cell_text(grid, at, &cell, buffer));
        width = here > width ? here : width;
    }
    return width;
}

static bool column_has_some(const struct grid *grid, size_t at)
{
    struct bl_cell cell;

    if (grid->columns[at].head[1][0] == 'p' && bl_table_same_problem(grid->report))
        return false;
    for (size_t row = 0; row < grid->report->count; row++) {
        cell_get(grid, at, row, &cell);
        if (cell.type != BL_CELL_ABSENT)
            return true;
    }
    return false;
}

/* Of a column that has another to its left. */
static int gap(const struct grid *grid, bool new_group)
{
    return (grid->roomy ? 2 : 1) + (new_group ? 1 : 0);
}

/* Past the end of the group that starts at `first`; *width_out is all its columns'. */
static size_t group_end(const struct grid *grid, size_t first, int *width_out,
                        size_t *last_out)
{
    const enum bl_group group = grid->columns[first].group;
    size_t at = first;
    int width = 0;

    for (; at < grid->count && grid->columns[at].group == group; at++) {
        if (!grid->shown[at])
            continue;
        width += grid->width[at] + (width ? gap(grid, false) : 0);
        *last_out = at;
    }
    *width_out = width;
    return at;
}

/* The group's title; `width` decides whether the baseline's name fits. */
static const char *group_title(const struct grid *grid, enum bl_group group, int width,
                               char buffer[64])
{
    const char *name = grid->report->profile->run.baseline;

    switch (group) {
    case BL_GROUP_CASE: return "";
    case BL_GROUP_LOAD: return "shared loads";
    case BL_GROUP_STORE: return "shared stores";
    case BL_GROUP_GLOBAL: return "global sectors";
    case BL_GROUP_TIME: return "time";
    case BL_GROUP_CLOCK: return "clock";
    case BL_GROUP_TWIN: return "vs twin";
    case BL_GROUP_BASELINE: break;
    }
    if (!name || bl_text_columns(name) + 3 > width || strlen(name) > 48)
        return "vs baseline";
    snprintf(buffer, 64, "vs %s", name);
    return buffer;
}

/* Widens the last column of a group that is narrower than its title. Returns the
 * width of the whole grid. */
static int fit_groups(struct grid *grid)
{
    int total = 0, width;
    char buffer[64];
    size_t last = 0;

    for (size_t at = 0, next; at < grid->count; at = next) {
        next = group_end(grid, at, &width, &last);
        if (width == 0)
            continue;
        const int title =
            bl_text_columns(group_title(grid, grid->columns[at].group, width, buffer));
        if (title > width) {
            grid->width[last] += title - width;
            width = title;
        }
        total += width + (total ? gap(grid, true) : 0);
    }
    return total;
}

static int measure(struct grid *grid)
{
    for (size_t at = 0; at < grid->count; at++)
        grid->width[at] = grid->shown[at] ? column_width(grid, at) : 0;
    return fit_groups(grid);
}

/* Leaves out the shown columns that matter least. False: none may be. */
static bool leave_out(struct grid *grid)
{
    int least = BL_KEEP;

    for (size_t at = 0; at < grid->count; at++) {
        if (grid->shown[at] && grid->columns[at].keep < least)
            least = grid->columns[at].keep;
    }
    if (least == BL_KEEP)
        return false;
    for (size_t at = 0; at < grid->count; at++)
        grid->shown[at] &= grid->columns[at].keep != least;
    return true;
}

/* A quarter of the room, within reason. */
static int name_limit(int room)
{
    const int quarter = room / 4;

    return quarter < NAME_MIN_CUT   ? NAME_MIN_CUT
           : quarter > NAME_MAX_CUT ? NAME_MAX_CUT
                                    : quarter;
}

/* Everything, exact, if there is room; then shortened; then without the columns that
 * matter least. */
static void lay_out(struct grid *grid)
{
    const int room = grid->style->width;

    for (size_t at = 0; at < grid->count; at++) {
        grid->some[at] = grid->shown[at] = column_has_some(grid, at);
        grid->decimals[at] = grid->some[at] ? column_decimals(grid, at) : 0;
    }
    grid->roomy = true;
    grid->name_limit = 0;
    if (measure(grid) <= room || room <= 0)
        return;
    grid->roomy = false;
    grid->name_limit = name_limit(room);
    while (measure(grid) > room && leave_out(grid))
        ;
}

/* ---- printing -------------------------------------------------------------------- */

/* Spaces are held back until something follows, so that no line ends in them. */
static void spaces(struct grid *grid, int count)
{
    grid->pending += count > 0 ? count : 0;
}

static void write(struct grid *grid, const char *text)
{
    if (!*text)
        return;
    fprintf(grid->out, "%*s", grid->pending, "");
    bl_text_write(grid->out, text, " ");
    grid->pending = 0;
    grid->begun = true;
}

/* A line of heads that would be empty is none. */
static void end_line(struct grid *grid)
{
    if (grid->begun)
        fputc('\n', grid->out);
    grid->begun = false;
    grid->pending = 0;
}

/* Names and words to the left, numbers to the right. */
static void put(struct grid *grid, size_t at, const char *text)
{
    const int pad = grid->width[at] - bl_text_columns(text);
    const bool left = grid->columns[at].group == BL_GROUP_CASE;

    spaces(grid, left ? 0 : pad);
    write(grid, text);
    spaces(grid, left ? pad : 0);
}

/* A name that is too long, with its middle left out. */
static void put_name(struct grid *grid, const char *name)
{
    char cut[NAME_MAX_CUT + 1];
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
static void put_gap(struct grid *grid, size_t before, size_t at)
{
    if (before != grid->count)
        spaces(grid, gap(grid, grid->columns[before].group != grid->columns[at].group));
}

static void dashes(struct grid *grid, int count)
{
    for (int i = 0; i < count; i++)
        write(grid, "-");
}

static void put_title(struct grid *grid, enum bl_group group, int width)
{
    char buffer[64];
    const char *title = group_title(grid, group, width, buffer);
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

static void print_titles(struct grid *grid)
{
    bool first = true;
    int width;

    for (size_t at = 0, next, last = 0; at < grid->count; at = next) {
        next = group_end(grid, at, &width, &last);
        if (width == 0)
            continue;
        spaces(grid, first ? 0 : gap(grid, true));
        put_title(grid, grid->columns[at].group, width);
        first = false;
    }
    end_line(grid);
}

static void print_heads(struct grid *grid, int line)
{
    size_t before = grid->count;

    for (size_t at = 0; at < grid->count; at++) {
        if (!grid->shown[at])
            continue;
        put_gap(grid, before, at);
        put(grid, at, head(grid, at, line));
        before = at;
    }
    end_line(grid);
}

static void print_row(struct grid *grid, size_t row)
{
    size_t before = grid->count;
    char buffer[TEXT_MAX];
    struct bl_cell cell;

    for (size_t at = 0; at < grid->count; at++) {
        const char *text;

        if (!grid->shown[at])
            continue;
        put_gap(grid, before, at);
        before = at;
        cell_get(grid, at, row, &cell);
        text = cell_text(grid, at, &cell, buffer);
        bl_tint_begin(grid->out, grid->style, cell.tint);
        if (at == 0)
            put_name(grid, text);
        else
            put(grid, at, text);
        bl_tint_end(grid->out, grid->style, cell.tint);
    }
    end_line(grid);
}

static void print_left_out(const struct grid *grid)
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
    struct grid grid = {.report = report, .style = style, .out = out};

    grid.columns = bl_columns(&grid.count);
    lay_out(&grid);
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
