/* SPDX-License-Identifier: Apache-2.0 */
#include "check/hints.h"

#include <inttypes.h>
#include <stdio.h>

#include "load/param.h"

typedef bool is_fn(const struct bl_sample_case *at, uint64_t of);

static bool is_square(const struct bl_sample_case *at, uint64_t of)
{
    (void)of;
    return at->rows == at->cols;
}

static bool is_whole(const struct bl_sample_case *at, uint64_t of)
{
    (void)of;
    return at->whole;
}

static bool is_other_elem(const struct bl_sample_case *at, uint64_t of)
{
    return at->elem != of;
}

/* Of parameter `of` & 0xff: another value than `of` >> 8. */
static bool is_other_value(const struct bl_sample_case *at, uint64_t of)
{
    return (uint64_t)at->params[of & 0xff].i != of >> 8;
}

static bool failed(enum bl_outcome outcome)
{
    return outcome == BL_OUTCOME_WRONG || outcome == BL_OUTCOME_FAULT;
}

/* Whether all cases that are so passed, at least three did, and all that failed are not
 * so. */
static bool spares(const struct bl_sample *sample, const enum bl_outcome *outcomes,
                   is_fn *is, uint64_t of)
{
    size_t passed = 0;

    for (size_t i = 0; i < sample->count; i++) {
        if (outcomes[i] == BL_OUTCOME_OTHER || !is(&sample->cases[i], of))
            continue;
        if (failed(outcomes[i]))
            return false;
        passed++;
    }
    return passed >= 3;
}

/* Whether some case of whole tiles that is not square failed. */
static bool whole_failed(const struct bl_sample *sample, const enum bl_outcome *outcomes)
{
    for (size_t i = 0; i < sample->count; i++)
        if (failed(outcomes[i]) && sample->cases[i].whole)
            return true;
    return false;
}

static const struct bl_sample_case *first_failed(const struct bl_sample *sample,
                                                 const enum bl_outcome *outcomes)
{
    for (size_t i = 0; i < sample->count; i++)
        if (failed(outcomes[i]))
            return &sample->cases[i];
    return NULL;
}

static bool hint_param(const struct bl_plugin *plugin, const struct bl_sample *sample,
                       const enum bl_outcome *outcomes, const struct bl_sample_case *bad,
                       char *out, size_t size)
{
    for (uint32_t p = 0; p < plugin->abi.param_count && p < 256; p++) {
        char value[128];

        if (bad->params[p].i < 0 || !spares(sample, outcomes, is_other_value,
                                            (uint64_t)bad->params[p].i << 8 | p))
            continue;
        bl_param_print(&plugin->abi.params[p], bad->params[p], value, sizeof value);
        snprintf(out, size, "only with %s=%s; with its other values all is well",
                 plugin->abi.params[p].name, value);
        return true;
    }
    return false;
}

void bl_hint_common(const struct bl_plugin *plugin, const struct bl_sample *sample,
                    const enum bl_outcome *outcomes, char *out, size_t size)
{
    const struct bl_sample_case *bad = first_failed(sample, outcomes);

    *out = '\0';
    if (!bad)
        return;
    if (spares(sample, outcomes, is_square, 0) && whole_failed(sample, outcomes))
        snprintf(out, size,
                 "only where there are not as many rows as columns: are rows and columns "
                 "swapped in the grid or in an index?");
    else if (spares(sample, outcomes, is_whole, 0))
        snprintf(
            out, size,
            "only where a tile hangs over an edge: check the bounds of partial tiles "
            "(< and not <=, rows against rows, and both on either side)");
    else if (spares(sample, outcomes, is_other_elem, bad->elem))
        snprintf(out, size, "only with elements of %" PRIu32 " byte%s", bad->elem,
                 bad->elem == 1 ? "" : "s");
    else
        hint_param(plugin, sample, outcomes, bad, out, size);
}

void bl_hint_moved(const struct bl_moved *moved, char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
    if (moved->kind == BL_MOVED_NEAR || moved->kind == BL_MOVED_FAR)
        used = (size_t)snprintf(out, size,
                                "what stands at row %" PRIu64 " column %" PRIu64
                                " is the element of row %" PRIu64 " column %" PRIu64,
                                moved->row, moved->col, moved->from_row, moved->from_col);
    if (moved->kind == BL_MOVED_NEAR && used < size)
        snprintf(
            out + used, size - used,
            ": elements change places within a tile; what is rotated, swizzled or "
            "padded on one side, where the tile is written or where it is read, must "
            "be so on the other");
    else if (moved->kind == BL_MOVED_FAR && used < size)
        snprintf(out + used, size - used, ": elements go to wrong places");
    else if (moved->kind == BL_MOVED_STRANGE)
        snprintf(out, size,
                 "what stands there is no element of the answer: it was computed or "
                 "loaded wrongly, or left by others");
}
