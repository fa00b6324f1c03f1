/* SPDX-License-Identifier: Apache-2.0
 *
 * sample.h - which problems and settings a plugin is checked under.
 *
 * Settings: the defaults; each parameter at its least, its greatest and some values
 * between, the others at their defaults; some at random, by the seed. Shapes, by the tile
 * that the plan shows (probe.h): one element, one row, one column, less than a tile, a
 * tile, more than a tile, several, square and not, whole tiles and not. All element
 * widths that the plugin takes; and a few matrices at once, if it takes batches. Where
 * that is more than the limit, a part of it in which the defaults see every shape and
 * width first, and every setting sees some.
 */
#ifndef BL_SAMPLE_H
#define BL_SAMPLE_H

#include "banklab/plugin.h"
#include "base/error.h"
#include "load/registry.h"

struct bl_sample_case {
    size_t setting;
    const banklab_value *params;
    uint64_t rows, cols;
    uint32_t elem;
    uint64_t batch; /* matrices */
    bool whole;     /* whole tiles in both directions */
};

struct bl_sample {
    banklab_value *values; /* settings x parameters; the first are the defaults */
    size_t settings;
    struct bl_sample_case *cases;
    size_t count;
    size_t shapes, elems; /* for a message */
};

static inline struct banklab_problem bl_sample_problem(const struct bl_sample_case *of)
{
    return (struct banklab_problem){.struct_size = sizeof(struct banklab_problem),
                                    .rows = of->rows,
                                    .cols = of->cols,
                                    .elem = of->elem,
                                    .batch = of->batch};
}

/* Values of one parameter to be tried, at most `most`; returns how many. */
size_t bl_sample_values(const struct banklab_param *param, int64_t *out, size_t most);

enum bl_status bl_sample_make(const struct bl_plugin *plugin, uint64_t seed, size_t limit,
                              double timeout_s, struct bl_sample *out,
                              struct bl_error *err);
void bl_sample_free(struct bl_sample *sample);

#endif
