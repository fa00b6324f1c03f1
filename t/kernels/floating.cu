// SPDX-License-Identifier: Apache-2.0
// f32 and f64: all roundings, conversions, comparisons, approximations. Each kernel
// writes one row of n results an operation.
#include "banklab/device.h"

#define PUT(expression) out[k++ * n + i] = (expression);
#define OP1(ptx, letter)                                                                 \
    asm volatile(ptx " %0, %1;" : "=" letter(r) : letter(a));                            \
    PUT(r)
#define OP2(ptx, letter)                                                                 \
    asm volatile(ptx " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b));             \
    PUT(r)
#define OP3(ptx, letter)                                                                 \
    asm volatile(ptx " %0, %1, %2, %3;"                                                  \
                 : "=" letter(r)                                                         \
                 : letter(a), letter(b), letter(c));                                     \
    PUT(r)

#define ROUNDED(mode, type, letter)                                                      \
    OP2("add." mode "." type, letter)                                                    \
    OP2("sub." mode "." type, letter)                                                    \
    OP2("mul." mode "." type, letter)                                                    \
    OP3("fma." mode "." type, letter)                                                    \
    OP2("div." mode "." type, letter)                                                    \
    OP1("sqrt." mode "." type, letter)                                                   \
    OP1("rcp." mode "." type, letter)

extern "C" __global__ void rounded_f32(float *out, const float *in, const float *in2,
                                       const float *in3, int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i], b = in2[i], c = in3[i], r;
    ROUNDED("rn", "f32", "f")
    ROUNDED("rz", "f32", "f")
    ROUNDED("rm", "f32", "f")
    ROUNDED("rp", "f32", "f")
}

extern "C" __global__ void rounded_f64(double *out, const double *in, const double *in2,
                                       const double *in3, int n)
{
    int i = threadIdx.x, k = 0;
    double a = in[i], b = in2[i], c = in3[i], r;
    ROUNDED("rn", "f64", "d")
    ROUNDED("rz", "f64", "d")
    ROUNDED("rm", "f64", "d")
    ROUNDED("rp", "f64", "d")
}

extern "C" __global__ void other_f32(float *out, const float *in, const float *in2,
                                     const float *in3, int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i], b = in2[i], c = in3[i], r;
    OP2("min.f32", "f")
    OP2("max.f32", "f")
    OP1("neg.f32", "f")
    OP1("abs.f32", "f")
    OP2("copysign.f32", "f")
    OP2("add.sat.f32", "f")
    OP3("fma.rn.sat.f32", "f")
    OP2("add.ftz.f32", "f")
    OP2("mul.ftz.f32", "f")
    OP3("fma.rn.ftz.f32", "f")
    OP1("cvt.rni.f32.f32", "f")
    OP1("cvt.rzi.f32.f32", "f")
    OP1("cvt.rmi.f32.f32", "f")
    OP1("cvt.rpi.f32.f32", "f")
    OP1("cvt.sat.f32.f32", "f")
    PUT(a * b + c < a ? a : b)
    PUT(fmaf(a, b, c))
}

extern "C" __global__ void other_f64(double *out, const double *in, const double *in2,
                                     const double *in3, int n)
{
    int i = threadIdx.x, k = 0;
    double a = in[i], b = in2[i], c = in3[i], r;
    OP2("min.f64", "d")
    OP2("max.f64", "d")
    OP1("neg.f64", "d")
    OP1("abs.f64", "d")
    OP1("cvt.rni.f64.f64", "d")
    OP1("cvt.rzi.f64.f64", "d")
    OP1("cvt.rmi.f64.f64", "d")
    OP1("cvt.rpi.f64.f64", "d")
    PUT(a / b)
    PUT(fma(a, b, c))
    PUT(a < b || a > c ? a - c : b)
}

#define TO_INT(mode, from, letter)                                                       \
    TO_ONE("cvt." mode ".s8." from, letter, "=r", w)                                     \
    TO_ONE("cvt." mode ".u8." from, letter, "=r", w)                                     \
    TO_ONE("cvt." mode ".s16." from, letter, "=h", h)                                    \
    TO_ONE("cvt." mode ".u16." from, letter, "=h", uh)                                   \
    TO_ONE("cvt." mode ".s32." from, letter, "=r", w)                                    \
    TO_ONE("cvt." mode ".u32." from, letter, "=r", uw)                                   \
    TO_ONE("cvt." mode ".s64." from, letter, "=l", l)                                    \
    TO_ONE("cvt." mode ".u64." from, letter, "=l", l)
#define TO_ONE(ptx, letter, out_letter, variable)                                        \
    asm volatile(ptx " %0, %1;" : out_letter(variable) : letter(a));                     \
    PUT((long long)variable)

extern "C" __global__ void f32_to_int(long long *out, const float *in, int n)
{
    int i = threadIdx.x, k = 0, w;
    short h;
    unsigned short uh;
    unsigned int uw;
    long long l;
    float a = in[i];
    TO_INT("rni", "f32", "f")
    TO_INT("rzi", "f32", "f")
    TO_INT("rmi", "f32", "f")
    TO_INT("rpi", "f32", "f")
}

extern "C" __global__ void f64_to_int(long long *out, const double *in, int n)
{
    int i = threadIdx.x, k = 0, w;
    short h;
    unsigned short uh;
    unsigned int uw;
    long long l;
    double a = in[i];
    TO_INT("rni", "f64", "d")
    TO_INT("rzi", "f64", "d")
    TO_INT("rmi", "f64", "d")
    TO_INT("rpi", "f64", "d")
}

