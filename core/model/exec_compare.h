/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_compare.h - decoders that exec_compare.c lists and other files hold.
 */
#ifndef BL_EXEC_COMPARE_H
#define BL_EXEC_COMPARE_H

#include "model/decode.h"

/* exec_select.c */
bl_decode_fn bl_compare_selp, bl_compare_slct;

#endif
