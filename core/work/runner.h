/* SPDX-License-Identifier: Apache-2.0
 *
 * runner.h - runs the cases of a profile on a device and measures each alike.
 *
 * For each case: plan, check, fill, run, verify, predict or time. Then the twins of
 * the cases that passed, checked the same way, once for equal plugin, problem and
 * settings. Then what needs several results: slowdowns, per cent of a copy. The
 * expectations last. A case that fails does so alone.
 */
#ifndef BL_RUNNER_H
#define BL_RUNNER_H

#include "work/device.h"
#include "work/measure.h"

/* Called before each run, for a progress line: done of total, and what comes. */
typedef void bl_progress_fn(void *ctx, size_t done, size_t total, const char *label);

/* Every case gets a result; an error is returned only when a case asks for the rules of
 * an arch that there is not (BL_E_INPUT, before any runs) or the lab itself can't go on.
 * The report refers to `profile`, which must outlive it; end with bl_report_free. */
enum bl_status bl_runner_run(const struct bl_profile *profile, struct bl_device *dev,
                             bl_progress_fn *progress, void *ctx, struct bl_report **out,
                             struct bl_error *err);

/* Runs case `index` alone, checked as ever and with the same input, while `watcher` looks
 * on. Sets `of`, verdict, detail and what was measured of *out; nothing is compared with
 * other cases, and expectations are not looked at. *module is the device code that ran;
 * NULL: it was not chosen. BL_E_UNSUPPORTED: the device can't be watched. */
enum bl_status bl_runner_watch(const struct bl_profile *profile, size_t index,
                               struct bl_device *dev, const struct bl_watcher *watcher,
                               struct bl_result *out,
                               const struct banklab_module **module,
                               struct bl_error *err);

#endif
