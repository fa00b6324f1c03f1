/* SPDX-License-Identifier: Apache-2.0
 *
 * tensor_map.h - tensor maps as the driver encodes them.
 */
#ifndef BL_TENSOR_MAP_H
#define BL_TENSOR_MAP_H

#include "banklab/plugin.h"
#include "cuda/cuda_api.h"

/* 128 bytes, aligned to 64 (cuda.h). */
struct bl_tensor_map {
#if CUDA_VERSION >= 12000
    CUtensorMap map;
#else
    _Alignas(64) uint8_t map[128];
#endif
};

/* The map of `tensor`, which bl_plan_check has passed, in the buffer at that address.
 * BL_E_UNSUPPORTED: the driver, or the cuda.h that was built with, knows none. */
enum bl_status bl_gpu_tensor_map(const struct bl_cuda_api *api,
                                 const struct banklab_tensor *tensor, CUdeviceptr buffer,
                                 struct bl_tensor_map *out, struct bl_error *err);

#endif
