/* SPDX-License-Identifier: Apache-2.0
 *
 * device.h - the boundary behind which a device lives: the model here, a GPU by
 * libcuda elsewhere. Nothing in front of it knows which.
 * (Not banklab/device.h, which is what a kernel file includes.)
 */
#ifndef BL_DEVICE_H
#define BL_DEVICE_H

#include "banklab/plugin.h"
#include "base/error.h"
#include "base/paths.h"
#include "load/profile.h"
#include "work/buffers.h"
#include "work/measure.h"

struct bl_device_limits {
    uint32_t cc;          /* 90 */
    bool any_target;      /* code for any compute capability runs, but for that which is
                             for one GPU or family alone (sm_90a, sm_100f) */
    uint32_t max_threads; /* a block */
    uint32_t max_block[3], max_grid[3];
    uint64_t max_shared; /* bytes a block, static + dynamic, opted in */
    uint64_t memory;     /* bytes that a case may hold, by bl_regions_need */
};

/* What holds for a case. */
struct bl_device_view {
    const char *arch; /* whose rules: "cc90" */
    struct bl_device_limits limits;
    const struct bl_rates
        *rates; /* of that arch, for predicted times; NULL: none known */
};

struct bl_watcher; /* model/watch.h */

/* One case, ready to run. All pointers are the caller's and outlive the call. */
struct bl_job {
    const char *label;                   /* the case's name */
    const char *plugin_path;             /* for messages */
    const struct banklab_module *module; /* chosen by bl_job_module */
    const struct banklab_plan *plan;
    struct bl_regions *regions; /* in: filled; out: as the kernels left them */
    const char *arch;           /* whose rules, by bl_device_view; NULL: the device's */
    const struct bl_run_options *options;
    /* The rest is only for a device whose ops say that it can be watched. */
    const struct bl_watcher *watcher; /* who looks on; NULL: nobody */
    bool unwritten;                   /* as in struct bl_model_options, and so are: */
    const uint64_t *only;
    size_t only_count;
};

/* One case to be timed. All pointers are the caller's and outlive the timing. */
struct bl_timed_job {
    const char *label;
    const struct banklab_module *module; /* NULL: no kernel, a reference */
    const struct banklab_plan *plan;
    const struct banklab_problem *problem; /* of references */
    uint64_t bytes;                        /* of the input, and of the output */
    uint32_t reference;                    /* one BL_REFERENCE_*; 0: module and plan */
};

/* How a job is timed. */
struct bl_timed_setup {
    uint32_t sets;    /* of input and output, that take turns */
    uint32_t runs;    /* in a batch, which is timed as one */
    uint64_t rotated; /* bytes of all sets */
    uint64_t l2;      /* bytes of the device's last cache; 0: not known */
};

/* No job in particular. */
#define BL_NO_JOB SIZE_MAX

struct bl_device;

struct bl_device_ops {
    const char *backend;
    enum bl_source clock_source; /* what a kernel's own clock readings are: MODEL, GPU */
    bool can_watch;              /* run heeds the job's watcher */
    /* Lists what there is, one line each, through `line`. */
    enum bl_status (*list)(const struct bl_paths *paths,
                           void (*line)(void *ctx, const struct bl_device_desc *desc,
                                        const char *details),
                           void *ctx, struct bl_error *err);
    /* Opens what `run->device` asks for. BL_E_UNSUPPORTED: there is none here. `paths`
     * outlives the device. */
    enum bl_status (*open)(const struct bl_paths *paths, const struct bl_run_options *run,
                           struct bl_device **out, struct bl_error *err);
    void (*close)(struct bl_device *dev);
    /* The device under the rules of another arch. Unknown arch: BL_E_INPUT. NULL where a
     * device has its own rules and no others, as a GPU. */
    enum bl_status (*view)(struct bl_device *dev, const char *arch,
                           struct bl_device_view *out, struct bl_error *err);
    /* Runs the job's launches once. Counts come along where the device has them
     * (sources set; else NONE). BL_E_FAULT: the kernel did wrong; the device stays
     * usable for the next job. BL_E_INPUT: bad PTX, no such kernel. BL_E_UNSUPPORTED: it
     * takes more shared memory or registers than the device has for a block. */
    enum bl_status (*run)(struct bl_device *dev, const struct bl_job *job,
                          struct bl_counts *counts, struct bl_error *err);

