/* SPDX-License-Identifier: Apache-2.0
 *
 * floating_test.h - operands for the kernels of floating.cu.
 */
#ifndef FLOATING_TEST_H
#define FLOATING_TEST_H

#include "kernel_test.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 128 };

/* In the order of rn, rz, rm, rp. */
static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static inline float special(int i)
{
    const float values[] = {0.0f,      -0.0f,         1.0f,          -1.0f,    INFINITY,
                            -INFINITY, NAN,           FLT_MAX,       -FLT_MAX, FLT_MIN,
                            1e-40f,    -1e-44f,       0.5f,          1.5f,     2.5f,
                            -2.5f,     127.5f,        255.5f,        -128.5f,  32767.5f,
                            65535.5f,  2147483648.0f, 4294967296.0f, 9.3e18f,  1.9e19f};
    return values[(size_t)i % COUNT(values)];
}

/* Interesting ones, numbers of any size, and numbers near 1. */
static inline void floats(float *at, uint64_t seed)
{
    for (int i = 0; i < N; i++) {
        uint64_t x = next_number(&seed);
        uint32_t bits = (uint32_t)x;
        float any;
        memcpy(&any, &bits, sizeof any);
        at[i] = i < 50       ? special(i * (int)(seed % 7 + 1) + (int)(seed % 25))
                : i % 3 == 0 ? any
                             : (float)((double)(int64_t)x / 0x1p62);
    }
}

static inline void doubles(double *at, uint64_t seed)
{
    for (int i = 0; i < N; i++) {
        uint64_t x = next_number(&seed);
        double any;
        memcpy(&any, &x, sizeof any);
        at[i] = i < 50       ? (double)special(i * (int)(seed % 7 + 1) + (int)(seed % 25))
                : i % 3 == 0 ? any
                             : (double)(int64_t)x / 0x1p62;
    }
    at[60] = 1e-320;
    at[61] = -5e-324;
    at[62] = DBL_MAX;
    at[63] = 1e-42;                 /* subnormal as a float */
    at[64] = 3.4028235677973366e38; /* just rounds up to a float's infinity */
}

static inline float saturated(float x)
{
    return x > 1 ? 1 : x > 0 ? x : 0; /* NaN: 0; and no -0 */
}

static inline float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

#endif
