/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_patterns.h - access patterns on the GPU of this process: counted one by one, and
 * timed by the SM's clock (core/calibrate/patterns.cuh).
 */
#ifndef BL_GPU_PATTERNS_H
#define BL_GPU_PATTERNS_H

#include "cuda/gpu.h"
#include "cuda/protocol.h"

struct bl_gpu_patterns; /* the module used last, buffers */

enum bl_status bl_gpu_patterns_new(struct bl_gpu *gpu, struct bl_gpu_patterns **out,
                                   struct bl_error *err);
void bl_gpu_patterns_free(struct bl_gpu_patterns *patterns);

/* Runs ask->count patterns of the operation ask->op. `ptx` has a NUL behind it; `names`
 * are the metrics. values[i * ask->metrics + m]: metric m of pattern i, NaN where it is
 * not known; *why_out says why none are (empty if some are). cycles[i]: of one access,
 * if ask->passes is not 0. */
enum bl_status bl_gpu_patterns_run(struct bl_gpu_patterns *patterns,
                                   const struct bl_ask_patterns *ask, const char *ptx,
                                   const char *const *names,
                                   const struct bl_pattern_args *args, double *values,
                                   double *cycles, struct bl_error *why_out,
                                   struct bl_error *err);

#endif
