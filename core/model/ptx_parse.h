/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx_parse.h - the reader's parts, among themselves. The rest of the program uses ptx.h.
 *
 * The parser reads tokens once, from first to last. Names are declared before they are
 * used, as PTX wants it, except labels: those are filled in when their scope ends.
 * Nothing recurses but constant expressions, and those to a fixed depth.
 */
#ifndef BL_PTX_PARSE_H
#define BL_PTX_PARSE_H

#include "model/ptx.h"
#include "model/ptx_lex.h"

enum bl_ptx_sym_kind {
    BL_SYM_REG,
    BL_SYM_FAMILY, /* NAME<count> registers */
    BL_SYM_VECTOR, /* .v4 register: its elements are NAME.x and so on */
    BL_SYM_VAR,
    BL_SYM_FUNC,
    BL_SYM_LABEL,
    BL_SYM_TABLE, /* .branchtargets, .calltargets */
    BL_SYM_PROTO  /* .callprototype */
};

struct bl_ptx_sym {
    enum bl_ptx_sym_kind kind;
    uint32_t depth;
    int line;
    struct bl_ptx_name *name;
    struct bl_ptx_sym *outer; /* what the name means when this scope has ended */
    struct bl_ptx_sym *next;  /* in the scope */
    enum bl_ptx_type type;    /* REG, FAMILY, VECTOR */
    uint32_t count;           /* FAMILY, VECTOR */
    uint32_t reg[8]; /* REG: [0]; VECTOR: its elements. UINT32_MAX: not used yet */
    uint32_t target; /* LABEL */
    struct bl_ptx_var *var;
    struct bl_ptx_func *func; /* FUNC, PROTO */
    struct bl_ptx_operand *table;
};

/* A place where a label was used, until its scope ends. */
struct bl_ptx_pending {
    struct bl_ptx_pending *next;
    struct bl_ptx_name *name;
    struct bl_ptx_operand *operand;
    int line;
    bool table_too; /* brx.idx: the name of a table will do */
};

struct bl_ptx_scope {
    struct bl_ptx_sym *syms;
    struct bl_ptx_pending *pending;
    int line;
};

enum { BL_PTX_DEPTH = 64 }; /* of scopes, and of constant expressions */

struct bl_ptx_alias {
    struct bl_ptx_func *alias, *of;
    int line;
};

struct bl_ptx_parser {
    struct bl_ptx_module *module;
    struct bl_arena *keep;    /* the module's */
    struct bl_arena *scratch; /* freed when reading ends */
    struct bl_ptx_names names;
    struct bl_ptx_lexer lex;
    struct bl_ptx_token tok; /* the next token, not yet taken */
    struct bl_error *err;
    struct bl_ptx_scope scopes[BL_PTX_DEPTH];
    uint32_t depth; /* 0: module, 1: parameters, 2: body, … */
    uint64_t init_bytes;
    struct bl_arena_list files, vars, funcs, aliases;
    /* Of the function being read. */
    struct bl_ptx_func *func;
    struct bl_arena_list params, returns, locals, regs, insns;
    struct bl_arena_list operands, inner, mods; /* of the instruction being read */
    uint32_t last_target;                       /* the largest target of a branch */
    int loc_file, loc_line;
    const struct bl_ptx_place *called_at;
    struct bl_arena_list inlined; /* places so far that are in inlined functions */
};

/* Leaves the function with the status of `expr` unless it is BL_OK. The parser owns
 * everything through its arenas, so there is never anything to clean up on the way. */
#define BL_TRY(expr)                                                                     \
    do {                                                                                 \
        enum bl_status try_ = (expr);                                                    \
        if (try_ != BL_OK) {                                                             \
            return try_;                                                                 \
        }                                                                                \
    } while (0)

/* ---- ptx_parse.c: tokens ------------------------------------------------- */

__attribute__((format(printf, 3, 4))) enum bl_status
bl_ptx_fail(struct bl_ptx_parser *p, int line, const char *format, ...);
/* "X found where Y should be", of the next token. */
enum bl_status bl_ptx_unexpected(struct bl_ptx_parser *p, const char *wanted);

enum bl_status bl_ptx_advance(struct bl_ptx_parser *p);
/* Takes the next token, which must be this punctuation. */
enum bl_status bl_ptx_expect(struct bl_ptx_parser *p, int kind);
/* Takes the next token if it is this punctuation; *taken says so. */
enum bl_status bl_ptx_accept(struct bl_ptx_parser *p, int kind, bool *taken);
/* Takes the next token, which must be a name; `what` is for the message. */
enum bl_status bl_ptx_expect_name(struct bl_ptx_parser *p, const char *what,
                                  struct bl_ptx_name **out);
/* A whole number token between 0 and `most`. */
enum bl_status bl_ptx_expect_number(struct bl_ptx_parser *p, const char *what,
                                    uint64_t most, uint64_t *out);
