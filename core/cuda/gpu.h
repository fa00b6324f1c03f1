/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu.h - one GPU in this process: a context, modules, buffers, launches.
 *
 * Only the worker (worker_child.c) calls this: a kernel that faults spoils the context
 * for good, so it lives in a process that can be lost.
 */
#ifndef BL_GPU_H
#define BL_GPU_H

#include "banklab/plugin.h"
#include "base/error.h"
#include "cuda/cuda_api.h"
#include "work/device.h"

struct bl_gpu {
    struct bl_cuda_api api;
    CUdevice device;
    int ordinal;
    CUcontext context;
    CUstream stream;
    struct bl_device_desc desc;
    struct bl_device_limits limits;
    uint64_t l2_bytes;
    uint32_t sms;
    struct bl_cublas *cublas; /* NULL until a reference wants it */
    char bus_id[32];          /* PCI, for NVML */
};

/* Opens GPU `ordinal`. BL_E_UNSUPPORTED: no driver; BL_E_INPUT: no such GPU, with how
 * many there are. */
enum bl_status bl_gpu_open(struct bl_gpu *gpu, int ordinal, struct bl_error *err);
void bl_gpu_close(struct bl_gpu *gpu);

/* Device memory, plainly allocated. BL_E_INPUT: so much is not free, with the sizes. */
enum bl_status bl_gpu_alloc(struct bl_gpu *gpu, uint64_t bytes, CUdeviceptr *out,
                            struct bl_error *err);
/* Frees *at, if it is not 0, and makes it 0. `status` is how things stand: if that is
 * BL_OK the result is that of freeing, else it stays, and so does the error. */
enum bl_status bl_gpu_release(struct bl_gpu *gpu, CUdeviceptr *at, enum bl_status status,
                              struct bl_error *err);

/* Copies `bytes` to device memory; they are there when it returns, for any stream. */
enum bl_status bl_gpu_upload(struct bl_gpu *gpu, CUdeviceptr to, const void *from,
                             size_t bytes, struct bl_error *err);

/* A module and the kernels of a plan's launches, ready to launch. */
struct bl_gpu_code {
    CUmodule module;
    CUfunction kernels[BANKLAB_MAX_LAUNCHES];
};

/* Compiles the PTX (a failure prints the JIT's log), finds the plan's kernels, opts in
 * to their dynamic shared memory. `name` is for messages. BL_E_INPUT on what is wrong. */
enum bl_status bl_gpu_load(struct bl_gpu *gpu, const char *name, const char *ptx,
                           size_t length, const struct banklab_plan *plan,
                           struct bl_gpu_code *out, struct bl_error *err);
/* A module of the PTX; a failure prints the JIT's log. */
enum bl_status bl_gpu_compile(struct bl_gpu *gpu, const char *name, const char *ptx,
                              CUmodule *out, struct bl_error *err);
/* `status` as for bl_gpu_release. */
enum bl_status bl_gpu_unload(struct bl_gpu *gpu, struct bl_gpu_code *code,
                             enum bl_status status, struct bl_error *err);

/* Device addresses of the payloads, by role. */
struct bl_gpu_buffers {
    CUdeviceptr input, output, clock, scratch[BANKLAB_MAX_SCRATCH];
};

/* Enqueues the plan's launches on the stream. */
enum bl_status bl_gpu_launch(struct bl_gpu *gpu, const struct bl_gpu_code *code,
                             const struct banklab_plan *plan,
                             const struct bl_gpu_buffers *buffers, struct bl_error *err);

/* Uploads the regions' images, runs the plan once and, with `keep`, downloads them.
 * BL_E_FAULT: the kernel did wrong, and the context is lost. */
enum bl_status bl_gpu_run(struct bl_gpu *gpu, const struct bl_gpu_code *code,
                          const struct banklab_plan *plan, struct bl_regions *regions,
                          bool keep, struct bl_error *err);

#endif
