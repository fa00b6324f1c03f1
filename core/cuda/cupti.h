/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti.h - hardware counters by their names, through CUPTI's range profiler.
 *
 * libcupti is opened with dlopen. What is counted is serialised and may be run several
 * times over: a chip counts only so many metrics at once.
 */
#ifndef BL_CUPTI_H
#define BL_CUPTI_H

#include "cuda/gpu.h"

struct bl_cupti; /* a list of metrics, ready to be counted */

/* `names` as Nsight Compute tells them, with ".sum" or the like behind; they must outlive
 * the set. A metric that the chip lacks is left out. BL_E_UNSUPPORTED with the reason and
 * the remedy: no CUPTI library, no permission (ERR_NVGPUCTRPERM), a chip that it does not
 * know or that has none of the metrics. The GPU's context must be current. */
enum bl_status bl_cupti_open(struct bl_gpu *gpu, const char *const *names, size_t count,
                             struct bl_cupti **out, struct bl_error *err);
void bl_cupti_close(struct bl_cupti *cupti);

/* Counts `ranges` pieces of work, each apart from the others. run(ctx, i) does piece i:
 * it launches and synchronises; it is called for all of them in order, as many times over
 * as the metrics need. values[i * count + m] is metric m of piece i; NaN for a metric
 * that the chip lacks. */
typedef enum bl_status bl_cupti_run(void *ctx, size_t range, struct bl_error *err);
enum bl_status bl_cupti_count(struct bl_cupti *cupti, size_t ranges, bl_cupti_run *run,
                              void *ctx, double *values, struct bl_error *err);

#endif
