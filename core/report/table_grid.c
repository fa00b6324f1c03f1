/* SPDX-License-Identifier: Apache-2.0
 *
 * table_grid.c - the layout of the grid: which columns there is room for, how wide.
 */
#include "report/table_grid.h"

#include <string.h>

#include "work/number.h"

void bl_grid_cell(const struct bl_grid *grid, size_t at, size_t row, struct bl_cell *cell)
{
    memset(cell, 0, sizeof *cell);
    grid->columns[at].get(&grid->report->results[row], cell);
}

static void print_count(const struct bl_grid *grid, uint64_t count, char *out)
{
    if (grid->roomy)
        bl_number_group(count, out);
    else
        bl_figure_short(count, out);
}

const char *bl_grid_text(const struct bl_grid *grid, size_t at,
                         const struct bl_cell *cell, char buffer[BL_TEXT_MAX])
{
    char *to = buffer;

    if (cell->predicted)
        *to++ = '~';
    switch (cell->type) {
    case BL_CELL_ABSENT: return "-";
    case BL_CELL_TEXT: return cell->text;
    case BL_CELL_REAL: bl_figure_real(cell->real, grid->decimals[at], to); break;
    case BL_CELL_COUNT:
        if (cell->is_open) {
            print_count(grid, cell->least, to);
            to += strlen(to);
            *to++ = '-';
        }
        print_count(grid, cell->count, to);
    }
    return buffer;
}

static int columns_of(const struct bl_grid *grid, size_t at, const char *text)
{
    const int columns = bl_text_columns(text);

    return at == 0 && grid->name_limit && columns > grid->name_limit ? grid->name_limit
                                                                     : columns;
}

/* The decimals that show three digits of the column's least number. */
static int column_decimals(const struct bl_grid *grid, size_t at)
{
    struct bl_cell cell;
    double least = 0;

    if (grid->columns[at].decimals != BL_AUTO)
        return grid->columns[at].decimals;
    for (size_t row = 0; row < grid->report->count; row++) {
        bl_grid_cell(grid, at, row, &cell);
        if (cell.type == BL_CELL_REAL && cell.real > 0 &&
            (least == 0 || cell.real < least))
            least = cell.real;
    }
    return bl_figure_decimals(least);
}

const char *bl_grid_head(const struct bl_grid *grid, size_t at, int line)
{
    const struct bl_column *column = &grid->columns[at];

    if (grid->roomy && column->roomy)
        return line ? column->roomy : "";
    return column->head[line];
}

static int column_width(const struct bl_grid *grid, size_t at)
{
    int width = bl_text_columns(bl_grid_head(grid, at, 0)), here;
    char buffer[BL_TEXT_MAX];
    struct bl_cell cell;

    here = bl_text_columns(bl_grid_head(grid, at, 1));
    width = here > width ? here : width;
    for (size_t row = 0; row < grid->report->count; row++) {
        bl_grid_cell(grid, at, row, &cell);
        here = columns_of(grid, at, bl_grid_text(grid, at, &cell, buffer));
        width = here > width ? here : width;
    }
    return width;
}

static bool column_has_some(const struct bl_grid *grid, size_t at)
{
    struct bl_cell cell;

    if (strcmp(grid->columns[at].title, "problem") == 0 &&
        bl_table_same_problem(grid->report))
        return false;
    for (size_t row = 0; row < grid->report->count; row++) {
        bl_grid_cell(grid, at, row, &cell);
        if (cell.type != BL_CELL_ABSENT)
            return true;
    }
    return false;
}

int bl_grid_gap(const struct bl_grid *grid, bool new_group)
{
    return (grid->roomy ? 2 : 1) + (new_group ? 1 : 0);
}

size_t bl_grid_group_end(const struct bl_grid *grid, size_t first, int *width_out,
                         size_t *last_out)
{
    const enum bl_group group = grid->columns[first].group;
    size_t at = first;
    int width = 0;

    for (; at < grid->count && grid->columns[at].group == group; at++) {
        if (!grid->shown[at])
            continue;
        width += grid->width[at] + (width ? bl_grid_gap(grid, false) : 0);
        *last_out = at;
    }
    *width_out = width;
    return at;
}

const char *bl_grid_group_title(const struct bl_grid *grid, enum bl_group group,
                                int width, char buffer[64])
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
static int fit_groups(struct bl_grid *grid)
{
    int total = 0, width;
    char buffer[64];
    size_t last = 0;

    for (size_t at = 0, next; at < grid->count; at = next) {
        next = bl_grid_group_end(grid, at, &width, &last);
        if (width == 0)
            continue;
        const int title = bl_text_columns(
            bl_grid_group_title(grid, grid->columns[at].group, width, buffer));
        if (title > width) {
            grid->width[last] += title - width;
            width = title;
        }
        total += width + (total ? bl_grid_gap(grid, true) : 0);
    }
    return total;
}

static int measure(struct bl_grid *grid)
{
    for (size_t at = 0; at < grid->count; at++)
        grid->width[at] = grid->shown[at] ? column_width(grid, at) : 0;
    return fit_groups(grid);
}

/* Leaves out the shown columns that matter least. False: none may be. */
static bool leave_out(struct bl_grid *grid)
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

    return quarter < BL_NAME_CUT_MIN   ? BL_NAME_CUT_MIN
           : quarter > BL_NAME_CUT_MAX ? BL_NAME_CUT_MAX
                                       : quarter;
}

/* Everything, exact, if there is room; then shortened; then without the columns that
 * matter least. */
void bl_grid_lay_out(struct bl_grid *grid)
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
