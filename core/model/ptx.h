/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx.h - a PTX module as read: names resolved, opcodes not yet understood.
 *
 * The reader knows PTX's syntax (PTX ISA, chapters 4 to 7) and leaves the meaning of
 * an instruction to decode.h: an instruction here is its opcode, its dotted modifiers
 * in order, and its operands. Everything is owned by the module.
 */
#ifndef BL_PTX_H
#define BL_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum bl_ptx_type {
    BL_T_NONE,
    BL_T_PRED,
    BL_T_B8,
    BL_T_B16,
    BL_T_B32,
    BL_T_B64,
    BL_T_B128,
    BL_T_U8,
    BL_T_U16,
    BL_T_U32,
    BL_T_U64,
    BL_T_S8,
    BL_T_S16,
    BL_T_S32,
    BL_T_S64,
    BL_T_F16,
    BL_T_F16X2,
    BL_T_BF16,
    BL_T_BF16X2,
    BL_T_F32,
    BL_T_F64
};
/* Bytes of a value: 1, 2, 4, 8, 16; 0 for NONE and PRED. */
uint32_t bl_ptx_type_bytes(enum bl_ptx_type type);
/* "f32" -> BL_T_F32; BL_T_NONE if it is no type. And back ("f32"). */
enum bl_ptx_type bl_ptx_type_find(const char *name);
const char *bl_ptx_type_name(enum bl_ptx_type type);

enum bl_ptx_space {
    BL_SPACE_GENERIC,
    BL_SPACE_GLOBAL,
    BL_SPACE_SHARED,
    BL_SPACE_LOCAL,
    BL_SPACE_CONST,
    BL_SPACE_PARAM
};

/* Special registers. Those with a value fixed for a warp in a block are filled into
 * the frame; the rest (CLOCK and after) are read when executed. */
enum bl_ptx_sreg {
    BL_SR_TID_X,
    BL_SR_TID_Y,
    BL_SR_TID_Z,
    BL_SR_NTID_X,
    BL_SR_NTID_Y,
    BL_SR_NTID_Z,
    BL_SR_CTAID_X,
    BL_SR_CTAID_Y,
    BL_SR_CTAID_Z,
    BL_SR_NCTAID_X,
    BL_SR_NCTAID_Y,
    BL_SR_NCTAID_Z,
    BL_SR_LANEID,
    BL_SR_WARPID,
    BL_SR_NWARPID,
    BL_SR_LANEMASK_EQ,
    BL_SR_LANEMASK_LE,
    BL_SR_LANEMASK_LT,
    BL_SR_LANEMASK_GE,
    BL_SR_LANEMASK_GT,
    BL_SR_SMID,
    BL_SR_NSMID,
    BL_SR_GRIDID,
    BL_SR_DYNAMIC_SMEM_SIZE,
    BL_SR_TOTAL_SMEM_SIZE,
    BL_SR_WARP_SIZE, /* the constant WARP_SZ */
    BL_SR_FIXED_COUNT,
    BL_SR_CLOCK = BL_SR_FIXED_COUNT,
    BL_SR_CLOCK64,
    BL_SR_CLOCK_HI,
    BL_SR_GLOBALTIMER,
    BL_SR_GLOBALTIMER_LO,
    BL_SR_GLOBALTIMER_HI,
    BL_SR_COUNT
};

/* A variable: module scope, or of a function (.local, .shared, .param). */
struct bl_ptx_var {
    char *name;
    enum bl_ptx_space space;
    enum bl_ptx_type type;       /* of an element */
    uint32_t align;              /* bytes */
    uint64_t size;               /* bytes; 0 for an extern array without bound */
    bool is_extern;              /* .extern: dynamic shared memory where shared */
    uint8_t *init;               /* `size` bytes, or NULL */
    struct bl_ptx_reloc *relocs; /* addresses in `init` */
    size_t reloc_count;
    int line;
    /* Filled by the program (program.h): where it lies in its space. */
    uint64_t address;
};

/* At init[offset] (8 bytes) goes the address of a symbol plus addend; `generic` if
 * written as generic(name). */
struct bl_ptx_reloc {
    uint64_t offset;
    struct bl_ptx_var *var; /* one of the two is set */
    struct bl_ptx_func *func;
    int64_t addend;
    bool generic;
};

