/* SPDX-License-Identifier: Apache-2.0
 *
 * kind.h - what a kind of plugin brings: the problem's defaults, the buffers' sizes
 * and the default reference. The rules are written in banklab/plugin.h.
 */
#ifndef BL_KIND_H
#define BL_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "banklab/plugin.h"
#include "base/error.h"

struct bl_kind {
    const char *name;
    const char *summary;
    struct banklab_problem defaults;
    bool transposed; /* the output's matrices are cols x rows */
    /* NULL: the plugin must bring its own. Fills the whole of `out`. */
    void (*reference)(const struct banklab_problem *problem, const void *in, void *out);
    /* Bytes moved usefully by one run: read once + written once; 0 for patterns,
     * where throughput says nothing. */
    uint64_t (*useful_bytes)(const struct banklab_problem *problem);
};

/* The kind called `name`, or NULL. */
const struct bl_kind *bl_kind_find(const char *name);
/* All kinds, `*count` of them. */
const struct bl_kind *bl_kind_all(size_t *count);

/* Whether both have as many matrices, rows, columns and bytes an element. */
bool bl_problem_same(const struct banklab_problem *a, const struct banklab_problem *b);

/* "1000 x 100" or "512 x 1000 x 100": rows and columns, after the batch where it is not
 * 1. `times` stands between. Cut at `size`; BL_SHAPE_MAX holds every one with " x ". */
enum { BL_SHAPE_MAX = 72 };
const char *bl_problem_shape(const struct banklab_problem *problem, const char *times,
                             char *out, size_t size);

/* Matrices: 0, of a problem that says nothing of a batch, is 1. */
static inline uint64_t bl_problem_batch(const struct banklab_problem *problem)
{
    return problem->batch ? problem->batch : 1;
}

/* Elements of all matrices. The problem is one that bl_kind_bytes takes. */
uint64_t bl_problem_elements(const struct banklab_problem *problem);

/* Bytes of the input and of the output (the same for every kind): batch*rows*cols*elem.
 * BL_E_INPUT, worded, if the product does not fit or rows, cols or elem is wrong.
 * At most 2^60, so that a sum of a few can't overflow. */
enum bl_status bl_kind_bytes(const struct banklab_problem *problem, uint64_t *out,
                             struct bl_error *err);

#endif
