/* SPDX-License-Identifier: Apache-2.0 */
#include "check/sample.h"

#include <stdlib.h>
#include <string.h>

#include "check/probe.h"
#include "work/stream.h"

enum {
    SHAPES = 15, /* the last two are of plugins that take batches */
    SINGLE = 13,
    WIDTHS = 5,
    VALUES = 10,
    SETTINGS = 64,
    RANDOM = 12,
    STEP = 7 /* no factor of SHAPES times 1 to 5 */
};

/* ---- values and settings ----------------------------------------------------------- */

struct values {
    int64_t *at;
    size_t count, most;
};

static void add_value(struct values *values, int64_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->at[i] == value)
            return;
    if (values->count < values->most)
        values->at[values->count++] = value;
}

static size_t choices_of(const struct banklab_param *param)
{
    size_t count = 0;

    while (param->choices && param->choices[count])
        count++;
    return count;
}

static void add_choices(const struct banklab_param *param, struct values *values)
{
    const size_t count = choices_of(param);

    for (size_t i = 0; i < count; i++) {
        /* The ends first, in case that there are too many. */
        const size_t at = i == 0 ? 0 : i == 1 ? count - 1 : i - 1;

        add_value(values, param->type == BANKLAB_PARAM_CHOICE
                              ? (int64_t)at
                              : strtoll(param->choices[at], NULL, 10));
    }
}

size_t bl_sample_values(const struct banklab_param *param, int64_t *out, size_t most)
{
    static const int64_t some[] = {1, 2, 3, 4, 16, 32, 33};
    struct values values = {.at = out, .most = most};

    add_value(&values, param->default_value);
    if (param->choices) {
        add_choices(param, &values);
        return values.count;
    }
    add_value(&values, param->minimum);
    add_value(&values, param->maximum);
    if (param->maximum > param->minimum)
        add_value(&values, param->minimum + 1);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (some[i] > param->minimum && some[i] < param->maximum)
            add_value(&values, some[i]);
    return values.count;
}

static banklab_value *setting_at(const struct bl_sample *sample, uint32_t params,
                                 size_t i)
{
    return sample->values + i * params;
}

/* Keeps what stands behind the last setting, unless it is there already. */
static void keep_setting(struct bl_sample *sample, uint32_t params)
{
    const banklab_value *fresh = setting_at(sample, params, sample->settings);

    for (size_t i = 0; i < sample->settings; i++)
        if (memcmp(setting_at(sample, params, i), fresh, params * sizeof *fresh) == 0)
            return;
    sample->settings++;
}

static void set_defaults(const struct banklab_plugin *abi, banklab_value *out)
{
    for (uint32_t p = 0; p < abi->param_count; p++)
        out[p].i = abi->params[p].default_value;
}

static enum bl_status make_settings(const struct banklab_plugin *abi, uint64_t seed,
                                    struct bl_sample *sample, struct bl_error *err)
{
    const uint32_t params = abi->param_count;
    int64_t values[VALUES];

    sample->values = calloc((size_t)(SETTINGS + 1) * params + 1, sizeof *sample->values);
    if (!sample->values)
        return bl_error_nomem(err);
    set_defaults(abi, sample->values);
    sample->settings = 1;
    for (uint32_t p = 0; p < params; p++) {
        const size_t count = bl_sample_values(&abi->params[p], values, VALUES);

        for (size_t v = 0; v < count && sample->settings < SETTINGS; v++) {
            banklab_value *next = setting_at(sample, params, sample->settings);

            set_defaults(abi, next);
            next[p].i = values[v];
            keep_setting(sample, params);
        }
    }
    for (uint32_t i = 0; i < RANDOM && params > 1 && sample->settings < SETTINGS; i++) {
        banklab_value *next = setting_at(sample, params, sample->settings);

        for (uint32_t p = 0; p < params; p++) {
            const size_t count = bl_sample_values(&abi->params[p], values, VALUES);

            next[p].i = values[bl_stream_word(seed, (uint64_t)i * params + p) % count];
        }
        keep_setting(sample, params);
    }
    return BL_OK;
}

/* ---- shapes ------------------------------------------------------------------------ */

struct shape {
    uint64_t rows, cols, batch;
};

