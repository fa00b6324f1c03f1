/* SPDX-License-Identifier: Apache-2.0
 *
 * trial.c - one checked run.
 *
 * Each step returns a status; where the steps end, that status is the verdict.
 */
#include "work/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/plugin_calls.h"
#include "work/aside.h"
#include "work/kind.h"
#include "work/rates.h"
#include "work/verify.h"

/* What a trial holds between its steps. */
struct attempt {
    const struct bl_trial *trial;
    struct bl_device *dev;
    struct bl_device_view view;
    const struct bl_run_options *options;
    const struct bl_kind *kind;
    const struct banklab_module *module;
    struct banklab_problem problem; /* with the struct_size that plugins see */
    struct banklab_plan plan;
    struct bl_regions regions;
    struct bl_error *err;
};

/* Passes on what a function of the plugin returned, with the reason that it left. */
static enum bl_status plugin_said(struct attempt *a, const char *function, int said,
                                  struct banklab_error *reason)
{
    reason->text[sizeof reason->text - 1] = '\0';
    if (said == BANKLAB_OK)
        return BL_OK;
    if (said == BANKLAB_UNSUPPORTED)
        return bl_error_set(a->err, BL_E_UNSUPPORTED, "%s",
                            *reason->text ? reason->text : "the plugin gives no reason");
    if (said == BANKLAB_FAILED)
        return bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0, "%s failed: %s",
                           function,
                           *reason->text ? reason->text : "the plugin gives no reason");
    return bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0,
                       "%s returned %d, which is no status of the plugin interface",
                       function, said);
}

/* "1, 2 or 4" of a mask of element widths. */
static void print_elems(uint32_t elems, char *out, size_t size)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16};
    uint32_t left = 0;
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < 5; i++)
        left += (elems & BANKLAB_ELEM(widths[i])) != 0;
    for (int i = 0; i < 5 && used < size; i++) {
        if (!(elems & BANKLAB_ELEM(widths[i])))
            continue;
        left--;
        used += (size_t)snprintf(out + used, size - used, "%" PRIu32 "%s", widths[i],
                                 left > 1    ? ", "
                                 : left == 1 ? " or "
                                             : "");
    }
}

static enum bl_status check_support(struct attempt *a)
{
    const struct banklab_plugin *abi = &a->trial->plugin->abi;
    const uint32_t cc = a->view.limits.cc;

    a->kind = bl_kind_find(abi->kind);
    if (!a->kind)
        return bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0,
                           "there is no kind '%s'", abi->kind);
    if (abi->elems && !(abi->elems & BANKLAB_ELEM(a->problem.elem))) {
        char widths[32];
        print_elems(abi->elems, widths, sizeof widths);
        return bl_error_set(a->err, BL_E_UNSUPPORTED,
                            "elements of %" PRIu32 " bytes: this plugin does those of %s",
                            a->problem.elem, widths);
    }
    if (a->problem.batch > 1 && !(abi->flags & BANKLAB_BATCHES))
        return bl_error_set(a->err, BL_E_UNSUPPORTED,
                            "batch = %" PRIu64 ": this plugin knows no batches",
                            a->problem.batch);
    if (abi->min_cc > cc)
        return bl_error_set(a->err, BL_E_UNSUPPORTED,
                            "needs compute capability %" PRIu32 ".%" PRIu32
                            ", the device has %" PRIu32 ".%" PRIu32,
                            abi->min_cc / 10, abi->min_cc % 10, cc / 10, cc % 10);
    return bl_job_module(a->trial->plugin, a->trial->params, &a->view.limits, &a->module,
                         a->err);
}

/* ---- the plugin's own code, which runs aside ------------------------------------ */

/* The answers of two calls of plan. */
struct planning {
    const struct attempt *a;
    struct banklab_plan plans[2];
    struct banklab_error reasons[2];
    int said[2];
};

/* Plans twice: a plan that depends on anything but its arguments would make the
 * measured kernel another one than the checked. */
