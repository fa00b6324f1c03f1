/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_devices.c - banklab devices: what a profile can run on here.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>

#include "work/device.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->input; return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "devices takes no argument: \"%s\" is one too many", arg);
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse,
    .doc = "List the devices that a profile can run on here.",
    .children = children,
    .help_filter = cli_help_filter,
};

static void print_device(void *ctx, const struct bl_device_desc *desc,
                         const char *details)
{
    size_t *count = ctx;

    if ((*count)++ == 0)
        printf("%-8s  %-6s  %-24s  %s\n", "device", "arch", "name", "details");
    printf("%-8s  %-6s  %-24s%s%s\n", desc->backend, desc->arch, desc->name,
           details && *details ? "  " : "", details ? details : "");
}

int cli_devices(int argc, char **argv, struct cli_common *common)
{
    struct cli_house house;
    struct bl_error err;
    enum { MISSING_MAX = 8 };
    char why[MISSING_MAX][256];
    enum bl_status status;
    size_t count = 0, missing = 0;

    cli_parse(&argp, argc, argv, 0, common);
    status = cli_open(common, &house, &err);
    for (size_t i = 0; status == BL_OK && bl_device_backends[i]; i++) {
        const struct bl_device_ops *ops = bl_device_backends[i];

        status = ops->list(&house.paths, print_device, &count, &err);
        /* None of its kind here: said after the list, which goes on. */
        if (status == BL_E_UNSUPPORTED && missing < MISSING_MAX) {
            snprintf(why[missing++], sizeof why[0], "no device %s: %.200s", ops->backend,
                     err.text);
            status = BL_OK;
        }
    }
    for (size_t i = 0; status == BL_OK && i < missing; i++)
        puts(why[i]);
    if (status == BL_OK && count == 0)
        puts("No devices found.");
    cli_close(&house);
    return status == BL_OK ? CLI_OK : cli_complain(&err);
}
