/* SPDX-License-Identifier: Apache-2.0
 *
 * saved_case.c - one case of a report, from its JSON.
 */
#include "compare/saved_case.h"

#include <string.h>

/* ---- counts ----------------------------------------------------------------------- */

#define SHARED(side)                                                                     \
    {side, "requests", true, true}, {side, "wavefronts", true, true},                    \
        {side, "ideal", false, false}, {side, "conflicts", true, true},                  \
        {side, "ways", false, true}, {side, "wavefronts_least", false, false},           \
    {                                                                                    \
        side, "ways_least", false, false                                                 \
    }
#define GLOBAL(side)                                                                     \
    {side, "requests", true, true}, {side, "sectors", true, true},                       \
    {                                                                                    \
        side, "ideal", false, false                                                      \
    }

const struct bl_saved_field bl_shared_fields[BL_SHARED_FIELDS] = {
    SHARED("load"),
    SHARED("store"),
    SHARED("atomic"),
    SHARED("async"),
    {NULL, "cycles", false, true},
};

const struct bl_saved_field bl_global_fields[BL_GLOBAL_FIELDS] = {GLOBAL("load"),
                                                                  GLOBAL("store")};

const struct bl_saved_field bl_model_fields[BL_MODEL_FIELDS] = {
    {NULL, "blocks", true, false},
    {NULL, "instructions", true, false},
    {NULL, "block_shared_bytes", false, false},
};

static bool is_rare(const char *side)
{
    return side && (strcmp(side, "atomic") == 0 || strcmp(side, "async") == 0);
}

/* A count of the side at `side`, whose object is NULL where a rare one is absent. */
static enum bl_status read_count(const struct bl_place *side,
                                 const struct bl_saved_field *field,
                                 struct bl_saved_count *out, struct bl_error *err)
{
    enum bl_status status;

    if (!side->object) {
        *out = (struct bl_saved_count){.has = field->needed};
        return BL_OK;
    }
    status = bl_member_count(side, field->name, field->needed ? BL_NEEDED : BL_OPTIONAL,
                             0, &out->value, err);
    /* Early reports have 0 ways where no access had any. */
    out->has = json_object_get(side->object, field->name) &&
               (out->value > 0 || strncmp(field->name, "ways", 4) != 0);
    return status;
}

static enum bl_status read_counts(const struct bl_place *group,
                                  const struct bl_saved_field *fields, size_t count,
                                  struct bl_saved_counts *out, struct bl_error *err)
{
    struct bl_place side = *group;
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < count && status == BL_OK; i++) {
        const struct bl_saved_field *field = &fields[i];

        if (!field->side)
            side = *group;
        else if (i == 0 || !fields[i - 1].side ||
                 strcmp(fields[i - 1].side, field->side) != 0)
            status = bl_member_object(group, field->side,
                                      is_rare(field->side) ? BL_OPTIONAL : BL_NEEDED,
                                      &side, err);
        if (status == BL_OK)
            status = read_count(&side, field, &out->at[i], err);
    }
    return status;
}

/* The group `key` of counts that say where they are from. */
static enum bl_status read_group(const struct bl_place *at, const char *key,
                                 const struct bl_saved_field *fields, size_t count,
                                 struct bl_saved_counts *out, struct bl_error *err)
{
    static const char *const sources[] = {"model", "counter", NULL};
    static const char *const counted[] = {"instructions", "hardware", NULL};
    struct bl_place group;
    enum bl_status status = bl_member_object(at, key, BL_OPTIONAL, &group, err);

    if (status != BL_OK || !group.object)
        return status;
    status = bl_member_word(&group, "source", BL_NEEDED, sources, &out->source, err);
    if (status == BL_OK)
        status = bl_member_word(&group, "counted_by", BL_OPTIONAL, counted,
                                &out->counted_by, err);
    if (status == BL_OK)
        status = read_counts(&group, fields, count, out, err);
    return status;
}

/* The model's own counts `key`, beside a counter's. */
static enum bl_status read_beside(const struct bl_place *model, const char *key,
                                  const struct bl_saved_field *fields, size_t count,
                                  struct bl_saved_counts *out, struct bl_error *err)
{
    struct bl_place group;
    enum bl_status status = bl_member_object(model, key, BL_OPTIONAL, &group, err);

