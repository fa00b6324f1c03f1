/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_list.c - banklab list: the plugins and profiles that can be found, and where.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profiles.h"
#include "load/hint.h"
#include "load/plugin_form.h"
#include "load/profile.h"
#include "report/figures.h"

/* What --names can be asked for. */
static const char *const kinds[] = {"plugins", "profiles", "cases", "archs"};
enum { ALL = -1, PLUGINS, PROFILES, CASES, ARCHS, KINDS };

struct list_args {
    struct cli_common *common;
    int names; /* ALL: the lists for people */
    const char *profile;
};

static int kind_find(const struct argp_state *state, const char *text)
{
    char hint[BL_HINT_SIZE];

    for (int i = 0; i < KINDS; i++)
        if (strcmp(text, kinds[i]) == 0)
            return i;
    bl_hint_print(text, kinds, KINDS, hint, sizeof hint);
    cli_usage(state, "list has no names of \"%s\"%s", text, hint);
    return ALL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct list_args *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = args->common; return 0;
    case 'n': args->names = kind_find(state, arg); return 0;
    case ARGP_KEY_ARG:
        if (args->profile)
            cli_usage(state, "list takes one profile: \"%s\" is one too many", arg);
        args->profile = arg;
        return 0;
    case ARGP_KEY_END:
        if (args->profile && args->names != CASES)
            cli_usage(state,
                      "list takes no argument but for --names=cases: \"%s\" is one "
                      "too many",
                      args->profile);
        if (!args->profile && args->names == CASES)
            cli_usage(state, "list --names=cases needs a PROFILE");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"names", 'n', "WHAT", 0,
     "Print names alone, one a line: plugins, profiles, cases (of PROFILE) or archs", 0},
    {0},
};
static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[PROFILE]",
    .doc = "List the plugins and profiles that can be found, and where they are.",
    .children = children,
    .help_filter = cli_help_filter,
};

/* The length of the folder that was searched: /x of /x/NAME.so, /x/NAME/NAME.so and
 * /x/NAME/.libs/NAME.so. */
static int folder_length(const struct bl_plugin *plugin)
{
    const char *path = plugin->path, *name = plugin->abi.name;
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    const size_t size = strlen(name);

    if (length > 6 && strncmp(path + length - 6, "/.libs", 6) == 0)
        length -= 6;
    if (length > size && path[length - size - 1] == '/' &&
        strncmp(path + length - size, name, size) == 0)
        length -= size + 1;
    return (int)length;
}

static bool same_folder(const struct bl_plugin *a, const struct bl_plugin *b)
{
    const int length = folder_length(a);

    return length == folder_length(b) && strncmp(a->path, b->path, (size_t)length) == 0 &&
           strcmp(a->origin, b->origin) == 0;
}

static int name_width(const struct bl_registry *registry)
{
    int width = 4;

    for (size_t i = 0; i < bl_registry_count(registry); i++) {
        const int here = bl_text_columns(bl_registry_at(registry, i)->abi.name);

        width = here > width ? here : width;
    }
    return width;
}

/* The plugins of one folder, headed by it; `first` is the first of them. */
static void print_folder(const struct bl_registry *registry, size_t first, int width)
{
    const struct bl_plugin *head = bl_registry_at(registry, first);

    printf("Plugins in %.*s (%s):\n", folder_length(head), head->path, head->origin);
    for (size_t i = first; i < bl_registry_count(registry); i++) {
        const struct bl_plugin *plugin = bl_registry_at(registry, i);

        if (!same_folder(plugin, head))
            continue;
        printf("  %-*s  %-9s  ", width, plugin->abi.name, plugin->abi.kind);
        bl_text_write(stdout, plugin->abi.summary, " ");
        putchar('\n');
    }
    putchar('\n');
}

static void print_plugins(const struct bl_registry *registry)
{
    const size_t count = bl_registry_count(registry);
    const int width = name_width(registry);

    if (count == 0)
        puts("No plugins found.\n");
    for (size_t i = 0; i < count; i++) {
        bool printed = false;

        for (size_t j = 0; j < i && !printed; j++)
            printed =
                same_folder(bl_registry_at(registry, i), bl_registry_at(registry, j));
        if (!printed)
            print_folder(registry, i, width);
    }
}

