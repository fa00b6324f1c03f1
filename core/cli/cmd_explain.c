/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c - banklab explain: a case's memory instructions, by what they cost.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/sets.h"
#include "cli/progress.h"
#include "explain/explain.h"

enum { TOP = 8 };

struct explain_args {
    struct cli_common *common;
    const char *profile;
    const char *only; /* NULL: the profile's one case */
    bool json;
    size_t top;
    char *arch_set; /* "arch=cc90", of --arch */
    struct cli_sets sets;
};

static const struct argp_option options[] = {
    {"case", 'c', "GLOB", 0,
     "Explain the cases whose names match GLOB; can be left out if there is one", 0},
    {"top", 't', "N", 0, "List the N costliest instructions (8; 0: all)", 0},
    {"format", 'f', "FORMAT", 0, "Print as text (default) or json", 0},
    {"arch", 'a', "ARCH", 0, "The model's rules, for cases that don't name theirs", 0},
    {"set", 's', "[CASE.]KEY=VALUE", 0, "As for `banklab run'; may be repeated", 0},
    {0},
};

/* Last, so that they win over --set: it is the model that can be looked into. */
static error_t add_own_sets(struct explain_args *args)
{
    const error_t status = args->arch_set ? cli_sets_add(&args->sets, args->arch_set) : 0;

    return status ? status : cli_sets_add(&args->sets, "device=model");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct explain_args *args = state->input;
    uint64_t top;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'c': args->only = arg; return 0;
    case 't':
        if (!bl_text_uint(arg, &top) || top > SIZE_MAX)
            cli_usage(state, "--top takes a number, not \"%s\"", arg);
        args->top = (size_t)top;
        return 0;
    case 'f':
        args->json = strcmp(arg, "json") == 0;
        if (!args->json && strcmp(arg, "text") != 0)
            cli_usage(state, "unknown format \"%s\"; it can be text or json", arg);
        return 0;
    case 'a':
        free(args->arch_set);
        args->arch_set = bl_text_format("arch=%s", arg);
        return args->arch_set ? 0 : ENOMEM;
    case 's': return cli_sets_option(state, &args->sets, arg);
    case ARGP_KEY_ARG:
        if (args->profile)
            cli_usage(state, "explain takes one profile; \"%s\" is one too many", arg);
        args->profile = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "explain needs a PROFILE: a file, or a name that `banklab list' "
                         "tells");
        return EINVAL;
    case ARGP_KEY_SUCCESS: return add_own_sets(args);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROFILE",
    .doc = "Run a case of PROFILE on the model, check its result, and list its memory "
           "instructions by what they cost, with their source lines; show how the lanes "
           "of the worst ones lie on the banks and sectors."
           "\v"
           "PROFILE is a file, or the name of a profile that `banklab list' tells.\n\n"
           "Exit status: 0 if the results were right, 1 if one was not, 2 if a case, or "
           "the explanation, could not be made.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- which cases ------------------------------------------------------------------- */

/* "conflicted, padded", of the first few. */
static void name_cases(const struct bl_profile *profile, char *out, size_t size)
{
    enum { SOME = 6 };
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < profile->case_count && i < SOME && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
                                 profile->cases[i].name);
    if (profile->case_count > SOME && used < size)
        snprintf(out + used, size - used, ", ...");
}

static enum bl_status check_choice(const struct bl_profile *profile, const char *only,
                                   struct bl_error *err)
{
    char names[400];

    if (only || profile->case_count == 1)
        return BL_OK;
    name_cases(profile, names, sizeof names);
    return bl_error_at(err, BL_E_INPUT, profile->path, 0,
                       "there are %zu cases: --case says which to explain ('*': all); "
                       "there is %s",
                       profile->case_count, names);
}

/* ---- explaining -------------------------------------------------------------------- */

struct explained {
    struct bl_explain **at;
    size_t count;
    int code; /* exit status */
};

