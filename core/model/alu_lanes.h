/* SPDX-License-Identifier: Apache-2.0
 *
 * alu_lanes.h - handlers that do one expression for 32 lanes.
 *
 * A handler computes all 32 lanes into a local array, in a loop without a branch that
 * compilers turn into vector instructions, and then puts the lanes of the mask into the
 * destination. The array makes it safe that the destination is one of the sources, and
 * lanes outside the mask may be computed since nothing here traps. Costly or branching
 * expressions use the BL_EACH macros, which visit the lanes of the mask only.
 *
 * BL_OP handlers are built twice: NAME for the plain target, NAME_wide with 256-bit
 * vectors and fused multiply-add. Decoders pick by what the CPU has (bl_alu_pick).
 */
#ifndef BL_ALU_LANES_H
#define BL_ALU_LANES_H

#include <string.h>

#include "model/insn.h"

/* Slots are viewed as whatever type an instruction has: the views may alias. */
#define BL_ALIAS __attribute__((may_alias))
typedef uint16_t BL_ALIAS bl_u16;
typedef uint32_t BL_ALIAS bl_u32;
typedef uint64_t BL_ALIAS bl_u64;
typedef int16_t BL_ALIAS bl_s16;
typedef int32_t BL_ALIAS bl_s32;
typedef int64_t BL_ALIAS bl_s64;
typedef float BL_ALIAS bl_f32;
typedef double BL_ALIAS bl_f64;

/* A slot as lanes of type T; slots are 64-byte aligned. */
#define BL_VIEW(T, frame, at) ((T *)__builtin_assume_aligned((frame) + (at), 64))

#define BL_BITS4(n)  1u << (n), 1u << ((n) + 1), 1u << ((n) + 2), 1u << ((n) + 3)
#define BL_BITS16(n) BL_BITS4(n), BL_BITS4((n) + 4), BL_BITS4((n) + 8), BL_BITS4((n) + 12)
/* Lane l's bit; a table, since not every target shifts by a vector of counts. */
static const uint32_t bl_lane_bit[BL_LANES] = {BL_BITS16(0), BL_BITS16(16)};

/* Before a loop over all lanes: it is to be made of vectors first and unrolled then, so
 * that a local array of 32 lanes lies in registers. (Clang would unroll first.) */
#if defined(__clang__)
#define BL_LANE_LOOP _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define BL_LANE_LOOP _Pragma("GCC unroll 16")
#else
#define BL_LANE_LOOP
#endif

/* Puts r[l] into lane l of the slot at `at`, for the lanes of the mask. (A full mask has
 * no shorter way: a branch and a copy cost more than blending.) */
#define BL_PUT(T, frame, at, r, mask)                                                    \
    do {                                                                                 \
        T *to_ = BL_VIEW(T, frame, at);                                                  \
        BL_LANE_LOOP for (int i_ = 0; i_ < BL_LANES; i_++)                               \
        {                                                                                \
            to_[i_] = (mask)&bl_lane_bit[i_] ? (r)[i_] : to_[i_];                        \
        }                                                                                \
    } while (0)

/* Puts the bits of `value` that are in `mask` into a predicate. */
static inline void bl_put_pred(uint8_t *frame, uint32_t at, uint32_t value, uint32_t mask)
{
    bl_u32 *to = BL_VIEW(bl_u32, frame, at);
    *to = (*to & ~mask) | (value & mask);
}

static inline uint32_t bl_get_pred(const uint8_t *frame, uint32_t at)
{
    return *BL_VIEW(const bl_u32, frame, at);
}

#define BL_ALU_ARGS uint8_t *frame, const struct bl_insn *in, uint32_t mask

#if defined(__x86_64__) && defined(__GNUC__)
#define BL_WIDE __attribute__((target("avx2,fma")))
#else
#define BL_WIDE
#endif

