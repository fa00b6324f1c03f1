/* SPDX-License-Identifier: Apache-2.0
 *
 * table_columns.c - the columns of the table: where each gets its number.
 */
#include "report/table.h"

#include <inttypes.h>
#include <math.h>

static void set_count(struct bl_cell *cell, uint64_t count)
{
    cell->type = BL_CELL_COUNT;
    cell->count = count;
}

static void set_real(struct bl_cell *cell, double real, bool predicted)
{
    if (!isfinite(real))
        return;
    cell->type = BL_CELL_REAL;
    cell->real = real;
    cell->predicted = predicted;
}

static void set_text(struct bl_cell *cell, const char *text)
{
    cell->type = BL_CELL_TEXT;
    cell->text = text;
}

static void get_case(const struct bl_result *result, struct bl_cell *cell)
{
    set_text(cell, result->of->name);
}

static void get_verdict(const struct bl_result *result, struct bl_cell *cell)
{
    static const struct {
        const char *word;
        enum bl_tint tint;
    } words[] = {
        [BL_PASS] = {"pass", BL_GOOD},
        [BL_FAIL] = {"FAIL", BL_BAD},
        [BL_SKIP] = {"skip", BL_WARN},
        [BL_ERROR] = {"ERROR", BL_BAD},
    };

    set_text(cell, words[result->verdict].word);
    cell->tint = words[result->verdict].tint;
}

static void get_problem(const struct bl_result *result, struct bl_cell *cell)
{
    const struct banklab_problem *problem = &result->of->problem;

    snprintf(cell->buffer, sizeof cell->buffer, "%" PRIu64 "x%" PRIu64 " %" PRIu32 "B",
             problem->rows, problem->cols, problem->elem);
    set_text(cell, cell->buffer);
}

/* ---- shared memory ------------------------------------------------------------- */

static void wavefronts(const struct bl_result *result,
                       const struct bl_shared_counts *counts, struct bl_cell *cell)
{
    if (result->counts.shared_source != BL_SRC_NONE)
        set_count(cell, counts->wavefronts);
}

static void conflicts(const struct bl_result *result,
                      const struct bl_shared_counts *counts, struct bl_cell *cell)
{
    if (result->counts.shared_source == BL_SRC_NONE)
        return;
    set_count(cell, counts->conflicts);
    cell->tint = counts->conflicts ? BL_WARN : BL_PLAIN;
}

static void ways(const struct bl_result *result, const struct bl_shared_counts *counts,
                 struct bl_cell *cell)
{
    /* Without a request there is no worst one. */
    if (result->counts.shared_source == BL_SRC_NONE || counts->requests == 0)
        return;
    set_count(cell, counts->ways);
    cell->tint = counts->ways > 1 ? BL_WARN : BL_PLAIN;
}

static void get_load_wavefronts(const struct bl_result *result, struct bl_cell *cell)
{
    wavefronts(result, &result->counts.shared_load, cell);
}

static void get_load_conflicts(const struct bl_result *result, struct bl_cell *cell)
{
    conflicts(result, &result->counts.shared_load, cell);
}

static void get_load_ways(const struct bl_result *result, struct bl_cell *cell)
{
    ways(result, &result->counts.shared_load, cell);
}

static void get_store_wavefronts(const struct bl_result *result, struct bl_cell *cell)
{
    wavefronts(result, &result->counts.shared_store, cell);
}

static void get_store_conflicts(const struct bl_result *result, struct bl_cell *cell)
{
    conflicts(result, &result->counts.shared_store, cell);
}

static void get_store_ways(const struct bl_result *result, struct bl_cell *cell)
{
    ways(result, &result->counts.shared_store, cell);
}

/* ---- global memory ------------------------------------------------------------- */

static void sectors(const struct bl_result *result, const struct bl_global_counts *counts,
                    struct bl_cell *cell)
{
    if (result->counts.global_source != BL_SRC_NONE)
        set_count(cell, counts->sectors);
}

static void over_ideal(const struct bl_result *result,
                       const struct bl_global_counts *counts, struct bl_cell *cell)
{
    if (result->counts.global_source == BL_SRC_NONE || counts->ideal == 0)
        return;
    set_real(cell, (double)counts->sectors / (double)counts->ideal, false);
    cell->tint = counts->sectors > counts->ideal ? BL_WARN : BL_PLAIN;
}

static void get_load_sectors(const struct bl_result *result, struct bl_cell *cell)
{
    sectors(result, &result->counts.global_load, cell);
}

static void get_load_over_ideal(const struct bl_result *result, struct bl_cell *cell)
{
    over_ideal(result, &result->counts.global_load, cell);
}

static void get_store_sectors(const struct bl_result *result, struct bl_cell *cell)
{
    sectors(result, &result->counts.global_store, cell);
}

static void get_store_over_ideal(const struct bl_result *result, struct bl_cell *cell)
{
    over_ideal(result, &result->counts.global_store, cell);
}

/* ---- time ---------------------------------------------------------------------- */

static void get_time(const struct bl_result *result, struct bl_cell *cell)
{
    if (result->time.source != BL_SRC_NONE)
        set_real(cell, result->time.median_us, result->time.source == BL_SRC_PREDICTED);
}

