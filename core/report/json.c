/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c - the report as one JSON document, banklab.report/1.
 */
#include "report/json_make.h"
#include "report/report.h"

#include <config.h>
#include <inttypes.h>
#include <time.h>

#include "load/param.h"

static void add_value(struct bl_json_make *make, json_t *object,
                      const struct banklab_param *param, banklab_value value)
{
    if (param->type == BANKLAB_PARAM_CHOICE)
        bl_json_add_text(make, object, param->name, param->choices[value.i]);
    else
        bl_json_add(make, object, param->name, json_integer(value.i));
}

json_t *bl_json_params(struct bl_json_make *make, const struct bl_case *of)
{
    const struct banklab_plugin *abi = &of->plugin->abi;
    json_t *object = json_object();

    for (uint32_t i = 0; i < abi->param_count; i++)
        add_value(make, object, &abi->params[i], of->params[i]);
    return object;
}

/* The settings of the twin, typed as the parameters that they set are. */
static json_t *twin_params(struct bl_json_make *make, const struct bl_case *of)
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

json_t *bl_json_problem(struct bl_json_make *make, const struct bl_case *of)
{
    json_t *object = json_object();

    bl_json_add_count(make, object, "rows", of->problem.rows);
    bl_json_add_count(make, object, "cols", of->problem.cols);
    bl_json_add_count(make, object, "elem", of->problem.elem);
    if (of->problem.batch > 1)
        bl_json_add_count(make, object, "batch", of->problem.batch);
    return object;
}

static json_t *time_group(struct bl_json_make *make, const struct bl_time *time)
{
    json_t *object = json_object();

    if (time->source != BL_SRC_NONE) {
        bl_json_add_text(make, object, "source", bl_source_name(time->source));
        bl_json_add_real(make, object, "median_us", time->median_us);
        bl_json_add_real(make, object, "low_us", time->low_us);
        bl_json_add_real(make, object, "high_us", time->high_us);
        bl_json_add_count(make, object, "samples", time->samples);
    }
    return object;
}

static json_t *throughput_group(struct bl_json_make *make,
                                const struct bl_throughput *through)
{
    json_t *object = json_object();

    if (through->has_gbps)
        bl_json_add_real(make, object, "gbps", through->gbps);
    if (through->has_percent)
        bl_json_add_real(make, object, "percent_of_copy", through->percent_of_copy);
    return object;
}

static json_t *clock_group(struct bl_json_make *make, const struct bl_clock_result *clock)
{
    json_t *object = json_object();

    if (clock->source != BL_SRC_NONE) {
        bl_json_add_text(make, object, "source", bl_source_name(clock->source));
        bl_json_add_real(make, object, "cycles_per_access", clock->cycles_per_access);
    }
    return object;
}

static void add_ratios(struct bl_json_make *make, json_t *object,
                       const struct bl_slowdown *down)
{
    if (down->has_ratio) {
        bl_json_add_real(make, object, "ratio", down->ratio);
        bl_json_add_real(make, object, "low", down->low);
        bl_json_add_real(make, object, "high", down->high);
    }
    if (down->has_predicted)
        bl_json_add_real(make, object, "predicted", down->predicted);
    if (down->has_data_stage)
        bl_json_add_real(make, object, "data_stage", down->data_stage);
}

static json_t *slowdown_group(struct bl_json_make *make, const struct bl_result *result)
{
    json_t *object = json_object(), *of;

    if (result->baseline.present) {
        of = json_object();
        bl_json_add_text(make, of, "case", result->baseline.against);
        add_ratios(make, of, &result->baseline);
        bl_json_add(make, object, "baseline", of);
    }
    if (result->twin.present) {
        of = json_object();
        bl_json_add(make, of, "params", twin_params(make, result->of));
        add_ratios(make, of, &result->twin);
        bl_json_add(make, object, "twin", of);
    }
    return object;
}

static json_t *kernels(struct bl_json_make *make, const struct bl_result *result)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < result->kernel_count; i++)
        bl_json_append(make, array, bl_json_text(result->kernels[i]));
    return array;
}

