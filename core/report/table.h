/* SPDX-License-Identifier: Apache-2.0
 *
 * table.h - inside of the table view: what a column is, and what stands around the
 * grid.
 */
#ifndef BL_TABLE_H
#define BL_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

enum bl_tint { BL_PLAIN, BL_GOOD, BL_WARN, BL_BAD, BL_FAINT, BL_STRONG };

/* One number or word of the grid. */
struct bl_cell {
    enum { BL_CELL_ABSENT, BL_CELL_COUNT, BL_CELL_REAL, BL_CELL_TEXT } type;
    uint64_t count;
    bool is_open; /* a count that may be as few as `least`: "1-2" */
    uint64_t least;
    double real;
    const char *text; /* may point at `buffer` */
    char buffer[96];
    bool predicted; /* marked with '~' */
    enum bl_tint tint;
};

/* Columns of one group stand under a common title. */
enum bl_group {
    BL_GROUP_CASE,
    BL_GROUP_LOAD,
    BL_GROUP_STORE,
    BL_GROUP_GLOBAL,
    BL_GROUP_TIME,
    BL_GROUP_CLOCK,
    BL_GROUP_BASELINE,
    BL_GROUP_TWIN
};

struct bl_column {
    enum bl_group group;
    const char *head[2]; /* two lines */
    const char *roomy;   /* one line, where there is room; NULL: as `head` */
    const char *title;   /* in a sentence, where it had to be left out */
    int keep;     /* the column with the least is left out first when there is no room;
                     BL_KEEP: never; those with the same go together */
    int decimals; /* of a real number; BL_AUTO: three digits of the column's least */
    void (*get)(const struct bl_result *result, struct bl_cell *cell);
};

enum { BL_KEEP = 99, BL_AUTO = -1, BL_COLUMN_MAX = 24 };

/* All columns in their order, *count of them, at most BL_COLUMN_MAX. */
const struct bl_column *bl_columns(size_t *count);

/* Every case has this problem; false: they differ. */
bool bl_table_same_problem(const struct bl_report *report);

/* Sets the colour of a tint and ends it, if the style has colour. */
void bl_tint_begin(FILE *out, const struct bl_style *style, enum bl_tint tint);
void bl_tint_end(FILE *out, const struct bl_style *style, enum bl_tint tint);

/* The lines above the grid: profile, device, and the source of every number. */
void bl_table_preface(const struct bl_report *report, const struct bl_style *style,
                      FILE *out);

/* The lines below it: how to read a slowdown, why cases did not pass, how many did. */
void bl_table_afterword(const struct bl_report *report, const struct bl_style *style,
                        FILE *out);

#endif
