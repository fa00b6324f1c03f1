/* SPDX-License-Identifier: Apache-2.0
 *
 * probe.h - many questions to a plugin's plan at once, asked in a process of their own.
 */
#ifndef BL_PROBE_H
#define BL_PROBE_H

#include "banklab/plugin.h"
#include "base/error.h"
#include "load/registry.h"

struct bl_probe_ask {
    struct banklab_problem problem;
    const banklab_value *params;
};

struct bl_probe_answer {
    int said; /* enum banklab_status */
    struct banklab_plan plan;
    struct banklab_error reason;
};

/* Asks all, in this order, one after another. *out is fresh, `count` answers; free() it.
 * BL_E_INPUT: plan crashed, or did not return within timeout_s. */
enum bl_status bl_probe(const struct bl_plugin *plugin, const struct bl_probe_ask *asks,
                        size_t count, double timeout_s, struct bl_probe_answer **out,
                        struct bl_error *err);

/* "grid.x of launch 0 (k) is 2, then 3": in what two answers differ, into `out`. False:
 * they are the same. */
bool bl_probe_differ(const struct bl_probe_answer *a, const struct bl_probe_answer *b,
                     char *out, size_t size);

/* Rows and columns after which the plan takes more blocks than for one row or column: the
 * tile. 32 where that is not found. */
enum bl_status bl_probe_tile(const struct bl_plugin *plugin, const banklab_value *params,
                             uint32_t elem, double timeout_s, uint32_t *rows,
                             uint32_t *cols, struct bl_error *err);

/* "32 x 64 elements of 4 bytes, tile=32 pad=0", into `out`. */
void bl_probe_label(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                    const banklab_value *params, char *out, size_t size);

#endif
