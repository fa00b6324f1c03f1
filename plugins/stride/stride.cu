/* SPDX-License-Identifier: Apache-2.0
 *
 * stride.cu - what a strided access to shared memory costs, by the clock.
 *
 * Lane l of every warp loads from, or stores to, element l * stride of an array in shared
 * memory, ACCESSES times in a row, all warps at once. The accesses between the two
 * readings of the clock are these and no others. After loads the second reading waits for
 * what was loaded; of stores there is nothing to wait for, so that the last few are still
 * under way (on an H200 with 16 warps stores read 2 to 5 % low, loads 0.1 % to 3 % high
 * from two ways on).
 *
 * What is counted besides, free of conflicts: filling the array before, all threads side
 * by side; and after stores reading it back the same way.
 */
#include "banklab/device.h"

enum { ACCESSES = 64, STATIC_BYTES = 48 * 1024, SMALL_BYTES = 8 * 1024 };

struct Pattern {
    unsigned stride; /* elements between neighbouring lanes */
    unsigned array;  /* elements of the array: 31 * stride + 1 */
    unsigned passes; /* the last one is timed; those before it warm the code */
    bl_u64 step;     /* threads of a block modulo n */
};

/* in and out have n elements. The block's array starts as in[first], in[first + 1], ...,
 * round and round; for stores inverted, so that a store that did not happen shows. Then
 *
 *     loads     out[i] = in[i] xor what thread i loaded
 *     stores    out[i] = in[i] xor the array's elements t, t + T, t + 2T, ...
 *               (t: the thread within its block, T: threads of the block)
 *
 * A store's value depends on its place alone. Where lanes or warps store to the same
 * place they store the same: the result doesn't depend on who comes last. */
template <class T, bool STORE>
static BL_INLINE void run(const T *in, T *out, bl_u64 *clock, bl_u64 n, Pattern pattern,
                          unsigned char *memory)
{
    T *array = (T *)memory;
    const unsigned lane = threadIdx.x % 32;
    const bl_u64 first = (bl_u64)blockIdx.x * blockDim.x;
    const bl_u64 i = first + threadIdx.x;
    const unsigned address =
        bl_shared_address(memory) + lane * pattern.stride * (unsigned)sizeof(T);

    bl_u64 at = i % n;
    for (unsigned j = threadIdx.x; j < pattern.array; j += blockDim.x) {
        array[j] = STORE ? bl_not(in[at]) : in[at];
        at += pattern.step;
        at -= at >= n ? n : 0;
    }

    T value = STORE ? in[(first + lane * pattern.stride) % n] : bl_zero<T>();
    bl_u64 start = 0, end = 0;
#pragma unroll 1 /* one copy of the code: the first pass brings it to the cache */
    for (unsigned pass = 0; pass < pattern.passes; pass++) {
        start = bl_clock_together();
#pragma unroll
        for (int k = 0; k < ACCESSES; k++)
            if (STORE)
                bl_shared_store<T>(address, value);
            else
                value = bl_or(value, bl_shared_load<T>(address));
        end = STORE ? bl_clock() : bl_clock_after(bl_fold(value));
    }
    __syncthreads();

    if (STORE) {
        value = bl_zero<T>();
        for (unsigned j = threadIdx.x; j < pattern.array; j += blockDim.x)
            value = bl_xor(value, array[j]);
    }
    if (i < n)
        out[i] = bl_xor(in[i], value);
    if (lane == 0) {
        clock[i / 32 * 2] = start;
        clock[i / 32 * 2 + 1] = end;
    }
}

/* The array at a size fixed when compiled (a large one, and a small one that the first
 * GPUs have room for), or given at the launch. */
#define STATIC_ENTRY(bytes, type, op, store, name, size)                                 \
    extern "C" __global__ void __launch_bounds__(1024) stride_e##bytes##_##op##_##name(  \
        const type *in, type *out, bl_u64 *clock, bl_u64 n, unsigned stride,             \
        unsigned array, unsigned passes, bl_u64 step)                                    \
    {                                                                                    \
        __shared__ __align__(16) unsigned char memory[size];                             \
        run<type, store>(in, out, clock, n, {stride, array, passes, step}, memory);      \
    }
#define ENTRIES(bytes, type, op, store)                                                  \
    STATIC_ENTRY(bytes, type, op, store, static, STATIC_BYTES)                           \
    STATIC_ENTRY(bytes, type, op, store, small, SMALL_BYTES)                             \
    extern "C" __global__ void __launch_bounds__(1024) stride_e##bytes##_##op##_dynamic( \
        const type *in, type *out, bl_u64 *clock, bl_u64 n, unsigned stride,             \
        unsigned array, unsigned passes, bl_u64 step)                                    \
    {                                                                                    \
        extern __shared__ __align__(16) unsigned char memory[];                          \
        run<type, store>(in, out, clock, n, {stride, array, passes, step}, memory);      \
    }
#define OPS(bytes, type)                                                                 \
    ENTRIES(bytes, type, load, false) ENTRIES(bytes, type, store, true)
BL_FOR_ELEMS(OPS)