static void make_shapes(uint32_t tr, uint32_t tc, struct shape shapes[SHAPES])
{
    const uint64_t t = tr > tc ? tr : tc;
    const struct shape all[SHAPES] = {{1, 1, 1},
                                      {tr, tc, 1},
                                      {2 * t, 2 * t, 1},
                                      {2 * (uint64_t)tr, tc, 1},
                                      {tr, 3 * (uint64_t)tc, 1},
                                      {1, 3 * (uint64_t)tc + 1, 1},
                                      {3 * (uint64_t)tr + 1, 1, 1},
                                      {tr > 1 ? tr - 1 : 1, tc > 1 ? tc - 1 : 1, 1},
                                      {(uint64_t)tr + 1, (uint64_t)tc + 1, 1},
                                      {t + 1, t + 1, 1},
                                      {2 * (uint64_t)tr + 3, (uint64_t)tc + 5, 1},
                                      {(uint64_t)tr + 5, 2 * (uint64_t)tc + 3, 1},
                                      {7, 3, 1},
                                      {(uint64_t)tr + 1, (uint64_t)tc + 3, 3},
                                      {tr, 2 * (uint64_t)tc, 2}};

    memcpy(shapes, all, sizeof all);
}

static size_t widths_of(const struct banklab_plugin *abi, uint32_t out[WIDTHS])
{
    /* The usual ones first. */
    static const uint32_t all[WIDTHS] = {4, 1, 16, 2, 8};
    size_t count = 0;

    for (int i = 0; i < WIDTHS; i++)
        if (!abi->elems || (abi->elems & BANKLAB_ELEM(all[i])))
            out[count++] = all[i];
    return count;
}

struct making {
    const struct bl_plugin *plugin;
    struct bl_sample *sample;
    struct shape (*shapes)[SHAPES]; /* by setting */
    uint32_t (*tiles)[2];
    uint32_t widths[WIDTHS];
    size_t width_count, shape_count;
};

/* The k-th combination of a setting; steps that share no factor with their number come to
 * all of them, and settings start apart. */
static void add_case(struct making *making, size_t setting, size_t k)
{
    const size_t all = making->shape_count * making->width_count;
    const size_t i = setting ? (k * STEP + setting * 3) % all : k;
    const struct shape shape = making->shapes[setting][i % making->shape_count];
    const uint32_t *tile = making->tiles[setting];

    making->sample->cases[making->sample->count++] = (struct bl_sample_case){
        .setting = setting,
        .params = setting_at(making->sample, making->plugin->abi.param_count, setting),
        .rows = shape.rows,
        .cols = shape.cols,
        .batch = shape.batch,
        .elem = making->widths[i / making->shape_count],
        .whole = shape.rows % tile[0] == 0 && shape.cols % tile[1] == 0};
}

static enum bl_status find_tiles(struct making *making, double timeout_s,
                                 struct bl_error *err)
{
    const struct bl_sample *sample = making->sample;

    for (size_t s = 0; s < sample->settings; s++) {
        uint32_t *tile = making->tiles[s];
        enum bl_status status = bl_probe_tile(
            making->plugin, setting_at(sample, making->plugin->abi.param_count, s),
            making->widths[0], timeout_s, &tile[0], &tile[1], err);

        if (status != BL_OK)
            return status;
        make_shapes(tile[0], tile[1], making->shapes[s]);
    }
    return BL_OK;
}

static void fill(struct making *making, size_t limit)
{
    struct bl_sample *sample = making->sample;
    const size_t all = making->shape_count * making->width_count;
    const size_t half = sample->settings > 1 ? limit / 2 : limit;

    for (size_t k = 0; k < all && sample->count < half; k++)
        add_case(making, 0, k);
    for (size_t k = 0; k < all; k++)
        for (size_t s = 1; s < sample->settings && sample->count < limit; s++)
            add_case(making, s, k);
}

enum bl_status bl_sample_make(const struct bl_plugin *plugin, uint64_t seed, size_t limit,
                              double timeout_s, struct bl_sample *out,
                              struct bl_error *err)
{
    struct bl_sample sample = {.shapes = 0};
    struct making making = {.plugin = plugin, .sample = &sample};
    enum bl_status status = make_settings(&plugin->abi, seed, &sample, err);

    if (status != BL_OK)
        return status;
    sample.shapes = making.shape_count =
        plugin->abi.flags & BANKLAB_BATCHES ? SHAPES : SINGLE;
    sample.elems = making.width_count = widths_of(&plugin->abi, making.widths);
    making.shapes = calloc(sample.settings, sizeof *making.shapes);
    making.tiles = calloc(sample.settings, sizeof *making.tiles);
    sample.cases = calloc(limit + 1, sizeof *sample.cases);
    if (!making.shapes || !making.tiles || !sample.cases)
        status = bl_error_nomem(err);
    if (status == BL_OK)
        status = find_tiles(&making, timeout_s, err);
    if (status == BL_OK)
        fill(&making, limit);
    free(making.shapes);
    free(making.tiles);
    if (status != BL_OK) {
        bl_sample_free(&sample);
        return status;
    }
    *out = sample;
    return BL_OK;
}

void bl_sample_free(struct bl_sample *sample)
{
    free(sample->values);
    free(sample->cases);
    *sample = (struct bl_sample){.values = NULL};
}
