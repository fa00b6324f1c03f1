// SPDX-License-Identifier: Apache-2.0
// Atomic operations on global and shared memory.
#include "banklab/device.h"

typedef unsigned long long u64;

/* One cell an operation; every thread of every block acts on all. */
template <class T> __device__ __forceinline__ void all_ops(T *cell, T x)
{
    atomicAdd(&cell[0], x);
    atomicMin(&cell[1], x);
    atomicMax(&cell[2], x);
    atomicAnd(&cell[3], (T)(x | 0x0f00f0));
    atomicOr(&cell[4], x);
    atomicXor(&cell[5], x);
}

template <class T> __device__ __forceinline__ void shared_ops(T *out, T x, T start)
{
    __shared__ T cell[6];
    if (threadIdx.x < 6)
        cell[threadIdx.x] = start;
    __syncthreads();
    all_ops(cell, x);
    __syncthreads();
    if (threadIdx.x < 6)
        out[blockIdx.x * 6 + threadIdx.x] = cell[threadIdx.x];
}

extern "C" __global__ void global_int(int *cell, const int *in)
{
    all_ops(cell, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
extern "C" __global__ void global_uint(unsigned int *cell, const unsigned int *in)
{
    all_ops(cell, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
extern "C" __global__ void global_u64(u64 *cell, const u64 *in)
{
    all_ops(cell, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
extern "C" __global__ void shared_int(int *out, const int *in)
{
    shared_ops<int>(out, in[blockIdx.x * blockDim.x + threadIdx.x], 5);
}
extern "C" __global__ void shared_uint(unsigned int *out, const unsigned int *in)
{
    shared_ops<unsigned int>(out, in[blockIdx.x * blockDim.x + threadIdx.x], 5);
}
extern "C" __global__ void shared_u64(u64 *out, const u64 *in)
{
    shared_ops<u64>(out, in[blockIdx.x * blockDim.x + threadIdx.x], 5);
}

/* Each thread gets a number of its own. */
extern "C" __global__ void tickets(unsigned int *next, unsigned int *out)
{
    out[atomicAdd(next, 1u)] = 1;
}

/* Like tickets, with signed subtraction. */
extern "C" __global__ void countdown(int *left, int *out)
{
    out[atomicSub(left, 1) - 1] = 1;
}

extern "C" __global__ void float_add(float *global, float *out, const float *in)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[threadIdx.x]);
    atomicAdd(global, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void double_add(double *sum, double *before, const double *in)
{
    asm volatile("atom.global.add.f64 %0, [%1], %2;"
                 : "=d"(before[threadIdx.x])
                 : "l"(sum), "d"(in[threadIdx.x])
                 : "memory");
}

/* A maximum of floats by compare and swap. */
extern "C" __global__ void cas_loop(unsigned int *cell, const float *in)
{
    unsigned int old = *(volatile unsigned int *)cell, seen;
    float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    do {
        seen = old;
        if (!(x > __int_as_float((int)seen)))
            break;
        old = atomicCAS(cell, seen, (unsigned int)__float_as_int(x));
    } while (old != seen);
}

extern "C" __global__ void cas_u64(u64 *cell, u64 *won)
{
    u64 me = ((u64)threadIdx.x + 1) << 33;
    if (atomicCAS(cell, (u64)7, me) == 7)
        *won = me;
}

/* Every value goes round: what is in the cell at the end and what was got back are, in
 * all, the first value and those of all threads. */
extern "C" __global__ void exchange(int *cell, int *got)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    got[i] = atomicExch(cell, i + 1);
}

extern "C" __global__ void wrap_around(unsigned int *cell, unsigned int *before,
                                       unsigned int most)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    asm volatile("atom.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before[i])
                 : "l"(&cell[0]), "r"(most)
                 : "memory");
    asm volatile("atom.global.dec.u32 %0, [%1], %2;"
                 : "=r"(before[i + 1])
                 : "l"(&cell[1]), "r"(most)
                 : "memory");
    asm volatile("red.global.add.u32 [%0], 3;" : : "l"(&cell[2]) : "memory");
    asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;"
                 :
                 : "l"(&cell[3]), "r"(threadIdx.x)
                 : "memory");
}

extern "C" __global__ void histogram(unsigned int *out, const unsigned int *in, int n)
{
    __shared__ unsigned int bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