static void print_forms(void)
{
    puts("Built in:");
    for (size_t i = 0; bl_plugin_forms[i]; i++)
        printf("  %s  %s\n", bl_plugin_forms[i]->abi.name,
               bl_plugin_forms[i]->abi.summary);
    putchar('\n');
}

static void print_profiles(const struct bl_paths *paths,
                           const struct cli_profiles *profiles)
{
    int width = 4;

    for (size_t i = 0; i < profiles->count; i++) {
        const int here = bl_text_columns(profiles->at[i].name);

        width = here > width ? here : width;
    }
    if (profiles->count == 0)
        puts("No profiles found.");
    for (size_t i = 0; i < profiles->count; i++) {
        const struct cli_profile *profile = &profiles->at[i];

        if (i == 0 || profile->folder != profiles->at[i - 1].folder)
            printf("%sProfiles in %s%s:\n", i ? "\n" : "",
                   profile->folder ? paths->plugin_profile_dir : paths->conf_dir,
                   profile->folder ? " (the plugins' own)" : "");
        printf("  %-*s  ", width, profile->name);
        bl_text_write(stdout, profile->title, " ");
        putchar('\n');
    }
}

/* ---- names alone ----------------------------------------------------------------- */

/* The names of a profile's sections: those of a sweep's cases begin with them. */
static enum bl_status print_cases(struct cli_house *house, const char *text,
                                  struct bl_error *err)
{
    struct bl_profile *profile = NULL;
    char *path = NULL;
    enum bl_status status = cli_profile_path(&house->paths, text, &path, err);

    if (status == BL_OK)
        status = bl_profile_read(path, house->registry, NULL, 0, NULL, &profile, err);
    for (size_t i = 0; status == BL_OK && i < profile->case_count; i++) {
        const struct bl_case *here = &profile->cases[i];

        if (i == 0 || here->line != here[-1].line)
            printf("%.*s\n", (int)strcspn(here->name, "["), here->name);
    }
    bl_profile_free(profile);
    free(path);
    return status;
}

static enum bl_status print_archs(const struct bl_paths *paths, struct bl_error *err)
{
    char **names;
    size_t count;
    const enum bl_status status = bl_paths_conf_names(paths, "arch", &names, &count, err);

    if (status != BL_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        puts(names[i]);
    bl_paths_names_free(names, count);
    return BL_OK;
}

static void print_names(const struct cli_house *house,
                        const struct cli_profiles *profiles, int what)
{
    for (size_t i = 0; what == PLUGINS && i < bl_registry_count(house->registry); i++)
        puts(bl_registry_at(house->registry, i)->abi.name);
    for (size_t i = 0; what == PROFILES && i < profiles->count; i++)
        puts(profiles->at[i].name);
}

/* Whatever needs the plugins, or profiles, found. */
static enum bl_status print_found(struct cli_house *house, int what, struct bl_error *err)
{
    struct cli_profiles profiles = {NULL, 0};
    enum bl_status status = BL_OK;

    if (what != PROFILES)
        status = bl_registry_scan(house->registry, err);
    if (status == BL_OK && what != PLUGINS)
        status = cli_profiles_find(&house->paths, &profiles, err);
    if (status == BL_OK && what == ALL) {
        print_plugins(house->registry);
        print_forms();
        print_profiles(&house->paths, &profiles);
    } else if (status == BL_OK) {
        print_names(house, &profiles, what);
    }
    cli_profiles_free(&profiles);
    return status;
}

int cli_list(int argc, char **argv, struct cli_common *common)
{
    struct list_args args = {.common = common, .names = ALL};
    struct cli_house house;
    struct bl_error err;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, &args);
    status = cli_open(common, &house, &err);
    if (status == BL_OK)
        status = args.names == CASES   ? print_cases(&house, args.profile, &err)
                 : args.names == ARCHS ? print_archs(&house.paths, &err)
                                       : print_found(&house, args.names, &err);
    cli_close(&house);
    return status == BL_OK ? CLI_OK : cli_complain(&err);
}
