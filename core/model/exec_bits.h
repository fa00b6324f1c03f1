/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_bits.h - decoders of bit instructions, spread over exec_bits*.c.
 */
#ifndef BL_EXEC_BITS_H
#define BL_EXEC_BITS_H

#include "model/decode.h"

/* exec_bits_field.c */
bl_decode_fn bl_bits_popc, bl_bits_clz, bl_bits_bfind, bl_bits_fns, bl_bits_brev,
    bl_bits_bfe, bl_bits_bfi, bl_bits_bmsk, bl_bits_szext, bl_bits_prmt;

#endif