static int plan_twice(void *ctx)
{
    struct planning *planning = ctx;
    const struct attempt *a = planning->a;

    for (int i = 0; i < 2; i++) {
        planning->plans[i].struct_size = sizeof planning->plans[i];
        planning->said[i] =
            bl_plugin_plan(a->trial->plugin, &a->problem, a->trial->params,
                           &planning->plans[i], &planning->reasons[i]);
    }
    return 0;
}

static enum bl_status make_plan(struct attempt *a)
{
    struct planning *planning = calloc(1, sizeof *planning);
    enum bl_status status;
    int ignored;

    if (!planning)
        return bl_error_nomem(a->err);
    planning->a = a;
    status = bl_aside_call("plan", plan_twice, planning,
                           &(struct bl_aside_part){planning, sizeof *planning}, 1,
                           a->options->timeout, &ignored, a->err);
    if (status)
        bl_error_prefix(a->err, "%s", a->trial->plugin->path);
    else if (planning->said[0] != planning->said[1] ||
             (planning->said[0] == BANKLAB_OK &&
              memcmp(&planning->plans[0], &planning->plans[1],
                     sizeof planning->plans[0]) != 0))
        status =
            bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0,
                        "plan is not pure: two calls with the same arguments differ");
    else if (planning->said[0] != BANKLAB_OK)
        status = plugin_said(a, "plan", planning->said[0], &planning->reasons[0]);
    else
        status =
            bl_plan_check(a->trial->plugin, &planning->plans[0], &a->view.limits, a->err);
    a->plan = planning->plans[0];
    free(planning);
    return status;
}

struct referring {
    struct attempt *a;
    struct banklab_error reason;
};

static int refer(void *ctx)
{
    struct referring *referring = ctx;
    struct attempt *a = referring->a;

    return bl_plugin_reference(
        a->trial->plugin, &a->problem, a->trial->params,
        bl_region_payload(bl_regions_find(&a->regions, BANKLAB_INPUT)),
        a->regions.expected, &referring->reason);
}

static enum bl_status call_reference(struct attempt *a)
{
    struct referring referring = {.a = a};
    const struct bl_aside_part parts[] = {
        {&referring, sizeof referring},
        {a->regions.expected, bl_regions_find(&a->regions, BANKLAB_OUTPUT)->bytes}};
    enum bl_status status;
    int said;

    status = bl_aside_call("reference", refer, &referring, parts, 2, a->options->timeout,
                           &said, a->err);
    if (status)
        return bl_error_prefix(a->err, "%s", a->trial->plugin->path);
    return plugin_said(a, "reference", said, &referring.reason);
}

static enum bl_status make_expected(struct attempt *a)
{
    const void *input = bl_region_payload(bl_regions_find(&a->regions, BANKLAB_INPUT));
    const struct banklab_plugin *abi = &a->trial->plugin->abi;

    if (bl_plugin_has_reference(a->trial->plugin))
        return call_reference(a);
    if (!a->kind->reference)
        return bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0,
                           "a plugin of kind '%s' must bring a reference", abi->kind);
    a->kind->reference(&a->problem, input, a->regions.expected);
    return BL_OK;
}

/* ---- steps ------------------------------------------------------------------------- */

/* Where the plugin says what the input is. */
static enum bl_status take_input(struct attempt *a, uint64_t bytes)
{
    uint64_t given;

    a->regions.input = bl_plugin_input(a->trial->plugin, &given);
    if (a->regions.input && given != bytes)
        return bl_error_at(a->err, BL_E_INPUT, a->trial->plugin->path, 0,
                           "its input has %" PRIu64 " bytes, the problem's has %" PRIu64,
                           given, bytes);
    return BL_OK;
}

static enum bl_status make_buffers(struct attempt *a)
{
    uint64_t bytes;
    enum bl_status status = bl_kind_bytes(&a->problem, &bytes, a->err);

    if (!status)
        status = bl_regions_new(&a->plan, bytes, a->view.limits.memory, &a->dev->spare,
                                &a->regions, a->err);
    if (!status)
        status = bl_plan_tensors_fit(a->trial->plugin, &a->plan, &a->regions, a->err);
    if (!status)
        status = take_input(a, bytes);
    if (status)
        return status;
    bl_regions_fill(&a->regions, a->trial->seed);
    status = make_expected(a);
    if (!status)
        bl_regions_poison(&a->regions, a->trial->seed);
    return status;
}

