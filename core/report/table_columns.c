/* SPDX-License-Identifier: Apache-2.0
 *
 * table_columns.c - the columns of the table: where each gets its number.
 */
#include "report/table.h"
#include "work/kind.h"

#include <inttypes.h>
#include <math.h>

static void set_count(struct bl_cell *cell, uint64_t count)
{
    cell->type = BL_CELL_COUNT;
    cell->count = count;
}

/* Says the least too, where the arch leaves it open and it is less. */
static void set_least(struct bl_cell *cell, const struct bl_shared_counts *counts,
                      uint64_t least)
{
    cell->is_open = counts->ways_least > 0 && least < cell->count;
    cell->least = least;
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
    char shape[BL_SHAPE_MAX];

    bl_problem_shape(problem, "x", shape, sizeof shape);
    snprintf(cell->buffer, sizeof cell->buffer, "%s %" PRIu32 "B", shape, problem->elem);
    set_text(cell, cell->buffer);
}

static void get_arch(const struct bl_result *result, struct bl_cell *cell)
{
    if (result->arch)
        set_text(cell, result->arch);
}

/* ---- shared memory ------------------------------------------------------------- */

static void wavefronts(const struct bl_result *result,
                       const struct bl_shared_counts *counts, struct bl_cell *cell)
{
    if (result->counts.shared_source == BL_SRC_NONE)
        return;
    set_count(cell, counts->wavefronts);
    set_least(cell, counts, counts->wavefronts_least);
}

static void conflicts(const struct bl_result *result,
                      const struct bl_shared_counts *counts, struct bl_cell *cell)
{
    if (result->counts.shared_source == BL_SRC_NONE)
        return;
    set_count(cell, counts->conflicts);
    set_least(cell, counts,
              counts->conflicts - (counts->wavefronts - counts->wavefronts_least));
    cell->tint = counts->conflicts ? BL_WARN : BL_PLAIN;
}

static void ways(const struct bl_result *result, const struct bl_shared_counts *counts,
                 struct bl_cell *cell)
{
    /* Without a request there is no worst one, and counters alone don't know it. */
    if (result->counts.shared_source == BL_SRC_NONE || counts->ways == 0)
        return;
    set_count(cell, counts->ways);
    set_least(cell, counts, counts->ways_least);
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

/* Half of the interval, in per cent of the median. */
static void get_interval(const struct bl_result *result, struct bl_cell *cell)
{
    const struct bl_time *time = &result->time;

    if (time->source == BL_SRC_GPU && time->median_us > 0)
        set_real(cell, 50 * (time->high_us - time->low_us) / time->median_us, false);
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

/* ---- the columns ----------------------------------------------------------------- */

#define WAVEFRONTS {"wave-", "front"}, "wavefronts"
#define CONFLICTS  {"con-", "flict"}, "conflicts"
#define OVER_IDEAL {"over", "ideal"}, NULL
#define PERCENT    {"% of", "copy"}, NULL
#define INTERVAL   {"+/-", "%"}, NULL
#define CYCLES     {"cycles", "/access"}, NULL
#define STAGE      {"data", "stage"}, NULL
#define ONE(head)  {"", head}, NULL
#define COLUMN(group, heads, title, keep, decimals, get)                                 \
    {                                                                                    \
        BL_GROUP_##group, heads, title, keep, decimals, get                              \
    }

static const struct bl_column columns[] = {
    COLUMN(CASE, ONE("case"), "case", BL_KEEP, 0, get_case),
    COLUMN(CASE, ONE("problem"), "problem", 30, 0, get_problem),
    COLUMN(CASE, ONE("arch"), "arch", 75, 0, get_arch),
    COLUMN(CASE, ONE("verdict"), "verdict", BL_KEEP, 0, get_verdict),
    COLUMN(LOAD, WAVEFRONTS, "load wavefronts", 60, 0, get_load_wavefronts),
    COLUMN(LOAD, CONFLICTS, "load conflicts", 20, 0, get_load_conflicts),
    COLUMN(LOAD, ONE("ways"), "load ways", BL_KEEP, 0, get_load_ways),
    COLUMN(STORE, WAVEFRONTS, "store wavefronts", 60, 0, get_store_wavefronts),
    COLUMN(STORE, CONFLICTS, "store conflicts", 20, 0, get_store_conflicts),
    COLUMN(STORE, ONE("ways"), "store ways", BL_KEEP, 0, get_store_ways),
    COLUMN(GLOBAL, ONE("load"), "load sectors", 50, 0, get_load_sectors),
    COLUMN(GLOBAL, OVER_IDEAL, "load sectors over ideal", 40, 2, get_load_over_ideal),
    COLUMN(GLOBAL, ONE("store"), "store sectors", 50, 0, get_store_sectors),
    COLUMN(GLOBAL, OVER_IDEAL, "store sectors over ideal", 40, 2, get_store_over_ideal),
    COLUMN(TIME, ONE("us"), "time", 90, BL_AUTO, get_time),
    COLUMN(TIME, INTERVAL, "interval of the time", 15, 2, get_interval),
    COLUMN(TIME, ONE("GB/s"), "GB/s", 25, BL_AUTO, get_gbps),
    COLUMN(TIME, PERCENT, "per cent of a copy", 10, 1, get_percent),
    COLUMN(CLOCK, CYCLES, "cycles per access", 85, 2, get_clock),
    COLUMN(BASELINE, STAGE, "data stage vs baseline", 79, 2, get_baseline_stage),
    COLUMN(BASELINE, ONE("time"), "time vs baseline", 80, 2, get_baseline_time),
    COLUMN(TWIN, STAGE, "data stage vs twin", 71, 2, get_twin_stage),
    COLUMN(TWIN, ONE("time"), "time vs twin", 70, 2, get_twin_time),
};

_Static_assert(sizeof columns / sizeof *columns <= BL_COLUMN_MAX, "room for the columns");

const struct bl_column *bl_columns(size_t *count)
{
    *count = sizeof columns / sizeof *columns;
    return columns;
}