/* Defines NAME and NAME_wide with the same body. */
#define BL_BUILD_TWICE(NAME, ...)                                                        \
    static void NAME(BL_ALU_ARGS){__VA_ARGS__} BL_WIDE static void NAME##_wide(          \
        BL_ALU_ARGS)                                                                     \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

/* d = EXPR of a (b, c), each lane; TD, TA, TB, TC are lane types. */
#define BL_OP1(NAME, TD, TA, EXPR)                                                       \
    BL_BUILD_TWICE(                                                                      \
        NAME, const TA *pa = BL_VIEW(const TA, frame, in->a); TD r[BL_LANES];            \
        for (int l = 0; l < BL_LANES; l++) {                                             \
            const TA a = pa[l];                                                          \
            r[l] = (TD)(EXPR);                                                           \
        } BL_PUT(TD, frame, in->d, r, mask);)
#define BL_OP2(NAME, TD, TA, TB, EXPR)                                                   \
    BL_BUILD_TWICE(                                                                      \
        NAME, const TA *pa = BL_VIEW(const TA, frame, in->a);                            \
        const TB *pb = BL_VIEW(const TB, frame, in->b); TD r[BL_LANES];                  \
        for (int l = 0; l < BL_LANES; l++) {                                             \
            const TA a = pa[l];                                                          \
            const TB b = pb[l];                                                          \
            r[l] = (TD)(EXPR);                                                           \
        } BL_PUT(TD, frame, in->d, r, mask);)
#define BL_OP3(NAME, TD, TA, TB, TC, EXPR)                                               \
    BL_BUILD_TWICE(                                                                      \
        NAME, const TA *pa = BL_VIEW(const TA, frame, in->a);                            \
        const TB *pb = BL_VIEW(const TB, frame, in->b);                                  \
        const TC *pc = BL_VIEW(const TC, frame, in->c); TD r[BL_LANES];                  \
        for (int l = 0; l < BL_LANES; l++) {                                             \
            const TA a = pa[l];                                                          \
            const TB b = pb[l];                                                          \
            const TC c = pc[l];                                                          \
            r[l] = (TD)(EXPR);                                                           \
        } BL_PUT(TD, frame, in->d, r, mask);)

/* The same, but only lanes of the mask are visited. EXPR may use `in`. */
#define BL_EACH1(NAME, TD, TA, EXPR)                                                     \
    static void NAME(BL_ALU_ARGS)                                                        \
    {                                                                                    \
        const TA *pa = BL_VIEW(const TA, frame, in->a);                                  \
        TD *pd = BL_VIEW(TD, frame, in->d);                                              \
        BL_FOR_LANES(mask, const TA a = pa[l]; pd[l] = (TD)(EXPR));                      \
    }
#define BL_EACH2(NAME, TD, TA, TB, EXPR)                                                 \
    static void NAME(BL_ALU_ARGS)                                                        \
    {                                                                                    \
        const TA *pa = BL_VIEW(const TA, frame, in->a);                                  \
        const TB *pb = BL_VIEW(const TB, frame, in->b);                                  \
        TD *pd = BL_VIEW(TD, frame, in->d);                                              \
        BL_FOR_LANES(mask, const TA a = pa[l]; const TB b = pb[l]; pd[l] = (TD)(EXPR));  \
    }
#define BL_EACH3(NAME, TD, TA, TB, TC, EXPR)                                             \
    static void NAME(BL_ALU_ARGS)                                                        \
    {                                                                                    \
        const TA *pa = BL_VIEW(const TA, frame, in->a);                                  \
        const TB *pb = BL_VIEW(const TB, frame, in->b);                                  \
        const TC *pc = BL_VIEW(const TC, frame, in->c);                                  \
        TD *pd = BL_VIEW(TD, frame, in->d);                                              \
        BL_FOR_LANES(mask, const TA a = pa[l]; const TB b = pb[l]; const TC c = pc[l];   \
                     pd[l] = (TD)(EXPR));                                                \
    }

#endif
