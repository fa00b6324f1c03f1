/* SPDX-License-Identifier: Apache-2.0
 *
 * explain.h - where a case's memory traffic comes from: its memory instructions by what
 * they cost, with their lines in PTX and in the CUDA source, and how the lanes of a real
 * warp lie.
 *
 * The case runs on the model, checked as ever. Counts are the model's.
 */
#ifndef BL_EXPLAIN_H
#define BL_EXPLAIN_H

#include "explain/seen.h"
#include "report/report.h"
#include "work/device.h"

/* A line of a source file. */
struct bl_explain_line {
    const char *file; /* as PTX calls it; the program's */
    int line;
    char *text; /* owned; NULL: it can't be had */
};

/* An instruction, in one space. */
struct bl_explain_row {
    const struct bl_insn_counts *counts; /* of the case */
    const struct bl_seen *seen;
    char *ptx;         /* its line's text; owned; NULL: it can't be had */
    size_t line_count; /* 0: its source is not told */
    /* The line that it comes from; where the function was inlined that this line is in,
     * and so on. */
    struct bl_explain_line *lines;
    size_t place; /* that it belongs to */
};

/* What one place of the source does: a compiler that unrolls a loop makes several
 * instructions of one. Alike in lines, operation, width and function. */
struct bl_explain_place {
    size_t from, count;        /* rows */
    struct bl_insn_counts sum; /* of them; ways: the greatest; insn is the first's */
};

/* Places by falling cost, and their rows likewise: in shared memory by cycles of the data
 * stage, then wavefronts, in global memory by sectors; then by PTX line. */
struct bl_explain_rows {
    struct bl_explain_row *at;
    size_t count;
    struct bl_explain_place *places;
    size_t place_count;
    struct bl_insn_counts sum; /* of all */
    size_t worst; /* the row that costs most above its ideal; of none that does the
                     first; means nothing without rows */
};

struct bl_explain {
    const struct bl_profile *profile;
    struct bl_result result;
    struct bl_arch arch; /* whose rules; name "" if nothing ran to its end */
    uint32_t launches;
    struct bl_explain_rows shared, global;
    uint64_t uncounted; /* executions of atomics whose cost is not known */
    struct bl_seen_list *seen;
};

/* Runs case `index` on `dev`, which can be watched. What the case did wrong stands in
 * (*out)->result; there are rows where the kernels ran to their end, also to a wrong
 * result. An error: memory ran out, or the device can't be watched. The device must
 * outlive *out, which ends with bl_explain_free. */
enum bl_status bl_explain_case(const struct bl_profile *profile, size_t index,
                               struct bl_device *dev, const struct bl_paths *paths,
                               struct bl_explain **out, struct bl_error *err);
void bl_explain_free(struct bl_explain *explain);

/* "load", "store", "atomic", "asynchronous copy" of the row; "load of an atomic". */
const char *bl_explain_op(const struct bl_explain_row *row);

/* What a count of this kind is measured in: wavefronts or sectors. */
uint64_t bl_explain_cost(const struct bl_insn_counts *counts);

/* For people, with `top` places of each list at the most (0: all) and pictures of the
 * worst ones. */
void bl_explain_text(const struct bl_explain *explain, const struct bl_style *style,
                     size_t top, FILE *out);
/* banklab.explain/1: cases, in their order. Writes and flushes. */
enum bl_status bl_explain_json(struct bl_explain *const *explained, size_t count,
                               const struct bl_device_desc *device, size_t top, FILE *out,
                               struct bl_error *err);

#endif
