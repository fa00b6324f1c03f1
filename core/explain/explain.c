/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "explain/source.h"
#include "work/runner.h"

uint64_t bl_explain_cost(const struct bl_insn_counts *counts)
{
    return counts->is_shared ? counts->wavefronts : counts->sectors;
}

static int by_cost(const struct bl_insn_counts *a, const struct bl_insn_counts *b)
{
    if (a->is_shared && a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    if (bl_explain_cost(a) != bl_explain_cost(b))
        return bl_explain_cost(a) > bl_explain_cost(b) ? -1 : 1;
    if (a->insn->line != b->insn->line)
        return a->insn->line < b->insn->line ? -1 : 1;
    return (int)a->is_special - (int)b->is_special;
}

static uint64_t above_ideal(const struct bl_insn_counts *counts)
{
    const uint64_t cost = bl_explain_cost(counts);

    return cost > counts->ideal ? cost - counts->ideal : 0;
}

static const struct bl_seen *find_seen(const struct bl_seen_list *list,
                                       const struct bl_insn_counts *counts)
{
    const enum bl_ptx_space space = counts->is_shared ? BL_SPACE_SHARED : BL_SPACE_GLOBAL;
    size_t count;
    const struct bl_seen *all = bl_seen_all(list, &count);

    for (size_t i = 0; i < count; i++)
        if (all[i].insn == counts->insn && all[i].space == space)
            return &all[i];
    return NULL;
}

static enum bl_status fill(struct bl_explain_rows *rows, const struct bl_seen_list *list,
                           bool shared, struct bl_error *err)
{
    size_t count;
    const struct bl_insn_counts *counts = bl_seen_counts(list, &count);

    rows->sum.is_shared = shared;
    rows->at = calloc(count + 1, sizeof *rows->at);
    if (!rows->at)
        return bl_error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        struct bl_explain_row *row = &rows->at[rows->count];

        if (counts[i].is_shared != shared)
            continue;
        row->counts = &counts[i];
        row->seen = find_seen(list, &counts[i]);
        if (!row->seen)
            return bl_error_set(err, BL_E_INTERNAL,
                                "PTX line %d was counted and not seen",
                                counts[i].insn->line);
        rows->count++;
        bl_insn_counts_add(&rows->sum, &counts[i]);
    }
    return BL_OK;
}

/* ---- lines ------------------------------------------------------------------------- */

static const char *file_of(const struct bl_ptx_module *module, int file)
{
    return file >= 0 && (size_t)file < module->file_count ? module->files[file] : NULL;
}

static enum bl_status add_line(struct bl_explain_row *row, struct bl_sources *sources,
                               int file, int line, struct bl_error *err)
{
    struct bl_explain_line *to = &row->lines[row->line_count];

    to->file = file_of(row->seen->module, file);
    to->line = line;
    if (!to->file || line <= 0)
        return BL_OK;
    row->line_count++;
    return bl_sources_line(sources, to->file, line, &to->text, err);
}

static enum bl_status find_lines(struct bl_explain_row *row, struct bl_sources *sources,
                                 const struct banklab_module *module,
                                 struct bl_error *err)
{
    const struct bl_ptx_insn *insn = row->counts->insn;
    const struct bl_ptx_place *at = insn->called_at;
    enum bl_status status;

    row->ptx = bl_text_line(module->text, module->length, insn->line);
    row->lines = calloc(2u + (at ? at->depth : 0), sizeof *row->lines);
    if (!row->lines)
        return bl_error_nomem(err);
    status = add_line(row, sources, insn->loc_file, insn->loc_line, err);
    for (; at && row->line_count && !status; at = at->called_at)
        status = add_line(row, sources, at->file, at->line, err);
    return status;
}

static enum bl_status find_all_lines(struct bl_explain *explain,
                                     struct bl_sources *sources,
                                     const struct banklab_module *module,
                                     struct bl_error *err)
{
    struct bl_explain_rows *const both[] = {&explain->shared, &explain->global};
    enum bl_status status = BL_OK;

    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j < both[i]->count && !status; j++)
            status = find_lines(&both[i]->at[j], sources, module, err);
    return status;
}

/* ---- places ------------------------------------------------------------------------ */

static bool is_same_place(const struct bl_explain_row *a, const struct bl_explain_row *b)
{
    if (!a->line_count || a->line_count != b->line_count ||
        a->seen->func != b->seen->func || a->seen->width != b->seen->width ||
        a->counts->is_store != b->counts->is_store ||
        a->counts->is_special != b->counts->is_special || a->seen->op != b->seen->op ||
        a->seen->form != b->seen->form)
        return false;
    for (size_t i = 0; i < a->line_count; i++)
        if (a->lines[i].line != b->lines[i].line ||
            strcmp(a->lines[i].file, b->lines[i].file) != 0)
            return false;
    return true;
}

/* Sorting needs to know of each place what it was called before. */
struct ranked {
    struct bl_explain_place place;
    size_t was;
};

static int places_by_cost(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    return by_cost(&a->place.sum, &b->place.sum);
}

static int rows_by_place(const void *left, const void *right)
{
    const struct bl_explain_row *a = left, *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return by_cost(a->counts, b->counts);
}

