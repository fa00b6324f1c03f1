/* SPDX-License-Identifier: Apache-2.0
 *
 * cli.h - what the commands share.
 *
 * Each command parses its own arguments with argp and returns the exit status:
 * 0 all well; 1 some case failed; 2 it could not be done. Reports and listings go to
 * standard output, everything else to standard error behind "banklab: ".
 */
#ifndef BL_CLI_H
#define BL_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/paths.h"
#include "load/registry.h"
#include "report/report.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_IMPOSSIBLE = 2 };

/* The options that every command takes, also before the command's name. */
struct cli_common {
    const char **plugin_dirs;
    size_t plugin_dir_count;
    const char *compiler; /* of device code; NULL: $BANKLAB_NVCC, or none is named */
};

/* A parser of these options and of --help, --usage and --version, to stand as a child of
 * a command's; its input is a struct cli_common *. */
extern const struct argp cli_common_argp;
/* A help_filter that leaves out argp's note on arguments of short options. */
char *cli_help_filter(int key, const char *text, void *input);
void cli_common_free(struct cli_common *common);

struct cli_command {
    const char *name;
    const char *usage; /* "banklab run" */
    /* argv[0] is `usage`, the command's arguments follow. */
    int (*run)(int argc, char **argv, struct cli_common *common);
};

int cli_run(int argc, char **argv, struct cli_common *common);
int cli_list(int argc, char **argv, struct cli_common *common);
int cli_describe(int argc, char **argv, struct cli_common *common);
int cli_devices(int argc, char **argv, struct cli_common *common);
int cli_access(int argc, char **argv, struct cli_common *common);
int cli_advise(int argc, char **argv, struct cli_common *common);
int cli_explain(int argc, char **argv, struct cli_common *common);
int cli_compare(int argc, char **argv, struct cli_common *common);
int cli_new(int argc, char **argv, struct cli_common *common);
int cli_check(int argc, char **argv, struct cli_common *common);
int cli_calibrate(int argc, char **argv, struct cli_common *common);

/* Parses a command's arguments; ends the program if they are wrong. */
void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
               void *input);

/* "banklab: TEXT", and where to find help; ends the program with CLI_IMPOSSIBLE. */
__attribute__((format(printf, 2, 3))) void cli_usage(const struct argp_state *state,
                                                     const char *format, ...);

/* An error that begins with "--set KEY=": "--KEY=", an option that travels as a setting.
 * The user shall read what was typed. */
void cli_name_option(struct bl_error *err, const char *key);

/* "banklab: TEXT" on standard error; further lines of the text are indented. Returns
 * CLI_IMPOSSIBLE. */
int cli_complain(const struct bl_error *err);

/* "banklab: warning: TEXT" on standard error: a bl_warn_fn. */
void cli_warn(void *ctx, const char *text);

/* The search paths and an empty registry over them, warning by cli_warn. End with
 * cli_close, also when it failed. */
struct cli_house {
    struct bl_paths paths;
    struct bl_registry *registry;
};
enum bl_status cli_open(const struct cli_common *common, struct cli_house *house,
                        struct bl_error *err);
void cli_close(struct cli_house *house);

/* How to print on standard output: colour and width as the terminal and NO_COLOR, TERM
 * and COLUMNS say. */
struct bl_style cli_style(void);

#endif
