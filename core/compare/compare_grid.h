/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_grid.h - inside of the comparison's table: its grid.
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

/* One line a case that both have: times, ratio, verdict, counts. Where the terminal is
 * narrow, columns are left out, which is said. False: memory ran out. */
bool bl_cmp_grid(const struct bl_cmp_view *view);

#endif
