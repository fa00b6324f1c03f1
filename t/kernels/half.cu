// SPDX-License-Identifier: Apache-2.0
// f16 and bf16, by CUDA's own headers: for nvcc alone. One row of n results an
// operation.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PUT(expression) out[k++ * n + i] = (expression);

extern "C" __global__ void half_arithmetic(__half *out, const __half *in,
                                           const __half *in2, const __half *in3, int n)
{
    int i = threadIdx.x, k = 0;
    __half a = in[i], b = in2[i], c = in3[i];
    PUT(__hadd(a, b))
    PUT(__hsub(a, b))
    PUT(__hmul(a, b))
    PUT(__hfma(a, b, c))
    PUT(__hneg(a))
    PUT(__habs(a))
    PUT(__hmin(a, b))
    PUT(__hmax(a, b))
    PUT(__hlt(a, b) ? a : b)
    PUT(__heq(a, b) ? a : c)
    PUT(__hadd_sat(a, b))
    PUT(hsqrt(__habs(a)))
    PUT(hfloor(a))
    PUT(hrint(a))
    PUT(__hdiv(a, b))
}

extern "C" __global__ void half2_arithmetic(__half2 *out, const __half2 *in,
                                            const __half2 *in2, const __half2 *in3, int n)
{
    int i = threadIdx.x, k = 0;
    __half2 a = in[i], b = in2[i], c = in3[i];
    PUT(__hadd2(a, b))
    PUT(__hsub2(a, b))
    PUT(__hmul2(a, b))
    PUT(__hfma2(a, b, c))
    PUT(__hneg2(a))
    PUT(__habs2(a))
    PUT(__hmin2(a, b))
    PUT(__hmax2(a, b))
    PUT(__lowhigh2highlow(a))
    PUT(__halves2half2(__high2half(a), __low2half(b)))
}

extern "C" __global__ void half_conversions(__half *out, const float *in, float *back,
                                            int *whole, int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i];
    PUT(__float2half_rn(a))
    PUT(__float2half_rz(a))
    PUT(__float2half_rd(a))
    PUT(__float2half_ru(a))
    PUT(__int2half_rn((int)fminf(fmaxf(a, -70000.0f), 70000.0f)))
    PUT(__double2half((double)a))
    back[i] = __half2float(out[i]);
    whole[i] = __half2int_rz(out[i]);
    whole[n + i] = __half2int_rn(out[i]);
    whole[2 * n + i] = __half2ushort_ru(out[i]);
}

#if __CUDA_ARCH__ >= 800 /* before, not all of these are there */
extern "C" __global__ void bfloat_arithmetic(__nv_bfloat16 *out, const __nv_bfloat16 *in,
                                             const __nv_bfloat16 *in2,
                                             const __nv_bfloat16 *in3, int n)
{
    int i = threadIdx.x, k = 0;
    __nv_bfloat16 a = in[i], b = in2[i], c = in3[i];
    PUT(__hadd(a, b))
    PUT(__hsub(a, b))
    PUT(__hmul(a, b))
    PUT(__hfma(a, b, c))
    PUT(__hneg(a))
    PUT(__habs(a))
    PUT(__hmin(a, b))
    PUT(__hmax(a, b))
    PUT(__hge(a, b) ? a : b)
}
#endif

extern "C" __global__ void bfloat_conversions(__nv_bfloat16 *out, const float *in,
                                              float *back, int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i];
    PUT(__float2bfloat16_rn(a))
    PUT(__float2bfloat16_rz(a))
    PUT(__float2bfloat16_rd(a))
    PUT(__float2bfloat16_ru(a))
    back[i] = __bfloat162float(out[i]);
}

/* A dot product as it is written in practice. */
extern "C" __global__ void half_dot(float *out, const __half2 *a, const __half2 *b, int n)
{
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += 32) {
        float2 x = __half22float2(a[k]), y = __half22float2(b[k]);
        sum += x.x * y.x + x.y * y.y;
    }
    for (int by = 16; by > 0; by /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, by);
    if (threadIdx.x == 0)
        *out = sum;
}
