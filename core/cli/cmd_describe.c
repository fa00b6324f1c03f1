/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_describe.c - banklab describe: what a plugin does, and what it can be told.
 */
#include <config.h>

#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/param.h"
#include "load/plugin_form.h"
#include "report/figures.h"
#include "work/device.h"
#include "work/kind.h"

struct describe_args {
    struct cli_common *common;
    const char *plugin;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct describe_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case ARGP_KEY_ARG:
        if (args->plugin)
            cli_usage(state, "describe takes one plugin; \"%s\" is one too many", arg);
        args->plugin = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_usage(state, "describe needs a PLUGIN: a name that `banklab list' tells, or "
                         "a file");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
    .args_doc = "PLUGIN",
    .doc = "Describe PLUGIN: what it does, its parameters, and a profile to start from."
           "\v"
           "PLUGIN is a name that `banklab list' tells, or the path of a .so file.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* ---- facts ----------------------------------------------------------------------- */

static bool takes_elem(const struct banklab_plugin *abi, uint32_t elem)
{
    return abi->elems == 0 || (abi->elems & BANKLAB_ELEM(elem));
}

static void print_elems(const struct banklab_plugin *abi)
{
    const char *separator = "elements   ";

    for (uint32_t elem = 1; elem <= 16; elem *= 2) {
        if (!takes_elem(abi, elem))
            continue;
        printf("%s%" PRIu32, separator, elem);
        separator = ", ";
    }
    puts(" bytes");
}

static void print_batches(const struct banklab_plugin *abi)
{
    if (abi->flags & BANKLAB_BATCHES)
        puts("batches    yes: batch = N matrices, one behind the other");
}

static void print_cc(uint32_t cc)
{
    printf("%" PRIu32 ".%" PRIu32, cc / 10, cc % 10);
}

static void print_code(const struct banklab_plugin *abi)
{
    fputs("needs      ", stdout);
    if (abi->min_cc) {
        fputs("compute capability ", stdout);
        print_cc(abi->min_cc);
        puts(" or later");
    } else {
        puts("any compute capability that its code is for");
    }
    fputs("code       PTX for compute capability ", stdout);
    for (uint32_t i = 0; i < abi->module_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_cc(bl_module_cc(&abi->modules[i]));
    }
    putchar('\n');
}

static void print_twin(const struct banklab_plugin *abi)
{
    if (abi->twin_count == 0)
        return;
    fputs("twin       ", stdout);
    for (uint32_t i = 0; i < abi->twin_count; i++)
        printf("%s%s=%s", i ? " " : "", abi->twin[i].name, abi->twin[i].value);
    puts(": the same kernel, free of bank conflicts");
}

static void print_facts(const struct bl_plugin *plugin)
{
    const struct bl_kind *kind = bl_kind_find(plugin->abi.kind);

    printf("%s - ", plugin->abi.name);
    bl_text_write(stdout, plugin->abi.summary, " ");
    printf("\n\nkind       %s%s%s\n", plugin->abi.kind, kind ? ": " : "",
           kind ? kind->summary : "");
    print_elems(&plugin->abi);
    print_batches(&plugin->abi);
    print_code(&plugin->abi);
    print_twin(&plugin->abi);
    printf("file       %s (%s)\n", plugin->path, plugin->origin);
}

/* ---- parameters ------------------------------------------------------------------ */

enum { TEXT_SIZE = 400, COLUMNS = 4 };

/* What stands in a column of the parameter's row; row -1 is the head. */
static const char *param_text(const struct banklab_plugin *abi, int row, int column,
                              char buffer[TEXT_SIZE])
{
    static const char *const head[] = {"name", "takes", "default", "unit"};
    const struct banklab_param *param = row < 0 ? NULL : &abi->params[row];

    if (!param)
        return head[column];
    switch (column) {
    case 0: return param->name;
    case 1: bl_param_domain(param, buffer, TEXT_SIZE); return buffer;
    case 2:
        bl_param_print(param, (banklab_value){param->default_value}, buffer, TEXT_SIZE);
        return buffer;
    default: return param->unit ? param->unit : "-";
    }
}

static void print_params(const struct banklab_plugin *abi)
{
    int width[COLUMNS] = {0};
    char buffer[TEXT_SIZE];

    if (abi->param_count == 0) {
        puts("\nNo parameters.");
        return;
    }
    for (int row = -1; row < (int)abi->param_count; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            const int here = bl_text_columns(param_text(abi, row, column, buffer));

            width[column] = here > width[column] ? here : width[column];
        }
    }
    puts("\nParameters:");
    for (int row = -1; row < (int)abi->param_count; row++) {
        for (int column = 0; column < COLUMNS; column++)
            printf("  %-*s", width[column], param_text(abi, row, column, buffer));
        fputs("  ", stdout);
        bl_text_write(stdout, row < 0 ? "meaning" : abi->params[row].help, " ");
        putchar('\n');
    }
}

