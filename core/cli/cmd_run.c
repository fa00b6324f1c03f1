/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_run.c - banklab run: a profile's cases, measured and reported.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/sets.h"
#include "work/runner.h"

struct run_args {
    struct cli_common *common;
    const char *profile;
    const char *only;
    const char *output; /* NULL: standard output */
    enum bl_format format;
    char *device_set; /* "device=cuda:1", of --device */
    struct cli_sets sets;
};

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0, "Run on DEVICE: auto, model, cuda, cuda:1", 0},
    {"format", 'f', "FORMAT", 0, "Report as table (default), json, csv or tap", 0},
    {"output", 'o', "FILE", 0, "Write the report to FILE, whole or not at all", 0},
    {"case", 'c', "GLOB", 0, "Run only the cases whose names match GLOB", 0},
    {"set", 's', "[CASE.]KEY=VALUE", 0,
     "Set a key of [run] or [problem], or a parameter of every case that has it (or of "
     "CASE); may be repeated",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run_args *args = state->input;
    struct bl_error err;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'd':
        free(args->device_set);
        args->device_set = bl_text_format("device=%s", arg);
        return args->device_set ? 0 : ENOMEM;
    case 'f':
        if (bl_format_find(arg, &args->format, &err) != BL_OK)
            cli_usage(state, "%s", err.text);
        return 0;
    case 'o': args->output = strcmp(arg, "-") == 0 ? NULL : arg; return 0;
    case 'c': args->only = arg; return 0;
    case 's': return cli_sets_option(state, &args->sets, arg);
    case ARGP_KEY_ARG:
        if (args->profile)
            cli_usage(state, "run takes one profile; \"%s\" is one too many", arg);
        args->profile = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "run needs a PROFILE: a file, or a name that `banklab list' "
                         "tells");
        return EINVAL;
    /* Last, so that --device wins over --set device=. */
    case ARGP_KEY_SUCCESS:
        return args->device_set ? cli_sets_add(&args->sets, args->device_set) : 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROFILE",
    .doc = "Run the cases of PROFILE, check every result, and report what they cost."
           "\v"
           "PROFILE is a file, or the name of a profile that `banklab list' tells.\n\n"
           "Exit status: 0 if all cases passed, 1 if one failed, 2 if the run, or one "
           "of its cases, could not be made.",
    .children = children,
    .help_filter = cli_help_filter,
};

static enum bl_status report_out(const struct bl_report *report,
                                 const struct run_args *args, struct bl_error *err)
{
    struct bl_style style;
    enum bl_status status;

    /* The other formats carry the warnings themselves. */
    for (size_t i = 0; args->format == BL_FORMAT_CSV && i < report->warning_count; i++)
        cli_warn(NULL, report->warnings[i]);
    if (args->output)
        return bl_report_save(report, args->format, args->output, err);
    style = cli_style();
    status = bl_report_write(report, args->format, &style, stdout, err);
    if (status != BL_OK) {
        bl_error_prefix(err, "cannot write the report to standard output");
        /* It is told once: nothing is left to be flushed at exit. */
        __fpurge(stdout);
        clearerr(stdout);
    }
    return status;
}

/* Cases that could not be run are told here too: the report may have gone to a file. */
static void complain_of_errors(const struct bl_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct bl_result *result = &report->results[i];
        struct bl_error err;

        if (result->verdict != BL_ERROR)
            continue;
        bl_error_at(&err, BL_E_INPUT, report->profile->path, result->of->line,
                    "case %s: %s", result->of->name, result->detail);
        cli_complain(&err);
    }
}

static enum bl_status run_on(const struct bl_profile *profile, struct bl_device *device,
                             const struct run_args *args, int *exit_out,
                             struct bl_error *err)
{
    struct cli_progress progress;
    struct bl_report *report;
    enum bl_status status;

    cli_progress_begin(&progress);
    status = bl_runner_run(profile, device, cli_progress_step, &progress, &report, err);
    cli_progress_end(&progress);
    if (status != BL_OK)
        return status;
    status = report_out(report, args, err);
    if (status == BL_OK) {
        complain_of_errors(report);
        *exit_out = bl_report_exit_status(report);
    }
    bl_report_free(report);
    return status;
}

static enum bl_status run(const struct run_args *args, int *exit_out,
                          struct bl_error *err)
{
    struct cli_house house;
    struct bl_profile *profile = NULL;
    struct bl_device *device = NULL;
    enum bl_status status = cli_open(args->common, &house, err);

    if (status != BL_OK)
        goto out;
    status =
        cli_profile_read(&house, args->profile, &args->sets, args->only, &profile, err);
    if (status != BL_OK)
        goto out;
    status = bl_device_open(&house.paths, &profile->run, &device, err);
    if (status != BL_OK)
        goto out;
    if (args->output)
        status = bl_report_save_check(args->output, err);
    if (status == BL_OK)
        status = run_on(profile, device, args, exit_out, err);
out:
    bl_device_close(device);
    bl_profile_free(profile);
    cli_close(&house);
    return status;
}

int cli_run(int argc, char **argv, struct cli_common *common)
{
    struct run_args args = {.common = common, .format = BL_FORMAT_TABLE};
    struct bl_error err;
    int code = CLI_IMPOSSIBLE;

    cli_parse(&argp, argc, argv, 0, &args);
    if (run(&args, &code, &err) != BL_OK) {
        if (args.device_set)
            cli_name_option(&err, "device");
        code = cli_complain(&err);
    }
    free(args.device_set);
    cli_sets_free(&args.sets);
    return code;
}
