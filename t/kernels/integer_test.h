/* SPDX-License-Identifier: Apache-2.0
 *
 * integer_test.h - operands for the kernels of integer.cu, and how their rows of results
 * are held against what they should be.
 */
#ifndef INTEGER_TEST_H
#define INTEGER_TEST_H

#include "kernel_test.h"

#include <string.h>

enum { N = 128 };

/* Interesting numbers first, then any. */
static inline uint64_t number(int i, uint64_t *seed)
{
    static const uint64_t special[] = {0,
                                       1,
                                       UINT64_MAX,
                                       2,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       (uint64_t)INT64_MAX,
                                       (uint64_t)1 << 63,
                                       0x8000000080008080};
    uint64_t x = next_number(seed);
    if (i < 2 * (int)COUNT(special))
        return special[(size_t)i / 2 % COUNT(special)];
    return i % 3 == 0 ? x >> (x % 64) : i % 3 == 1 ? 0 - (x >> (x % 64)) : x;
}

static inline void numbers(uint64_t *a, uint64_t *b)
{
    uint64_t seed = 51;
    for (int i = 0; i < N; i++) {
        a[i] = number(i, &seed);
        b[i] = number((i * 37 + 11) % N, &seed);
    }
}

/* The low bits, as a number of that width. */
static inline int64_t narrowed(uint64_t x, int bits, bool is_signed)
{
    if (bits == 64)
        return (int64_t)x;
    x &= ((uint64_t)1 << bits) - 1;
    if (is_signed && x >> (bits - 1))
        x -= (uint64_t)1 << bits;
    return (int64_t)x;
}

/* What one pair of operands should give, operation by operation. */
typedef void value32(uint32_t a, uint32_t b, uint32_t *out);
typedef void value64(uint64_t a, uint64_t b, uint64_t *out);

static inline void rows32(struct run *run, const char *kernel, value32 *value, size_t ops)
{
    static uint32_t out[40 * N];
    uint64_t a[N], b[N];
    uint32_t in[N], in2[N], want[40];
    memset(out, 0, sizeof out);
    numbers(a, b);
    for (int i = 0; i < N; i++) {
        in[i] = (uint32_t)a[i];
        in2[i] = (uint32_t)b[i];
    }
    pass_buffer(run, "out", out, ops * N * 4);
    pass_buffer(run, "in", in, sizeof in);
    pass_buffer(run, "in2", in2, sizeof in2);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (size_t i = 0; i < N; i++) {
        value(in[i], in2[i], want);
        for (size_t k = 0; k < ops; k++)
            expect(run, out[k * N + i] == want[k],
                   "%s: operation %zu of 0x%x and 0x%x gives 0x%x, should be 0x%x",
                   kernel, k, in[i], in2[i], out[k * N + i], want[k]);
    }
}

static inline void rows64(struct run *run, const char *kernel, value64 *value, size_t ops,
                          bool second)
{
    static uint64_t out[40 * N];
    uint64_t a[N], b[N], want[40];
    memset(out, 0, sizeof out);
    numbers(a, b);
    pass_buffer(run, "out", out, ops * N * 8);
    pass_buffer(run, "in", a, sizeof a);
    if (second)
        pass_buffer(run, "in2", b, sizeof b);
    pass_int(run, N);
    launch(run, kernel, 1, N);
    for (size_t i = 0; i < N; i++) {
        value(a[i], b[i], want);
        for (size_t k = 0; k < ops; k++)
            expect(
                run, out[k * N + i] == want[k],
                "%s: operation %zu of 0x%llx and 0x%llx gives 0x%llx, should be 0x%llx",
                kernel, k, (unsigned long long)a[i], (unsigned long long)b[i],
                (unsigned long long)out[k * N + i], (unsigned long long)want[k]);
    }
}

#endif
