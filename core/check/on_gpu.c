/* SPDX-License-Identifier: Apache-2.0
 *
 * on_gpu.c - the sample on a GPU. What passes on the model must pass there, with the same
 * input, and so, bit for bit, with the same output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/causes.h"
#include "check/hints.h"
#include "check/parts.h"
#include "work/stream.h"
#include "work/trial.h"

struct on_gpu {
    struct bl_check *check;
    struct bl_causes causes;
    struct bl_causes apart; /* from the model */
    size_t skipped, made;
    char label[400], refusal[256];
};

static void run(struct on_gpu *on, struct bl_device *device,
                const struct bl_sample_case *of, uint64_t seed, struct bl_result *out)
{
    struct bl_run_options options = on->check->options->run;
    const struct banklab_problem problem = bl_sample_problem(of);
    const struct bl_trial trial = {.label = on->label,
                                   .plugin = on->check->plugin,
                                   .problem = &problem,
                                   .params = of->params,
                                   .seed = seed};

    options.counts = BL_COUNTS_NONE; /* each would cost runs of its own */
    memset(out, 0, sizeof *out);
    bl_trial_run(device, &options, &trial, out, NULL);
}

static void compare(struct on_gpu *on, size_t i, const struct bl_result *gpu,
                    const struct bl_result *model)
{
    char text[2200];

    if (gpu->verdict == model->verdict)
        return;
    snprintf(text, sizeof text, "the model says %s%s%s, the GPU %s%s%s",
             bl_verdict_name(model->verdict), *model->detail ? ": " : "", model->detail,
             bl_verdict_name(gpu->verdict), *gpu->detail ? ": " : "", gpu->detail);
    bl_causes_add(&on->apart, BL_RULE_RIGHT, "apart", text, on->label, i);
}

static void take(struct on_gpu *on, size_t i, const struct bl_result *result)
{
    enum bl_rule rule = BL_RULE_MADE;
    char key[300];

    if (result->verdict == BL_PASS)
        return;
    if (result->verdict == BL_SKIP) {
        if (on->skipped++ == 0)
            snprintf(on->refusal, sizeof on->refusal, "%.250s", result->detail);
        return;
    }
    bl_cause_fault_key(result->detail, key, sizeof key);
    if (result->verdict == BL_FAIL)
        rule = strstr(result->detail, "elements wrong") ? BL_RULE_RIGHT : BL_RULE_FAULT;
    bl_causes_add(&on->causes, rule, rule == BL_RULE_RIGHT ? "wrong" : key,
                  result->detail, on->label, i);
}

static void run_case(struct on_gpu *on, size_t i)
{
    const struct bl_check *check = on->check;
    const struct bl_sample_case *of = &check->sample.cases[i];
    const struct banklab_problem problem = bl_sample_problem(of);
    const uint64_t seed = bl_stream_seed(check->options->run.seed, i);
    struct bl_result gpu, model;

    bl_probe_label(check->plugin, &problem, of->params, on->label, sizeof on->label);
    if (check->progress)
        check->progress(check->ctx, i, check->sample.count, on->label);
    run(on, check->gpu, of, seed, &gpu);
    take(on, i, &gpu);
    if (gpu.verdict == BL_SKIP)
        return;
    on->made++;
    run(on, check->model, of, seed, &model);
    compare(on, i, &gpu, &model);
}

static void add_apart(struct on_gpu *on)
{
    const bool none = on->made == 0;

    bl_points_add(on->check->points,
                  on->apart.count ? BL_POINT_FAILED
                  : none          ? BL_POINT_SKIPPED
                                  : BL_POINT_OK,
                  "%s: the GPU and the model agree", on->check->plugin->abi.name);
    if (none)
        bl_points_why(on->check->points, "every problem was refused: %s", on->refusal);
    for (size_t i = 0; i < on->apart.count; i++)
        bl_points_say(on->check->points, "%s (%zu runs, first: %s)", on->apart.at[i].text,
                      on->apart.at[i].count, on->apart.at[i].label);
}

enum bl_status bl_check_gpu(struct bl_check *check, struct bl_error *err)
{
    struct on_gpu on = {.check = check};
    const size_t count = check->sample.count;
    bool lost;

    for (size_t i = 0; i < count; i++)
        run_case(&on, i);
    bl_causes_points(&on.causes, check->plugin->abi.name, check->gpu->desc.name, count,
                     on.skipped, on.refusal, check->points);
    add_apart(&on);
    lost = on.causes.lost || on.apart.lost;
    bl_causes_free(&on.causes);
    bl_causes_free(&on.apart);
    return lost ? bl_error_nomem(err) : BL_OK;
}