#define FROM_INT(mode, to, letter)                                                       \
    asm volatile("cvt." mode "." to ".s64 %0, %1;" : "=" letter(r) : "l"(a));            \
    PUT(r)                                                                               \
    asm volatile("cvt." mode "." to ".u64 %0, %1;" : "=" letter(r) : "l"(a));            \
    PUT(r)                                                                               \
    asm volatile("cvt." mode "." to ".s32 %0, %1;" : "=" letter(r) : "r"((int)a));       \
    PUT(r)                                                                               \
    asm volatile("cvt." mode "." to ".u32 %0, %1;" : "=" letter(r) : "r"((int)a));       \
    PUT(r)                                                                               \
    asm volatile("cvt." mode "." to ".s16 %0, %1;" : "=" letter(r) : "h"((short)a));     \
    PUT(r)                                                                               \
    asm volatile("cvt." mode "." to ".u8 %0, %1;" : "=" letter(r) : "r"((int)a & 255));  \
    PUT(r)

extern "C" __global__ void int_to_f32(float *out, const long long *in, int n)
{
    int i = threadIdx.x, k = 0;
    long long a = in[i];
    float r;
    FROM_INT("rn", "f32", "f")
    FROM_INT("rz", "f32", "f")
    FROM_INT("rm", "f32", "f")
    FROM_INT("rp", "f32", "f")
}

extern "C" __global__ void int_to_f64(double *out, const long long *in, int n)
{
    int i = threadIdx.x, k = 0;
    long long a = in[i];
    double r;
    FROM_INT("rn", "f64", "d")
    FROM_INT("rz", "f64", "d")
    FROM_INT("rm", "f64", "d")
    FROM_INT("rp", "f64", "d")
}

#define NARROW(ptx)                                                                      \
    asm volatile(ptx " %0, %1;" : "=f"(r) : "d"(a));                                     \
    PUT(r)
extern "C" __global__ void f64_to_f32(float *out, const double *in, int n)
{
    int i = threadIdx.x, k = 0;
    double a = in[i];
    float r;
    NARROW("cvt.rn.f32.f64")
    NARROW("cvt.rz.f32.f64")
    NARROW("cvt.rm.f32.f64")
    NARROW("cvt.rp.f32.f64")
    NARROW("cvt.rn.sat.f32.f64")
    NARROW("cvt.rn.ftz.f32.f64")
    PUT((float)(a + 1.0))
}

#define COMPARE(relation)                                                                \
    asm volatile("{ .reg .pred p; setp." relation ".f32 p, %1, %2;"                      \
                 " selp.s32 %0, 1, 0, p; }"                                              \
                 : "=r"(r)                                                               \
                 : "f"(a), "f"(b));                                                      \
    bits = bits * 2 + r;                                                                 \
    asm volatile("{ .reg .pred p; setp." relation ".f64 p, %1, %2;"                      \
                 " selp.s32 %0, 1, 0, p; }"                                              \
                 : "=r"(r)                                                               \
                 : "d"((double)a), "d"((double)b));                                      \
    bits = bits * 2 + r;
extern "C" __global__ void compare(int *out, const float *in, const float *in2)
{
    int i = threadIdx.x, r, bits = 0;
    float a = in[i], b = in2[i];
    COMPARE("eq")
    COMPARE("ne")
    COMPARE("lt")
    COMPARE("le")
    COMPARE("gt")
    COMPARE("ge")
    COMPARE("equ")
    COMPARE("neu")
    COMPARE("ltu")
    COMPARE("leu")
    COMPARE("gtu")
    COMPARE("geu")
    COMPARE("num")
    COMPARE("nan")
    out[i] = bits;
}

extern "C" __global__ void approximate(float *out, const float *in, const float *in2,
                                       int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i], b = in2[i], r;
    OP1("rcp.approx.f32", "f")
    OP1("sqrt.approx.f32", "f")
    OP1("rsqrt.approx.f32", "f")
    OP1("lg2.approx.f32", "f")
    OP2("div.approx.f32", "f")
    OP2("div.full.f32", "f")
    a = b;
    OP1("ex2.approx.f32", "f")
    OP1("sin.approx.f32", "f")
    OP1("cos.approx.f32", "f")
    OP1("tanh.approx.f32", "f")
}

#ifdef __NVCC__
/* nvcc's own library, of which much is long straight code. */
extern "C" __global__ void library_f32(float *out, const float *in, int n)
{
    int i = threadIdx.x, k = 0;
    float a = in[i];
    PUT(expf(a))
    PUT(logf(fabsf(a) + 0.001f))
    PUT(sinf(a))
    PUT(cosf(a * 12345.0f))
    PUT(tanhf(a))
    PUT(powf(fabsf(a) + 0.5f, 1.7f))
    PUT(sqrtf(fabsf(a)))
    PUT(cbrtf(a))
    PUT(atan2f(a, 2.0f))
    PUT(erff(a))
    PUT(floorf(a) + ceilf(a * 3) + roundf(a * 5) + truncf(a * 7) + rintf(a * 9))
    PUT(fmodf(a, 0.7f))
    PUT(a / 3.0f)
}

extern "C" __global__ void library_f64(double *out, const double *in, int n)
{
    int i = threadIdx.x, k = 0;
    double a = in[i];
    PUT(exp(a))
    PUT(log(fabs(a) + 0.001))
    PUT(sin(a))
    PUT(cos(a * 1234567.0))
    PUT(tanh(a))
    PUT(pow(fabs(a) + 0.5, 1.7))
    PUT(sqrt(fabs(a)))
    PUT(cbrt(a))
    PUT(a / 3.0)
    PUT(1.0 / (a + 100.0))
}
#endif
