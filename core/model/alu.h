/* SPDX-License-Identifier: Apache-2.0
 *
 * alu.h - what the decoders of arithmetic share.
 */
#ifndef BL_ALU_H
#define BL_ALU_H

#include "model/decode.h"

/* A handler in its two builds (lanes.h), or one that has one build only. */
#define BL_BUILDS(f) f, f##_wide
#define BL_SINGLE(f) f, f

/* The handler for an instruction type; a table ends with BL_T_NONE. */
struct bl_alu_by_type {
    enum bl_ptx_type type;
    bl_alu_fn *narrow, *wide;
};

/* Whether this CPU can run the wide builds. */
bool bl_alu_has_wide(void);
/* The build that this CPU can run, the wide one if it can. */
bl_alu_fn *bl_alu_pick(bl_alu_fn *narrow, bl_alu_fn *wide);
/* The handler for `type`, or NULL. */
bl_alu_fn *bl_alu_find(const struct bl_alu_by_type *table, enum bl_ptx_type type);

/* Types of the operands "d, a, b, c" that an instruction has; NONE: there is no such
 * operand. Fills the slots of out, refuses another number of operands. */
struct bl_alu_shape {
    enum bl_ptx_type d, a, b, c;
};
enum bl_status bl_alu_operands(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_insn *out, struct bl_alu_shape shape,
                               struct bl_error *err);

/* The usual instruction: one type, which chooses the handler; modifiers out of `known`;
 * operands of the types in `shape`, where BL_ALU_OWN means the instruction's type. */
#define BL_ALU_OWN ((enum bl_ptx_type)255)
enum bl_status bl_alu_plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, const char *const *known,
                            const struct bl_alu_by_type *table, struct bl_alu_shape shape,
                            struct bl_error *err);
extern const struct bl_alu_shape bl_alu_own2, bl_alu_own3, bl_alu_own4;

/* The one type of the instruction; an error if it has none, or more than one. */
enum bl_status bl_alu_type(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           enum bl_ptx_type *out, struct bl_error *err);
/* How many modifiers are types. */
int bl_alu_type_count(const struct bl_ptx_insn *src);
/* Of `names` (NULL-terminated) exactly one must be there, or at most one unless
 * `needed`; its index, or -1. */
enum bl_status bl_alu_choice(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             const char *const *names, bool needed, int *out,
                             struct bl_error *err);
enum bl_status bl_alu_bad_type(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_error *err);

bool bl_type_is_half(enum bl_ptx_type type);   /* f16, f16x2, bf16, bf16x2 */
bool bl_type_is_float(enum bl_ptx_type type);  /* f32, f64 */
bool bl_type_is_signed(enum bl_ptx_type type); /* s8 to s64 */
bool bl_type_is_int(enum bl_ptx_type type);    /* u8 to u64, s8 to s64 */
/* The b-type of that many bytes. */
enum bl_ptx_type bl_type_bits(uint32_t bytes);

#endif
