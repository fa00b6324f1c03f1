// SPDX-License-Identifier: Apache-2.0
// Device functions: calls, recursion, pointers, structs.
#include "banklab/device.h"

struct box {
    int a[5];
    double d;
};

__device__ __noinline__ int twice(int x)
{
    return 2 * x + 1;
}
__device__ __noinline__ int square(int x)
{
    return x * x;
}
__device__ __noinline__ int negate(int x)
{
    return -x;
}

extern "C" __global__ void plain(int *out, const int *in)
{
    int i = threadIdx.x;
    out[i] = in[i] > 0 ? twice(in[i]) : square(in[i]) + negate(i);
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

__device__ __noinline__ unsigned int ackermann(unsigned int m, unsigned int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
extern "C" __global__ void deep_recursion(unsigned int *out)
{
    out[threadIdx.x] = ackermann(2, threadIdx.x % 5);
}

__device__ __noinline__ bool is_odd(unsigned int n);
__device__ __noinline__ bool is_even(unsigned int n)
{
    return n == 0 ? true : is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(unsigned int n)
{
    return n == 0 ? false : is_even(n - 1);
}
extern "C" __global__ void mutual(int *out)
{
    out[threadIdx.x] = is_even(threadIdx.x) * 2 + is_odd(threadIdx.x * 2 + 1);
}

typedef int (*function)(int);
#ifdef __NVCC__
__device__ function functions[3] = {twice, square, negate};
extern "C" __global__ void pointer_table(int *out, const int *in)
{
    int i = threadIdx.x;
    out[i] = functions[(unsigned int)in[i] % 3](i);
}
#endif
extern "C" __global__ void pointers(int *out, const int *in)
{
    int i = threadIdx.x;
    function f = in[i] & 1 ? twice : in[i] & 2 ? square : negate;
    function g = in[i] < 0 ? square : twice;
    out[i] = f(g(i)) - g(in[i] & 255);
}

__device__ __noinline__ struct box rotate(struct box b, int by)
{
    struct box r;
    for (int k = 0; k < 5; k++)
        r.a[k] = b.a[(k + by) % 5];
    r.d = b.d * by;
    return r;
}
extern "C" __global__ void structs(int *out, const int *in)
{
    int i = threadIdx.x;
    struct box b;
    for (int k = 0; k < 5; k++)
        b.a[k] = in[i] + k;
    b.d = in[i] * 0.25;
    b = rotate(b, i % 5);
    b = rotate(b, 1 + (in[i] & 1));
    out[i] = b.a[0] * 3 + b.a[4] + (int)b.d;
}

__device__ __noinline__ void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
extern "C" __global__ void by_reference(int *out, const int *in)
{
    int i = threadIdx.x, v[6];
    for (int k = 0; k < 6; k++)
        v[k] = in[i * 6 + k];
    for (int k = 0; k < 6; k++)
        for (int m = 0; m + 1 < 6 - k; m++)
            if (v[m] > v[m + 1])
                swap(&v[m], &v[m + 1]);
    for (int k = 0; k < 6; k++)
        out[i * 6 + k] = v[k];
}

/* Lanes return at different places, and go on together. */
__device__ __noinline__ int search(const int *in, int n, int what)
{
    for (int k = 0; k < n; k++) {
        if (in[k] == what)
            return k;
        if (in[k] > 1000 + what)
            return -k;
    }
    return n;
}
extern "C" __global__ void early_returns(int *out, const int *in, int n)
{
    int i = threadIdx.x;
    int at = search(in, n, i % 2 ? in[(i * 5) % n] : i);
    unsigned int together = __ballot_sync(0xffffffffu, at >= 0);
    out[i] = at * 64 + __popc(together);
}

__device__ __noinline__ void store_wide(unsigned char *at, unsigned long long v, short s,
                                        char c, float f)
{
    *(unsigned long long *)at = v;
    *(short *)(at + 8) = s;
    at[10] = (unsigned char)c;
    *(float *)(at + 12) = f;
}
extern "C" __global__ void mixed_arguments(unsigned char *out)
{
    int i = threadIdx.x;
    store_wide(out + 16 * i, 0x0102030405060708ULL * (i + 1), (short)(-i * 300), (char)i,
               i * 0.5f);
}
