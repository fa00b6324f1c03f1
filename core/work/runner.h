/* SPDX-License-Identifier: Apache-2.0
 *
 * runner.h - runs the cases of a profile on a device and measures each alike.
 *
 * For each case: plan, check, fill, run, verify, predict or time, expects. A case
 * that fails does so alone. The twin of a case is run too, checked the same way, and
 * once for equal plugin, problem and settings.
 */
#ifndef BL_RUNNER_H
#define BL_RUNNER_H

#include "work/device.h"
#include "work/measure.h"

/* Called before each run, for a progress line: done of total, and what comes. */
typedef void bl_progress_fn(void *ctx, size_t done, size_t total, const char *label);

enum bl_status bl_runner_run(const struct bl_profile *profile, struct bl_device *dev,
                             bl_progress_fn *progress, void *ctx, struct bl_report **out,
                             struct bl_error *err);

#endif
