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
 * A loop without a way out is treated as if its blocks could also leave. */
enum bl_status bl_cfg_reconverge(const struct bl_ptx_func *func, uint32_t **out,
                                 struct bl_error *err);

#endif
