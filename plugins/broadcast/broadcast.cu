/* SPDX-License-Identifier: Apache-2.0
 *
 * broadcast.cu - what it costs that lanes of a warp load the same element.
 *
 * A warp loads `words` different elements: lane l loads element number
 *
 *     blocks    l * words / 32      neighbours share: 0 0 0 0 1 1 1 1 2 2 2 2 ...
 *     cyclic    l % words           far lanes share:  0 1 2 3 0 1 2 3 0 1 2 3 ...
 *
 * and element number w lies at w * spread: with a spread of 32 words all lie in one bank.
 * Loads ACCESSES times in a row, all warps at once; the accesses between the two readings
 * of the clock are these and no others. Besides them only the filling of the array is
 * counted: all threads side by side, free of conflicts.
 */
#include "banklab/device.h"

enum { ACCESSES = 64 };

/* in and out have n elements. The block's array is in[first], in[first + 1], ..., round
 * and round, and out[i] = in[i] xor what thread i loaded. step is the threads of a block
 * modulo n. All passes but the last warm the code. */
template <class T, bool CYCLIC>
static BL_INLINE void run(const T *in, T *out, bl_u64 *clock, bl_u64 n, unsigned words,
                          unsigned spread, unsigned passes, bl_u64 step)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *array = (T *)memory;
    const unsigned lane = threadIdx.x % 32;
    const unsigned word = CYCLIC ? lane % words : lane * words / 32;
    const unsigned address =
        bl_shared_address(memory) + word * spread * (unsigned)sizeof(T);
    const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;

    bl_u64 at = i % n;
    for (unsigned j = threadIdx.x; j < (words - 1) * spread + 1; j += blockDim.x) {
        array[j] = in[at];
        at += step;
        at -= at >= n ? n : 0;
    }

    T value = bl_zero<T>();
    bl_u64 start = 0, end = 0;
#pragma unroll 1 /* one copy of the code: the first pass brings it to the cache */
    for (unsigned pass = 0; pass < passes; pass++) {
        start = bl_clock_together();
#pragma unroll
        for (int k = 0; k < ACCESSES; k++)
            value = bl_or(value, bl_shared_load<T>(address));
        end = bl_clock_after(bl_fold(value));
    }

    if (i < n)
        out[i] = bl_xor(in[i], value);
    if (lane == 0) {
        clock[i / 32 * 2] = start;
        clock[i / 32 * 2 + 1] = end;
    }
}

#define ENTRY(bytes, type, group, cyclic)                                                \
    extern "C" __global__ void __launch_bounds__(1024) broadcast_e##bytes##_##group(     \
        const type *in, type *out, bl_u64 *clock, bl_u64 n, unsigned words,              \
        unsigned spread, unsigned passes, bl_u64 step)                                   \
    {                                                                                    \
        run<type, cyclic>(in, out, clock, n, words, spread, passes, step);               \
    }
#define ENTRIES(bytes, type)                                                             \
    ENTRY(bytes, type, blocks, false) ENTRY(bytes, type, cyclic, true)
BL_FOR_ELEMS(ENTRIES)
