/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_grid.h - inside of the comparison's table: what its files share.
 */
#ifndef BL_COMPARE_GRID_H
#define BL_COMPARE_GRID_H

#include "compare/compare.h"
#include "report/table.h"

struct bl_cmp_view {
    const struct bl_comparison *of;
    const struct bl_style *style;
    FILE *out;
};

/* A text in a colour, on one line. */
void bl_cmp_tinted(const struct bl_cmp_view *view, enum bl_tint tint, const char *text);

/* The lines above: the reports, how to read the ratio, sources, notes. */
void bl_cmp_head(const struct bl_cmp_view *view);

/* One line a case that both have: times, ratio, verdict, counts. Where the terminal is
 * narrow, columns are left out, which is said. False: memory ran out. */
bool bl_cmp_grid(const struct bl_cmp_view *view);

#endif
