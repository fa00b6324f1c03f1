/* SPDX-License-Identifier: Apache-2.0
 *
 * banklab/device.h - what a kernel file includes.
 *
 * A kernel file is CUDA C++14. Two compilers turn it into PTX:
 *
 *     nvcc -ptx -arch=compute_75 -lineinfo NAME.cu
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_75 -S ...
 *
 * nvcc (11 to 13) knows CUDA by itself. clang (14 and later) runs here without any CUDA
 * toolkit, so the first part of this header supplies the names that kernels use. What
 * the lab adds for both compilers comes after it:
 *
 *     bl_u8 bl_u16 bl_u32 bl_u64 bl_u128   elements of 1, 2, 4, 8 and 16 bytes
 *     bl_or bl_xor bl_not bl_fold          bitwise, for every one of them
 *     bl_shared_address                    an address within shared memory, 32 bits
 *     bl_shared_load bl_shared_store       exactly one access, never merged or dropped
 *     bl_clock_together bl_clock_after bl_clock  the multiprocessor's clock
 *     bl_opaque                            a number that the compiler knows nothing of
 *
 * The names with __ are CUDA's own; each is here as the CUDA C++ Programming Guide
 * describes it.
 */
#ifndef BANKLAB_DEVICE_H
#define BANKLAB_DEVICE_H

#if !defined(__CUDACC__) && !defined(__CUDA__)
#error "banklab/device.h is for kernels: compile with nvcc, or with clang -x cuda"
#endif

#include <stddef.h>
#include <stdint.h>

#if !defined(__NVCC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

/* ---- clang without a CUDA toolkit ------------------------------------------- */

#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __host__               __attribute__((host))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__        __inline__ __attribute__((always_inline))
#define __noinline__           __attribute__((noinline))
#define __align__(n)           __attribute__((aligned(n)))

#define BL_DEVICE static __device__ __forceinline__

/* Vectors of two and four. As plain structs clang would copy them in pieces; as vectors
 * each moves in one access, as in CUDA. */
#define BL_VECTOR(scalar, name)                                                          \
    typedef scalar name##2 __attribute__((ext_vector_type(2)));                          \
    typedef scalar name##4 __attribute__((ext_vector_type(4)));                          \
    BL_DEVICE name##2 make_##name##2(scalar x, scalar y)                                 \
    {                                                                                    \
        name##2 v = {x, y};                                                              \
        return v;                                                                        \
    }                                                                                    \
    BL_DEVICE name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w)             \
    {                                                                                    \
        name##4 v = {x, y, z, w};                                                        \
        return v;                                                                        \
    }
/* Vectors of three have no wide access in CUDA either: 12 bytes, aligned to 4. */
#define BL_VECTOR3(scalar, name)                                                         \
    struct name##3                                                                       \
    {                                                                                    \
        scalar x, y, z;                                                                  \
    };                                                                                   \
    BL_DEVICE name##3 make_##name##3(scalar x, scalar y, scalar z)                       \
    {                                                                                    \
        name##3 v = {x, y, z};                                                           \
        return v;                                                                        \
    }
BL_VECTOR(signed char, char)
BL_VECTOR(unsigned char, uchar)
BL_VECTOR(short, short)
BL_VECTOR(unsigned short, ushort)
BL_VECTOR(int, int)
BL_VECTOR(unsigned int, uint)
BL_VECTOR(float, float)
BL_VECTOR3(int, int)
BL_VECTOR3(unsigned int, uint)
BL_VECTOR3(float, float)
#undef BL_VECTOR
#undef BL_VECTOR3
typedef long long longlong2 __attribute__((ext_vector_type(2)));
typedef unsigned long long ulonglong2 __attribute__((ext_vector_type(2)));
typedef double double2 __attribute__((ext_vector_type(2)));
BL_DEVICE double2 make_double2(double x, double y)
{
    double2 v = {x, y};
    return v;
}
BL_DEVICE ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y)
{
    ulonglong2 v = {x, y};
    return v;
}

struct dim3 {
    unsigned int x, y, z;
};

