/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c - the report as one JSON document, banklab.report/1.
 *
 * Jansson's "_new" setters take the value over, also when they fail, and fail when the
 * value is NULL; so every add is one expression, and one flag gathers the failures,
 * which can only be want of memory.
 */
#include "report/report.h"

#include <config.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "load/param.h"

/* 15 digits: what every double keeps of a decimal number, so 2.23 is not printed as
 * 2.2299999999999999. */
#define DUMP_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

struct maker {
    bool failed;
};

static void add(struct maker *make, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        make->failed = true;
}

/* Adds the group, or drops it if nothing was put in. */
static void add_group(struct maker *make, json_t *object, const char *key, json_t *group)
{
    if (group && json_object_size(group) == 0)
        json_decref(group);
    else
        add(make, object, key, group);
}

/* A name may be any bytes; JSON is UTF-8, so bytes that are not become '?'. */
static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);

    if (!value) {
        char *ascii = strdup(text);

        for (char *at = ascii; at && *at; at++)
            *at = (unsigned char)*at < 0x80 ? *at : '?';
        value = ascii ? json_string(ascii) : NULL;
        free(ascii);
    }
    return value;
}

static void add_text(struct maker *make, json_t *object, const char *key,
                     const char *text)
{
    add(make, object, key, text_value(text));
}

static void add_text_unless_empty(struct maker *make, json_t *object, const char *key,
                                  const char *text)
{
    if (text && *text)
        add_text(make, object, key, text);
}

/* JSON has no other integers here than jansson's: a count beyond them is beyond any
 * run, and is cut rather than wrapped. */
static void add_count(struct maker *make, json_t *object, const char *key, uint64_t value)
{
    const json_int_t most = INT64_MAX;

    add(make, object, key, json_integer(value > INT64_MAX ? most : (json_int_t)value));
}

/* A number that is none is left out, as if it had not been measured. */
static void add_real(struct maker *make, json_t *object, const char *key, double value)
{
    if (isfinite(value))
        add(make, object, key, json_real(value));
}

static void add_value(struct maker *make, json_t *object,
                      const struct banklab_param *param, banklab_value value)
{
    if (param->type == BANKLAB_PARAM_CHOICE)
        add_text(make, object, param->name, param->choices[value.i]);
    else
        add(make, object, param->name, json_integer(value.i));
}

static json_t *params(struct maker *make, const struct bl_case *of)
{
    const struct banklab_plugin *abi = &of->plugin->abi;
    json_t *object = json_object();

    for (uint32_t i = 0; i < abi->param_count; i++)
        add_value(make, object, &abi->params[i], of->params[i]);
    return object;
}

/* The settings of the twin, typed as the parameters that they set are. */
static json_t *twin_params(struct maker *make, const struct bl_case *of)
{
    const struct banklab_plugin *abi = &of->plugin->abi;
    json_t *object = json_object();
    banklab_value value;

    for (uint32_t i = 0; i < abi->twin_count; i++) {
        const int at = bl_plugin_param(of->plugin, abi->twin[i].name);

        if (at >= 0 &&
            bl_param_parse(&abi->params[at], abi->twin[i].value, &value, NULL) == BL_OK)
            add_value(make, object, &abi->params[at], value);
    }
    return object;
}

static json_t *problem(struct maker *make, const struct bl_case *of)
{
    json_t *object = json_object();

    add_count(make, object, "rows", of->problem.rows);
    add_count(make, object, "cols", of->problem.cols);
    add_count(make, object, "elem", of->problem.elem);
    return object;
}

static json_t *shared_counts(struct maker *make, const struct bl_shared_counts *counts)
{
    json_t *object = json_object();

    add_count(make, object, "requests", counts->requests);
    add_count(make, object, "wavefronts", counts->wavefronts);
    if (counts->ideal || !counts->wavefronts) /* else it is not known */
        add_count(make, object, "ideal", counts->ideal);
    add_count(make, object, "conflicts", counts->conflicts);
    if (counts->ways) /* else there is no worst one, or it is not known */
        add_count(make, object, "ways", counts->ways);
    return object;
}

static json_t *global_counts(struct maker *make, const struct bl_global_counts *counts)
{
    json_t *object = json_object();

    add_count(make, object, "requests", counts->requests);
    add_count(make, object, "sectors", counts->sectors);
    if (counts->ideal || !counts->sectors)
        add_count(make, object, "ideal", counts->ideal);
    return object;
}

/* What few kernels do is there only where it was done. */
static void add_rare(struct maker *make, json_t *object, const char *key,
                     const struct bl_shared_counts *counts)
{
    if (counts->requests)
        add(make, object, key, shared_counts(make, counts));
}

