// SPDX-License-Identifier: Apache-2.0
// Control flow: loops, divergence, switches, early returns, barriers, grids.
#include "banklab/device.h"

extern "C" __global__ void count_loop(int *out, int n)
{
    int i = threadIdx.x, sum = 0;
    for (int k = 0; k < n + i; k++)
        sum = sum * 3 + (k ^ i);
    out[i] = sum;
}

extern "C" __global__ void collatz(unsigned int *out, const unsigned int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int x = in[i], steps = 0;
    while (x != 1) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x /= 2;
        steps++;
    }
    out[i] = steps;
}

extern "C" __global__ void nested_ifs(int *out, const int *in, int n)
{
    int i = threadIdx.x, x = in[i], r = 1;
    if (x > 0) {
        if (x & 1) {
            r += 10;
            if (x % 3 == 0)
                r *= in[(i + 1) % n];
            else if (x % 5 == 0)
                r -= in[(i + 2) % n];
        } else {
            r += 20;
            if (i < 7 || (x > 40 && i > 20))
                r = -r;
        }
        r += in[(i + 3) % n];
    } else if (x < -50) {
        r = in[(i + 4) % n] / 3;
    }
    out[i] = r * 2 + 1;
}

extern "C" __global__ void break_continue(int *out, const int *in, int n)
{
    int i = threadIdx.x, sum = 0;
    for (int k = 0; k < n; k++) {
        int x = in[(k + i) % n];
        if (x < 0)
            continue;
        if (x % 17 == 3)
            break;
        for (int m = 0; m < 8; m++) {
            if (((x >> m) & 1) == 0)
                continue;
            sum += m + 1;
            if (sum % 29 == 0)
                break;
        }
        sum += x & 3;
    }
    out[i] = sum;
}

extern "C" __global__ void do_loop(unsigned int *out, unsigned int seed)
{
    unsigned int i = threadIdx.x, x = seed + i, n = 0;
    do {
        x = x * 1664525u + 1013904223u;
        n++;
    } while ((x >> 28) != (i & 15));
    out[i] = n ^ x;
}

extern "C" __global__ void switches(int *out, const int *in, int n)
{
    int i = threadIdx.x, x = in[i], r = i;
    switch (x & 15) {
    case 0: r = x * 3; break;
    case 1: r = x / 3;
    case 2: r += in[(i + 1) % n]; break;
    case 3:
        for (int k = 0; k < (x & 63); k++)
            r += in[k % n] ^ k;
        break;
    case 4: r = x % 7; break;
    case 5: r = -x; break;
    case 7:
        if (x & 32)
            r = 99;
        break;
    case 9: out[i] = 1234; return;
    case 11: r = x << 2; break;
    case 12: r = x >> 2; break;
    case 14: r ^= x; break;
    default: r = -1000;
    }
    out[i] = r;
}

/* A table of labels, twice in one function: labels belong to their block. */
extern "C" __global__ void table_branch(int *out, const int *in)
{
    int i = threadIdx.x, r = in[i];
#pragma unroll
    for (int k = 0; k < 2; k++)
        asm volatile("{ T: .branchtargets A, B, C, B; brx.idx %1, T;"
                     " A: add.s32 %0, %0, 1; bra J;"
                     " B: mul.lo.s32 %0, %0, 3; bra J;"
                     " C: sub.s32 %0, 0, %0;"
                     " J: }"
                     : "+r"(r)
                     : "r"((r + k) & 3));
    out[i] = r;
}

extern "C" __global__ void early_return(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = 1;
    if (in[i] & 1) {
        if (in[i] & 2)
            return;
        out[i] = 2;
        for (int k = 0; k < 10; k++) {
            if (k == (in[i] & 15))
                return;
            out[i] += k;
        }
    }
    out[i] += 100;
}

extern "C" __global__ void barrier_loop(int *out, const int *in)
{
    __shared__ int part[256];
    int i = threadIdx.x;
    part[i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (i < half)
            part[i] += part[i + half];
        __syncthreads();
    }
    if (i == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void scan(int *out, const int *in, int n)
{
    __shared__ int a[2][192];
    int i = threadIdx.x, from = 0;
    a[0][i] = in[i];
    for (int step = 1; step < n; step *= 2) {
        __syncthreads();
        a[!from][i] = i >= step ? a[from][i] + a[from][i - step] : a[from][i];
        from = !from;
    }
    out[i] = a[from][i];
}

/* Threads that have left don't keep the barrier waiting. */
extern "C" __global__ void leave_before_barrier(int *out)
{
    __shared__ int part[128];
    int i = threadIdx.x;
    if (i % 3 == 2)
        return;
    part[i] = i * i;
    __syncthreads();
    out[i] = part[i - i % 3] + part[i - i % 3 + (i - i % 3 + 1 < 128)];
}

extern "C" __global__ void shape(uint4 *out)
{
    unsigned int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned int thread =
        threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned int per = blockDim.x * blockDim.y * blockDim.z;
    out[block * per + thread] =
        make_uint4(blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16,
                   threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16, per,
                   gridDim.x * 10000 + gridDim.y * 100 + gridDim.z);
}

extern "C" __global__ void predicates(int *out, const int *a, const int *b)
{
    int i = threadIdx.x, x = a[i], y = b[i];
    bool p = x > y, q = (x & 4) != 0, r = y < 0;
    out[i] = (p && q) | (p || r) << 1 | (p != q) << 2 | (!p && !r) << 3 |
             ((p ? q : r) << 4) | ((x == y || (q && !r)) << 5) | (x >= y) << 6;
}

extern "C" __global__ void clocks(int *out)
{
    long long before = clock64();
    int sum = 0;
    for (int k = 0; k < 100 + (int)threadIdx.x; k++)
        sum += out[k % 32] + k;
    long long after = clock64();
    out[threadIdx.x] = after > before ? (sum == -1 ? 2 : 1) : 0;
}