/* threadIdx, blockIdx, blockDim, gridDim: clang's own, over the special registers. */
#include <__clang_cuda_builtin_vars.h>

/* ---- barriers, fences, clock --------------------------------------------------
 * In assembly, so that they don't depend on the PTX version that clang assumes when
 * it finds no toolkit. */
BL_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
BL_DEVICE void __threadfence_block()
{
    asm volatile("membar.cta;" : : : "memory");
}
BL_DEVICE void __threadfence()
{
    asm volatile("membar.gl;" : : : "memory");
}
BL_DEVICE long long clock64()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) : : "memory");
    return t;
}
BL_DEVICE void __trap()
{
    asm volatile("trap;");
}

/* ---- votes and shuffles -------------------------------------------------------- */
BL_DEVICE unsigned int __activemask()
{
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
BL_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    unsigned int votes;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0;"
                 " vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(votes)
                 : "r"(predicate), "r"(mask));
    return votes;
}
#define BL_VOTE(name, mode)                                                              \
    BL_DEVICE int name(unsigned int mask, int predicate)                                 \
    {                                                                                    \
        int vote;                                                                        \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"                          \
                     " vote.sync." mode ".pred q, p, %2; selp.s32 %0, 1, 0, q; }"        \
                     : "=r"(vote)                                                        \
                     : "r"(predicate), "r"(mask));                                       \
        return vote;                                                                     \
    }
BL_VOTE(__any_sync, "any")
BL_VOTE(__all_sync, "all")
#undef BL_VOTE

/* The third operand holds the segment's mask above bit 8 and the clamp below it. */
#define BL_SHUFFLE(name, mode, clamp, type, letter)                                      \
    BL_DEVICE type name(unsigned int mask, type value, int lane, int width = 32)         \
    {                                                                                    \
        type got;                                                                        \
        asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                        \
                     : "=" letter(got)                                                   \
                     : letter(value), "r"(lane), "r"(((32 - width) << 8) | (clamp)),     \
                       "r"(mask));                                                       \
        return got;                                                                      \
    }
#define BL_SHUFFLES(type, letter)                                                        \
    BL_SHUFFLE(__shfl_sync, "idx", 31, type, letter)                                     \
    BL_SHUFFLE(__shfl_up_sync, "up", 0, type, letter)                                    \
    BL_SHUFFLE(__shfl_down_sync, "down", 31, type, letter)                               \
    BL_SHUFFLE(__shfl_xor_sync, "bfly", 31, type, letter)
BL_SHUFFLES(int, "r")
BL_SHUFFLES(unsigned int, "r")
BL_SHUFFLES(float, "f")
#undef BL_SHUFFLES
#undef BL_SHUFFLE

/* ---- atomics: relaxed, and return the old value --------------------------------- */
#define BL_ATOMIC(name, builtin, type)                                                   \
    BL_DEVICE type name(type *at, type value)                                            \
    {                                                                                    \
        return builtin(at, value, __ATOMIC_RELAXED);                                     \
    }
#define BL_ATOMICS(type)                                                                 \
    BL_ATOMIC(atomicAdd, __atomic_fetch_add, type)                                       \
    BL_ATOMIC(atomicMin, __atomic_fetch_min, type)                                       \
    BL_ATOMIC(atomicMax, __atomic_fetch_max, type)                                       \
    BL_ATOMIC(atomicAnd, __atomic_fetch_and, type)                                       \
    BL_ATOMIC(atomicOr, __atomic_fetch_or, type)                                         \
    BL_ATOMIC(atomicXor, __atomic_fetch_xor, type)                                       \
    BL_ATOMIC(atomicExch, __atomic_exchange_n, type)                                     \
    BL_DEVICE type atomicCAS(type *at, type compare, type value)                         \
    {                                                                                    \
        __atomic_compare_exchange_n(at, &compare, value, false, __ATOMIC_RELAXED,        \
                                    __ATOMIC_RELAXED);                                   \
        return compare;                                                                  \
    }