static void gather(struct bl_explain_rows *rows, struct ranked *ranked)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct bl_explain_row *row = &rows->at[i];
        size_t j = 0;

        while (j < i && !is_same_place(&rows->at[j], row))
            j++;
        row->place = j < i ? rows->at[j].place : rows->place_count;
        if (j == i) {
            ranked[rows->place_count].was = rows->place_count;
            ranked[rows->place_count++].place.sum = *row->counts;
        } else {
            bl_insn_counts_add(&ranked[row->place].place.sum, row->counts);
        }
        ranked[row->place].place.count++;
    }
}

static enum bl_status sort(struct bl_explain_rows *rows, struct bl_error *err)
{
    struct ranked *ranked = calloc(rows->count + 1, sizeof *ranked);
    size_t *now = calloc(rows->count + 1, sizeof *now), from = 0;
    enum bl_status status = BL_OK;

    rows->places = calloc(rows->count + 1, sizeof *rows->places);
    if (!ranked || !now || !rows->places) {
        status = bl_error_nomem(err);
        goto out;
    }
    gather(rows, ranked);
    qsort(ranked, rows->place_count, sizeof *ranked, places_by_cost);
    for (size_t i = 0; i < rows->place_count; i++) {
        now[ranked[i].was] = i;
        rows->places[i] = ranked[i].place;
        rows->places[i].from = from;
        from += ranked[i].place.count;
    }
    for (size_t i = 0; i < rows->count; i++)
        rows->at[i].place = now[rows->at[i].place];
    qsort(rows->at, rows->count, sizeof *rows->at, rows_by_place);
    for (size_t i = 1; i < rows->count; i++)
        if (above_ideal(rows->at[i].counts) > above_ideal(rows->at[rows->worst].counts))
            rows->worst = i;
out:
    free(ranked);
    free(now);
    return status;
}

/* ---- a case ------------------------------------------------------------------------ */

static uint64_t uncounted(const struct bl_seen_list *list)
{
    uint64_t sum = 0;
    size_t count;
    const struct bl_seen *all = bl_seen_all(list, &count);

    for (size_t i = 0; i < count; i++)
        sum += all[i].counted ? 0 : all[i].executions;
    return sum;
}

static enum bl_status build(struct bl_explain *explain, const struct bl_paths *paths,
                            const struct banklab_module *module, struct bl_error *err)
{
    const char *plugin_path = explain->result.of->plugin->path;
    struct bl_sources *sources = NULL;
    enum bl_status status;

    explain->launches = bl_seen_launches(explain->seen);
    explain->uncounted = uncounted(explain->seen);
    status = fill(&explain->shared, explain->seen, true, err);
    if (status == BL_OK)
        status = fill(&explain->global, explain->seen, false, err);
    if (status == BL_OK && module)
        status = bl_sources_new(paths, plugin_path, &sources, err);
    if (status == BL_OK && module)
        status = find_all_lines(explain, sources, module, err);
    if (status == BL_OK)
        status = sort(&explain->shared, err);
    if (status == BL_OK)
        status = sort(&explain->global, err);
    bl_sources_free(sources);
    return status;
}

/* What was seen counts only if all launches ran to their end: then there are counts. */
static bool is_whole(const struct bl_explain *explain)
{
    return explain->result.counts.shared_source != BL_SRC_NONE;
}

enum bl_status bl_explain_case(const struct bl_profile *profile, size_t index,
                               struct bl_device *dev, const struct bl_paths *paths,
                               struct bl_explain **out, struct bl_error *err)
{
    struct bl_explain *explain = calloc(1, sizeof *explain);
    const struct banklab_module *module = NULL;
    enum bl_status status;

    if (!explain)
        return bl_error_nomem(err);
    explain->profile = profile;
    status = bl_seen_new(&explain->seen, err);
    if (status == BL_OK)
        status = bl_runner_watch(profile, index, dev, bl_seen_watcher(explain->seen),
                                 &explain->result, &module, err);
    if (status == BL_OK && is_whole(explain)) {
        explain->arch = *bl_seen_arch(explain->seen);
        status = build(explain, paths, module, err);
    }
    if (status != BL_OK) {
        bl_explain_free(explain);
        return status;
    }
    *out = explain;
    return BL_OK;
}

static void free_rows(struct bl_explain_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t j = 0; j < rows->at[i].line_count; j++)
            free(rows->at[i].lines[j].text);
        free(rows->at[i].lines);
        free(rows->at[i].ptx);
    }
    free(rows->at);
    free(rows->places);
}

void bl_explain_free(struct bl_explain *explain)
{
    if (!explain)
        return;
    free_rows(&explain->shared);
    free_rows(&explain->global);
    bl_seen_free(explain->seen);
    free(explain);
}

const char *bl_explain_op(const struct bl_explain_row *row)
{
    if (row->seen->op == BL_WATCH_ATOMIC)
        return row->counts->is_special ? "atomic" : "load of an atomic";
    if (row->seen->form == BL_WATCH_ASYNC)
        return "asynchronous copy";
    return row->counts->is_store ? "store" : "load";
}
