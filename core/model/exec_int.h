/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_int.h - decoders of integer arithmetic, spread over exec_int*.c.
 */
#ifndef BL_EXEC_INT_H
#define BL_EXEC_INT_H

#include "model/decode.h"

/* exec_int_carry.c: add.cc and its kind. `mad` goes there too if it has .cc. */
bl_decode_fn bl_int_carry;
/* exec_int_mul.c */
bl_decode_fn bl_int_mul, bl_int_mad, bl_int_mul24, bl_int_mad24, bl_int_dp4a, bl_int_dp2a;
/* exec_int_div.c */
bl_decode_fn bl_int_div, bl_int_rem;

#endif