static json_t *shared_group(struct maker *make, const struct bl_counts *counts)
{
    json_t *object = json_object();

    if (counts->shared_source != BL_SRC_NONE) {
        add_text(make, object, "source", bl_source_name(counts->shared_source));
        add(make, object, "load", shared_counts(make, &counts->shared_load));
        add(make, object, "store", shared_counts(make, &counts->shared_store));
        add_rare(make, object, "atomic", &counts->shared_atomic);
        add_rare(make, object, "async", &counts->shared_async);
        if (counts->has_cycles &&
            (counts->shared_source == BL_SRC_MODEL || !bl_counts_differ(counts)))
            add_count(make, object, "cycles", counts->data_stage_cycles);
    }
    return object;
}

static json_t *global_group(struct maker *make, const struct bl_counts *counts)
{
    json_t *object = json_object();

    if (counts->global_source != BL_SRC_NONE) {
        add_text(make, object, "source", bl_source_name(counts->global_source));
        add(make, object, "load", global_counts(make, &counts->global_load));
        add(make, object, "store", global_counts(make, &counts->global_store));
    }
    return object;
}

static json_t *model_group(struct maker *make, const struct bl_counts *counts)
{
    const struct bl_model_counts *beside = &counts->beside;
    json_t *object = json_object(), *group;

    if (counts->shared_source == BL_SRC_MODEL || counts->global_source == BL_SRC_MODEL ||
        beside->shared_source != BL_SRC_NONE || beside->global_source != BL_SRC_NONE) {
        add_count(make, object, "blocks", counts->blocks);
        add_count(make, object, "instructions", counts->instructions);
    }
    if (beside->shared_source != BL_SRC_NONE) {
        group = json_object();
        add(make, group, "load", shared_counts(make, &beside->shared_load));
        add(make, group, "store", shared_counts(make, &beside->shared_store));
        add_rare(make, group, "atomic", &beside->shared_atomic);
        add_rare(make, group, "async", &beside->shared_async);
        if (counts->has_cycles)
            add_count(make, group, "cycles", counts->data_stage_cycles);
        add(make, object, "shared", group);
    }
    if (beside->global_source != BL_SRC_NONE) {
        group = json_object();
        add(make, group, "load", global_counts(make, &beside->global_load));
        add(make, group, "store", global_counts(make, &beside->global_store));
        add(make, object, "global", group);
    }
    return object;
}

static json_t *time_group(struct maker *make, const struct bl_time *time)
{
    json_t *object = json_object();

    if (time->source != BL_SRC_NONE) {
        add_text(make, object, "source", bl_source_name(time->source));
        add_real(make, object, "median_us", time->median_us);
        add_real(make, object, "low_us", time->low_us);
        add_real(make, object, "high_us", time->high_us);
        add_count(make, object, "samples", time->samples);
    }
    return object;
}

static json_t *throughput_group(struct maker *make, const struct bl_throughput *through)
{
    json_t *object = json_object();

    if (through->has_gbps)
        add_real(make, object, "gbps", through->gbps);
    if (through->has_percent)
        add_real(make, object, "percent_of_copy", through->percent_of_copy);
    return object;
}

static json_t *clock_group(struct maker *make, const struct bl_clock_result *clock)
{
    json_t *object = json_object();

    if (clock->source != BL_SRC_NONE) {
        add_text(make, object, "source", bl_source_name(clock->source));
        add_real(make, object, "cycles_per_access", clock->cycles_per_access);
    }
    return object;
}

static void add_ratios(struct maker *make, json_t *object, const struct bl_slowdown *down)
{
    if (down->has_ratio) {
        add_real(make, object, "ratio", down->ratio);
        add_real(make, object, "low", down->low);
        add_real(make, object, "high", down->high);
    }
    if (down->has_predicted)
        add_real(make, object, "predicted", down->predicted);
    if (down->has_data_stage)
        add_real(make, object, "data_stage", down->data_stage);
}

static json_t *slowdown_group(struct maker *make, const struct bl_result *result)
{
    json_t *object = json_object(), *of;

    if (result->baseline.present) {
        of = json_object();
        add_text(make, of, "case", result->baseline.against);
        add_ratios(make, of, &result->baseline);
        add(make, object, "baseline", of);
    }
    if (result->twin.present) {
        of = json_object();
        add(make, of, "params", twin_params(make, result->of));
        add_ratios(make, of, &result->twin);
        add(make, object, "twin", of);
    }
    return object;
}

