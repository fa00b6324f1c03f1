/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_access.c - banklab access: what an access costs by the rules, without a kernel.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/many.h"
#include "base/text.h"
#include "load/hint.h"
#include "report/figures.h"

enum { KEY_WARP = 512, TOLD_MOST = 20 /* differences that are told one by one */ };

struct access_args {
    struct cli_common *common;
    const char *address, *arch, *csv;
    struct bl_question question;
    bool space_given, json;
    size_t told;
};

static const struct argp_option options[] = {
    {"op", 'o', "OP", 0, "load (default) or store", 0},
    {"width", 'w', "BYTES", 0, "Bytes a lane: 1, 2, 4 (default), 8, 16", 0},
    {"space", 's', "SPACE", 0, "shared (default) or global memory", 0},
    {"block", 'b', "XxYxZ", 0, "The block's threads (default 32)", 0},
    {"warp", KEY_WARP, "N", 0, "The warp asked about (default 0), or all", 0},
    {"mask", 'm', "HEX", 0, "Lanes that take part, a bit each (default all)", 0},
    {"define", 'D', "NAME=VALUE", 0,
     "Give EXPR a constant, a number or an expression; may be repeated", 0},
    {"arch", 'a', "NAME", 0, "By the rules of arch NAME (default cc90)", 0},
    {"csv", 'c', "FILE", 0, "Evaluate a table of accesses; - is standard input", 0},
    {"format", 'f', "FORMAT", 0, "Print text (default) or json", 0},
    {0},
};

static void set_format(const struct argp_state *state, const char *text, bool *json)
{
    static const char *const names[] = {"text", "json"};
    char hint[BL_HINT_SIZE];

    *json = strcmp(text, "json") == 0;
    if (*json || strcmp(text, "text") == 0)
        return;
    bl_hint_print(text, names, 2, hint, sizeof hint);
    cli_usage(state, "unknown format \"%s\"%s", text, hint);
}

/* What is read by core/bank; NULL: `key` is another's. */
static const char *set_question(struct access_args *args, int key, const char *arg,
                                enum bl_status *status, struct bl_error *err)
{
    struct bl_question *question = &args->question;
    struct bl_access_form *form = &question->form;

    switch (key) {
    case 'o': *status = bl_form_set_op(form, arg, err); return "--op";
    case 'w': *status = bl_form_set_width(form, arg, err); return "--width";
    case 's':
        args->space_given = true;
        *status = bl_form_set_space(form, arg, err);
        return "--space";
    case 'b':
        question->block_given = true;
        *status = bl_form_set_block(form, arg, err);
        return "--block";
    case 'm': *status = bl_form_set_mask(form, arg, err); return "--mask";
    case 'D': *status = bl_constants_add(&question->constants, arg, err); return "-D";
    case KEY_WARP: *status = bl_question_set_warp(question, arg, err); return "--warp";
    default: return NULL;
    }
}

static error_t parse_other(int key, char *arg, struct argp_state *state)
{
    struct access_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'a': args->arch = arg; return 0;
    case 'c': args->csv = arg; return 0;
    case 'f': set_format(state, arg, &args->json); return 0;
    case ARGP_KEY_ARG:
        if (args->address)
            cli_usage(state, "access takes one EXPR; \"%s\" is one too many", arg);
        args->address = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->csv && args->address)
            cli_usage(state, "with --csv the file has the addresses: \"%s\" is too much",
                      args->address);
        if (args->csv && args->json)
            cli_usage(state, "--csv writes CSV, and no json");
        if (!args->csv && !args->address)
            cli_usage(state, "access needs an EXPR, the byte address, as in "
                             "'4*(33*ty+tx)'; or --csv FILE");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct access_args *args = state->input;
    enum bl_status status = BL_OK;
    struct bl_error err;
    const char *option;

    option = set_question(args, key, arg, &status, &err);
    if (!option)
        return parse_other(key, arg, state);
    if (status == BL_E_NOMEM)
        return ENOMEM;
    if (status != BL_OK) {
        bl_error_prefix(&err, "%s", option);
        exit(cli_complain(&err));
    }
    return 0;
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "EXPR\n--csv FILE",
    .doc =
        "Tell what a warp's access costs by the rules of an arch: wavefronts, conflicts "
        "and ways, or sectors; with a picture of the lanes on the banks."
        "\v"
        "EXPR is a byte address in C's syntax, of t, tx, ty, tz, lane, warp, bx, by, bz "
        "and constants: `banklab access '4*(P*tx+ty)' -D P=33 --block 32x32'.\n\n"
        "A CSV has a header with address, or a0 to a31, and op, width, space, block, "
        "warp, mask as it likes; numbers that it expects are compared.\n\n"
        "Exit status: 0; 1 if a number of the CSV is not as expected; 2 if it could not "
        "be done.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- one access
 * ------------------------------------------------------------------------- */