static void get_gbps(const struct bl_result *result, struct bl_cell *cell)
{
    if (result->throughput.has_gbps)
        set_real(cell, result->throughput.gbps, result->time.source == BL_SRC_PREDICTED);
}

static void get_percent(const struct bl_result *result, struct bl_cell *cell)
{
    if (result->throughput.has_percent)
        set_real(cell, result->throughput.percent_of_copy,
                 result->time.source == BL_SRC_PREDICTED);
}

static void get_clock(const struct bl_result *result, struct bl_cell *cell)
{
    if (result->clock.source != BL_SRC_NONE)
        set_real(cell, result->clock.cycles_per_access,
                 result->clock.source == BL_SRC_PREDICTED);
}

/* ---- slowdown ------------------------------------------------------------------ */

static void data_stage(const struct bl_slowdown *down, struct bl_cell *cell)
{
    if (!down->present || !down->has_data_stage)
        return;
    set_real(cell, down->data_stage, false);
    cell->tint = down->data_stage > 1.005 ? BL_WARN : BL_PLAIN;
}

/* The measured ratio; where there is none, the predicted. */
static void whole_time(const struct bl_slowdown *down, struct bl_cell *cell)
{
    if (!down->present || (!down->has_ratio && !down->has_predicted))
        return;
    set_real(cell, down->has_ratio ? down->ratio : down->predicted, !down->has_ratio);
    cell->tint = cell->real > 1.005 ? BL_WARN : BL_PLAIN;
}

static void get_baseline_stage(const struct bl_result *result, struct bl_cell *cell)
{
    data_stage(&result->baseline, cell);
}

static void get_baseline_time(const struct bl_result *result, struct bl_cell *cell)
{
    whole_time(&result->baseline, cell);
}

static void get_twin_stage(const struct bl_result *result, struct bl_cell *cell)
{
    data_stage(&result->twin, cell);
}

static void get_twin_time(const struct bl_result *result, struct bl_cell *cell)
{
    whole_time(&result->twin, cell);
}

/* clang-format off: one row a line reads as the table it is. */

/* ---- the columns ----------------------------------------------------------------- */

static const struct bl_column columns[] = {
    {BL_GROUP_CASE, {"", "case"}, NULL, "case", BL_KEEP, 0, get_case},
    {BL_GROUP_CASE, {"", "problem"}, NULL, "problem", 30, 0, get_problem},
    {BL_GROUP_CASE, {"", "verdict"}, NULL, "verdict", BL_KEEP, 0, get_verdict},
    {BL_GROUP_LOAD,
     {"wave-", "front"},
     "wavefronts",
     "load wavefronts",
     60,
     0,
     get_load_wavefronts},
    {BL_GROUP_LOAD,
     {"con-", "flict"},
     "conflicts",
     "load conflicts",
     20,
     0,
     get_load_conflicts},
    {BL_GROUP_LOAD, {"", "ways"}, NULL, "load ways", BL_KEEP, 0, get_load_ways},
    {BL_GROUP_STORE,
     {"wave-", "front"},
     "wavefronts",
     "store wavefronts",
     60,
     0,
     get_store_wavefronts},
    {BL_GROUP_STORE,
     {"con-", "flict"},
     "conflicts",
     "store conflicts",
     20,
     0,
     get_store_conflicts},
    {BL_GROUP_STORE, {"", "ways"}, NULL, "store ways", BL_KEEP, 0, get_store_ways},
    {BL_GROUP_GLOBAL, {"", "load"}, NULL, "load sectors", 50, 0, get_load_sectors},
    {BL_GROUP_GLOBAL,
     {"over", "ideal"},
     NULL,
     "load sectors over ideal",
     40,
     2,
     get_load_over_ideal},
    {BL_GROUP_GLOBAL, {"", "store"}, NULL, "store sectors", 50, 0, get_store_sectors},
    {BL_GROUP_GLOBAL,
     {"over", "ideal"},
     NULL,
     "store sectors over ideal",
     40,
     2,
     get_store_over_ideal},
    {BL_GROUP_TIME, {"", "us"}, NULL, "time", 90, BL_AUTO, get_time},
    {BL_GROUP_TIME, {"", "GB/s"}, NULL, "GB/s", 25, BL_AUTO, get_gbps},
    {BL_GROUP_TIME, {"% of", "copy"}, NULL, "per cent of a copy", 10, 1, get_percent},
    {BL_GROUP_CLOCK, {"cycles", "/access"}, NULL, "cycles per access", 85, 2, get_clock},
    {BL_GROUP_BASELINE,
     {"data", "stage"},
     NULL,
     "data stage vs baseline",
     79,
     2,
     get_baseline_stage},
    {BL_GROUP_BASELINE, {"", "time"}, NULL, "time vs baseline", 80, 2, get_baseline_time},
    {BL_GROUP_TWIN, {"data", "stage"}, NULL, "data stage vs twin", 71, 2, get_twin_stage},
    {BL_GROUP_TWIN, {"", "time"}, NULL, "time vs twin", 70, 2, get_twin_time},
};

_Static_assert(sizeof columns / sizeof *columns <= BL_COLUMN_MAX, "room for the columns");

const struct bl_column *bl_columns(size_t *count)
{
    *count = sizeof columns / sizeof *columns;
    return columns;
}
