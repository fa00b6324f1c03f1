/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns.cuh - one warp's memory instruction, alone to be counted, and repeated to be
 * timed. Each patterns_smNN.cu adds operations that need that compute capability.
 *
 * count_OP   one warp carries out OP once: what the counters of OP's kind show is its
 *            cost. The pattern comes as an argument, by value, so that no load of it is
 *            counted.
 * clock_OP   block b takes pattern b; each of its warps carries out OP ACCESSES times in
 *            a row between two readings of the clock, `passes` times over.
 */
#ifndef BL_PATTERNS_CUH
#define BL_PATTERNS_CUH

#include "banklab/device.h"

enum { ACCESSES = 64 }; /* BL_PATTERN_ACCESSES */

/* struct bl_pattern_args of pattern.h. */
struct Pattern {
    unsigned mask;
    unsigned shared_bytes; /* of the block, a multiple of 16 */
    unsigned near[32];     /* lanes' addresses in shared memory */
    unsigned far[32];      /* and in global memory, from the buffer's start */
};

/* An operation: READS_SHARED: shared memory must hold something; ALL_LANES: the mask is
 * not asked, since the instruction is the whole warp's; YIELDS: there is a result to wait
 * for; MERGES: the assembler would take two that are alike for one, so that the address
 * is moved by nothing that it can know. run() gives a number that is made of all that was
 * loaded. `value` is something to
 * store that the compiler knows nothing of. */
struct Operation {
    static const bool READS_SHARED = false, ALL_LANES = false, YIELDS = false,
                      MERGES = false;
    static BL_INLINE void finish()
    {
    }
};

static BL_INLINE void fill(unsigned char *memory, unsigned bytes)
{
    for (unsigned at = 16 * threadIdx.x; at < bytes; at += 16 * blockDim.x)
        bl_shared_store<bl_u128>(bl_shared_address(memory) + at, bl_zero<bl_u128>());
    __syncthreads();
}

template <class Op>
static BL_INLINE void count(const Pattern &pattern, unsigned char *global, unsigned magic)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const unsigned lane = threadIdx.x;
    unsigned near = 0, far = 0, got = 0;

    /* An index that is not constant would move the arguments to local memory. */
#pragma unroll
    for (unsigned l = 0; l < 32; l++)
        if (lane == l) {
            near = pattern.near[l];
            far = pattern.far[l];
        }
    if (Op::READS_SHARED)
        fill(memory, pattern.shared_bytes);
    if (Op::ALL_LANES || (pattern.mask >> lane & 1))
        got = Op::run(bl_shared_address(memory) + near, global + far, magic | lane);
    Op::finish();
    if (Op::YIELDS && got == magic) /* never: but the compiler can't know */
        *(unsigned *)global = got;
}

template <class Op>
static BL_INLINE void clock(const Pattern *patterns, unsigned char *global,
                            bl_u64 *readings, unsigned passes, unsigned magic)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const Pattern *pattern = patterns + blockIdx.x;
    const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
    unsigned near = bl_shared_address(memory) + pattern->near[lane];
    const bool active = Op::ALL_LANES || (pattern->mask >> lane & 1);
    unsigned char *far = global + pattern->far[lane];
    const unsigned nothing = passes >> 16;
    unsigned got = 0;

    if (Op::READS_SHARED)
        fill(memory, pattern->shared_bytes);
    readings += 2 * ((bl_u64)blockIdx.x * passes * warps + threadIdx.x / 32);
#pragma unroll 1 /* one copy of the code: the first pass brings it to the cache */
    for (unsigned pass = 0; pass < passes; pass++) {
        bl_u64 start = bl_clock_together(), end;
        if (active) {
#pragma unroll 16
            for (int i = 0; i < ACCESSES; i++) {
                got |= Op::run(near, far, magic | lane);
                near += Op::MERGES ? nothing : 0;
            }
        }
        Op::finish();
        __syncwarp();
        end = Op::YIELDS ? bl_clock_after(got) : bl_clock();
        if (lane == 0) {
            readings[0] = start;
            readings[1] = end;
        }
        readings += 2 * warps;
    }
    if (Op::YIELDS && got == magic)
        *(unsigned *)global = got;
}

#define OPERATION(name)                                                                  \
    extern "C" __global__ void __launch_bounds__(32)                                     \
        count_##name(Pattern pattern, unsigned char *global, unsigned magic)             \
    {                                                                                    \
        count<name>(pattern, global, magic);                                             \
    }                                                                                    \
    extern "C" __global__ void __launch_bounds__(512)                                    \
        clock_##name(const Pattern *patterns, unsigned char *global, bl_u64 *readings,   \
                     unsigned passes, unsigned magic)                                    \
    {                                                                                    \
        clock<name>(patterns, global, readings, passes, magic);                          \
    }

#endif
