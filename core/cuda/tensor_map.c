/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/tensor_map.h"

#if CUDA_VERSION >= 12000

static CUtensorMapDataType type_of(uint32_t elem)
{
    switch (elem) {
    case 1: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case 2: return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case 4: return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    default: return CU_TENSOR_MAP_DATA_TYPE_UINT64;
    }
}

static CUtensorMapSwizzle swizzle_of(uint32_t bytes)
{
    switch (bytes) {
    case 32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case 64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case 128: return CU_TENSOR_MAP_SWIZZLE_128B;
    default: return CU_TENSOR_MAP_SWIZZLE_NONE;
    }
}

enum bl_status bl_gpu_tensor_map(const struct bl_cuda_api *api,
                                 const struct banklab_tensor *tensor, CUdeviceptr buffer,
                                 struct bl_tensor_map *out, struct bl_error *err)
{
    const cuuint32_t rank = tensor->dims[2] ? 3 : 2;
    const cuuint64_t dims[] = {tensor->dims[0], tensor->dims[1], tensor->dims[2]};
    const cuuint64_t strides[] = {tensor->strides[0], tensor->strides[1]};
    const cuuint32_t steps[] = {1, 1, 1};

    if (!api->cuTensorMapEncodeTiled)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "libcuda.so.1 has no cuTensorMapEncodeTiled: its driver is "
                            "too old for tensor maps");
    return BL_CUDA(api, err, cuTensorMapEncodeTiled, &out->map, type_of(tensor->elem),
                   rank, (void *)(uintptr_t)(buffer + tensor->offset), dims, strides,
                   tensor->box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   swizzle_of(tensor->swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

#else

enum bl_status bl_gpu_tensor_map(const struct bl_cuda_api *api,
                                 const struct banklab_tensor *tensor, CUdeviceptr buffer,
                                 struct bl_tensor_map *out, struct bl_error *err)
{
    (void)api;
    (void)tensor;
    (void)buffer;
    (void)out;
    return bl_error_set(err, BL_E_UNSUPPORTED,
                        "tensor maps: banklab was built with a cuda.h before CUDA 12");
}

#endif