    /* Timing; all NULL where a device has no time of its own, as the model. Jobs are
     * added, then timed round by round, so that what drifts hits all alike; done with
     * time_end, which also forgets them. A job that can't be added: BL_E_UNSUPPORTED
     * or another status, and the others are timed without it. */
    enum bl_status (*time_add)(struct bl_device *dev, const struct bl_timed_job *job,
                               const struct bl_run_options *options,
                               struct bl_timed_setup *out, struct bl_error *err);
    /* out[i]: the i-th job added, microseconds a run. BL_E_FAULT: a job took the device
     * down, and all those added with it; *lost is its number, or BL_NO_JOB. */
    enum bl_status (*time_round)(struct bl_device *dev, double *out, size_t count,
                                 size_t *lost, struct bl_error *err);
    void (*time_end)(struct bl_device *dev);
    void (*state)(struct bl_device *dev, struct bl_device_state *out);

    /* What a reader of the counts so far must know: why they were not read from
     * hardware; NULL: nothing. May be NULL itself. */
    const char *(*remark)(struct bl_device *dev);
};

/* Every implementation starts with this. */
struct bl_device {
    const struct bl_device_ops *ops;
    struct bl_device_desc desc;
    struct bl_device_limits limits;
    const struct bl_rates *rates; /* for predicted times; NULL: none known */
    struct bl_spare spare;        /* of the cases run on it; bl_device_close frees it */
};

/* The known backends, NULL-terminated: cuda first where it was built. */
extern const struct bl_device_ops *const bl_device_backends[];

/* Opens run->device: "auto" takes the first backend that has one. Unknown name:
 * BL_E_INPUT listing what there is. */
enum bl_status bl_device_open(const struct bl_paths *paths,
                              const struct bl_run_options *run, struct bl_device **out,
                              struct bl_error *err);
void bl_device_close(struct bl_device *dev);

/* What holds for a case that asks for `arch` (NULL: the device's own). BL_E_UNSUPPORTED:
 * the device can't, with the reason; BL_E_INPUT: there is no such arch. */
enum bl_status bl_device_view(struct bl_device *dev, const char *arch,
                              struct bl_device_view *out, struct bl_error *err);

/* What the module says that it is for, else what its text says; 0 if neither does. */
uint32_t bl_module_cc(const struct banklab_module *module);

/* The plugin's module with the greatest target up to limits->cc (a target with 'a' runs
 * on that very cc, one with 'f' within its major); where there is none and any target
 * runs, the least. BL_E_UNSUPPORTED naming the least target if none; BL_E_INPUT if a
 * module names no target. */
enum bl_status bl_job_module(const struct bl_plugin *plugin, const banklab_value *params,
                             const struct bl_device_limits *limits,
                             const struct banklab_module **out, struct bl_error *err);

/* Checks a plan against the ABI (counts, names, roles that exist, the clock's warps):
 * BL_E_INPUT, worded; and against the device's limits (grid, block, threads, dynamic
 * shared memory): BL_E_UNSUPPORTED. */
enum bl_status bl_plan_check(const struct bl_plugin *plugin,
                             const struct banklab_plan *plan,
                             const struct bl_device_limits *limits, struct bl_error *err);
/* Whether the plan has a buffer with that role. */
bool bl_plan_has_role(const struct banklab_plan *plan, uint64_t role);
/* plan_tensors.c, of bl_plan_check: the plan's tensors. BL_E_UNSUPPORTED: the device
 * knows none. */
enum bl_status bl_plan_check_tensors(const struct bl_plugin *plugin,
                                     const struct banklab_plan *plan,
                                     const struct bl_device_limits *limits,
                                     struct bl_error *err);
/* Once there are buffers: whether each tensor of a checked plan lies in its own. */
enum bl_status bl_plan_tensors_fit(const struct bl_plugin *plugin,
                                   const struct banklab_plan *plan,
                                   struct bl_regions *regions, struct bl_error *err);

#endif
