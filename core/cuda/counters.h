/* SPDX-License-Identifier: Apache-2.0
 *
 * counters.h - a GPU's own counts of a case: by its instructions (sass.h), or by the
 * hardware's counters, through CUPTI's range profiler (cupti.h).
 *
 * libcupti is opened with dlopen. Counting is apart from timing: it serialises kernels
 * and may replay them.
 */
#ifndef BL_COUNTERS_H
#define BL_COUNTERS_H

#include "cuda/gpu.h"
#include "work/measure.h"

struct bl_counters;

/* `by` is how; BL_COUNTED_NOT: by instructions, else by hardware. BL_E_UNSUPPORTED with
 * the reason and the remedy: no CUPTI library, no permission (ERR_NVGPUCTRPERM), a chip
 * that it does not know. The GPU's context must be current. */
enum bl_status bl_counters_open(struct bl_gpu *gpu, enum bl_counted by,
                                struct bl_counters **out, struct bl_error *err);
void bl_counters_close(struct bl_counters *counters);
/* They can count once in a process, and no more. */
bool bl_counters_once(const struct bl_counters *counters);

/* Runs `run(ctx)` (which launches and synchronises) as often as the counters need and
 * fills the groups of *out that were counted, with BL_SRC_COUNTER. */
enum bl_status bl_counters_count(struct bl_counters *counters,
                                 enum bl_status (*run)(void *ctx, struct bl_error *err),
                                 void *ctx, struct bl_counts *out, struct bl_error *err);

#endif