static enum bl_status run_job(struct attempt *a, struct bl_counts *counts)
{
    const struct bl_job job = {
        .label = a->trial->label,
        .plugin_path = a->trial->plugin->path,
        .module = a->module,
        .plan = &a->plan,
        .regions = &a->regions,
        .arch = a->view.arch,
        .options = a->options,
        .watcher = a->trial->watcher,
        .unwritten = a->trial->unwritten,
    };
    struct bl_counts got;
    enum bl_status status;

    memset(&got, 0, sizeof got);
    status = a->dev->ops->run(a->dev, &job, &got, a->err);
    if (!status)
        *counts = got;
    return status;
}

static enum bl_status verify(struct attempt *a)
{
    const struct bl_region *output = bl_regions_find(&a->regions, BANKLAB_OUTPUT);
    struct bl_verdict_detail detail;
    enum bl_status status = bl_regions_check(&a->regions, a->trial->seed, a->err);

    if (status)
        return status;
    bl_verify(a->kind, &a->problem, a->regions.expected, bl_region_payload(output),
              a->trial->seed, &detail);
    if (detail.ok)
        return BL_OK;
    if (a->trial->inspect)
        a->trial->inspect(a->trial->inspect_ctx, a->kind, &a->problem, &a->regions);
    return bl_error_set(a->err, BL_E_FAULT, "%s", detail.text);
}

static enum bl_status measure(struct attempt *a, struct bl_result *out)
{
    const uint64_t useful = a->kind->useful_bytes(&a->problem);

    if (a->plan.clock.warps) {
        double cycles;
        enum bl_status status =
            bl_clock_read(&a->plan.clock, bl_regions_find(&a->regions, BANKLAB_CLOCK),
                          a->trial->seed, &cycles, a->err);
        if (status)
            return status;
        out->clock.source = a->dev->ops->clock_source;
        out->clock.cycles_per_access = cycles;
    }
    if (a->view.rates)
        bl_rates_predict(a->view.rates, &out->counts, &out->time);
    if (useful && out->time.source != BL_SRC_NONE && out->time.median_us > 0) {
        out->throughput.has_gbps = true;
        out->throughput.gbps = (double)useful / out->time.median_us / 1e3;
    }
    return BL_OK;
}

static enum bl_verdict verdict_of(enum bl_status status)
{
    switch (status) {
    case BL_OK: return BL_PASS;
    case BL_E_UNSUPPORTED: return BL_SKIP;
    case BL_E_FAULT: return BL_FAIL;
    default: return BL_ERROR;
    }
}

static void name_kernels(const struct banklab_plan *plan, struct bl_result *out)
{
    out->kernel_count = plan->launch_count;
    for (uint32_t i = 0; i < plan->launch_count; i++)
        memcpy(out->kernels[i], plan->launches[i].kernel, sizeof out->kernels[i]);
}

void bl_trial_run(struct bl_device *dev, const struct bl_run_options *options,
                  const struct bl_trial *trial, struct bl_result *out,
                  struct bl_trial_kept *kept)
{
    struct bl_error err = {.status = BL_OK};
    struct attempt a = {.trial = trial, .dev = dev, .options = options, .err = &err};
    enum bl_status status;

    a.problem = *trial->problem;
    a.problem.struct_size = sizeof a.problem;
    a.problem.batch = bl_problem_batch(trial->problem);
    status = bl_device_view(dev, trial->arch, &a.view, &err);
    if (!status)
        status = check_support(&a);
    if (!status)
        status = make_plan(&a);
    if (!status) {
        name_kernels(&a.plan, out);
        status = make_buffers(&a);
    }
    if (!status)
        status = run_job(&a, &out->counts);
    if (!status)
        status = verify(&a);
    if (!status)
        status = measure(&a, out);
    bl_result_say(out, verdict_of(status), "%s", status ? err.text : "");
    if (kept)
        kept->module = a.module;
    if (!status && kept) {
        kept->ready = bl_kind_bytes(&a.problem, &kept->bytes, NULL) == BL_OK;
        kept->plan = a.plan;
    }
    bl_regions_free(&a.regions, &dev->spare);
}