static enum bl_status answer(const struct access_args *args, const struct bl_arch *arch,
                             struct bl_error *err)
{
    const struct bl_style style = cli_style();
    struct bl_address *address;
    struct bl_answer found;
    enum bl_status status =
        bl_address_read(args->address, &args->question.constants, &address, err);

    if (status != BL_OK)
        return status;
    status = bl_question_answer(&args->question, address, arch, &found, err);
    if (status == BL_OK && args->json)
        status = bl_answer_json(&args->question, address, arch, &found, stdout, err);
    else if (status == BL_OK)
        status =
            bl_answer_text(&args->question, address, arch, &found, &style, stdout, err);
    bl_address_free(address);
    return status;
}

/* ---- many
 * -------------------------------------------------------------------------------- */

static void tell(const char *text)
{
    fputs("banklab: ", stderr);
    bl_text_write(stderr, text, " ");
    fputc('\n', stderr);
}

static void tell_difference(void *ctx, const char *text)
{
    struct access_args *args = ctx;

    if (args->told++ < TOLD_MOST)
        tell(text);
}

static void tell_end(const struct access_args *args, const char *name,
                     const struct bl_many_sum *sum)
{
    char *text;

    if (sum->compared == 0)
        return;
    if (args->told > TOLD_MOST)
        fprintf(stderr, "banklab: %zu more\n", args->told - TOLD_MOST);
    text =
        bl_text_format("%s: %zu access%s, %zu compared: %zu differ", name, sum->patterns,
                       sum->patterns == 1 ? "" : "es", sum->compared, sum->differing);
    if (text)
        tell(text);
    free(text);
}

static enum bl_status answer_many(struct access_args *args, const struct bl_arch *arch,
                                  int *code, struct bl_error *err)
{
    const bool from_stdin = strcmp(args->csv, "-") == 0;
    struct bl_many many = {.in = from_stdin ? stdin : fopen(args->csv, "rb"),
                           .name = from_stdin ? "standard input" : args->csv,
                           .arch = arch,
                           .question = &args->question,
                           .space_given = args->space_given,
                           .out = stdout,
                           .differs = tell_difference,
                           .warn = cli_warn,
                           .ctx = args};
    struct bl_many_sum sum;
    enum bl_status status;

    if (!many.in)
        return bl_error_set(err, BL_E_IO, "%s: %s", args->csv, strerror(errno));
    status = bl_many_run(&many, &sum, err);
    if (!from_stdin)
        fclose(many.in);
    if (status != BL_OK)
        return status;
    tell_end(args, many.name, &sum);
    *code = sum.differing ? CLI_FAILED : CLI_OK;
    return BL_OK;
}

int cli_access(int argc, char **argv, struct cli_common *common)
{
    struct access_args args = {
        .common = common, .question = bl_question_default, .arch = "cc90"};
    struct bl_paths paths = {.conf_dir = NULL};
    struct bl_arch arch;
    struct bl_error err;
    enum bl_status status;
    int code = CLI_OK;

    cli_parse(&argp, argc, argv, 0, &args);
    status = bl_paths_find(NULL, 0, &paths, &err);
    if (status == BL_OK) {
        status = bl_arch_read(&paths, args.arch, &arch, &err);
        bl_paths_free(&paths);
    }
    if (status == BL_OK)
        status = args.csv ? answer_many(&args, &arch, &code, &err)
                          : answer(&args, &arch, &err);
    bl_constants_free(&args.question.constants);
    return status == BL_OK ? code : cli_complain(&err);
}
