/* SPDX-License-Identifier: Apache-2.0
 *
 * common.c - options, messages and paths that every command shares.
 */
#include <config.h>

#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "report/figures.h"

/* ---- common options -------------------------------------------------------------- */

enum { KEY_USAGE = 256, KEY_NVCC };

static const struct argp_option common_options[] = {
    {"plugin-dir", 'p', "DIR", 0, "Look for plugins in DIR first (may be repeated)", 0},
    {"nvcc", KEY_NVCC, "PATH", 0,
     "Compile kernels that a profile names with PATH, an nvcc "
     "or a clang",
     0},
    {"help", 'h', NULL, 0, "Print this help", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", KEY_USAGE, NULL, 0, "Print a short usage message", 0},
    {"version", 'V', NULL, 0, "Print the version", 0},
    {0},
};

static error_t add_plugin_dir(struct cli_common *common, const char *dir)
{
    const char **dirs =
        realloc(common->plugin_dirs, (common->plugin_dir_count + 1) * sizeof *dirs);

    if (!dirs)
        return ENOMEM;
    dirs[common->plugin_dir_count++] = dir;
    common->plugin_dirs = dirs;
    return 0;
}

/* argp's own --help has no -h. */
static error_t common_parse(int key, char *arg, struct argp_state *state)
{
    struct cli_common *common = state->input;

    switch (key) {
    case 'p': return add_plugin_dir(common, arg);
    case KEY_NVCC: common->compiler = arg; return 0;
    case 'h':
    case '?': argp_state_help(state, stdout, ARGP_HELP_STD_HELP); return 0;
    case KEY_USAGE:
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V': puts("banklab " PACKAGE_VERSION); exit(CLI_OK);
    default: return ARGP_ERR_UNKNOWN;
    }
}

char *cli_help_filter(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

const struct argp cli_common_argp = {.options = common_options, .parser = common_parse};

void cli_common_free(struct cli_common *common)
{
    free(common->plugin_dirs);
}

void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
               void *input)
{
    /* Bad arguments end the program in there; what comes back is want of memory. */
    const error_t error = argp_parse(argp, argc, argv, ARGP_NO_HELP | flags, NULL, input);

    if (error) {
        fprintf(stderr, "banklab: %s\n", strerror(error));
        exit(CLI_IMPOSSIBLE);
    }
}

/* ---- messages -------------------------------------------------------------------- */

void cli_usage(const struct argp_state *state, const char *format, ...)
{
    va_list ap;

    fputs("banklab: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    argp_state_help(state, stderr, ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR);
}

void cli_name_option(struct bl_error *err, const char *key)
{
    static const char set[] = "--set ";
    const size_t length = sizeof set - 1, key_length = strlen(key);
    char *text = err->text;

    if (strncmp(text, set, length) != 0 || strncmp(text + length, key, key_length) != 0 ||
        text[length + key_length] != '=')
        return;
    memmove(text + 2, text + length, strlen(text + length) + 1);
}

int cli_complain(const struct bl_error *err)
{
    fputs("banklab: ", stderr);
    bl_text_write(stderr, err->text, "\n         ");
    fputc('\n', stderr);
    return CLI_IMPOSSIBLE;
}

void cli_warn(void *ctx, const char *text)
{
    (void)ctx;
    fputs("banklab: warning: ", stderr);
    bl_text_write(stderr, text, " ");
    fputc('\n', stderr);
}

/* ---- paths and plugins ----------------------------------------------------------- */

enum bl_status cli_open(const struct cli_common *common, struct cli_house *house,
                        struct bl_error *err)
{
    const char *compiler = common->compiler ? common->compiler : getenv("BANKLAB_NVCC");
    enum bl_status status;

    *house = (struct cli_house){.registry = NULL};
    status =
        bl_paths_find(common->plugin_dirs, common->plugin_dir_count, &house->paths, err);
    if (status != BL_OK)
        return status;
    status = bl_registry_new(&house->paths, cli_warn, NULL, &house->registry, err);
    if (status == BL_OK)
        bl_registry_set_compiler(house->registry,
                                 compiler && *compiler ? compiler : NULL);
    return status;
}

void cli_close(struct cli_house *house)
{
    bl_registry_free(house->registry);
    bl_paths_free(&house->paths);
}

/* ---- terminal -------------------------------------------------------------------- */

static int terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width;

    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col > 0)
        return size.ws_col;
    return columns && bl_text_uint(columns, &width) && width < 10000 ? (int)width : 0;
}

struct bl_style cli_style(void)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    const bool wanted = !no_colour || !*no_colour;
    const bool able = isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;

    return (struct bl_style){.colour = wanted && able, .width = terminal_width()};
}
