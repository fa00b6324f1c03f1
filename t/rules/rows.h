/* SPDX-License-Identifier: Apache-2.0
 *
 * rows.h - the measured patterns of t/data, row by row.
 */
#ifndef BL_TEST_ROWS_H
#define BL_TEST_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/paths.h"
#include "model/arch.h"

enum { ROW_NUMBERS_MAX = 3 };

struct row {
    int line;
    bool is_store;
    uint32_t width, mask;
    uint32_t address[32];
    double number[ROW_NUMBERS_MAX]; /* the columns behind the addresses */
};

/* Calls `fn` for every row of t/data/NAME, which must have `numbers` such columns.
 * Returns the number of rows; a row that can't be read fails the test. */
int rows_read(const char *name, int numbers, void (*fn)(void *ctx, const struct row *row),
              void *ctx);

/* "$top_srcdir/..." by printf rules; fails the test where it is not set. Caller frees. */
__attribute__((format(printf, 1, 2))) char *source_path(const char *format, ...);

/* Paths whose conf_dir is the source's; free with bl_paths_free. */
void source_paths(struct bl_paths *out);
void arch_of(const char *name, struct bl_arch *out);

#endif
