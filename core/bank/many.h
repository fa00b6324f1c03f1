/* SPDX-License-Identifier: Apache-2.0
 *
 * many.h - a CSV of accesses: what each costs, beside what it is expected to.
 *
 * The header names the columns, in any order. The access:
 *     address          an expression (pattern.h); or else
 *     a0 ... a31       the lanes' addresses; those of lanes outside of mask don't matter
 *     op, width, space, block, warp, mask
 *                      as pattern.h and question.h read them; where a column or a cell
 *                      lacks, the question's own hold
 * Expected numbers, each compared where there is a cell with something in it: those of
 * bl_cost_numbers, under either of their names. A cell of `cycles` that has a point is a
 * time that was measured, and is not compared. Without a column `space`, a header that
 * expects sectors and none of shared memory's numbers is global memory's.
 * Other columns are passed on.
 *
 * Written is the same table with a column rule_NAME for each number (and rule_NAME_least,
 * where the arch leaves it open: what is expected then may lie between), and a column
 * `agrees` (yes, no, or nothing where nothing was compared) if anything is expected.
 * Columns of these names that are there already are replaced.
 */
#ifndef BL_MANY_H
#define BL_MANY_H

#include "bank/question.h"

struct bl_many {
    FILE *in;
    const char *name; /* the file's, for messages */
    const struct bl_arch *arch;
    const struct bl_question *question; /* what the columns don't say */
    bool space_given; /* question->form.is_global is not to be guessed */
    FILE *out;
    /* One sentence for each number that is not as expected, with file and line. */
    void (*differs)(void *ctx, const char *text);
    /* A column whose name is nearly one that means something. */
    void (*warn)(void *ctx, const char *text);
    void *ctx;
};

struct bl_many_sum {
    size_t patterns, compared, differing; /* rows */
};

/* Row by row, so that a long file takes no memory. What can't be read or isn't an access
 * ends it: BL_E_INPUT with file and line. */
enum bl_status bl_many_run(const struct bl_many *many, struct bl_many_sum *out,
                           struct bl_error *err);

#endif
