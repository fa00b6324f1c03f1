/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_pool.h - the buffers that runs being timed take turns with.
 *
 * Cases of equal size share theirs. Together the sets of a size are at least four times
 * as large as the L2 cache, as far as memory and the greatest number of sets allow, so
 * that no run finds its data in the cache; where warm is asked for there is one set.
 */
#ifndef BL_GPU_POOL_H
#define BL_GPU_POOL_H

#include "cuda/gpu.h"
#include "cuda/protocol.h"

enum { BL_POOL_MOST_SETS = 8192, BL_POOLS_MOST = 64 };

/* Set i of the inputs lies at input + i * stride, and so for the outputs. */
struct bl_gpu_pool {
    uint64_t bytes, stride;
    uint32_t sets;
    bool warm;
    CUdeviceptr input, output;
};

struct bl_gpu_pools {
    struct bl_gpu_pool at[BL_POOLS_MOST];
    size_t count;
};

/* The buffers for ask->bytes, which are made and filled with pseudo-random bytes when
 * first asked for. *out points into pools. BL_E_INPUT: not enough memory is free, with
 * how much is needed and is there. */
enum bl_status bl_gpu_pool_get(struct bl_gpu *gpu, struct bl_gpu_pools *pools,
                               const struct bl_ask_timing *ask,
                               const struct bl_gpu_pool **out, struct bl_error *err);
/* Frees all that it can; the status is that of what could not be freed. */
enum bl_status bl_gpu_pools_clear(struct bl_gpu *gpu, struct bl_gpu_pools *pools,
                                  struct bl_error *err);

#endif
