/* SPDX-License-Identifier: Apache-2.0
 *
 * compare_json.c - a comparison as one JSON document, banklab.compare/1.
 */
#include <config.h>

#include "compare/compare.h"
#include "report/json_make.h"

static json_t *report(struct bl_json_make *make, const struct bl_saved *of)
{
    json_t *object = json_object(), *device = json_object();

    bl_json_add_text(make, object, "path", of->path);
    bl_json_add_text(make, object, "banklab", of->version);
    bl_json_add_text(make, object, "profile", of->profile);
    bl_json_add_text(make, device, "backend", of->backend);
    bl_json_add_text(make, device, "name", of->device);
    bl_json_add_text(make, device, "arch", of->arch);
    bl_json_add_text_unless_empty(make, device, "rates", of->rates);
    bl_json_add_text_unless_empty(make, device, "driver", of->driver);
    bl_json_add(make, object, "device", device);
    bl_json_add_text_unless_empty(make, object, "date", of->date);
    return object;
}

static json_t *side(struct bl_json_make *make, const struct bl_saved_case *of)
{
    json_t *object = json_object(), *time = json_object();

    bl_json_add_text(make, object, "verdict", bl_verdict_name(of->verdict));
    bl_json_add_text(make, object, "detail", of->detail);
    if (of->time.source) {
        bl_json_add_text(make, time, "source", of->time.source);
        bl_json_add_real(make, time, "median_us", of->time.median_us);
        bl_json_add_real(make, time, "low_us", of->time.low_us);
        bl_json_add_real(make, time, "high_us", of->time.high_us);
    }
    bl_json_add_group(make, object, "time", time);
    return object;
}

static json_t *ratio(struct bl_json_make *make, const struct bl_cmp_pair *pair)
{
    json_t *object = json_object();

    if (pair->has_ratio) {
        bl_json_add_text(make, object, "source", pair->b->time.source);
        bl_json_add_text(make, object, "interval", bl_cmp_interval_name(pair->how));
        bl_json_add_real(make, object, "ratio", pair->ratio);
        bl_json_add_real(make, object, "low", pair->low);
        bl_json_add_real(make, object, "high", pair->high);
    }
    return object;
}

/* One side of a count; absent where that side has none. */
static void add_value(struct bl_json_make *make, json_t *object, const char *key,
                      const struct bl_cmp_count *count, struct bl_saved_count value,
                      double clock)
{
    if (!count->field)
        bl_json_add_real(make, object, key, clock);
    else if (value.has)
        bl_json_add_count(make, object, key, value.value);
}

static json_t *changed(struct bl_json_make *make, const struct bl_cmp_pair *pair)
{
    json_t *array = json_array();

    for (size_t i = 0; i < pair->changed_count; i++) {
        const struct bl_cmp_count *count = &pair->changed[i];
        json_t *object = json_object();
        char name[64];

        bl_cmp_count_name(count, name, sizeof name);
        bl_json_add_text(make, object, "count", name);
        add_value(make, object, "a", count, count->a, count->clock_a);
        add_value(make, object, "b", count, count->b, count->clock_b);
        bl_json_add(make, object, "worse", json_boolean(count->worse));
        bl_json_append(make, array, object);
    }
    return array;
}

static json_t *sources(struct bl_json_make *make, const struct bl_cmp_pair *pair)
{
    json_t *object = json_object();

    bl_json_add_text_unless_empty(make, object, "shared", pair->shared_source);
    bl_json_add_text_unless_empty(make, object, "global", pair->global_source);
    return object;
}

static json_t *one_pair(struct bl_json_make *make, const struct bl_comparison *comparison,
                        const struct bl_cmp_pair *pair)
{
    json_t *object = json_object();

    bl_json_add_text(make, object, "case", pair->b ? pair->b->name : pair->a->name);
    bl_json_add_text(make, object, "in", !pair->b ? "a" : !pair->a ? "b" : "both");
    if (pair->a)
        bl_json_add(make, object, "a", side(make, pair->a));
    if (pair->b)
        bl_json_add(make, object, "b", side(make, pair->b));
    if (pair->differs)
        bl_json_add_fresh(make, object, "differs", bl_cmp_differs_text(pair));
    bl_json_add_group(make, object, "time", ratio(make, pair));
    bl_json_add_text_unless_empty(make, object, "verdict",
                                  bl_cmp_verdict_name(pair->verdict));
    bl_json_add_text_unless_empty(make, object, "why", pair->why);
    bl_json_add_group(make, object, "counted_by", sources(make, pair));
    if (pair->changed_count)
        bl_json_add(make, object, "changed", changed(make, pair));
    if (pair->failed)
        bl_json_add_fresh(make, object, "failed", bl_cmp_failed_text(comparison, pair));
    return object;
}

static json_t *summary(struct bl_json_make *make, const struct bl_comparison *comparison)
{
    json_t *object = json_object();

    for (int i = BL_CMP_NONE + 1; i < BL_CMP_VERDICTS; i++)
        bl_json_add_count(make, object, bl_cmp_verdict_name((enum bl_cmp_verdict)i),
                          comparison->verdicts[i]);
    bl_json_add_count(make, object, "no_ratio", comparison->verdicts[BL_CMP_NONE]);
    bl_json_add_count(make, object, "other_counts", comparison->with_changes);
    bl_json_add_count(make, object, "passed_in_a_alone", comparison->broke);
    bl_json_add_count(make, object, "passed_in_b_alone", comparison->mended);
    bl_json_add_count(make, object, "only_in_a", comparison->only_a);
    bl_json_add_count(make, object, "only_in_b", comparison->only_b);
    return object;
}

static json_t *document(struct bl_json_make *make, const struct bl_comparison *comparison)
{
    json_t *root = json_object(), *notes = json_array(), *cases = json_array();

    bl_json_add_text(make, root, "schema", "banklab.compare/1");
    bl_json_add_text(make, root, "banklab", PACKAGE_VERSION);
    bl_json_add(make, root, "a", report(make, comparison->a));
    if (comparison->against)
        bl_json_add_text(make, root, "against", comparison->against->name);
    else
        bl_json_add(make, root, "b", report(make, comparison->b));
    bl_json_add_real(make, root, "tolerance", comparison->options.tolerance);
    if (comparison->options.has_fail_slower)
        bl_json_add_real(make, root, "fail_slower", comparison->options.fail_slower);
    for (size_t i = 0; i < comparison->note_count; i++)
        bl_json_append(make, notes, bl_json_text(comparison->notes[i]));
    bl_json_add(make, root, "notes", notes);
    for (size_t i = 0; i < comparison->count; i++)
        bl_json_append(make, cases, one_pair(make, comparison, &comparison->pairs[i]));
    bl_json_add(make, root, "cases", cases);
    bl_json_add(make, root, "summary", summary(make, comparison));
    return root;
}

enum bl_status bl_compare_json(const struct bl_comparison *comparison, FILE *out,
                               struct bl_error *err)
{
    struct bl_json_make make = {false};

    return bl_json_write(&make, document(&make, comparison), out, err);
}
