/* SPDX-License-Identifier: Apache-2.0
 *
 * decoder.h - the state behind decode.h, for those that fill side tables: memory,
 * calls, branches.
 */
#ifndef BL_DECODER_H
#define BL_DECODER_H

#include "model/decode.h"
#include "model/program.h"

struct bl_constant {
    uint64_t lo, hi;
    uint32_t bytes; /* 0: a predicate */
    uint32_t slot;
};

/* Which instruction reads or writes which register, for the analysis of what must be
 * cleared. */
struct bl_touch {
    uint32_t insn, reg;
    bool writes;
};

struct bl_decoder {
    struct bl_image *image;
    const struct bl_ptx_func *func;
    struct bl_code *code;
    uint32_t at;         /* index of the instruction being decoded */
    uint32_t *reg_slots; /* by register */
    uint32_t scratch;    /* slot of the sink */
    size_t fixed_cap;    /* of code->fixed */
    struct bl_constant *constants;
    size_t constant_count, constant_cap;
    struct bl_touch *touches;
    size_t touch_count, touch_cap;
};

/* Bytes of a slot that holds 32 values of `bytes` each (0: a predicate). */
uint32_t bl_slot_bytes(uint32_t bytes);
/* The slot of a constant (bytes 0: predicate; 1 and 2 share a form). */
enum bl_status bl_dec_constant(struct bl_decoder *dec, uint32_t bytes, uint64_t lo,
                               uint64_t hi, uint32_t *slot_out, struct bl_error *err);
/* The slot of a fixed special register read as `bytes` wide. */
enum bl_status bl_dec_sreg(struct bl_decoder *dec, enum bl_ptx_sreg sreg, uint32_t bytes,
                           uint32_t *slot_out, struct bl_error *err);
/* The slot that holds the address of `var` + offset, in its own space. */
enum bl_status bl_dec_var_address(struct bl_decoder *dec, const struct bl_ptx_var *var,
                                  int64_t offset, uint32_t bytes, uint32_t *slot_out,
                                  struct bl_error *err);
/* Fills address, disp and in_locals of `op` from operand n, a MEM. */
enum bl_status bl_dec_memory(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             uint32_t n, struct bl_mem_op *op, struct bl_error *err);
/* Adds a site for `src` to the image, `op` to the code; *index_out is for `extra`. */
enum bl_status bl_dec_add_mem(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              enum bl_site_kind kind, struct bl_mem_op *op,
                              uint32_t *index_out, struct bl_error *err);
/* The space that the modifiers name (GENERIC if none does). */
enum bl_ptx_space bl_dec_space(const struct bl_ptx_insn *src);

/* clears.c: fills code->clears from the touches. */
enum bl_status bl_dec_clears(struct bl_decoder *dec, struct bl_error *err);

#endif
