/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_list.c - banklab list: the plugins and profiles that can be found, and where.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/profiles.h"
#include "report/figures.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cli_name(state, state->input);
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->input; return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "list takes no argument: \"%s\" is one too many", arg);
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
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

int cli_list(int argc, char **argv, struct cli_common *common)
{
    struct cli_profiles profiles = {NULL, 0};
    struct cli_house house;
    struct bl_error err;
    enum bl_status status;

    cli_parse(&argp, argc, argv, 0, common);
    status = cli_open(common, &house, &err);
    if (status == BL_OK)
        status = bl_registry_scan(house.registry, &err);
    if (status == BL_OK)
        status = cli_profiles_find(&house.paths, &profiles, &err);
    if (status == BL_OK) {
        print_plugins(house.registry);
        print_profiles(&house.paths, &profiles);
    }
    cli_profiles_free(&profiles);
    cli_close(&house);
    return status == BL_OK ? CLI_OK : cli_complain(&err);
}
