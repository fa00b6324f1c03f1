/* SPDX-License-Identifier: Apache-2.0
 *
 * aside.h - calls code of a plugin in a process that can be lost: one that crashes or
 * never returns costs its case, not the lab.
 */
#ifndef BL_ASIDE_H
#define BL_ASIDE_H

#include <stddef.h>

#include "base/error.h"

/* Memory that the call writes and its caller is to see. */
struct bl_aside_part {
    void *at;
    size_t bytes;
};

/* Calls call(ctx) in a child process and brings the parts' bytes and what it returned
 * back. Nothing else that it does is seen here. `what` names it in errors: "plan".
 * BL_E_INPUT: it crashed, ended the process, or did not return within timeout_s (0 or
 * below: waits for ever); BL_E_IO: there is no process to be had. */
enum bl_status bl_aside_call(const char *what, int (*call)(void *ctx), void *ctx,
                             const struct bl_aside_part *parts, size_t count,
                             double timeout_s, int *said, struct bl_error *err);

#endif
