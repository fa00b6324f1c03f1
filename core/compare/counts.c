/* SPDX-License-Identifier: Apache-2.0
 *
 * counts.c - the counts of a pair that are not the same.
 */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

enum { CLOCK = 1, ALL = BL_SHARED_FIELDS + BL_GLOBAL_FIELDS + BL_MODEL_FIELDS + CLOCK };

/* Two groups that may be compared, and by whom they were counted. */
struct sides {
    const struct bl_saved_counts *a, *b;
    const char *source; /* NULL: one side has none */
};

/* Reports of older versions do not tell which counter it was. */
static bool same_source(const struct bl_saved_counts *a, const struct bl_saved_counts *b)
{
    return strcmp(a->source, b->source) == 0 &&
           (!a->counted_by || !b->counted_by ||
            strcmp(a->counted_by, b->counted_by) == 0);
}

static const struct bl_saved_counts *of_model(const struct bl_saved_counts *counts,
                                              const struct bl_saved_counts *beside)
{
    return strcmp(counts->source, "model") == 0 ? counts : beside;
}

/* Where the sources differ, the model's counts stand in if both reports have them. */
static struct sides choose(const struct bl_saved_counts *a,
                           const struct bl_saved_counts *beside_a,
                           const struct bl_saved_counts *b,
                           const struct bl_saved_counts *beside_b)
{
    const struct bl_saved_counts *model_a, *model_b;

    if (!a->source || !b->source)
        return (struct sides){a, b, NULL};
    if (same_source(a, b))
        return (struct sides){a, b, a->source};
    model_a = of_model(a, beside_a);
    model_b = of_model(b, beside_b);
    if (model_a->source && model_b->source)
        return (struct sides){model_a, model_b, "model"};
    return (struct sides){a, b, "mixed"};
}

static bool same_count(struct bl_saved_count a, struct bl_saved_count b)
{
    return a.has == b.has && (!a.has || a.value == b.value);
}

static void add_changed(struct bl_cmp_pair *pair, const char *space,
                        const struct bl_saved_field *fields, size_t count,
                        const struct sides *sides)
{
    const bool fair = sides->source && strcmp(sides->source, "mixed") != 0 &&
                      (pair->differs & BL_CMP_ARCH) == 0;

    for (size_t i = 0; sides->source && i < count; i++) {
        const struct bl_saved_count a = sides->a->at[i], b = sides->b->at[i];

        pair->gated |= fair && fields[i].cost && a.has && b.has;
        if (same_count(a, b))
            continue;
        pair->changed[pair->changed_count++] = (struct bl_cmp_count){
            .space = space,
            .field = &fields[i],
            .a = a,
            .b = b,
            .worse = fair && fields[i].cost && a.has && b.has && b.value > a.value};
    }
}

/* A clock is read, so it never gives the same number twice: what is within the tolerance
 * is the same. */
static void add_clock(struct bl_cmp_pair *pair, double tolerance)
{
    const double a = pair->a->clock_cycles, b = pair->b->clock_cycles;

    if (!pair->a->clock_source || !pair->b->clock_source ||
        strcmp(pair->a->clock_source, pair->b->clock_source) != 0 ||
        (b <= a * (1 + tolerance) && a <= b * (1 + tolerance)))
        return;
    pair->changed[pair->changed_count++] =
        (struct bl_cmp_count){.space = "clock", .clock_a = a, .clock_b = b};
}

enum bl_status bl_compare_counts(struct bl_cmp_pair *pair, double tolerance,
                                 struct bl_error *err)
{
    const struct bl_saved_case *a = pair->a, *b = pair->b;
    const struct sides shared =
        choose(&a->shared, &a->beside_shared, &b->shared, &b->beside_shared);
    const struct sides global =
        choose(&a->global, &a->beside_global, &b->global, &b->beside_global);
    const struct sides model = {&a->model, &b->model,
                                a->model.source && b->model.source ? "model" : NULL};

    pair->changed = calloc(ALL, sizeof *pair->changed);
    if (!pair->changed)
        return bl_error_nomem(err);
    pair->shared_source = shared.source;
    pair->global_source = global.source;
    add_changed(pair, "shared", bl_shared_fields, BL_SHARED_FIELDS, &shared);
    add_changed(pair, "global", bl_global_fields, BL_GLOBAL_FIELDS, &global);
    add_changed(pair, "model", bl_model_fields, BL_MODEL_FIELDS, &model);
    add_clock(pair, tolerance);
    if (pair->changed_count == 0) {
        free(pair->changed);
        pair->changed = NULL;
    }
    return BL_OK;
}
