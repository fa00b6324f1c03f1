/* SPDX-License-Identifier: Apache-2.0
 *
 * cfg.h - where diverged lanes meet again: immediate post-dominators.
 */
#ifndef BL_CFG_H
#define BL_CFG_H

#include "model/ptx.h"

#define BL_CFG_EXIT UINT32_MAX

/* For each instruction of `func` that is a bra or brx, the index of the instruction
 * where its lanes reconverge (the first one of the block that immediately
 * post-dominates it), or BL_CFG_EXIT if only the function's end does. Other entries
 * are BL_CFG_EXIT. *out is fresh, func->insn_count long; caller frees.
 *
 * Lanes that leave need not be waited for: of a branch with one side that goes straight
 * to a ret, exit or trap, the other side counts alone, and lanes meet where it begins.
 * So lanes on the leaving side end without passing the place where the others meet. A
 * loop's way out counts always. A loop without one is treated as if it could be left
 * where it jumps back. */
enum bl_status bl_cfg_reconverge(const struct bl_ptx_func *func, uint32_t **out,
                                 struct bl_error *err);

#endif