BL_ATOMICS(int)
BL_ATOMICS(unsigned int)
BL_ATOMICS(unsigned long long)
#undef BL_ATOMICS
#undef BL_ATOMIC
BL_DEVICE int atomicSub(int *at, int value)
{
    return atomicAdd(at, -value);
}
BL_DEVICE unsigned int atomicSub(unsigned int *at, unsigned int value)
{
    return atomicAdd(at, 0u - value);
}
BL_DEVICE float atomicAdd(float *at, float value)
{
    return __nvvm_atom_add_gen_f(at, value);
}

/* ---- small arithmetic -------------------------------------------------------------- */
BL_DEVICE int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
BL_DEVICE float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
BL_DEVICE float fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
BL_DEVICE double fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
BL_DEVICE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
BL_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
BL_DEVICE int __clz(int x)
{
    return x ? __builtin_clz((unsigned int)x) : 32;
}
BL_DEVICE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
BL_DEVICE unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
BL_DEVICE int __ffs(int x)
{
    return __builtin_ffs(x);
}
#define BL_MIN_MAX(type)                                                                 \
    BL_DEVICE type min(type a, type b)                                                   \
    {                                                                                    \
        return a < b ? a : b;                                                            \
    }                                                                                    \
    BL_DEVICE type max(type a, type b)                                                   \
    {                                                                                    \
        return a > b ? a : b;                                                            \
    }
