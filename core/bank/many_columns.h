/* SPDX-License-Identifier: Apache-2.0
 *
 * many_columns.h - inside of many.c: what a CSV's header says.
 */
#ifndef BL_MANY_COLUMNS_H
#define BL_MANY_COLUMNS_H

#include "bank/csv.h"
#include "bank/many.h"

/* Columns are counted from 0; -1: there is none. */
struct bl_many_columns {
    size_t count;
    int id, op, space, width, block, mask, warp, address;
    int lane[32]; /* all or none */
    int expected[BL_COST_NUMBERS];
    bool shown[BL_COST_NUMBERS]; /* written as rule_NAME */
    bool expects;
    bool is_global; /* where no cell says */
    bool replaced[BL_CSV_FIELDS_MAX];
};

enum bl_status bl_many_columns_read(const struct bl_many *many,
                                    const struct bl_csv_record *header,
                                    struct bl_many_columns *out, struct bl_error *err);

#endif
