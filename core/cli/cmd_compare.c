/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_compare.c - banklab compare: reports against each other.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/compare.h"
#include "load/hint.h"
#include "report/save.h"

enum { KEY_AGAINST = 256, KEY_FAIL_SLOWER, KEY_FAIL_COUNTS };

/* As the formats' names stand below. */
enum compare_format { COMPARE_TABLE, COMPARE_JSON, COMPARE_CSV };

struct compare_args {
    struct cli_common *common;
    const char *files[2];
    size_t file_count;
    const char *output; /* NULL: standard output */
    enum compare_format format;
    struct bl_cmp_options options;
};

static const struct argp_option options[] = {
    {"against", KEY_AGAINST, "CASE", 0,
     "Of one report: compare its cases with CASE (default: its baseline)", 0},
    {"tolerance", 't', "PERCENT", 0, "What is still the same (default: 1%)", 0},
    {"fail-slower", KEY_FAIL_SLOWER, "PERCENT", 0,
     "Exit with 1 if a case is surely slower by more than PERCENT, or passes no longer",
     0},
    {"fail-counts", KEY_FAIL_COUNTS, NULL, 0,
     "Exit with 1 if a case has more requests, wavefronts, conflicts, ways, sectors or "
     "cycles, or passes no longer",
     0},
    {"format", 'f', "FORMAT", 0, "Print as table (default), json or csv", 0},
    {"output", 'o', "FILE", 0, "Write the comparison to FILE, whole or not at all", 0},
    {0},
};

/* "2%", "0.5 %". */
static double percent(struct argp_state *state, const char *option, const char *arg)
{
    const size_t length = strlen(arg);
    char number[32] = "";
    double value;

    if (length > 1 && length < sizeof number && arg[length - 1] == '%') {
        memcpy(number, arg, length - 1);
        number[length - 1] = '\0';
    }
    if (!bl_text_real(bl_text_trim(number), &value) || value < 0 || value > 10000)
        cli_usage(state, "%s takes a percentage as in 2%%, of 0%% to 10000%%, not \"%s\"",
                  option, arg);
    return value / 100;
}

static enum compare_format find_format(struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"table", "json", "csv"};
    char hint[BL_HINT_SIZE];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(arg, names[i]) == 0)
            return (enum compare_format)i;
    bl_hint_print(arg, names, sizeof names / sizeof *names, hint, sizeof hint);
    cli_usage(state, "unknown format \"%s\"%s", arg, hint);
    return COMPARE_TABLE;
}

static void check(struct argp_state *state, const struct compare_args *args)
{
    if (args->file_count == 2 && args->options.against)
        cli_usage(state, "--against is for one report; two are compared case by case, by "
                         "the cases' names");
    if (args->file_count == 2 && strcmp(args->files[0], "-") == 0 &&
        strcmp(args->files[1], "-") == 0)
        cli_usage(state, "standard input can be one of the reports, not both");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct compare_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case KEY_AGAINST: args->options.against = arg; return 0;
    case 't': args->options.tolerance = percent(state, "--tolerance", arg); return 0;
    case KEY_FAIL_SLOWER:
        args->options.fail_slower = percent(state, "--fail-slower", arg);
        args->options.has_fail_slower = true;
        return 0;
    case KEY_FAIL_COUNTS: args->options.has_fail_counts = true; return 0;
    case 'f': args->format = find_format(state, arg); return 0;
    case 'o': args->output = strcmp(arg, "-") == 0 ? NULL : arg; return 0;
    case ARGP_KEY_ARG:
        if (args->file_count == 2)
            cli_usage(state, "compare takes one or two reports; \"%s\" is one too many",
                      arg);
        args->files[args->file_count++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "compare needs a report or two, as `banklab run --format json' "
                         "writes them");
        return EINVAL;
    case ARGP_KEY_SUCCESS: check(state, args); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A.json [B.json]",
    .doc = "Compare the cases of report B with those of the same name in A, or the cases "
           "of one report with each other: times with their intervals, results, counts."
           "\v"
           "Reports are what `banklab run --format json' writes; `-' is standard input. "
           "The ratio is B over A: above 1 is slower.\n\n"
           "Exit status: 0 if the reports were compared, 1 if a --fail option found "
           "something, 2 if they could not be compared.",
    .children = children,
    .help_filter = cli_help_filter,
};

struct view {
    const struct bl_comparison *comparison;
    struct bl_style style;
    enum compare_format format;
};

static enum bl_status write_view(const void *what, FILE *out, struct bl_error *err)
{
    const struct view *view = what;

    switch (view->format) {
    case COMPARE_JSON: return bl_compare_json(view->comparison, out, err);
    case COMPARE_CSV: return bl_compare_csv(view->comparison, out, err);
    case COMPARE_TABLE: break;
    }
    return bl_compare_table(view->comparison, &view->style, out, err);
}

static enum bl_status write_out(const struct compare_args *args,
                                const struct bl_comparison *comparison,
                                struct bl_error *err)
{
    struct view view = {comparison, {false, 0}, args->format};
    enum bl_status status;

    /* JSON and the table carry the notes themselves. */
    for (size_t i = 0; args->format == COMPARE_CSV && i < comparison->note_count; i++)
        cli_warn(NULL, comparison->notes[i]);
    if (args->output)
        return bl_save(args->output, write_view, &view, err);
    view.style = cli_style();
    status = write_view(&view, stdout, err);
    if (status != BL_OK) {
        bl_error_prefix(err, "cannot write the comparison to standard output");
        /* It is told once: nothing is left to be flushed at exit. */
        __fpurge(stdout);
        clearerr(stdout);
    }
    return status;
}

static enum bl_status compare(const struct compare_args *args, int *exit_out,
                              struct bl_error *err)
{
    struct bl_saved saved[2] = {{.path = NULL}, {.path = NULL}};
    struct bl_comparison comparison = {.pairs = NULL};
    enum bl_status status = BL_OK;

    for (size_t i = 0; i < args->file_count && status == BL_OK; i++)
        status = bl_saved_read(args->files[i], &saved[i], err);
    if (status == BL_OK)
        status = bl_compare(&saved[0], args->file_count == 2 ? &saved[1] : NULL,
                            &args->options, &comparison, err);
    if (status == BL_OK)
        status = write_out(args, &comparison, err);
    if (status == BL_OK && bl_compare_failed(&comparison))
        *exit_out = CLI_FAILED;
    else if (status == BL_OK)
        status = bl_compare_gates(&comparison, err);
    bl_compare_free(&comparison);
    bl_saved_free(&saved[0]);
    bl_saved_free(&saved[1]);
    return status;
}

int cli_compare(int argc, char **argv, struct cli_common *common)
{
    struct compare_args args = {.common = common, .options.tolerance = 0.01};
    struct bl_error err;
    int code = CLI_OK;

    cli_parse(&argp, argc, argv, 0, &args);
    if (compare(&args, &code, &err) != BL_OK)
        code = cli_complain(&err);
    return code;
}