    if (status != BL_OK || !group.object)
        return status;
    out->source = "model";
    return read_counts(&group, fields, count, out, err);
}

static enum bl_status read_model(const struct bl_place *at, struct bl_saved_case *out,
                                 struct bl_error *err)
{
    struct bl_place model;
    enum bl_status status = bl_member_object(at, "model", BL_OPTIONAL, &model, err);

    if (status != BL_OK || !model.object)
        return status;
    out->model.source = "model";
    status = read_counts(&model, bl_model_fields, BL_MODEL_FIELDS, &out->model, err);
    if (status == BL_OK)
        status = read_beside(&model, "shared", bl_shared_fields, BL_SHARED_FIELDS,
                             &out->beside_shared, err);
    if (status == BL_OK)
        status = read_beside(&model, "global", bl_global_fields, BL_GLOBAL_FIELDS,
                             &out->beside_global, err);
    return status;
}

/* ---- times ------------------------------------------------------------------------ */

static enum bl_status read_time(const struct bl_place *at, struct bl_saved_time *out,
                                struct bl_error *err)
{
    static const char *const sources[] = {"gpu", "predicted", NULL};
    struct bl_place time;
    enum bl_status status = bl_member_object(at, "time", BL_OPTIONAL, &time, err);

    if (status != BL_OK || !time.object)
        return status;
    status = bl_member_word(&time, "source", BL_NEEDED, sources, &out->source, err);
    if (status == BL_OK)
        status = bl_member_amount(&time, "median_us", BL_NEEDED, &out->median_us, err);
    if (status == BL_OK)
        status = bl_member_amount(&time, "low_us", BL_NEEDED, &out->low_us, err);
    if (status == BL_OK)
        status = bl_member_amount(&time, "high_us", BL_NEEDED, &out->high_us, err);
    if (status == BL_OK)
        status = bl_member_count(&time, "samples", BL_NEEDED, 0, &out->samples, err);
    if (status == BL_OK && out->low_us > out->high_us)
        return bl_member_error(&time, "low_us", err, "must not be above high_us");
    return status;
}

static enum bl_status read_clock(const struct bl_place *at, struct bl_saved_case *out,
                                 struct bl_error *err)
{
    static const char *const sources[] = {"model", "gpu", "predicted", NULL};
    struct bl_place clock;
    enum bl_status status = bl_member_object(at, "clock", BL_OPTIONAL, &clock, err);

    if (status != BL_OK || !clock.object)
        return status;
    status =
        bl_member_word(&clock, "source", BL_NEEDED, sources, &out->clock_source, err);
    if (status == BL_OK)
        status = bl_member_amount(&clock, "cycles_per_access", BL_NEEDED,
                                  &out->clock_cycles, err);
    return status;
}

/* Of the slowdowns only the measured one against the baseline: times and counts tell the
 * others. */
static enum bl_status read_baseline(const struct bl_place *at, struct bl_saved_case *out,
                                    struct bl_error *err)
{
    struct bl_place slowdown, baseline = {.object = NULL};
    enum bl_status status = bl_member_object(at, "slowdown", BL_OPTIONAL, &slowdown, err);
    const char *name = NULL;

    if (status == BL_OK && slowdown.object)
        status = bl_member_object(&slowdown, "baseline", BL_OPTIONAL, &baseline, err);
    if (status != BL_OK || !baseline.object)
        return status;
    status = bl_member_text(&baseline, "case", BL_NEEDED, &name, err);
    if (status != BL_OK || !json_object_get(baseline.object, "ratio"))
        return status;
    status = bl_member_amount(&baseline, "ratio", BL_NEEDED, &out->ratio, err);
    if (status == BL_OK)
        status = bl_member_amount(&baseline, "low", BL_NEEDED, &out->low, err);
    if (status == BL_OK)
        status = bl_member_amount(&baseline, "high", BL_NEEDED, &out->high, err);
    if (status == BL_OK && out->low > out->high)
        return bl_member_error(&baseline, "low", err, "must not be above high");
    if (status == BL_OK)
        out->baseline = name;
    return status;
}

