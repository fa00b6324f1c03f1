/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_time.h - times cases on the GPU of this process, round by round.
 *
 * A case's batch is captured once as a CUDA graph: `runs` runs of its launches, each on
 * the next of its `sets` of buffers, between two events. So launch cost vanishes, the
 * host stays out of the figure (long runs need no graph for that and get none), and with
 * enough sets no run finds its data in the L2 cache. A round replays every case's batch
 * once, in order: what drifts hits all alike.
 */
#ifndef BL_GPU_TIME_H
#define BL_GPU_TIME_H

#include "cuda/gpu.h"
#include "cuda/protocol.h"

struct bl_gpu_timer; /* the cases added so far */

/* End with bl_gpu_timer_free. */
enum bl_status bl_gpu_timer_new(struct bl_gpu *gpu, struct bl_gpu_timer **out,
                                struct bl_error *err);
/* Frees all that it can; the status is the first failure's. */
enum bl_status bl_gpu_timer_free(struct bl_gpu_timer *timer, struct bl_error *err);

/* Adds a case: loads its code, allocates (cases of equal size share buffers), warms up,
 * chooses the batch, captures it. `ptx` needs a NUL behind it. */
enum bl_status bl_gpu_timer_add(struct bl_gpu_timer *timer, const struct bl_ask_code *ask,
                                const char *ptx, const struct bl_ask_timing *timing,
                                struct bl_timing_card *out, struct bl_error *err);

/* One round: out[i] is case i's time of one run in microseconds. *place is the number of
 * the case that is at work, for whoever must tell which one did not come back. */
enum bl_status bl_gpu_timer_round(struct bl_gpu_timer *timer, double *out,
                                  volatile uint32_t *place, struct bl_error *err);
size_t bl_gpu_timer_count(const struct bl_gpu_timer *timer);

#endif
