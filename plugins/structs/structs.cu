/* SPDX-License-Identifier: Apache-2.0
 *
 * structs.cu - structures of one to four words through shared memory, member by member
 * or each in one access.
 *
 * A thread takes one structure. `single` moves its members one by one, as a struct of
 * three floats, or any without more than a word's alignment, must be: neighbouring
 * threads are then WORDS words apart. `vector` moves the whole in one access: int2 and
 * int4, aligned to their size. Three words make no vector; in shared memory each has the
 * place of four.
 */
#include "banklab/device.h"

enum { THREADS = 256 };

template <int WORDS> struct Whole;
template <> struct Whole<1> {
    typedef bl_u32 type;
};
template <> struct Whole<2> {
    typedef bl_u64 type;
};
template <> struct Whole<3> {
    typedef bl_u128 type;
};
template <> struct Whole<4> {
    typedef bl_u128 type;
};

/* The same bytes seen as members and as a whole, in registers. */
template <int WORDS> union Struct {
    typename Whole<WORDS>::type whole;
    bl_u32 member[sizeof(typename Whole<WORDS>::type) / 4];
};

/* Words between structures in shared memory. */
template <int WORDS, bool VECTOR> BL_INLINE constexpr unsigned apart()
{
    return VECTOR ? sizeof(typename Whole<WORDS>::type) / 4 : WORDS;
}

template <int WORDS, bool VECTOR> static BL_INLINE void put(unsigned at, Struct<WORDS> s)
{
    if (VECTOR)
        bl_shared_store(at, s.whole);
    else
        for (int k = 0; k < WORDS; k++)
            bl_shared_store(at + 4 * k, s.member[k]);
}

template <int WORDS, bool VECTOR> static BL_INLINE Struct<WORDS> get(unsigned at)
{
    Struct<WORDS> s;
    if (VECTOR)
        s.whole = bl_shared_load<typename Whole<WORDS>::type>(at);
    else
        for (int k = 0; k < WORDS; k++)
            s.member[k] = bl_shared_load<bl_u32>(at + 4 * k);
    return s;
}

/* out = in, both of n words: n / WORDS structures, one a thread, and the words that are
 * left over. */
template <int WORDS, bool VECTOR>
static BL_INLINE void copy(const bl_u32 *in, bl_u32 *out, bl_u64 n)
{
    typedef typename Whole<WORDS>::type W;
    enum { WIDE = VECTOR && WORDS != 3 }; /* in global memory three stand without gap */
    __shared__ __align__(16) bl_u32 memory[THREADS * apart<WORDS, VECTOR>()];
    const unsigned at =
        bl_shared_address(memory) + threadIdx.x * apart<WORDS, VECTOR>() * 4;
    const bl_u64 i = (bl_u64)blockIdx.x * THREADS + threadIdx.x;
    const bl_u64 count = n / WORDS;
    const bl_u64 left = count * WORDS + i;
    Struct<WORDS> s;

    if (i < count) {
        s.whole = bl_zero<W>();
        if (WIDE)
            s.whole = ((const W *)in)[i];
        else
            for (int k = 0; k < WORDS; k++)
                s.member[k] = in[i * WORDS + k];
        put<WORDS, VECTOR>(at, s);
    }
    __syncthreads();
    if (i < count) {
        s = get<WORDS, VECTOR>(at);
        if (WIDE)
            ((W *)out)[i] = s.whole;
        else
            for (int k = 0; k < WORDS; k++)
                out[i * WORDS + k] = s.member[k];
    }
    if (left < n)
        out[left] = in[left];
}

#define ENTRIES(words)                                                                   \
    extern "C" __global__ void __launch_bounds__(THREADS)                                \
        structs_w##words##_single(const bl_u32 *in, bl_u32 *out, bl_u64 n)               \
    {                                                                                    \
        copy<words, false>(in, out, n);                                                  \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(THREADS)                                \
        structs_w##words##_vector(const bl_u32 *in, bl_u32 *out, bl_u64 n)               \
    {                                                                                    \
        copy<words, true>(in, out, n);                                                   \
    }
ENTRIES(1)
ENTRIES(2)
ENTRIES(3)
ENTRIES(4)
