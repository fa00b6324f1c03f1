/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_api.h - the CUDA driver, found at run time.
 *
 * libcuda.so.1 is opened with dlopen, so that one binary runs with or without a
 * driver; cuda.h is needed to build, nothing to link. Where a call has versions, the
 * one that cuda.h's name stands for is looked up (cuMemAlloc is cuMemAlloc_v2); of
 * cuEventElapsedTime, whose second version came with CUDA 12.8, also the first.
 */
#ifndef BL_CUDA_API_H
#define BL_CUDA_API_H

#include <cuda.h>

#include "base/error.h"

/* X(call): the driver calls that the lab makes. */
#define BL_CUDA_CALLS(X)                                                                 \
    X(cuInit)                                                                            \
    X(cuDriverGetVersion)                                                                \
    X(cuGetErrorName)                                                                    \
    X(cuGetErrorString)                                                                  \
    X(cuDeviceGetCount)                                                                  \
    X(cuDeviceGet)                                                                       \
    X(cuDeviceGetName)                                                                   \
    X(cuDeviceGetAttribute)                                                              \
    X(cuDeviceTotalMem)                                                                  \
    X(cuDeviceGetPCIBusId)                                                               \
    X(cuDevicePrimaryCtxRetain)                                                          \
    X(cuDevicePrimaryCtxRelease)                                                         \
    X(cuCtxSetCurrent)                                                                   \
    X(cuCtxSynchronize)                                                                  \
    X(cuMemGetInfo)                                                                      \
    X(cuMemAlloc)                                                                        \
    X(cuMemFree)                                                                         \
    X(cuMemcpyHtoD)                                                                      \
    X(cuMemcpyDtoH)                                                                      \
    X(cuMemcpyDtoDAsync)                                                                 \
    X(cuMemsetD8Async)                                                                   \
    X(cuModuleLoadDataEx)                                                                \
    X(cuModuleUnload)                                                                    \
    X(cuModuleGetFunction)                                                               \
    X(cuFuncGetAttribute)                                                                \
    X(cuFuncSetAttribute)                                                                \
    X(cuLaunchKernel)                                                                    \
    X(cuStreamCreate)                                                                    \
    X(cuStreamDestroy)                                                                   \
    X(cuStreamSynchronize)                                                               \
    X(cuStreamBeginCapture)                                                              \
    X(cuStreamEndCapture)                                                                \
    X(cuGraphInstantiateWithFlags)                                                       \
    X(cuGraphLaunch)                                                                     \
    X(cuGraphExecDestroy)                                                                \
    X(cuGraphDestroy)                                                                    \
    X(cuEventCreate)                                                                     \
    X(cuEventDestroy)                                                                    \
    X(cuEventRecord)                                                                     \
    X(cuEventElapsedTime)

/* Those that a driver may be too old for: then NULL, and what needs them is refused. */
#if CUDA_VERSION >= 12000
#define BL_CUDA_OPTIONAL_CALLS(X) X(cuTensorMapEncodeTiled)
#else
#define BL_CUDA_OPTIONAL_CALLS(X)
#endif

struct bl_cuda_api {
    void *library;
#define BL_CUDA_POINTER(call) __typeof__(call) *call;
    BL_CUDA_CALLS(BL_CUDA_POINTER)
    BL_CUDA_OPTIONAL_CALLS(BL_CUDA_POINTER)
#undef BL_CUDA_POINTER
};

/* Opens the driver and calls cuInit. BL_E_UNSUPPORTED, saying why: no driver library, no
 * device, a driver too old for a call. End with bl_cuda_api_close. */
enum bl_status bl_cuda_api_open(struct bl_cuda_api *api, struct bl_error *err);
void bl_cuda_api_close(struct bl_cuda_api *api);

/* BL_OK for CUDA_SUCCESS; else `status` with the call, the error's name and meaning:
 * "cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access …)". */
enum bl_status bl_cuda_check(const struct bl_cuda_api *api, CUresult result,
                             const char *call, enum bl_status status,
                             struct bl_error *err);

/* api->call(...), checked. */
#define BL_CUDA(api, err, call, ...)                                                     \
    bl_cuda_check((api), (api)->call(__VA_ARGS__), #call, BL_E_FAULT, (err))

#endif
