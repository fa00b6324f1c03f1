/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_test.h - runs CUDA kernels on the model and compares with results computed
 * on the host.
 *
 * A program has one table of tests. Each runs for every PTX of the program's .cu file
 * that was made: by nvcc for several compute capabilities, and by clang. A test fills
 * buffers, names a kernel's arguments in order, launches, and compares.
 */
#ifndef KERNEL_TEST_H
#define KERNEL_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tensor.h"

struct run; /* one PTX, and the arguments gathered so far */

/* FROM_80: compute capability 8.0. */
enum { ANY_COMPILER = 0, NVCC_ONLY = 1, FROM_80 = 2, FROM_90 = 4 };

struct kernel_test {
    const char *name;
    void (*test)(struct run *run);
    unsigned flags;
};

/* Plays all tests for each PTX of NAME.cu; the program's exit status. */
int kernel_tests(const char *name, const struct kernel_test *tests, size_t count);

/* ---- arguments, in order ------------------------------------------------- */
void pass_buffer(struct run *run, const char *name, void *bytes, size_t size);
void pass_int(struct run *run, int32_t value);
void pass_uint(struct run *run, uint32_t value);
void pass_double(struct run *run, double value);
/* The tensor map of a matrix in `bytes`; its address is filled in. */
void pass_tensor(struct run *run, void *bytes, size_t size,
                 const struct bl_tensor *tensor);
void pass_bytes(struct run *run, const void *bytes, size_t size);

/* Launches and forgets the arguments. A failure is noted, and the test failed. */
void launch(struct run *run, const char *kernel, uint32_t blocks, uint32_t threads);
void launch_shape(struct run *run, const char *kernel, const uint32_t grid[3],
                  const uint32_t block[3], uint32_t shared);

/* ---- results ------------------------------------------------------------- */
void expect(struct run *run, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void expect_i32(struct run *run, const char *what, const int32_t *got,
                const int32_t *want, size_t count);
void expect_i64(struct run *run, const char *what, const int64_t *got,
                const int64_t *want, size_t count);
/* Equal bits, or NaNs both. */
void expect_f32(struct run *run, const char *what, const float *got, const float *want,
                size_t count);
void expect_f64(struct run *run, const char *what, const double *got, const double *want,
                size_t count);
void expect_bytes(struct run *run, const char *what, const void *got, const void *want,
                  size_t size);

/* The same numbers each time: a seed, then one after the other. */
uint64_t next_number(uint64_t *state);
void fill_ints(int32_t *at, size_t count, int32_t least, int32_t most, uint64_t seed);

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define TEST(name)                                                                       \
    {                                                                                    \
#name, name, ANY_COMPILER                                                        \
    }
#define NVCC_TEST(name)                                                                  \
    {                                                                                    \
#name, name, NVCC_ONLY                                                           \
    }
#define NVCC_TEST_FROM_80(name)                                                          \
    {                                                                                    \
#name, name, NVCC_ONLY | FROM_80                                                 \
    }
#define NVCC_TEST_FROM_90(name)                                                          \
    {                                                                                    \
#name, name, NVCC_ONLY | FROM_90                                                 \
    }

#endif
