/* SPDX-License-Identifier: Apache-2.0
 *
 * insn.h - a decoded instruction and the frame of registers that it works on.
 *
 * A frame is one warp's registers of one function: a byte array in which every
 * register, every immediate that the function uses and every fixed special register
 * has a slot, 64-byte aligned. A slot holds 32 lanes:
 *
 *     predicate      one uint32_t, bit l for lane l
 *     b8, b16, f16   uint16_t[32] (b8 values are kept zero-extended)
 *     b32            uint32_t[32]
 *     b64            uint64_t[32]
 *     b128           two uint64_t[2][32] halves: lane l is lo[l], then hi[l]
 *
 * So an arithmetic instruction never asks what its operand is: it gets byte offsets.
 */
#ifndef BL_INSN_H
#define BL_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/ptx.h"

enum {
    BL_LANES = 32,
    /* The first slot of every frame is the carry flag of add.cc and its kind, as a
     * predicate. */
    BL_FRAME_CC = 0,
    BL_FRAME_FIRST = 64
};
#define BL_ALL_LANES UINT32_MAX

struct bl_insn;
struct bl_warp;

/* Arithmetic: reads and writes slots of `frame`, for the lanes in `mask` (never 0).
 * Lanes outside the mask keep their old value. */
typedef void bl_alu_fn(uint8_t *frame, const struct bl_insn *in, uint32_t mask);

/* What a machine instruction says about how to go on. */
enum bl_flow {
    BL_FLOW_NEXT,   /* to the next instruction */
    BL_FLOW_JUMPED, /* the warp's pc (and mask) have been set */
    BL_FLOW_WAIT,   /* at a barrier: the pc stays, the warp stops until released */
    BL_FLOW_DONE,   /* no lane is left */
    BL_FLOW_FAULT   /* the warp's fault has been set */
};
/* Memory, control, barriers: needs the machine. */
typedef enum bl_flow bl_step_fn(struct bl_warp *warp, const struct bl_insn *in,
                                uint32_t mask);

struct bl_insn {
    bl_alu_fn *alu; /* exactly one of alu and step is set */
    bl_step_fn *step;
    uint32_t pred; /* slot of the guard; BL_NO_SLOT: none */
    bool pred_negated;
    /* alu must get the lanes that run and no others (shfl, vote, …). Where not set, it
     * may also be run for lanes that have exited, whose registers nobody reads: so a
     * warp that is not full still takes the fast path. Set by the decoder. */
    bool exact_mask;
    /* Slots. Destinations d, d2; sources a, b, c, e. BL_NO_SLOT: absent. */
    uint32_t d, d2, a, b, c, e;
    uint32_t flag;  /* free for the handler: rounding, comparison, lop3 table, … */
    int64_t imm;    /* free for the handler: an address offset, … */
    uint32_t extra; /* free for the handler: index into a side table of the program */
    uint8_t type, type2; /* enum bl_ptx_type, where the handler wants it at run time */
    uint8_t space;
    uint8_t vec;                   /* elements of a vector access: 1, 2, 4, 8 */
    const struct bl_ptx_insn *src; /* for messages */
};
#define BL_NO_SLOT UINT32_MAX

/* Typed view of a slot. */
#define BL_SLOT(T, frame, at) ((T *)(void *)((frame) + (at)))

/* Runs `body` for each lane `l` in mask; the full mask takes a loop without a test,
 * which the compiler turns into vector instructions. */
#define BL_FOR_LANES(mask, body)                                                         \
    do {                                                                                 \
        if ((mask) == BL_ALL_LANES) {                                                    \
            for (int l = 0; l < BL_LANES; l++) {                                         \
                body;                                                                    \
            }                                                                            \
        } else {                                                                         \
            for (uint32_t m_ = (mask); m_; m_ &= m_ - 1) {                               \
                int l = __builtin_ctz(m_);                                               \
                body;                                                                    \
            }                                                                            \
        }                                                                                \
    } while (0)

#endif