BL_MIN_MAX(int)
BL_MIN_MAX(unsigned int)
BL_MIN_MAX(long)
BL_MIN_MAX(unsigned long)
BL_MIN_MAX(long long)
BL_MIN_MAX(unsigned long long)
#undef BL_MIN_MAX
BL_DEVICE float min(float a, float b)
{
    return __builtin_fminf(a, b);
}
BL_DEVICE float max(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
#endif /* clang without a toolkit */

/* ---- the lab's own, for both compilers ----------------------------------------------
 */

#define BL_INLINE __device__ __forceinline__

/* Elements without further meaning. The widest is four words, aligned to 16 bytes; it
 * moves in one access. */
typedef unsigned char bl_u8;
typedef unsigned short bl_u16;
typedef unsigned int bl_u32;
typedef unsigned long long bl_u64;
typedef uint4 bl_u128;

/* M(bytes, type) for every element width: stamps out the entry points of a template. */
#define BL_FOR_ELEMS(M) M(1, bl_u8) M(2, bl_u16) M(4, bl_u32) M(8, bl_u64) M(16, bl_u128)

/* Bitwise operations, also on the widest element, which has no operators under nvcc. */
template <class T> BL_INLINE T bl_or(T a, T b)
{
    return (T)(a | b);
}
template <class T> BL_INLINE T bl_xor(T a, T b)
{
    return (T)(a ^ b);
}
template <class T> BL_INLINE T bl_not(T a)
{
    return (T)~a;
}
template <class T> BL_INLINE T bl_zero()
{
    return (T)0;
}
template <> BL_INLINE bl_u128 bl_or(bl_u128 a, bl_u128 b)
{
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
template <> BL_INLINE bl_u128 bl_xor(bl_u128 a, bl_u128 b)
{
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}
template <> BL_INLINE bl_u128 bl_not(bl_u128 a)
{
    return make_uint4(~a.x, ~a.y, ~a.z, ~a.w);
}
template <> BL_INLINE bl_u128 bl_zero()
{
    return make_uint4(0, 0, 0, 0);
}

/* One word that depends on every bit of an element. */
template <class T> BL_INLINE unsigned int bl_fold(T a)
{
    return (unsigned int)a;
}
template <> BL_INLINE unsigned int bl_fold(bl_u64 a)
{
    return (unsigned int)a | (unsigned int)(a >> 32);
}
template <> BL_INLINE unsigned int bl_fold(bl_u128 a)
{
    return a.x | a.y | a.z | a.w;
}

/* The same number, but the compiler can't tell: what is computed from it is computed
 * there. In a loop that seldom goes round twice this saves the registers in which the
 * addresses of all accesses would be kept ready for a second round. */
BL_INLINE unsigned int bl_opaque(unsigned int number)
{
    asm volatile("" : "+r"(number));
    return number;
}

/* Where a block of a grid made by banklab_grid_batch belongs: which matrix of the batch,
 * and the x that the block would have if there were only this one. A block whose matrix
 * is not below `batch` has nothing to do. No loop, as that would cost registers: z counts
 * matrices, and where there are more than a grid has in z, x counts rounds of them too.
 */
struct bl_matrix {
    bl_u64 number;
    unsigned int x;
};
BL_INLINE bl_matrix bl_matrix_of_block(bl_u64 batch)
{
    bl_matrix at = {blockIdx.z, blockIdx.x};
    if (batch > gridDim.z) {
        const unsigned int rounds = (unsigned int)((batch - 1) / gridDim.z) + 1;
        const unsigned int across = gridDim.x / rounds;
        at.number += (bl_u64)(blockIdx.x / across) * gridDim.z;
        at.x = blockIdx.x % across;
    }
    return at;
}

/* The address within shared memory of an object that lies there. */
BL_INLINE unsigned int bl_shared_address(const void *object)
{
#ifdef __NVCC__
    return (unsigned int)__cvta_generic_to_shared(object);
#else
    return (unsigned int)(size_t)(__attribute__((address_space(3))) const void *)object;
#endif
}

/* One load or store of shared memory, at an address aligned to the element. However
 * often it stands, so often it is executed: no compiler or assembler merges, drops or
 * moves it past another of its kind. For code that measures accesses. */
template <class T> BL_INLINE T bl_shared_load(unsigned int address);
template <class T> BL_INLINE void bl_shared_store(unsigned int address, T value);

#define BL_SHARED_ACCESS(type, held, ptx, letter)                                        \
    template <> BL_INLINE type bl_shared_load<type>(unsigned int address)                \
    {                                                                                    \
        held value;                                                                      \
        asm volatile("ld.volatile.shared." ptx " %0, [%1];"                              \
                     : "=" letter(value)                                                 \
                     : "r"(address)                                                      \
                     : "memory");                                                        \
        return (type)value;                                                              \
    }                                                                                    \
    template <> BL_INLINE void bl_shared_store<type>(unsigned int address, type value)   \
    {                                                                                    \
        asm volatile("st.volatile.shared." ptx " [%0], %1;"                              \
                     :                                                                   \
                     : "r"(address), letter((held)value)                                 \
                     : "memory");                                                        \
    }
BL_SHARED_ACCESS(bl_u8, unsigned int, "u8", "r")
BL_SHARED_ACCESS(bl_u16, unsigned int, "u16", "r")
BL_SHARED_ACCESS(bl_u32, unsigned int, "u32", "r")
BL_SHARED_ACCESS(bl_u64, unsigned long long, "u64", "l")
#undef BL_SHARED_ACCESS
template <> BL_INLINE bl_u128 bl_shared_load<bl_u128>(unsigned int address)
{
    unsigned int x, y, z, w;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "r"(address)
                 : "memory");
    return make_uint4(x, y, z, w);
}
template <> BL_INLINE void bl_shared_store<bl_u128>(unsigned int address, bl_u128 value)
{
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(address), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
                 : "memory");
}

/* The multiprocessor's clock, in cycles. */
BL_INLINE bl_u64 bl_clock()
{
    bl_u64 t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) : : "memory");
    return t;
}

/* A barrier for the whole block, and the clock after it. Of __syncthreads alone the
 * hardware may put off the waiting: an early warp then reads the clock before the last
 * one has arrived (seen on an H200: thousands of cycles before). The wait of __syncwarp
 * can't be put off further. */
BL_INLINE bl_u64 bl_clock_together()
{
    __syncthreads();
    __syncwarp();
    return bl_clock();
}

/* The clock once `value` is known: of the two readings one is carried out, and which one
 * depends on the value, so that the hardware must wait for it. */
BL_INLINE bl_u64 bl_clock_after(unsigned int value)
{
    bl_u64 t;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0;"
                 " @p mov.u64 %0, %%clock64; @!p mov.u64 %0, %%clock64; }"
                 : "=l"(t)
                 : "r"(value)
                 : "memory");
    return t;
}

#endif /* BANKLAB_DEVICE_H */