static json_t *one_case(struct maker *make, const struct bl_result *result)
{
    const struct bl_case *of = result->of;
    json_t *object = json_object();

    add_text(make, object, "case", of->name);
    add_text(make, object, "plugin", of->plugin->abi.name);
    add_text(make, object, "kind", of->plugin->abi.kind);
    add(make, object, "params", params(make, of));
    add(make, object, "problem", problem(make, of));
    add_text_unless_empty(make, object, "arch", result->arch);
    add_text(make, object, "verdict", bl_verdict_name(result->verdict));
    add_text(make, object, "detail", result->detail);
    add_group(make, object, "shared", shared_group(make, &result->counts));
    add_group(make, object, "global", global_group(make, &result->counts));
    add_group(make, object, "model", model_group(make, &result->counts));
    add_group(make, object, "time", time_group(make, &result->time));
    add_group(make, object, "throughput", throughput_group(make, &result->throughput));
    add_group(make, object, "clock", clock_group(make, &result->clock));
    add_group(make, object, "slowdown", slowdown_group(make, result));
    return object;
}

static json_t *device(struct maker *make, const struct bl_device_desc *desc)
{
    json_t *object = json_object();

    add_text(make, object, "backend", desc->backend);
    add_text(make, object, "name", desc->name);
    add_text(make, object, "arch", desc->arch);
    add_text_unless_empty(make, object, "rates", desc->rates);
    add_text_unless_empty(make, object, "driver", desc->driver);
    return object;
}

/* What of [run] decides the numbers. The seed is text: it uses all of 64 bits, and
 * few JSON readers keep those. */
static json_t *run(struct maker *make, const struct bl_run_options *options)
{
    json_t *object = json_object();
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    add_text(make, object, "seed", seed);
    add_text_unless_empty(make, object, "device", options->device);
    add_text_unless_empty(make, object, "baseline", options->baseline);
    return object;
}

static json_t *device_state(struct maker *make, const struct bl_device_state *state)
{
    json_t *object = json_object();

    if (state->present) {
        add_count(make, object, "sm_mhz", state->sm_mhz);
        add_count(make, object, "max_sm_mhz", state->max_sm_mhz);
        add_count(make, object, "memory_mhz", state->memory_mhz);
        add_count(make, object, "temperature_c", state->temperature_c);
        add_real(make, object, "watts", state->watts);
        add_text_unless_empty(make, object, "throttled", state->throttled);
    }
    return object;
}

/* "2026-11-30T01:30:00Z": a measurement is worth nothing without its day. */
static void add_date(struct maker *make, json_t *object, int64_t when)
{
    const time_t seconds = (time_t)when;
    char text[32];
    struct tm utc;

    if (when && gmtime_r(&seconds, &utc) &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        add_text(make, object, "date", text);
}

static json_t *timing_group(struct maker *make, const struct bl_timing_note *timing)
{
    json_t *object = json_object();

    if (timing->present) {
        add_date(make, object, timing->when);
        add_count(make, object, "rounds", timing->rounds);
        add(make, object, "precise", json_boolean(timing->end == BL_END_PRECISE));
        add_group(make, object, "before", device_state(make, &timing->before));
        add_group(make, object, "after", device_state(make, &timing->after));
    }
    return object;
}

static json_t *warnings(struct maker *make, const struct bl_report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < report->warning_count; i++) {
        if (json_array_append_new(array, text_value(report->warnings[i])) != 0)
            make->failed = true;
    }
    return array;
}

static json_t *document(struct maker *make, const struct bl_report *report)
{
    json_t *root = json_object(), *cases = json_array();

    add_text(make, root, "schema", "banklab.report/1");
    add_text(make, root, "banklab", PACKAGE_VERSION);
    add_text(make, root, "profile", report->profile->path);
    add(make, root, "run", run(make, &report->profile->run));
    add(make, root, "device", device(make, &report->device));
    add_group(make, root, "timing", timing_group(make, &report->timing));
    if (report->warning_count)
        add(make, root, "warnings", warnings(make, report));
    for (size_t i = 0; i < report->count; i++) {
        if (json_array_append_new(cases, one_case(make, &report->results[i])) != 0)
            make->failed = true;
    }
    add(make, root, "cases", cases);
    return root;
}

enum bl_status bl_report_json(const struct bl_report *report, FILE *out,
                              struct bl_error *err)
{
    struct maker make = {false};
    json_t *root = document(&make, report);
    enum bl_status status;

    if (!root || make.failed) {
        status = bl_error_nomem(err);
        goto out;
    }
    if (json_dumpf(root, out, DUMP_FLAGS) != 0 && !ferror(out)) {
        status = bl_error_nomem(err);
        goto out;
    }
    fputc('\n', out);
    status = bl_report_flush(out, err);
out:
    json_decref(root);
    return status;
}
