/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_convert.h - cvt, spread over exec_convert*.c.
 *
 * A decoded cvt has the types in type2 (destination) and type (source), the bytes of the
 * integer registers in BL_CVT_TO and BL_CVT_FROM: cvt's registers may be wider than its
 * types. A source is cut to its type, a result is extended by its type's sign.
 */
#ifndef BL_EXEC_CONVERT_H
#define BL_EXEC_CONVERT_H

#include "model/alu_lanes.h"
#include "model/exec_float.h"

enum { BL_CVT_SATFINITE = 1 << 8, BL_CVT_WHOLE = 1 << 9 /* rni and its kind */ };
#define BL_CVT_FROM(in) ((in)->extra & 0xff)
#define BL_CVT_TO(in)   ((in)->extra >> 8)

/* exec_convert_int.c: the handler for integer to integer. */
bl_alu_fn *bl_convert_int(const struct bl_insn *in);
/* exec_convert_float.c: where one of the types is a floating-point one. */
bl_alu_fn *bl_convert_float(const struct bl_insn *in);
/* f16x2, bf16x2 of two f32, and tf32 of an f32. */
bl_alu_fn bl_convert_pair, bl_convert_tf32;
/* cvt.pack */
bl_decode_fn bl_convert_pack;

/* An integer operand: its slot, the bytes of its registers, its type. */
struct bl_convert_side {
    uint32_t slot, bytes;
    int bits;
    bool is_signed;
    int64_t least; /* of the type */
    uint64_t most;
};
struct bl_convert_side bl_convert_from(const struct bl_insn *in);
struct bl_convert_side bl_convert_to(const struct bl_insn *in);

/* A lane's value, cut to the type and extended. */
static inline int64_t bl_convert_read(const uint8_t *frame,
                                      const struct bl_convert_side *side, int lane)
{
    uint64_t bits = side->bytes == 8   ? BL_VIEW(const bl_u64, frame, side->slot)[lane]
                    : side->bytes == 4 ? BL_VIEW(const bl_u32, frame, side->slot)[lane]
                                       : BL_VIEW(const bl_u16, frame, side->slot)[lane];
    int unused = 64 - side->bits;
    bits <<= unused;
    return side->is_signed ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

/* The low bits of `value` as the type's, extended to the register. */
static inline void bl_convert_write(uint8_t *frame, const struct bl_convert_side *side,
                                    int lane, int64_t value)
{
    int unused = 64 - side->bits;
    uint64_t bits = (uint64_t)value << unused;
    bits = side->is_signed ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
    if (side->bytes == 8) {
        BL_VIEW(bl_u64, frame, side->slot)[lane] = bits;
    } else if (side->bytes == 4) {
        BL_VIEW(bl_u32, frame, side->slot)[lane] = (uint32_t)bits;
    } else {
        BL_VIEW(bl_u16, frame, side->slot)[lane] = (uint16_t)bits;
    }
}

#endif
