/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_check.c - banklab check: whether plugins keep the contract.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "check/check.h"
#include "cli/progress.h"

enum { KEY_LIMIT = 256, KEY_SEED, KEY_QUICK, QUICK = 80 };

struct check_args {
    struct cli_common *common;
    char **plugins;
    size_t plugin_count;
    const char *device, *arch; /* NULL: not given */
    uint64_t limit, seed;
    bool has_limit, has_seed, quick;
};

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0,
     "Besides the model, run on cuda or cuda:N, and compare with the model", 0},
    {"arch", 'a', "ARCH", 0, "The model's rules (cc90)", 0},
    {"limit", KEY_LIMIT, "N", 0, "At most N runs a plugin (400)", 0},
    {"quick", KEY_QUICK, NULL, 0, "At most 80 runs a plugin", 0},
    {"seed", KEY_SEED, "N", 0, "Of the inputs, and of the sample of settings (1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct check_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'd': args->device = arg; return 0;
    case 'a': args->arch = arg; return 0;
    case KEY_QUICK: args->quick = true; return 0;
    case KEY_LIMIT:
        if (!bl_text_uint(arg, &args->limit) || !args->limit || args->limit > 1000000)
            cli_usage(state, "--limit takes a number from 1 to 1000000, not \"%s\"", arg);
        args->has_limit = true;
        return 0;
    case KEY_SEED:
        if (!bl_text_uint(arg, &args->seed))
            cli_usage(state, "--seed takes a whole number, not \"%s\"", arg);
        args->has_seed = true;
        return 0;
    case ARGP_KEY_ARGS:
        args->plugins = state->argv + state->next;
        args->plugin_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "check needs a PLUGIN: a name that `banklab list' tells, or a "
                         "file");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PLUGIN...",
    .doc =
        "Check that each PLUGIN keeps the contract of a plugin, whatever the problem and "
        "its settings: that it plans alike each time, stays within its buffers, gives "
        "the right results, has no data races, and relies on nothing that an earlier "
        "run left. Prints TAP, in which a failure names its cause and the source line."
        "\v"
        "PLUGIN is a name that `banklab list' tells, or the path of a .so file.\n\n"
        "Exit status: 0 if all points hold, 1 if one does not, 2 if the check could not "
        "be made.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- devices ----------------------------------------------------------------------- */

static enum bl_status replace(char **to, const char *text, struct bl_error *err)
{
    char *fresh = strdup(text);

    if (!fresh)
        return bl_error_nomem(err);
    free(*to);
    *to = fresh;
    return BL_OK;
}

static enum bl_status set_options(const struct check_args *args,
                                  struct bl_check_options *out, struct bl_error *err)
{
    enum bl_status status = bl_check_options_init(out, err);

    if (status == BL_OK && args->arch)
        status = replace(&out->run.arch, args->arch, err);
    if (status == BL_OK && args->arch)
        status = replace(&out->run.arch_at, "--arch", err);
    if (args->quick)
        out->limit = QUICK;
    if (args->has_limit)
        out->limit = (size_t)args->limit;
    if (args->has_seed)
        out->run.seed = args->seed;
    return status;
}

static enum bl_status open_device(const struct bl_paths *paths,
                                  struct bl_check_options *check, const char *name,
                                  struct bl_device **out, struct bl_error *err)
{
    enum bl_status status = replace(&check->run.device, name, err);

    return status == BL_OK ? bl_device_open(paths, &check->run, out, err) : status;
}

/* ---- checking ---------------------------------------------------------------------- */

struct checking {
    const struct check_args *args;
    struct cli_house house;
    struct bl_check_options options;
    struct bl_device *model, *gpu;
    struct bl_points points;
};

/* A plugin that is there but is none is a failure; one that is not there can't be
 * checked. */
static enum bl_status find(struct checking *checking, const char *name,
                           const struct bl_plugin **out, struct bl_error *err)
{
    enum bl_status status = bl_registry_find(checking->house.registry, name, out, err);
    const char *slash = strrchr(name, '/');

    if (status == BL_OK && (*out)->form)
        return bl_error_set(err, BL_E_INPUT,
                            "%s is made of what a profile's case says, and has nothing "
                            "that could be checked without it; `banklab run' checks its "
                            "results",
                            name);
    if (status == BL_OK) {
        bl_points_add(&checking->points, BL_POINT_OK, "%s: keeps the plugin interface",
                      (*out)->abi.name);
        return BL_OK;
    }
    if (status != BL_E_INPUT || !slash || access(name, F_OK) != 0)
        return status;
    bl_points_add(&checking->points, BL_POINT_FAILED, "%s: keeps the plugin interface",
                  slash + 1);
    bl_points_say(&checking->points, "%s", err->text);
    *out = NULL;
    return BL_OK;
}

static enum bl_status check_all(struct checking *checking, struct bl_error *err)
{
    struct cli_progress progress;
    enum bl_status status = BL_OK;

    cli_progress_begin(&progress);
    for (size_t i = 0; i < checking->args->plugin_count && status == BL_OK; i++) {
        const struct bl_plugin *plugin;

        status = find(checking, checking->args->plugins[i], &plugin, err);
        if (status == BL_OK && plugin)
            status = bl_check_plugin(plugin, checking->model, checking->gpu,
                                     &checking->options, cli_progress_step, &progress,
                                     &checking->points, err);
    }
    cli_progress_end(&progress);
    return status;
}

static enum bl_status print(const struct checking *checking, struct bl_error *err)
{
    const enum bl_status status = bl_points_print(&checking->points, stdout, err);

    if (status == BL_OK)
        return BL_OK;
    bl_error_prefix(err, "cannot write to standard output");
    /* It is told once: nothing is left to be flushed at exit. */
    __fpurge(stdout);
    clearerr(stdout);
    return status;
}

static enum bl_status check(struct checking *checking, struct bl_error *err)
{
    const char *device = checking->args->device;
    enum bl_status status = cli_open(checking->args->common, &checking->house, err);

    if (status == BL_OK)
        status = set_options(checking->args, &checking->options, err);
    if (status == BL_OK && device && strcmp(device, "model") != 0)
        status = open_device(&checking->house.paths, &checking->options, device,
                             &checking->gpu, err);
    if (status == BL_OK)
        status = open_device(&checking->house.paths, &checking->options, "model",
                             &checking->model, err);
    if (status == BL_OK && checking->gpu &&
        strcmp(checking->gpu->desc.backend, "model") == 0)
        status = bl_error_set(err, BL_E_UNSUPPORTED, "there is no GPU for --device %s",
                              device);
    if (status == BL_OK)
        status = check_all(checking, err);
    return status == BL_OK ? print(checking, err) : status;
}

int cli_check(int argc, char **argv, struct cli_common *common)
{
    struct check_args args = {.common = common};
    struct checking checking = {.args = &args};
    struct bl_error err;
    int code;

    cli_parse(&argp, argc, argv, 0, &args);
    if (check(&checking, &err) != BL_OK)
        code = cli_complain(&err);
    else
        code = bl_points_failed(&checking.points) ? CLI_FAILED : CLI_OK;
    bl_points_free(&checking.points);
    if (checking.gpu)
        bl_device_close(checking.gpu);
    if (checking.model)
        bl_device_close(checking.model);
    bl_check_options_free(&checking.options);
    cli_close(&checking.house);
    return code;
}
