/* SPDX-License-Identifier: Apache-2.0
 *
 * table_grid.h - inside of the table view: the layout of the grid.
 */
#ifndef BL_TABLE_GRID_H
#define BL_TABLE_GRID_H

#include "report/figures.h"
#include "report/table.h"

enum { BL_NAME_CUT_MAX = 40, BL_NAME_CUT_MIN = 16, BL_TEXT_MAX = BL_FIGURE_MAX + 2 };

struct bl_grid {
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

/* Decides which columns there is room for, and how wide each is. */
void bl_grid_lay_out(struct bl_grid *grid);

/* What the column `at` has to say of the case `row`. */
void bl_grid_cell(const struct bl_grid *grid, size_t at, size_t row,
                  struct bl_cell *cell);
/* What the cell looks like: its own text, or `buffer`. */
const char *bl_grid_text(const struct bl_grid *grid, size_t at,
                         const struct bl_cell *cell, char buffer[BL_TEXT_MAX]);
/* A line, 0 or 1, of the column's head. */
const char *bl_grid_head(const struct bl_grid *grid, size_t at, int line);
/* The space before a column that has another to its left. */
int bl_grid_gap(const struct bl_grid *grid, bool new_group);

/* Past the end of the group that starts at `first`. *width_out is the width of its
 * shown columns together, 0 if it has none; *last_out the last of them. */
size_t bl_grid_group_end(const struct bl_grid *grid, size_t first, int *width_out,
                         size_t *last_out);
/* The group's title; `width` decides whether the baseline's name fits. */
const char *bl_grid_group_title(const struct bl_grid *grid, enum bl_group group,
                                int width, char buffer[64]);

#endif
