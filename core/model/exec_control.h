/* SPDX-License-Identifier: Apache-2.0
 *
 * exec_control.h - decoders that stand in files of their own.
 */
#ifndef BL_EXEC_CONTROL_H
#define BL_EXEC_CONTROL_H

#include "model/decode.h"

bl_decode_fn bl_decode_call; /* exec_call.c */
bl_decode_fn bl_decode_bar;  /* exec_barrier.c */

#endif
