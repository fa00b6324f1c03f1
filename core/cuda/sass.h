/* SPDX-License-Identifier: Apache-2.0
 *
 * sass.h - what each machine instruction accessed, through CUPTI's SASS metrics.
 *
 * CUPTI rewrites the kernels' machine code so that it counts its own accesses while it
 * runs. Such counts are of the addresses, and not of how long the hardware was busy with
 * them: on an H200 they are what the rules of doc/model.md say also where many warps
 * share an SM, where the counters of the hardware (cupti.h) read more. Two things differ,
 * for CUPTI computes them: its ideal is what the active lanes would take if they were
 * packed into as few phases as they fill, and 16-byte loads whose lanes agree in pairs in
 * some phases only are merged there.
 */
#ifndef BL_SASS_H
#define BL_SASS_H

#include "cuda/gpu.h"
#include "work/measure.h"

struct bl_sass;

/* Needs libcupti of CUDA 12.6, as cupti.h. BL_E_UNSUPPORTED with the reason. The GPU's
 * context must be current. */
enum bl_status bl_sass_open(struct bl_gpu *gpu, struct bl_sass **out,
                            struct bl_error *err);
void bl_sass_close(struct bl_sass *sass);

/* Calls run(ctx), which launches and synchronises, once, and fills *out: requests,
 * wavefronts, ideal and conflicts of shared memory, requests, sectors and ideal of global
 * memory, by BL_SRC_COUNTER. Only once in a process: of a second time CUPTI has
 * no record (driver 580, CUDA 13.0). What is checked or timed should run in another one,
 * whose code is not rewritten. */
enum bl_status bl_sass_count(struct bl_sass *sass,
                             enum bl_status (*run)(void *ctx, struct bl_error *err),
                             void *ctx, struct bl_counts *out, struct bl_error *err);

#endif
