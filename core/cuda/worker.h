/* SPDX-License-Identifier: Apache-2.0
 *
 * worker.h - the child process that owns the GPU.
 *
 * A kernel that faults makes its process's CUDA context useless, one that hangs can only
 * be ended with its process. So all GPU work is done in a child: when a case goes wrong
 * the child is ended, that case fails with the reason, and the next call starts a new
 * one. The lab itself never calls the driver.
 */
#ifndef BL_WORKER_H
#define BL_WORKER_H

#include "cuda/protocol.h"
#include "cuda/wire.h"

struct bl_worker;

/* A worker for GPU `ordinal`; the child starts with the first call. `timeout_s`: longest
 * silence of the child at work; to start, it may take longer. End with bl_worker_free. */
enum bl_status bl_worker_new(int ordinal, double timeout_s, struct bl_worker **out,
                             struct bl_error *err);
void bl_worker_free(struct bl_worker *worker);

enum bl_status bl_worker_describe(struct bl_worker *worker, struct bl_gpu_card *out,
                                  struct bl_error *err);

/* Runs the job once; its regions come back as the kernels left them. BL_E_FAULT: the
 * kernel faulted, hung or killed the worker. */
enum bl_status bl_worker_run(struct bl_worker *worker, const struct bl_job *job,
                             struct bl_error *err);

/* Has the GPU count a run of the job, whose regions stay as they are. Counters that can't
 * be read are no error: the card says why. A worker that counts is for nothing else, as
 * the code that it ran may have been rewritten; and if the card says that it is spent, it
 * must rest. BL_E_FAULT as above. */
enum bl_status bl_worker_count(struct bl_worker *worker, const struct bl_job *job,
                               struct bl_count_card *out, struct bl_error *err);

/* How to count from now on; BL_COUNTED_NOT, as at first: as well as it can be. */
void bl_worker_count_by(struct bl_worker *worker, enum bl_counted by);

/* Ends the child, if there is one; the next call starts another. What was to be timed
 * goes with it. */
void bl_worker_rest(struct bl_worker *worker);

enum bl_status bl_worker_time_add(struct bl_worker *worker, const char *label,
                                  const struct banklab_plan *plan,
                                  const struct banklab_module *module,
                                  const struct bl_ask_timing *timing,
                                  struct bl_timing_card *out, struct bl_error *err);
/* out: `count` doubles, one a case added. BL_E_FAULT: the worker is lost, and the cases
 * added with it; *lost is the number of the one that was at work, or BL_NO_JOB. */
enum bl_status bl_worker_time_round(struct bl_worker *worker, double *out, size_t count,
                                    size_t *lost, struct bl_error *err);
enum bl_status bl_worker_time_clear(struct bl_worker *worker, struct bl_error *err);

enum bl_status bl_worker_state(struct bl_worker *worker, struct bl_gpu_state *out,
                               struct bl_error *err);

/* Any question whose answer is one fixed block of `bytes`, put to *out. */
enum bl_status bl_worker_ask(struct bl_worker *worker, uint32_t op,
                             const struct bl_wire_part *parts, size_t count, void *out,
                             size_t bytes, struct bl_error *err);

/* Carries out `op` on ask->count patterns: counted by the metrics `names` and timed, as
 * gpu_patterns.h says. `ptx` has `ask->ptx_bytes` bytes. */
enum bl_status bl_worker_patterns(struct bl_worker *worker,
                                  const struct bl_ask_patterns *ask, const char *ptx,
                                  const char *const *names,
                                  const struct bl_pattern_args *args,
                                  struct bl_patterns_card *card_out, double *values,
                                  double *cycles, struct bl_error *err);

/* The child's side: serves `fd` until it closes. Never returns an error: it answers.
 * *place is kept as bl_gpu_timer_round says; it is in memory that the lab sees. */
struct bl_shelf;
void bl_worker_serve(int fd, int ordinal, volatile uint32_t *place,
                     struct bl_shelf *shelf);

#endif