/* Skips from the opening brace or parenthesis, which comes next, to its partner. */
enum bl_status bl_ptx_skip_balanced(struct bl_ptx_parser *p, int open, int close);
/* ---- ptx_module.c: directives -------------------------------------------- */

/* One directive of the module, with all that belongs to it. */
enum bl_status bl_ptx_parse_directive(struct bl_ptx_parser *p);
/* .pragma, .file, .section, which may stand in a module or in a body; the directive's
 * word has been taken. */
enum bl_status bl_ptx_parse_common(struct bl_ptx_parser *p, enum bl_ptx_word word);

/* ---- ptx_scope.c: names and what they mean ------------------------------- */

enum bl_status bl_ptx_scope_open(struct bl_ptx_parser *p);
/* Ends the innermost scope: labels that it has are filled in; what is left waits for
 * the scope around it, or is an error where the function ends. */
enum bl_status bl_ptx_scope_close(struct bl_ptx_parser *p);
/* A new meaning for the name in the innermost scope; refuses a second one. */
enum bl_status bl_ptx_declare(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                              enum bl_ptx_sym_kind kind, int line,
                              struct bl_ptx_sym **out);
/* *out is NULL if the name means nothing here. */
enum bl_status bl_ptx_lookup(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                             struct bl_ptx_sym **out);
/* The index of element `at` of a register symbol, which gets one at its first use. */
enum bl_status bl_ptx_reg_index(struct bl_ptx_parser *p, struct bl_ptx_sym *sym,
                                uint32_t at, uint32_t *out);
/* Notes that `operand` is the label `name`. */
enum bl_status bl_ptx_label_use(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                                int line, bool table_too, struct bl_ptx_operand *operand);

/* ---- ptx_expr.c: constant expressions ------------------------------------ */

struct bl_ptx_value {
    bool is_float, single, is_unsigned;
    uint64_t i; /* floats: the bits */
    double f;
};
/* A constant expression; `terms_only`: none of the operators that bind less tightly
 * than * and /, for what stands after a + or - of an address. */
enum bl_status bl_ptx_parse_value(struct bl_ptx_parser *p, bool terms_only,
                                  struct bl_ptx_value *out);
/* Zero or more "+ term" and "- term". */
enum bl_status bl_ptx_parse_offset(struct bl_ptx_parser *p, int64_t *out);

/* ---- ptx_decl.c, ptx_init.c: declarations -------------------------------- */

/* .global, .const, .shared, .local, .param, .reg: the word has been taken; ends with
 * the semicolon. */
enum bl_status bl_ptx_parse_declaration(struct bl_ptx_parser *p, enum bl_ptx_word word,
                                        bool is_extern);
/* A parenthesised list of parameters, or of what is returned; pushed to `list`. Names
 * are declared unless `nameless`. */
enum bl_status bl_ptx_parse_params(struct bl_ptx_parser *p, bool nameless,
                                   struct bl_arena_list *list);
enum bl_status bl_ptx_parse_attribute(struct bl_ptx_parser *p);

/* An array's shape: elements of `type`; a vector counts as the last dimension. Only
 * dims[0] may be UINT64_MAX: as many as the initialiser has. */
struct bl_ptx_shape {
    uint64_t dims[8];
    uint32_t rank;
};
/* What stands after the = of a variable. Sets init, relocs and, if the shape leaves it
 * open, size. */
enum bl_status bl_ptx_parse_init(struct bl_ptx_parser *p, struct bl_ptx_var *var,
                                 const struct bl_ptx_shape *shape);

/* ---- ptx_func.c, ptx_body.c, ptx_operand.c: functions -------------------- */

/* After .entry or .func, to the end of the body or the semicolon. */
enum bl_status bl_ptx_parse_func(struct bl_ptx_parser *p, bool is_entry, bool is_extern);
/* From the opening brace to its partner. */
enum bl_status bl_ptx_parse_body(struct bl_ptx_parser *p);
/* The operands of an instruction, up to its semicolon, which is taken too. */
enum bl_status bl_ptx_parse_operands(struct bl_ptx_parser *p, struct bl_ptx_insn *insn);
/* LABEL : .branchtargets, .calltargets or .callprototype: the word has been taken. */
enum bl_status bl_ptx_parse_table(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                                  int line, enum bl_ptx_word word);
/* A copy of a list's items, kept with the module. */
enum bl_status bl_ptx_keep(struct bl_ptx_parser *p, const struct bl_arena_list *list,
                           size_t item_size, void *out);

/* ---- ptx_types.c --------------------------------------------------------- */

/* "%tid" and "x"; "%laneid" and NULL. */
bool bl_ptx_sreg_find(const char *name, const char *element, enum bl_ptx_sreg *out);

#endif
