/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.h - one line on standard error that says what is running, if that is a
 * terminal.
 */
#ifndef BL_PROGRESS_H
#define BL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct cli_progress {
    bool on;
    int width; /* columns of the terminal */
    bool shown;
};

void cli_progress_begin(struct cli_progress *progress);

/* A bl_progress_fn whose ctx is the struct. */
void cli_progress_step(void *ctx, size_t done, size_t total, const char *label);

/* Leaves an empty line behind. */
void cli_progress_end(struct cli_progress *progress);

#endif
