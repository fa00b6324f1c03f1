/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.c - one line on standard error that says what is running.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ERASE "\r\033[K"

void cli_progress_begin(struct cli_progress *progress)
{
    const char *term = getenv("TERM");
    struct winsize size;

    progress->on = isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
    progress->shown = false;
    progress->width = 80;
    if (progress->on && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        progress->width = size.ws_col;
}

void cli_progress_step(void *ctx, size_t done, size_t total, const char *label)
{
    struct cli_progress *progress = ctx;
    char line[256];
    int length;

    if (!progress->on)
        return;
    length = snprintf(line, sizeof line, "[%zu/%zu] %s", done + 1, total, label);
    if (length < 0)
        return;
    /* A line that wraps could not be overwritten; the last column is left free, as
     * some terminals wrap there already. */
    if (progress->width > 1 && progress->width <= length)
        line[progress->width - 1 < (int)sizeof line ? progress->width - 1
                                                    : (int)sizeof line - 1] = '\0';
    for (char *at = line; *at; at++)
        *at = (unsigned char)*at < 0x20 || *at == 0x7f ? '?' : *at;
    fprintf(stderr, ERASE "%s", line);
    fflush(stderr);
    progress->shown = true;
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->shown)
        fputs(ERASE, stderr);
    fflush(stderr);
    progress->shown = false;
}