static json_t *one_case(struct bl_json_make *make, const struct bl_result *result)
{
    const struct bl_case *of = result->of;
    json_t *object = json_object();

    bl_json_add_text(make, object, "case", of->name);
    bl_json_add_text(make, object, "plugin", of->plugin->abi.name);
    bl_json_add_text(make, object, "kind", of->plugin->abi.kind);
    bl_json_add(make, object, "params", bl_json_params(make, of));
    bl_json_add(make, object, "problem", bl_json_problem(make, of));
    bl_json_add_text_unless_empty(make, object, "arch", result->arch);
    if (result->kernel_count)
        bl_json_add(make, object, "kernels", kernels(make, result));
    bl_json_add_text(make, object, "verdict", bl_verdict_name(result->verdict));
    bl_json_add_text(make, object, "detail", result->detail);
    bl_json_add_group(make, object, "shared", bl_json_shared(make, &result->counts));
    bl_json_add_group(make, object, "global", bl_json_global(make, &result->counts));
    bl_json_add_group(make, object, "model", bl_json_model(make, &result->counts));
    bl_json_add_group(make, object, "time", time_group(make, &result->time));
    bl_json_add_group(make, object, "throughput",
                      throughput_group(make, &result->throughput));
    bl_json_add_group(make, object, "clock", clock_group(make, &result->clock));
    bl_json_add_group(make, object, "slowdown", slowdown_group(make, result));
    return object;
}

static json_t *device(struct bl_json_make *make, const struct bl_device_desc *desc)
{
    json_t *object = json_object();

    bl_json_add_text(make, object, "backend", desc->backend);
    bl_json_add_text(make, object, "name", desc->name);
    bl_json_add_text(make, object, "arch", desc->arch);
    bl_json_add_text_unless_empty(make, object, "rates", desc->rates);
    bl_json_add_text_unless_empty(make, object, "driver", desc->driver);
    return object;
}

/* What of [run] decides the numbers. The seed is text: it uses all of 64 bits, and
 * few JSON readers keep those. */
static json_t *run(struct bl_json_make *make, const struct bl_run_options *options)
{
    json_t *object = json_object();
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    bl_json_add_text(make, object, "seed", seed);
    bl_json_add_text_unless_empty(make, object, "device", options->device);
    bl_json_add_text_unless_empty(make, object, "baseline", options->baseline);
    return object;
}

static json_t *device_state(struct bl_json_make *make,
                            const struct bl_device_state *state)
{
    json_t *object = json_object();

    if (state->present) {
        bl_json_add_count(make, object, "sm_mhz", state->sm_mhz);
        bl_json_add_count(make, object, "max_sm_mhz", state->max_sm_mhz);
        bl_json_add_count(make, object, "memory_mhz", state->memory_mhz);
        bl_json_add_count(make, object, "temperature_c", state->temperature_c);
        bl_json_add_real(make, object, "watts", state->watts);
        bl_json_add_text_unless_empty(make, object, "throttled", state->throttled);
    }
    return object;
}

/* "2026-11-30T01:30:00Z": a measurement is worth nothing without its day. */
static void add_date(struct bl_json_make *make, json_t *object, int64_t when)
{
    const time_t seconds = (time_t)when;
    char text[32];
    struct tm utc;

    if (when && gmtime_r(&seconds, &utc) &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        bl_json_add_text(make, object, "date", text);
}

static json_t *timing_group(struct bl_json_make *make,
                            const struct bl_timing_note *timing)
{
    json_t *object = json_object();

    if (timing->present) {
        add_date(make, object, timing->when);
        bl_json_add_count(make, object, "rounds", timing->rounds);
        bl_json_add(make, object, "precise", json_boolean(timing->end == BL_END_PRECISE));
        bl_json_add_group(make, object, "before", device_state(make, &timing->before));
        bl_json_add_group(make, object, "after", device_state(make, &timing->after));
    }
    return object;
}

static json_t *warnings(struct bl_json_make *make, const struct bl_report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < report->warning_count; i++)
        bl_json_append(make, array, bl_json_text(report->warnings[i]));
    return array;
}

static json_t *document(struct bl_json_make *make, const struct bl_report *report)
{
    json_t *root = json_object(), *cases = json_array();

    bl_json_add_text(make, root, "schema", "banklab.report/1");
    bl_json_add_text(make, root, "banklab", PACKAGE_VERSION);
    bl_json_add_text(make, root, "profile", report->profile->path);
    bl_json_add(make, root, "run", run(make, &report->profile->run));
    bl_json_add(make, root, "device", device(make, &report->device));
    bl_json_add_group(make, root, "timing", timing_group(make, &report->timing));
    if (report->warning_count)
        bl_json_add(make, root, "warnings", warnings(make, report));
    for (size_t i = 0; i < report->count; i++)
        bl_json_append(make, cases, one_case(make, &report->results[i]));
    bl_json_add(make, root, "cases", cases);
    return root;
}

enum bl_status bl_report_json(const struct bl_report *report, FILE *out,
                              struct bl_error *err)
{
    struct bl_json_make make = {false};

    return bl_json_write(&make, document(&make, report), out, err);
}
