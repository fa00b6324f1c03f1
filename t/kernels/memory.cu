// SPDX-License-Identifier: Apache-2.0
// The kinds of memory, and the widths of accesses.
#include "banklab/device.h"

struct item {
    char tag;
    int number;
    short half[3];
    double real;
};

struct small {
    short a, b;
    int c;
};

__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__constant__ float pairs[4][2] = {{1.5f, -2.0f}, {0.25f, 1e10f}, {-0.0f, 3.0f}};
__constant__ struct item constant_item = {'c', -77, {1, -2, 3}, 2.5};
__device__ int counter = 40;
__device__ int grid_values[3][4] = {{1, 2, 3, 4}, {5, 6}, {0, 0, -9, 12}};
__device__ struct item global_item = {'g', 1 << 30, {-1, 200, -300}, -0.125};
__device__ const char text[] = "banklab";
#ifdef __NVCC__
__device__ int *into_grid = &grid_values[1][1];
__device__ struct {
    char c;
    const char *words[2];
} list = {'x', {"one", "three"}};
#endif

extern "C" __global__ void local_arrays(int *out, const int *in, int n)
{
    int stack[24], top = 0, i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        int x = in[(i * 7 + k) % n];
        if (x < 0 && top > 1) {
            top--;
            stack[top - 1] += stack[top] * 3;
        } else if (top < 24)
            stack[top++] = x;
    }
    int sum = top;
    while (top > 0)
        sum = sum * 31 + stack[--top];
    out[i] = sum;
}

extern "C" __global__ void local_bytes(unsigned char *out, const unsigned char *in)
{
    unsigned char seen[64];
    int i = threadIdx.x;
    for (int k = 0; k < 64; k++)
        seen[k] = (unsigned char)k;
    for (int k = 0; k < 64; k++) {
        int a = k, b = (in[k] + i) & 63;
        unsigned char t = seen[a];
        seen[a] = seen[b];
        seen[b] = t;
    }
    for (int k = 0; k < 64; k++)
        out[i * 64 + k] = seen[k];
}

extern "C" __global__ void constants(float *out)
{
    int i = threadIdx.x;
    out[i] = (float)table[i % 16] + pairs[i % 4][i % 2] * 2.0f;
    out[64 + i] = (float)constant_item.number + (float)constant_item.half[i % 3] +
                  (float)constant_item.real + (float)constant_item.tag;
}

extern "C" __global__ void globals(int *out)
{
    int i = threadIdx.x;
    out[i] = grid_values[i % 3][i % 4] + global_item.half[i % 3] + global_item.number +
             (int)(global_item.real * 16) + text[i % 8];
    atomicAdd(&counter, 1);
    __syncthreads();
    out[32 + i] = counter;
}

#ifdef __NVCC__
extern "C" __global__ void global_pointers(int *out)
{
    int i = threadIdx.x;
    out[i] = into_grid[i % 6 - 2] + list.words[1][i % 6] - list.words[0][i % 4] + list.c;
}
#endif

extern "C" __global__ void static_shared(int *out, const int *in)
{
    __shared__ int a[128];
    __shared__ short b[128];
    __shared__ double c[128];
    int i = threadIdx.x, j = 127 - i;
    a[i] = in[i];
    b[i] = (short)(in[i] * 2);
    c[i] = in[i] * 0.5;
    __syncthreads();
    out[i] = a[j] + b[(i * 5) % 128] + (int)(c[i ^ 1] * 2);
}

extern __shared__ unsigned char dynamic[];
extern "C" __global__ void dynamic_shared(int *out, const int *in, int n)
{
    int *first = (int *)dynamic;
    short *second = (short *)(dynamic + 4 * n);
    __shared__ int fixed[32];
    int i = threadIdx.x;
    first[i] = in[i];
    second[n - 1 - i] = (short)in[i];
    if (i < 32)
        fixed[i] = i;
    __syncthreads();
    out[i] = first[(i + 1) % n] - second[i] + fixed[i % 32];
}

extern "C" __global__ void by_value(int *out, struct small s, struct item t, char c,
                                    double d)
{
    int i = threadIdx.x;
    const short *half = i & 1 ? t.half : &s.a;
    out[i] = s.a * 1000 + s.b * 100 + s.c + t.tag + t.number + half[i % 2] + (int)t.real +
             c + (int)d;
}

extern "C" __global__ void vectors(uint4 *out, const uint4 *in, float2 *out2,
                                   const float2 *in2)
{
    int i = threadIdx.x;
    uint4 v = in[i];
    out[i] = make_uint4(v.w, v.z ^ 1, v.y + v.x, v.x);
    float2 f = in2[i];
    out2[i] = make_float2(f.y * 2, f.x + 1);
}

extern "C" __global__ void shared_vectors(float4 *out, const float4 *in)
{
    __shared__ float4 tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    float4 a = tile[63 - i], b = tile[i ^ 3];
    out[i] = make_float4(a.x + b.w, a.y * b.z, a.z - b.y, a.w);
}

extern "C" __global__ void narrow(long long *out, const signed char *c,
                                  const unsigned char *uc, const short *s,
                                  const unsigned short *us)
{
    int i = threadIdx.x;
    out[i] = (long long)c[i] + uc[i] * 1000LL + s[i] * 1000000LL + us[i] * 100000000000LL;
}

extern "C" __global__ void narrow_stores(signed char *c, short *s, long long *l, int n)
{
    int i = threadIdx.x;
    c[i] = (signed char)(n * i);
    s[i] = (short)(n * i * 7);
    l[i] = (long long)n * i * 100003LL;
}

template <class T, int N> __device__ __forceinline__ T horner(T x)
{
    T sum = 0;
    for (int k = 0; k < N; k++)
        sum = sum * x + (T)(k + 1);
    return sum;
}
extern "C" __global__ void templates(int *i32, long long *i64, double *f64)
{
    int i = threadIdx.x;
    i32[i] = horner<int, 5>(i);
    i64[i] = horner<long long, 9>(i);
    f64[i] = horner<double, 4>((double)i * 0.5);
}

/* Through generic addresses: one function, three kinds of memory. */
__device__ __noinline__ int sum_of(const int *at, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += at[k] * (k + 1);
    return sum;
}
extern "C" __global__ void generic(int *out, const int *in)
{
    __shared__ int shared[8];
    int local[8], i = threadIdx.x;
    if (i < 8)
        shared[i] = in[i] * 2;
    for (int k = 0; k < 8; k++)
        local[k] = in[(k + i) % 8] * 3;
    __syncthreads();
    const int *at = i % 3 == 0 ? in : i % 3 == 1 ? shared : local;
    out[i] = sum_of(at, 8);
}
