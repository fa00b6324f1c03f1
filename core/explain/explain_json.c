/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_json.c - explanations as one JSON document, banklab.explain/1.
 */
#include <config.h>
#include <inttypes.h>

#include "explain/explain.h"
#include "report/json_make.h"

static json_t *line(struct bl_json_make *make, const struct bl_explain_line *at)
{
    json_t *object = json_object();

    bl_json_add_text(make, object, "file", at->file);
    bl_json_add_count(make, object, "line", (uint64_t)at->line);
    bl_json_add_text_unless_empty(make, object, "text", at->text);
    return object;
}

static json_t *ptx(struct bl_json_make *make, const struct bl_explain_row *row)
{
    const struct bl_explain_line at = {.file = row->seen->module->name,
                                       .line = row->counts->insn->line,
                                       .text = row->ptx};

    return line(make, &at);
}

static json_t *source(struct bl_json_make *make, const struct bl_explain_row *row)
{
    json_t *object = line(make, &row->lines[0]), *array = json_array();

    for (size_t i = 1; i < row->line_count; i++)
        bl_json_append(make, array, line(make, &row->lines[i]));
    if (row->line_count > 1)
        bl_json_add(make, object, "called_at", array);
    else
        json_decref(array);
    return object;
}

static json_t *worst(struct bl_json_make *make, const struct bl_seen *seen)
{
    const struct bl_seen_access *at = &seen->worst;
    json_t *object = json_object(), *block = json_array();
    char mask[16];

    for (int i = 0; i < 3; i++)
        bl_json_append(make, block, json_integer(at->index[i]));
    snprintf(mask, sizeof mask, "0x%08" PRIx32, at->mask);
    bl_json_add_count(make, object, "launch", at->launch);
    bl_json_add(make, object, "block", block);
    bl_json_add_count(make, object, "warp", at->warp);
    bl_json_add_text(make, object, "mask", mask);
    bl_json_add(make, object, "addresses", bl_json_lanes(make, at->mask, at->address));
    if (seen->patterns) {
        bl_json_add_count(make, object, "warps_alike", seen->warps_like_worst);
        bl_json_add_count(make, object, "executions_alike", seen->like_worst);
    }
    return object;
}

static void add_counts(struct bl_json_make *make, json_t *object,
                       const struct bl_insn_counts *counts, bool is_open)
{
    bl_json_add_count(make, object, "executions", counts->executions);
    bl_json_add_count(make, object, counts->is_shared ? "wavefronts" : "sectors",
                      bl_explain_cost(counts));
    bl_json_add_count(make, object, "ideal", counts->ideal);
    if (!counts->is_shared)
        return;
    bl_json_add_count(make, object, "conflicts", counts->conflicts);
    bl_json_add_count(make, object, "ways", counts->ways);
    bl_json_add_count(make, object, "cycles", counts->cycles);
    if (!is_open) /* else those above are the most */
        return;
    bl_json_add_count(make, object, "wavefronts_least", counts->wavefronts_least);
    bl_json_add_count(make, object, "ways_least", counts->ways_least);
}

static json_t *instruction(struct bl_json_make *make, const struct bl_explain_row *row,
                           bool is_open)
{
    json_t *object = json_object();

    bl_json_add(make, object, "ptx", ptx(make, row));
    add_counts(make, object, row->counts, is_open);
    bl_json_add_count(make, object, "warps", row->seen->warps);
    if (row->seen->patterns)
        bl_json_add_count(make, object, "patterns", row->seen->patterns);
    bl_json_add(make, object, "worst", worst(make, row->seen));
    return object;
}

