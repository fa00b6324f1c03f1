/* SPDX-License-Identifier: Apache-2.0
 *
 * decode.h - from a PTX instruction to a decoded one: the table of opcodes and the
 * helpers with which each opcode family decodes its own.
 *
 * An opcode's decoder fills `out` (already cleared: slots BL_NO_SLOT, src, pred set).
 * Anything that it does not know it refuses through bl_dec_unknown: an instruction,
 * modifier or type is either carried out rightly or a clear error with its line,
 * never a silent no-op.
 */
#ifndef BL_DECODE_H
#define BL_DECODE_H

#include "base/error.h"
#include "model/insn.h"
#include "model/ptx.h"

struct bl_decoder; /* the function being decoded: slots, constants, side tables */

typedef enum bl_status bl_decode_fn(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                    struct bl_insn *out, struct bl_error *err);

struct bl_op_entry {
    const char *op; /* "add" */
    bl_decode_fn *decode;
};

/* Each exec_*.c exports one table, ended by {NULL, NULL}; decode.c lists them. */
extern const struct bl_op_entry bl_ops_int[]; /* exec_int.c: add … mad, div, rem */
extern const struct bl_op_entry
    bl_ops_bits[]; /* exec_bits.c: and, shl, bfe, prmt, lop3 */
extern const struct bl_op_entry bl_ops_float[]; /* exec_float.c: f32, f64 */
extern const struct bl_op_entry bl_ops_half[];  /* exec_half.c: f16, bf16, x2 */
extern const struct bl_op_entry
    bl_ops_compare[]; /* exec_compare.c: set, setp, selp, slct */
extern const struct bl_op_entry bl_ops_convert[]; /* exec_convert.c: cvt */
extern const struct bl_op_entry bl_ops_warp[]; /* exec_warp.c: shfl, vote, match, redux */
extern const struct bl_op_entry bl_ops_move[]; /* exec_move.c: mov, cvta, isspacep */
extern const struct bl_op_entry bl_ops_memory[];   /* exec_memory.c: ld, st, prefetch */
extern const struct bl_op_entry bl_ops_atomic[];   /* exec_atomic.c: atom, red */
extern const struct bl_op_entry bl_ops_matrix[];   /* exec_matrix.c: ldmatrix, stmatrix */
extern const struct bl_op_entry bl_ops_async[];    /* exec_async.c: cp.async */
extern const struct bl_op_entry bl_ops_mbarrier[]; /* exec_mbarrier.c: mbarrier */
extern const struct bl_op_entry bl_ops_control[]; /* exec_control.c: bra, call, bar, … */

/* "add", "mul" and others mean integer, float or half by their type: such an opcode
 * stands in several tables. A decoder that finds the type is not its own returns
 * BL_DEC_NOT_MINE, and the next table is asked. */
#define BL_DEC_NOT_MINE ((enum bl_status)1)

/* ---- helpers --------------------------------------------------------------- */

/* True if the modifier `name` is there. */
bool bl_dec_has(const struct bl_ptx_insn *src, const char *name);
/* The n-th modifier from the end that is a type (0: the last). BL_T_NONE if none. */
enum bl_ptx_type bl_dec_type(const struct bl_ptx_insn *src, int from_end);
/* Refuses any modifier that is no type and not in `known` (NULL-terminated). */
enum bl_status bl_dec_known(const struct bl_ptx_insn *src, const char *const *known,
                            struct bl_decoder *dec, struct bl_error *err);
/* The error for what is not understood: names op, modifiers and line. */
enum bl_status bl_dec_unknown(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              const char *what, struct bl_error *err);
/* Refuses a wrong number of operands. */
enum bl_status bl_dec_count(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            uint32_t least, uint32_t most, struct bl_error *err);

/* The slot of operand n, to be read as `type`: a register, or an immediate, symbol
 * address or fixed special register put into a constant slot of that width. A register
 * whose width is not the type's is refused, except that `wider_ok` allows a wider one
 * (ld, st, cvt). PRED: immediates 0/1 and !%p give a slot only through bl_dec_pred. */
enum bl_status bl_dec_source(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             uint32_t n, enum bl_ptx_type type, bool wider_ok,
                             uint32_t *slot_out, struct bl_error *err);
/* The slot of destination operand n; the sink `_` gives a scratch slot. */
enum bl_status bl_dec_dest(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           uint32_t n, enum bl_ptx_type type, bool wider_ok,
                           uint32_t *slot_out, struct bl_error *err);
/* The same for any operand, e.g. one inside a VEC or PAIR. */
enum bl_status bl_dec_source_of(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                                const struct bl_ptx_operand *opnd, enum bl_ptx_type type,
                                bool wider_ok, uint32_t *slot_out, struct bl_error *err);
enum bl_status bl_dec_dest_of(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                              const struct bl_ptx_operand *opnd, enum bl_ptx_type type,
                              bool wider_ok, uint32_t *slot_out, struct bl_error *err);
/* A predicate source, possibly negated: *negated_out says so. */
enum bl_status bl_dec_pred(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           uint32_t n, uint32_t *slot_out, bool *negated_out,
                           struct bl_error *err);
/* The declared width in bytes of a register operand (0: not a register). */
uint32_t bl_dec_reg_bytes(const struct bl_decoder *dec, const struct bl_ptx_operand *o);
/* The constant value of an integer operand; false if it is none. */
bool bl_dec_const(const struct bl_ptx_insn *src, uint32_t n, int64_t *out);

#endif
