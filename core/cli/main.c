/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c - finds the command and hands it the arguments.
 */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/hint.h"

static const struct cli_command commands[] = {
    {"run", "banklab run", cli_run},
    {"list", "banklab list", cli_list},
    {"describe", "banklab describe", cli_describe},
    {"devices", "banklab devices", cli_devices},
    {"access", "banklab access", cli_access},
    {"advise", "banklab advise", cli_advise},
    {"explain", "banklab explain", cli_explain},
    {"compare", "banklab compare", cli_compare},
    {"new", "banklab new", cli_new},
    {"check", "banklab check", cli_check},
    {"calibrate", "banklab calibrate", cli_calibrate},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* argp's name. */
error_t argp_err_exit_status = CLI_IMPOSSIBLE;

struct main_args {
    struct cli_common common;
    int rest; /* index of the command in argv; 0: none */
};

static const char help_text[] =
    "Measure what the memory access pattern of a GPU kernel costs, and check that its "
    "answer is right: on a real GPU, or on a model of one."
    "\v"
    "Commands:\n"
    "  run PROFILE        run a profile's cases and report what they cost\n"
    "  explain PROFILE    show which instructions of a case cost what, and why\n"
    "  compare REPORT...  compare reports, or the cases of one\n"
    "  list               list the plugins and profiles found\n"
    "  describe PLUGIN    describe a plugin and its parameters\n"
    "  devices            list the devices to run on\n"
    "  access EXPR        tell what one access costs, without a kernel\n"
    "  advise             search for a layout of shared memory without conflicts\n"
    "  new NAME           make a folder to write a plugin in\n"
    "  check PLUGIN       check that a plugin keeps the contract, and has no races\n"
    "  calibrate          compare the rules of what accesses cost with a GPU\n"
    "\n"
    "`banklab COMMAND --help' tells more. To begin: `banklab run transpose'.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct main_args *args = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &args->common; return 0;
    case ARGP_KEY_ARG:
        /* The rest is the command's. */
        args->rest = state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_state_help(state, stderr,
                        ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC |
                            ARGP_HELP_EXIT_ERR);
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = help_text,
    .children = children,
    .help_filter = cli_help_filter,
};

/* At the end, however it came: what standard output did not take is an error. */
static void check_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "banklab: cannot write to standard output: %s\n", strerror(errno));
    _exit(CLI_IMPOSSIBLE);
}

static int unknown(const char *name)
{
    const char *names[COMMANDS + 1];
    char hint[BL_HINT_SIZE];

    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    names[COMMANDS] = "help";
    bl_hint_print(name, names, COMMANDS + 1, hint, sizeof hint);
    fprintf(stderr, "banklab: unknown command \"%s\"%s\n", name, hint);
    return CLI_IMPOSSIBLE;
}

static int dispatch(int argc, char **argv, struct cli_common *common)
{
    const char *name = argv[0];

    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            argv[0] = (char *)commands[i].usage; /* messages begin with it */
            return commands[i].run(argc, argv, common);
        }
    }
    return unknown(name);
}

/* "help" is "--help", "help COMMAND" is "COMMAND --help". */
static int help(int argc, char **argv, struct cli_common *common)
{
    char *of_command[] = {argc > 1 ? argv[1] : NULL, (char *)"--help", NULL};
    char *of_all[] = {(char *)"banklab", (char *)"--help", NULL};

    if (argc > 1 && strcmp(argv[1], "help") != 0)
        return dispatch(2, of_command, common);
    cli_parse(&argp, 2, of_all, 0, &(struct main_args){.rest = 0});
    return CLI_OK;
}

int main(int argc, char **argv)
{
    struct main_args args = {.rest = 0};
    int code;

    atexit(check_stdout);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write that fails, and is said */
    if (argc > 0)
        argv[0] = (char *)"banklab";
    cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &args);
    if (strcmp(argv[args.rest], "help") == 0)
        code = help(argc - args.rest, argv + args.rest, &args.common);
    else
        code = dispatch(argc - args.rest, argv + args.rest, &args.common);
    cli_common_free(&args.common);
    return code;
}
