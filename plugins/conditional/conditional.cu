/* SPDX-License-Identifier: Apache-2.0
 *
 * conditional.cu - of every 16 threads eight read an element of their own from shared
 * memory, and the other eight all read element 15.
 *
 * `select` picks the element first and loads once: nine words for 16 lanes, one of them
 * wanted by eight. `overwrite` gives everybody element 15, then lets the first eight
 * replace it: two loads and two stores, each of them simple. Both give the same.
 */
#include "banklab/device.h"

enum { THREADS = 256, SHARED_BY_ALL = 15 };

/* in and out have n elements, a block takes THREADS of them, at the end round and round:
 *     out[i] = in[t % 16 < 8 ? i : first + 15]     (i = first + t: thread t of the block)
 * What is counted besides: storing the block's input and reading the result back, both
 * side by side. */
template <class T, bool SELECT> static BL_INLINE void run(const T *in, T *out, bl_u64 n)
{
    __shared__ T source[THREADS], result[THREADS];
    const unsigned t = threadIdx.x;
    const bl_u64 i = (bl_u64)blockIdx.x * THREADS + t;
    const bool own = t % 16 < 8;
    const unsigned from = bl_shared_address(source), to = bl_shared_address(result + t);
    const unsigned mine = from + t * (unsigned)sizeof(T);
    const unsigned common = from + SHARED_BY_ALL * (unsigned)sizeof(T);

    source[t] = in[i % n];
    __syncthreads();
    if (SELECT) {
        bl_shared_store<T>(to, bl_shared_load<T>(own ? mine : common));
    } else {
        bl_shared_store<T>(to, bl_shared_load<T>(common));
        if (own)
            bl_shared_store<T>(to, bl_shared_load<T>(mine));
    }
    if (i < n)
        out[i] = bl_shared_load<T>(to);
}

#define ENTRIES(bytes, type)                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS)                                \
        conditional_e##bytes##_select(const type *in, type *out, bl_u64 n)               \
    {                                                                                    \
        run<type, true>(in, out, n);                                                     \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(THREADS)                                \
        conditional_e##bytes##_overwrite(const type *in, type *out, bl_u64 n)            \
    {                                                                                    \
        run<type, false>(in, out, n);                                                    \
    }
BL_FOR_ELEMS(ENTRIES)
