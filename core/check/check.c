/* SPDX-License-Identifier: Apache-2.0
 *
 * check.c - the points of one plugin, in order.
 */
#include "check/check.h"

#include "check/parts.h"
#include "load/profile_parts.h"

/* Pages of global memory that the race detector remembers: more than any problem of the
 * sample has. */
enum { PAGES = 2048, LIMIT = 400 };

enum bl_status bl_check_options_init(struct bl_check_options *options,
                                     struct bl_error *err)
{
    const struct bl_raw silent = {.path = ""};

    *options = (struct bl_check_options){.limit = LIMIT};
    return bl_run_read(&silent, &options->run, err);
}

void bl_check_options_free(struct bl_check_options *options)
{
    bl_run_free(&options->run);
}

/* Only the plugin's own code failing ends here with BL_E_INPUT: it is a point. */
static enum bl_status plan_failed(struct bl_check *check, enum bl_status status,
                                  struct bl_error *err)
{
    if (status != BL_E_INPUT)
        return status;
    bl_points_add(check->points, BL_POINT_FAILED, "%s: plan answers",
                  check->plugin->abi.name);
    bl_points_say(check->points, "%s; it must return whatever it is asked", err->text);
    return BL_OK;
}

static enum bl_status check_planning(struct bl_check *check, struct bl_error *err)
{
    const struct bl_run_options *run = &check->options->run;
    enum bl_status status =
        bl_sample_make(check->plugin, run->seed, check->options->limit, run->timeout,
                       &check->sample, err);

    if (status == BL_OK)
        status = bl_check_pure(check, err);
    if (status == BL_OK)
        status = bl_check_effects(check, err);
    return status;
}

static enum bl_status check_running(struct bl_check *check, struct bl_error *err)
{
    const size_t failed = bl_points_failed(check->points);
    enum bl_status status = bl_check_runs(check, err);

    if (status == BL_OK)
        status = bl_check_huge(check, bl_points_failed(check->points) > failed, err);
    if (status == BL_OK && check->gpu)
        status = bl_check_gpu(check, err);
    return status;
}

enum bl_status bl_check_plugin(const struct bl_plugin *plugin, struct bl_device *model,
                               struct bl_device *gpu,
                               const struct bl_check_options *options,
                               bl_check_progress_fn *progress, void *ctx,
                               struct bl_points *points, struct bl_error *err)
{
    struct bl_check check = {.plugin = plugin,
                             .model = model,
                             .gpu = gpu,
                             .options = options,
                             .progress = progress,
                             .ctx = ctx,
                             .points = points};
    enum bl_status status = bl_races_new(PAGES, &check.races, err);

    if (status != BL_OK)
        return status;
    status = check_planning(&check, err);
    if (status == BL_OK)
        status = check_running(&check, err);
    status = plan_failed(&check, status, err);
    bl_sample_free(&check.sample);
    bl_races_free(check.races);
    return status;
}