enum bl_ptx_operand_kind {
    BL_OPND_REG,   /* .reg */
    BL_OPND_INT,   /* .i: 64-bit two's complement */
    BL_OPND_FLOAT, /* .f as written in full precision; single: it was 0f…; .i: its bits
                      as written (the low 32 if single), so that NaNs stay exact */
    BL_OPND_SREG,  /* .sreg */
    BL_OPND_VAR,   /* the address of .var, plus .i */
    BL_OPND_FUNC,  /* .func: a call's target or a function's address */
    BL_OPND_MEM,   /* [base + .i]; base_kind says which of .reg, .var, none. What else
                      stands in the brackets ([a, {x, y}]) follows as operands of the
                      instruction, after this one */
    BL_OPND_VEC,   /* {a, b, …}: .list, .count */
    BL_OPND_PAIR,  /* p|q: .list of 2 */
    BL_OPND_LABEL, /* .target: index of an instruction in the function */
    BL_OPND_TABLE, /* .list of LABEL: brx.idx's targets (.branchtargets); or of FUNC: an
                      indirect call's (.calltargets) */
    BL_OPND_ARGS, /* (a, b, …) of a call: .list, .count of VAR, REG, INT, FLOAT or SINK */
    BL_OPND_PROTO, /* .callprototype of an indirect call: .func has no name and is not in
                      the module's list; its params and returns are the shape */
    BL_OPND_SINK   /* _ */
};

struct bl_ptx_operand {
    enum bl_ptx_operand_kind kind;
    bool negated; /* !%p */
    bool single;
    enum bl_ptx_operand_kind base_kind; /* MEM: REG, VAR or INT (absolute) */
    uint32_t reg;                       /* index into the function's regs */
    int64_t i;
    double f;
    enum bl_ptx_sreg sreg;
    struct bl_ptx_var *var;
    struct bl_ptx_func *func;
    uint32_t target;
    struct bl_ptx_operand *list;
    uint32_t count;
};

/* A place in a source file, of a .loc. */
struct bl_ptx_place {
    int file, line, column; /* file: an index into files, which may have no name there */
    /* Where the function that the place is in was inlined: a place in the function that
     * calls it, which may be inlined itself. NULL: it was not, or it is not told. */
    const struct bl_ptx_place *called_at;
    uint32_t depth; /* of called_at; at most BL_PTX_INLINED */
};
enum { BL_PTX_INLINED = 64 };

/* A call always has the operands ARGS (what it returns; may be empty), FUNC or REG (the
 * target), ARGS (what it is given; may be empty), and, if it is indirect, PROTO or TABLE.
 */
struct bl_ptx_insn {
    const char *op;    /* "ld" */
    const char **mods; /* "global", "nc", "v4", "f32": without dots, in order */
    uint32_t mod_count;
    struct bl_ptx_operand *operands;
    uint32_t operand_count;
    int32_t pred;           /* guard: register index, or -1 */
    bool pred_negated;      /* @!p */
    int line;               /* of the PTX text, from 1 */
    int loc_file, loc_line; /* by the function's last .loc before it: index into files
                               (-1: none), line */
    const struct bl_ptx_place *called_at; /* of that .loc */
};

struct bl_ptx_reg {
    char *name;
    enum bl_ptx_type type; /* PRED or B8…F64 as declared */
};

struct bl_ptx_func {
    char *name;
    bool is_entry, is_extern;   /* extern: declared, no body */
    struct bl_ptx_var **params; /* in order; space PARAM */
    size_t param_count;
    struct bl_ptx_var **returns;
    size_t return_count;
    struct bl_ptx_var **locals; /* .local, .shared, .param inside the body */
    size_t local_count;
    struct bl_ptx_reg *regs; /* those that are used, by first use */
    size_t reg_count;
    /* Control can't run past the end: where the text lets it, a `ret` is added. So every
     * LABEL's target is below insn_count. */
    struct bl_ptx_insn *insns;
    size_t insn_count;
    uint32_t reqntid[3], maxntid[3]; /* 0: not given */
    int line;
    int order; /* index in the module's funcs */
};

struct bl_ptx_module {
    char *name; /* for messages: "plugins/copy.so:copy.ptx" */
    int version_major, version_minor;
    int target;       /* 75 for sm_75 */
    int address_size; /* 64; anything else is refused */
    char **files;     /* .file N "path": files[N], NULL where unused */
    size_t file_count;
    struct bl_ptx_var **vars; /* module scope */
    size_t var_count;
    struct bl_ptx_func **funcs;
    size_t func_count;
    void *arena;
};

/* Reads `length` bytes of PTX (need not end in NUL). Malformed: BL_E_INPUT with
 * "name:line: ". Never crashes on any bytes. */
enum bl_status bl_ptx_read(const char *name, const char *text, size_t length,
                           struct bl_ptx_module **out, struct bl_error *err);
void bl_ptx_free(struct bl_ptx_module *module);

struct bl_ptx_func *bl_ptx_func_find(const struct bl_ptx_module *module,
                                     const char *name);

#endif
