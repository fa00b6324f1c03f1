/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_new.c - banklab new: a folder to write a plugin in.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>

#include "new/new.h"

enum { KEY_IN_TREE = 256 };

struct new_args {
    struct cli_common *common;
    struct bl_new what;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct new_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'k': args->what.kind = arg; return 0;
    case KEY_IN_TREE: args->what.in_tree = true; return 0;
    case ARGP_KEY_ARG:
        if (args->what.name)
            cli_usage(state, "new takes one name; \"%s\" is one too many", arg);
        args->what.name = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "new needs a NAME for the plugin");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"kind", 'k', "KIND", 0, "What it does: transpose (the default), copy or pattern", 0},
    {"in-tree", KEY_IN_TREE, NULL, 0, "Make it one of banklab's own, in its source tree",
     0},
    {0},
};
static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "NAME",
    .doc =
        "Make a folder NAME with a plugin that builds, runs and is right: a place to "
        "start from."
        "\v"
        "`make' in the folder builds the plugin against the banklab that is installed. "
        "With --in-tree the folder is plugins/NAME of banklab's source tree, and "
        "plugins/Makefile.inc gets a line for it. What is there already is never "
        "overwritten.",
    .children = children,
    .help_filter = cli_help_filter,
};

static void tell(const struct bl_new *what, const struct bl_new_made *made)
{
    printf("%s:", made->folder);
    for (size_t i = 0; i < made->file_count; i++)
        printf(" %s", made->files[i]);
    if (what->in_tree)
        printf("\nplugins/Makefile.inc has a line for it.\n"
               "Next, in the build folder: make && core/banklab run %s\n",
               what->name);
    else
        printf("\nNext: cd %s && make && make check\n", made->folder);
}

int cli_new(int argc, char **argv, struct cli_common *common)
{
    struct new_args args = {.common = common, .what.kind = "transpose"};
    struct bl_new_made made;
    struct bl_error err;
    struct bl_paths paths;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, &args);
    status = bl_paths_find(common->plugin_dirs, common->plugin_dir_count, &paths, &err);
    if (status != BL_OK)
        return cli_complain(&err);
    status = bl_new_make(&paths, &args.what, &made, &err);
    bl_paths_free(&paths);
    if (status != BL_OK)
        return cli_complain(&err);
    tell(&args.what, &made);
    bl_new_made_free(&made);
    return CLI_OK;
}
