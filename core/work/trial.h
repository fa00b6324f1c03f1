/* SPDX-License-Identifier: Apache-2.0
 *
 * trial.h - one checked run of one configuration of a plugin: a case, or its twin.
 */
#ifndef BL_TRIAL_H
#define BL_TRIAL_H

#include "work/device.h"
#include "work/kind.h"
#include "work/measure.h"

/* All pointers are the caller's and outlive the call. */
struct bl_trial {
    const char *label;
    const struct bl_plugin *plugin;
    const struct banklab_problem *problem;
    const banklab_value *params;
    const char *arch;                 /* whose rules it asks for; NULL: the device's */
    uint64_t seed;                    /* of the input, the poison and the guards */
    const struct bl_watcher *watcher; /* of the run; NULL: nobody (device.h) */
    bool unwritten;                   /* as in struct bl_job */
    /* Called once the kernels have run to their end and the buffers were found wrong,
     * while there still are buffers to be looked into. NULL: nobody looks. */
    void (*inspect)(void *ctx, const struct bl_kind *kind,
                    const struct banklab_problem *problem, struct bl_regions *regions);
    void *inspect_ctx;
};

/* What a passing trial leaves to be timed. */
struct bl_trial_kept {
    const struct banklab_module *module; /* also of one that did not pass, if it was
                                            chosen before; else NULL */
    bool ready;                          /* it passed, and what follows is set */
    struct banklab_plan plan;
    uint64_t bytes; /* of the input, and of the output */
};

/* Plans, checks, fills, runs, verifies and measures. Sets verdict and detail of `out`,
 * and what was measured: counts when the kernels ran to their end, the rest only when
 * the result was right. Leaves of, baseline and twin alone. `kept` may be NULL.
 *
 *   pass   every element is right, guards and input are intact
 *   fail   a kernel faulted, wrote where it must not, or left a wrong result
 *   skip   the plugin or its device code can't do this, with the reason
 *   error  it could not be run: a bad plan, bad PTX, too little memory */
void bl_trial_run(struct bl_device *dev, const struct bl_run_options *options,
                  const struct bl_trial *trial, struct bl_result *out,
                  struct bl_trial_kept *kept);

#endif