/* ---- the case --------------------------------------------------------------------- */

static enum bl_status read_params(const struct bl_place *at, struct bl_saved_case *out,
                                  struct bl_error *err)
{
    struct bl_place params;
    enum bl_status status = bl_member_object(at, "params", BL_NEEDED, &params, err);
    const char *key;
    json_t *value;

    if (status != BL_OK)
        return status;
    json_object_foreach((json_t *)params.object, key, value)
    {
        if (!json_is_integer(value) && !json_is_string(value))
            return bl_member_error(&params, key, err,
                                   "must be a whole number or the name of a choice");
    }
    out->params = params.object;
    return BL_OK;
}

static enum bl_status read_problem(const struct bl_place *at, struct bl_saved_case *out,
                                   struct bl_error *err)
{
    struct bl_place problem;
    enum bl_status status = bl_member_object(at, "problem", BL_NEEDED, &problem, err);

    if (status == BL_OK)
        status = bl_member_count(&problem, "rows", BL_NEEDED, 1, &out->rows, err);
    if (status == BL_OK)
        status = bl_member_count(&problem, "cols", BL_NEEDED, 1, &out->cols, err);
    if (status == BL_OK)
        status = bl_member_count(&problem, "elem", BL_NEEDED, 1, &out->elem, err);
    out->batch = 1;
    if (status == BL_OK)
        status = bl_member_count(&problem, "batch", BL_OPTIONAL, 1, &out->batch, err);
    return status;
}

static enum bl_status read_verdict(const struct bl_place *at, struct bl_saved_case *out,
                                   struct bl_error *err)
{
    const char *words[] = {bl_verdict_name(BL_PASS), bl_verdict_name(BL_FAIL),
                           bl_verdict_name(BL_SKIP), bl_verdict_name(BL_ERROR), NULL};
    const char *word = NULL;
    enum bl_status status = bl_member_word(at, "verdict", BL_NEEDED, words, &word, err);

    for (int i = 0; status == BL_OK && i <= BL_ERROR; i++)
        if (word == words[i])
            out->verdict = (enum bl_verdict)i;
    if (status == BL_OK)
        status = bl_member_text(at, "detail", BL_NEEDED, &out->detail, err);
    return status;
}

static enum bl_status read_identity(const struct bl_place *at, struct bl_saved_case *out,
                                    struct bl_error *err)
{
    enum bl_status status = bl_member_text(at, "case", BL_NEEDED, &out->name, err);

    if (status == BL_OK && !*out->name)
        return bl_member_error(at, "case", err, "must not be empty");
    if (status == BL_OK)
        status = bl_member_text(at, "plugin", BL_NEEDED, &out->plugin, err);
    if (status == BL_OK)
        status = bl_member_text(at, "kind", BL_NEEDED, &out->kind, err);
    if (status == BL_OK)
        status = read_params(at, out, err);
    if (status == BL_OK)
        status = read_problem(at, out, err);
    if (status == BL_OK)
        status = bl_member_text(at, "arch", BL_OPTIONAL, &out->arch, err);
    return status;
}

enum bl_status bl_saved_case_read(const struct bl_place *at, const char *device_arch,
                                  struct bl_saved_case *out, struct bl_error *err)
{
    enum bl_status status;

    memset(out, 0, sizeof *out);
    out->arch = device_arch;
    status = read_identity(at, out, err);
    if (status == BL_OK)
        status = read_verdict(at, out, err);
    if (status == BL_OK)
        status = read_group(at, "shared", bl_shared_fields, BL_SHARED_FIELDS,
                            &out->shared, err);
    if (status == BL_OK)
        status = read_group(at, "global", bl_global_fields, BL_GLOBAL_FIELDS,
                            &out->global, err);
    if (status == BL_OK)
        status = read_model(at, out, err);
    if (status == BL_OK)
        status = read_time(at, &out->time, err);
    if (status == BL_OK)
        status = read_clock(at, out, err);
    if (status == BL_OK)
        status = read_baseline(at, out, err);
    return status;
}