static json_t *one_place(struct bl_json_make *make, const struct bl_explain_rows *rows,
                         const struct bl_explain_place *place, bool is_open)
{
    const struct bl_explain_row *first = &rows->at[place->from];
    const uint64_t all = bl_explain_cost(&rows->sum);
    json_t *object = json_object(), *array = json_array();

    bl_json_add_text(make, object, "op", bl_explain_op(first));
    bl_json_add_count(make, object, "width", first->seen->width);
    bl_json_add_text(make, object, "function", first->seen->func->name);
    if (first->line_count)
        bl_json_add(make, object, "source", source(make, first));
    if (all)
        bl_json_add_real(make, object, "share",
                         (double)bl_explain_cost(&place->sum) / (double)all);
    add_counts(make, object, &place->sum, is_open);
    for (size_t i = 0; i < place->count; i++)
        bl_json_append(make, array, instruction(make, &first[i], is_open));
    bl_json_add(make, object, "instructions", array);
    return object;
}

/* The worst row is named by its place, and its number there. */
static json_t *list(struct bl_json_make *make, const struct bl_explain_rows *rows,
                    size_t top, bool is_open)
{
    json_t *object = json_object(), *array = json_array(), *at = json_object();

    add_counts(make, object, &rows->sum, is_open);
    if (rows->count) {
        const size_t place = rows->at[rows->worst].place;

        bl_json_add_count(make, at, "place", place);
        bl_json_add_count(make, at, "instruction",
                          rows->worst - rows->places[place].from);
    }
    bl_json_add_group(make, object, "worst", at);
    for (size_t i = 0; i < rows->place_count && (!top || i < top); i++)
        bl_json_append(make, array, one_place(make, rows, &rows->places[i], is_open));
    bl_json_add_count(make, object, "place_count", rows->place_count);
    bl_json_add(make, object, "places", array);
    return object;
}

static json_t *one_case(struct bl_json_make *make, const struct bl_explain *explain,
                        size_t top)
{
    const struct bl_result *result = &explain->result;
    const bool is_open = bl_arch_is_open(&explain->arch);
    json_t *object = json_object();

    bl_json_add_text(make, object, "case", result->of->name);
    bl_json_add_text(make, object, "plugin", result->of->plugin->abi.name);
    bl_json_add(make, object, "params", bl_json_params(make, result->of));
    bl_json_add(make, object, "problem", bl_json_problem(make, result->of));
    bl_json_add_text(make, object, "verdict", bl_verdict_name(result->verdict));
    bl_json_add_text(make, object, "detail", result->detail);
    if (!*explain->arch.name)
        return object;
    bl_json_add_text(make, object, "arch", explain->arch.name);
    bl_json_add_count(make, object, "launches", explain->launches);
    bl_json_add(make, object, "shared", list(make, &explain->shared, top, is_open));
    bl_json_add(make, object, "global", list(make, &explain->global, top, is_open));
    if (explain->uncounted)
        bl_json_add_count(make, object, "uncounted_atomics", explain->uncounted);
    return object;
}

static json_t *device_group(struct bl_json_make *make, const struct bl_device_desc *desc)
{
    json_t *object = json_object();

    bl_json_add_text(make, object, "backend", desc->backend);
    bl_json_add_text(make, object, "name", desc->name);
    bl_json_add_text(make, object, "arch", desc->arch);
    return object;
}

enum bl_status bl_explain_json(struct bl_explain *const *explained, size_t count,
                               const struct bl_device_desc *device, size_t top, FILE *out,
                               struct bl_error *err)
{
    struct bl_json_make make = {false};
    json_t *root = json_object(), *cases = json_array();

    bl_json_add_text(&make, root, "schema", "banklab.explain/1");
    bl_json_add_text(&make, root, "banklab", PACKAGE_VERSION);
    if (count)
        bl_json_add_text(&make, root, "profile", explained[0]->profile->path);
    bl_json_add(&make, root, "device", device_group(&make, device));
    for (size_t i = 0; i < count; i++)
        bl_json_append(&make, cases, one_case(&make, explained[i], top));
    bl_json_add(&make, root, "cases", cases);
    return bl_json_write(&make, root, out, err);
}
