/* SPDX-License-Identifier: Apache-2.0
 *
 * Bulk copies and barriers as CUDA's own library spells them: what nvcc makes of those.
 */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;

/* A box of ints from one matrix to another, each plus 1. */
extern "C" __global__ void box_plus_one(const __grid_constant__ CUtensorMap from,
                                        const __grid_constant__ CUtensorMap to, int x,
                                        int y)
{
    __shared__ alignas(128) int tile[8][16];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        const int at[] = {x, y};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &from, at,
                                  cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (unsigned i = threadIdx.x; i < 8 * 16; i += blockDim.x)
        tile[i / 16][i % 16] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int at[] = {x, y};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

/* 256 ints a step through one buffer, which is filled again when all have read it. */
extern "C" __global__ void stream_sum(const int *in, int *out, int steps)
{
    __shared__ alignas(16) int buffer[256];
    __shared__ barrier bar;
    int sum = 0;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        barrier::arrival_token token;
        if (threadIdx.x == 0) {
            cuda::memcpy_async(buffer, in + 256 * k,
                               cuda::aligned_size_t<16>(sizeof buffer), bar);
            token = bar.arrive();
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
            sum += buffer[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
#endif