/* ---- an example ------------------------------------------------------------------ */

/* The twin's setting of the parameter, or NULL. */
static const char *twin_value(const struct banklab_plugin *abi, const char *name)
{
    for (uint32_t i = 0; i < abi->twin_count; i++) {
        if (strcmp(abi->twin[i].name, name) == 0)
            return abi->twin[i].value;
    }
    return NULL;
}

/* False where the defaults are free of conflicts already. */
static bool twin_differs(const struct banklab_plugin *abi)
{
    char value[TEXT_SIZE];

    for (uint32_t i = 0; i < abi->param_count; i++) {
        const char *other = twin_value(abi, abi->params[i].name);

        bl_param_print(&abi->params[i], (banklab_value){abi->params[i].default_value},
                       value, sizeof value);
        if (other && strcmp(other, value) != 0)
            return true;
    }
    return false;
}

static void print_case(const struct bl_plugin *plugin, const char *named, bool twin)
{
    const struct banklab_plugin *abi = &plugin->abi;
    char value[TEXT_SIZE];

    printf("\n[case %s%s]\nplugin = %s\n", abi->name, twin ? "_twin" : "", named);
    for (uint32_t i = 0; i < abi->param_count; i++) {
        const char *other = twin ? twin_value(abi, abi->params[i].name) : NULL;

        bl_param_print(&abi->params[i], (banklab_value){abi->params[i].default_value},
                       value, sizeof value);
        printf("%s = %s\n", abi->params[i].name, other ? other : value);
    }
}

/* A profile that can be copied out and run. `named` is how it names the plugin. */
static void print_example(const struct bl_plugin *plugin, const char *named)
{
    const struct banklab_plugin *abi = &plugin->abi;
    const struct bl_kind *kind = bl_kind_find(abi->kind);
    const bool twin = twin_differs(abi);
    uint32_t elem = kind ? kind->defaults.elem : 4;

    for (uint32_t other = 16; !takes_elem(abi, elem) && other; other /= 2)
        elem = takes_elem(abi, other) ? other : elem;
    puts("\nA profile to start from:\n");
    if (twin)
        printf("[run]\nbaseline = %s_twin\n\n", abi->name);
    printf("[problem]\nrows = %" PRIu64 "\ncols = %" PRIu64 "\nelem = %" PRIu32 "\n",
           kind ? kind->defaults.rows : 1, kind ? kind->defaults.cols : 1, elem);
    print_case(plugin, named, false);
    if (twin)
        print_case(plugin, named, true);
}

/* ---- forms ----------------------------------------------------------------------- */

static void print_form(const struct bl_plugin *plugin)
{
    const struct bl_plugin_form *form = plugin->form;
    int name = 0, takes = 0;

    for (size_t i = 0; i < form->key_count; i++) {
        const int here = (int)strlen(form->keys[i].name);
        const int there = (int)strlen(form->keys[i].takes);

        name = here > name ? here : name;
        takes = there > takes ? there : takes;
    }
    printf("%s - %s\n\nKeys of a case:\n", plugin->abi.name, plugin->abi.summary);
    for (size_t i = 0; i < form->key_count; i++)
        printf("  %-*s  %-*s  %s\n", name, form->keys[i].name, takes, form->keys[i].takes,
               form->keys[i].help);
    printf("\n%s", form->example);
}

int cli_describe(int argc, char **argv, struct cli_common *common)
{
    struct describe_args args = {.common = common};
    const struct bl_plugin *plugin;
    struct cli_house house;
    struct bl_error err;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, &args);
    status = cli_open(common, &house, &err);
    if (status == BL_OK)
        status = bl_registry_find(house.registry, args.plugin, &plugin, &err);
    if (status == BL_OK && plugin->form) {
        print_form(plugin);
    } else if (status == BL_OK) {
        char *file = strchr(args.plugin, '/') ? realpath(args.plugin, NULL) : NULL;

        print_facts(plugin);
        print_params(&plugin->abi);
        print_example(plugin, file ? file : args.plugin);
        free(file);
    }
    cli_close(&house);
    return status == BL_OK ? CLI_OK : cli_complain(&err);
}
