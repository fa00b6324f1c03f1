/* SPDX-License-Identifier: Apache-2.0
 *
 * operand.cu - the same arithmetic with its operands in registers and in shared memory,
 * by the clock.
 *
 * ACCESSES times a thread multiplies what it has by a factor and adds an operand, one of
 * OPERANDS that lie in registers, or in shared memory free of conflicts. The arithmetic
 * is the same; what differs is one load an operation. All warps start at once; the second
 * reading of the clock waits for the result, and the arithmetic for the first: it begins
 * with the clock's highest bit, which is 0, but an assembler does not know that. Without
 * it the arithmetic on registers, the same in each pass, was moved to before the clock.
 *
 * The model's clock knows the data stage and not how many multiplications a cycle takes:
 * what it reads for registers is next to nothing. Only a GPU says what they cost.
 */
#include "banklab/device.h"

enum { ACCESSES = 64, OPERANDS = 8 };

/* in and out have n elements. Thread i has the operands in[i], in[i + 1], ..., at the end
 * round and round, and
 *     x = in[i]; ACCESSES times, k = 0, 1, ...:  x = x * factor + in[i + k % OPERANDS]
 *     out[i] = x
 * What is counted besides: storing the operands, and, for registers, loading them once.
 */
template <bool SHARED>
static BL_INLINE void run(const bl_u32 *in, bl_u32 *out, bl_u64 *clock, bl_u64 n,
                          unsigned factor, unsigned passes)
{
    extern __shared__ bl_u32 memory[]; /* warp by warp, 32 first operands, ... */
    const bl_u64 i = (bl_u64)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned mine = threadIdx.x / 32 * 32 * OPERANDS + threadIdx.x % 32;
    const unsigned address = bl_shared_address(memory + mine);
    bl_u32 operand[OPERANDS], x = 0;
    bl_u64 start = 0, end = 0;

    for (int k = 0; k < OPERANDS; k++)
        memory[mine + 32 * k] = in[(i + k) % n];
    const bl_u32 first = memory[mine];
    if (!SHARED)
        for (int k = 0; k < OPERANDS; k++)
            operand[k] = bl_shared_load<bl_u32>(address + 128 * k);

#pragma unroll 1 /* one copy of the code: the first pass brings it to the cache */
    for (unsigned pass = 0; pass < passes; pass++) {
        start = bl_clock_together();
        x = first ^ (unsigned)(start >> 63);
#pragma unroll
        for (int k = 0; k < ACCESSES; k++) {
            bl_u32 y;
            if (SHARED)
                y = bl_shared_load<bl_u32>(address + 128 * (k % OPERANDS));
            else
                y = operand[k % OPERANDS];
            asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(factor), "r"(y));
        }
        end = bl_clock_after(x);
    }
    if (i < n)
        out[i] = x;
    if (threadIdx.x % 32 == 0) {
        clock[i / 32 * 2] = start;
        clock[i / 32 * 2 + 1] = end;
    }
}

#define ENTRY(place, shared)                                                             \
    extern "C" __global__ void __launch_bounds__(1024)                                   \
        operand_##place(const bl_u32 *in, bl_u32 *out, bl_u64 *clock, bl_u64 n,          \
                        unsigned factor, unsigned passes)                                \
    {                                                                                    \
        run<shared>(in, out, clock, n, factor, passes);                                  \
    }
ENTRY(register, false)
ENTRY(shared, true)
