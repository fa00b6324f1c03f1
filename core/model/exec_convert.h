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

/* Lane l of an integer slot with registers of `bytes`, as `type` and extended; and
 * back: the low bits of `value` as `type`, extended to the register. */
int64_t bl_convert_read(const uint8_t *frame, uint32_t slot, uint32_t bytes,
                        enum bl_ptx_type type, int lane);
void bl_convert_write(uint8_t *frame, uint32_t slot, uint32_t bytes,
                      enum bl_ptx_type type, int lane, int64_t value);
/* The range of an integer type. */
void bl_convert_range(enum bl_ptx_type type, __int128 *least, __int128 *most);

#endif
