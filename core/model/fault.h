/* SPDX-License-Identifier: Apache-2.0
 *
 * fault.h - how a kernel's fault is worded: PTX file and line, what, which instruction,
 * lane, thread and block, CUDA source line, what would be right.
 */
#ifndef BL_FAULT_H
#define BL_FAULT_H

#include "model/insn.h"

struct bl_error;
struct bl_ptx_module;

/* Words the fault of `lane` (or -1: of the warp) at `in` into the block's error and
 * returns BL_FLOW_FAULT, to be returned. `format` says what, and after a ": " or "; "
 * what would be right. */
__attribute__((format(printf, 4, 5))) enum bl_flow bl_fault(struct bl_warp *warp,
                                                            const struct bl_insn *in,
                                                            int lane, const char *format,
                                                            ...);

/* As bl_fault, with another status than BL_E_FAULT: bad PTX, memory that ran out. */
enum bl_flow bl_fault_error(struct bl_warp *warp, const struct bl_error *error);

enum bl_flow bl_fault_nomem(struct bl_warp *warp);

/* "ld.shared.v4.f32". */
void bl_insn_name(const struct bl_ptx_insn *insn, char *text, size_t size);
/* "t.cu:12" of an instruction, or "" if its source line is not known. */
void bl_insn_source(const struct bl_ptx_module *module, const struct bl_ptx_insn *insn,
                    char *text, size_t size);

#endif
