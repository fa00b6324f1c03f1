// SPDX-License-Identifier: Apache-2.0
//
// What the PTX reader's tests read, compiled by
//   nvcc 13.0: nvcc -ptx -lineinfo -arch=compute_75 -o nvcc.ptx forms.cu
//   clang 14:  clang -x cuda --cuda-device-only -nocudainc -nocudalib
//              --cuda-gpu-arch=sm_75 -O2 -gline-tables-only -S -o clang.ptx forms.cu
#ifndef __NVCC__
#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#include <__clang_cuda_builtin_vars.h>
#endif

struct pair {
    int a[3];
    double d;
};

__constant__ float factors[3] = {1.5f, -2.25f, 1e30f};
__device__ int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
#ifdef __NVCC__
__device__ int *middle = &matrix[1][1];
#endif
__device__ double half_pi = 1.5707963267948966;
extern __shared__ int dynamic[];

__device__ __noinline__ int once(int x)
{
    return x * 3 + 1;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ struct pair make(struct pair p, int k)
{
    p.a[k] = k;
    p.d *= half_pi;
    return p;
}

extern "C" __global__ void forms(int *out, int n, struct pair p)
{
    __shared__ int tile[32][33];
    int i = threadIdx.x, kept[8], sum = 0;

    tile[i][n] = n;
    dynamic[i] = i;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        kept[k] = k * n;
    switch (out[i]) {
    case 0: sum = once(n); break;
    case 1: sum = fibonacci(n); break;
    case 2: sum = kept[n]; break;
    case 3: sum = (n & 1 ? once : fibonacci)(n); break;
    case 4: sum = matrix[n][i]; break;
    case 5: sum = (int)factors[n]; break;
    case 6: return;
    default: break;
    }
    p = make(p, n);
    for (int k = 0; k < n; k++)
        if (tile[k][i] > 7)
            sum += p.a[k & 1] + dynamic[k];
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p add.s32 %0, %0, WARP_SZ; }"
                 : "+r"(sum));
    out[i] = sum + (int)p.d;
}
