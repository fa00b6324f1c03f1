/* SPDX-License-Identifier: Apache-2.0
 *
 * race_variables.c - a module's variables, which keep their values from run to run.
 */
#include <stdlib.h>
#include <string.h>

#include "check/race_parts.h"
#include "model/memory.h"
#include "model/program.h"

static bool is_variable(const struct bl_memory_span *span)
{
    return span->address >> BL_WINDOW_SHIFT == BL_WINDOW_VARS;
}

typedef void each_fn(struct bl_races *races, const struct bl_memory_span *span,
                     uint64_t at);

/* Calls back for each variable with its place among all of their bytes; returns how many
 * these are. */
static uint64_t for_each(struct bl_races *races, each_fn *each)
{
    const struct bl_memory *memory = races->launch.memory;
    uint64_t at = 0;

    for (size_t i = 0; i < memory->count; i++) {
        if (!is_variable(&memory->spans[i]))
            continue;
        if (each)
            each(races, &memory->spans[i], at);
        at += memory->spans[i].bytes;
    }
    return at;
}

static void keep(struct bl_races *races, const struct bl_memory_span *span, uint64_t at)
{
    memcpy(races->variables + at, span->host, span->bytes);
}

enum bl_status bl_race_variables_begin(struct bl_races *races, struct bl_error *err)
{
    if (races->began)
        return BL_OK;
    free(races->variables);
    races->variables = malloc(for_each(races, NULL) + 1);
    if (!races->variables)
        return bl_error_nomem(err);
    for_each(races, keep);
    races->began = true;
    return BL_OK;
}

static void look(struct bl_races *races, const struct bl_memory_span *span, uint64_t at)
{
    for (uint64_t i = 0; i < span->bytes; i++) {
        const struct bl_race_cell *cell;

        if (span->host[i] == races->variables[at + i])
            continue;
        cell = bl_race_cell_at(&races->shadow, span->address + i);
        if (cell && cell->early >= races->order.run_begin)
            bl_race_note_state(races, span->name, i, cell->early_insn);
    }
}

/* An earlier launch's finding may have been made good by this one. */
void bl_race_variables_end(struct bl_races *races)
{
    size_t kept = 0;

    for (size_t i = 0; i < races->found_count; i++)
        if (races->found[i].kind != BL_HAZARD_STATE)
            races->found[kept++] = races->found[i];
    races->found_count = kept;
    for_each(races, look);
}