static void judge(const struct bl_explain *explain, int *code)
{
    const struct bl_result *result = &explain->result;
    struct bl_error err;

    if (result->verdict == BL_FAIL && *code == CLI_OK)
        *code = CLI_FAILED;
    if (result->verdict != BL_ERROR)
        return;
    bl_error_at(&err, BL_E_INPUT, explain->profile->path, result->of->line, "case %s: %s",
                result->of->name, result->detail);
    *code = cli_complain(&err);
}

static enum bl_status explain_all(const struct bl_profile *profile,
                                  struct bl_device *device, const struct bl_paths *paths,
                                  const char *only, struct explained *out,
                                  struct bl_error *err)
{
    struct cli_progress progress;
    enum bl_status status = BL_OK;

    cli_progress_begin(&progress);
    for (size_t i = 0; i < profile->case_count && status == BL_OK; i++) {
        /* The baseline is read though it was not asked for. */
        if (only && !bl_case_matches(profile->cases[i].name, only))
            continue;
        cli_progress_step(&progress, i, profile->case_count, profile->cases[i].name);
        status = bl_explain_case(profile, i, device, paths, &out->at[out->count], err);
        if (status == BL_OK)
            out->count++;
    }
    cli_progress_end(&progress);
    return status;
}

static enum bl_status print(const struct explain_args *args, struct bl_device *device,
                            const struct explained *explained, struct bl_error *err)
{
    const struct bl_style style = cli_style();
    enum bl_status status = BL_OK;

    if (args->json) {
        status = bl_explain_json(explained->at, explained->count, &device->desc,
                                 args->top, stdout, err);
    } else {
        for (size_t i = 0; i < explained->count; i++) {
            if (i)
                fputs("\n\n", stdout);
            bl_explain_text(explained->at[i], &style, args->top, stdout);
        }
        status = bl_report_flush(stdout, err);
    }
    if (status != BL_OK) {
        bl_error_prefix(err, "cannot write to standard output");
        /* It is told once: nothing is left to be flushed at exit. */
        __fpurge(stdout);
        clearerr(stdout);
    }
    return status;
}

static enum bl_status explain_on(const struct explain_args *args,
                                 const struct bl_profile *profile,
                                 struct bl_device *device, const struct bl_paths *paths,
                                 int *code, struct bl_error *err)
{
    struct explained explained = {.at = calloc(profile->case_count, sizeof(void *)),
                                  .code = CLI_OK};
    enum bl_status status = explained.at ? BL_OK : bl_error_nomem(err);

    if (status == BL_OK)
        status = explain_all(profile, device, paths, args->only, &explained, err);
    if (status == BL_OK)
        status = print(args, device, &explained, err);
    for (size_t i = 0; i < explained.count; i++) {
        if (status == BL_OK)
            judge(explained.at[i], &explained.code);
        bl_explain_free(explained.at[i]);
    }
    free(explained.at);
    *code = explained.code;
    return status;
}

static enum bl_status explain(const struct explain_args *args, int *code,
                              struct bl_error *err)
{
    struct cli_house house;
    struct bl_profile *profile = NULL;
    struct bl_device *device = NULL;
    enum bl_status status = cli_open(args->common, &house, err);

    if (status == BL_OK)
        status = cli_profile_read(&house, args->profile, &args->sets, args->only,
                                  &profile, err);
    if (status == BL_OK)
        status = check_choice(profile, args->only, err);
    if (status == BL_OK)
        status = bl_device_open(&house.paths, &profile->run, &device, err);
    if (status == BL_OK)
        status = explain_on(args, profile, device, &house.paths, code, err);
    bl_device_close(device);
    bl_profile_free(profile);
    cli_close(&house);
    return status;
}

int cli_explain(int argc, char **argv, struct cli_common *common)
{
    struct explain_args args = {.common = common, .top = TOP};
    struct bl_error err;
    int code = CLI_IMPOSSIBLE;

    cli_parse(&argp, argc, argv, 0, &args);
    if (explain(&args, &code, &err) != BL_OK) {
        if (args.arch_set)
            cli_name_option(&err, "arch");
        code = cli_complain(&err);
    }
    free(args.arch_set);
    cli_sets_free(&args.sets);
    return code;
}
