/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of variables, registers and parameters.
 */

#include "model/ptx_parse.h"

#include <string.h>

/* More than any GPU's memory, and small enough that sums can't overflow. */
static const uint64_t largest_size = (uint64_t)1 << 40;

/* What stands between the state space and the names. */
struct qualities {
    enum bl_ptx_space space;
    bool is_reg, is_extern;
    enum bl_ptx_type type;
    uint32_t vector; /* 1: none */
    uint32_t align;  /* 0: the type's */
};

static enum bl_status parse_align(struct bl_ptx_parser *p, uint32_t *out)
{
    uint64_t align;
    int line = p->tok.line;

    BL_TRY(bl_ptx_expect_number(p, "the alignment", 1u << 20, &align));
    if (align == 0 || (align & (align - 1)) != 0) {
        return bl_ptx_fail(p, line, "an alignment of %u: only powers of two are possible",
                           (unsigned)align);
    }
    *out = (uint32_t)align;
    return BL_OK;
}

enum bl_status bl_ptx_parse_attribute(struct bl_ptx_parser *p)
{
    return bl_ptx_skip_balanced(p, '(', ')');
}

/* .ptr [.space] [.align N]: what a pointer parameter points to, which nobody needs. */
static enum bl_status parse_ptr(struct bl_ptx_parser *p)
{
    uint32_t ignored;

    while (p->tok.kind == BL_TOK_DOT) {
        enum bl_ptx_word word = p->tok.name->word;
        if (word == BL_W_ALIGN) {
            BL_TRY(bl_ptx_advance(p));
            BL_TRY(parse_align(p, &ignored));
        } else if (word == BL_W_GLOBAL || word == BL_W_CONST || word == BL_W_SHARED ||
                   word == BL_W_LOCAL) {
            BL_TRY(bl_ptx_advance(p));
        } else {
            break;
        }
    }
    return BL_OK;
}

static enum bl_status parse_quality(struct bl_ptx_parser *p, struct qualities *q)
{
    struct bl_ptx_token tok = p->tok;

    BL_TRY(bl_ptx_advance(p));
    if (tok.name->type != BL_T_NONE && q->type == BL_T_NONE) {
        q->type = tok.name->type;
        return BL_OK;
    }
    switch (tok.name->word) {
    case BL_W_ALIGN: return parse_align(p, &q->align);
    case BL_W_ATTRIBUTE: return bl_ptx_parse_attribute(p);
    case BL_W_PTR: return parse_ptr(p);
    case BL_W_VECTOR: q->vector = (uint32_t)(tok.name->text[1] - '0'); return BL_OK;
    case BL_W_OPAQUE: q->type = BL_T_B64; return BL_OK;
    case BL_W_NONE:
        if (strncmp(tok.name->text, "shared::", 8) == 0 ||
            strncmp(tok.name->text, "param::", 7) == 0) {
            return BL_OK;
        }
        break;
    default: break;
    }
    return bl_ptx_fail(p, tok.line, "%s can't be part of this declaration",
                       bl_ptx_show_token(&tok).text);
}

static enum bl_status parse_qualities(struct bl_ptx_parser *p, struct qualities *q)
{
    q->vector = 1;
    while (p->tok.kind == BL_TOK_DOT) {
        BL_TRY(parse_quality(p, q));
    }
    if (q->type == BL_T_NONE) {
        return bl_ptx_unexpected(p, "a type such as .b32");
    }
    if (q->type == BL_T_PRED && (!q->is_reg || q->vector > 1)) {
        return bl_ptx_fail(p, p->tok.line,
                           "a predicate can only be a single register: "
                           ".reg .pred");
    }
    return BL_OK;
}

/* ---- registers ----------------------------------------------------------- */

static enum bl_status parse_reg(struct bl_ptx_parser *p, const struct qualities *q)
{
    enum bl_ptx_sym_kind kind = q->vector > 1 ? BL_SYM_VECTOR : BL_SYM_REG;
    struct bl_ptx_name *name;
    struct bl_ptx_sym *sym;
    uint64_t count = q->vector;
    int line = p->tok.line;
    bool family;

    BL_TRY(bl_ptx_expect_name(p, "a register's name", &name));
    BL_TRY(bl_ptx_accept(p, '<', &family));
    if (family) {
        if (q->vector > 1) {
            return bl_ptx_fail(p, line, "vector registers can't be numbered with <…>");
        }
        kind = BL_SYM_FAMILY;
        BL_TRY(bl_ptx_expect_number(p, "the number of registers", UINT32_MAX, &count));
        BL_TRY(bl_ptx_expect(p, '>'));
    }
    BL_TRY(bl_ptx_declare(p, name, kind, line, &sym));
    sym->type = q->type;
    sym->count = (uint32_t)count;
    return BL_OK;
}

/* ---- variables ----------------------------------------------------------- */

static enum bl_status parse_dims(struct bl_ptx_parser *p, struct bl_ptx_shape *shape)
{
    bool open;

    BL_TRY(bl_ptx_accept(p, '[', &open));
    while (open) {
        struct bl_ptx_value value = {0};
        int line = p->tok.line;

        if (shape->rank == 6) {
            return bl_ptx_fail(p, line, "an array of more than 6 dimensions");
        }
        if (p->tok.kind != ']') {
            BL_TRY(bl_ptx_parse_value(p, false, &value));
            if (value.is_float || value.i > largest_size) {
                return bl_ptx_fail(p, line,
                                   "an array needs a whole number of elements, "
                                   "from 0 to 2^40");
            }
        } else if (shape->rank > 0) {
            return bl_ptx_fail(p, line,
                               "only an array's first dimension can be left out");
        } else {
            value.i = UINT64_MAX; /* unsized, for now */
        }
        BL_TRY(bl_ptx_expect(p, ']'));
        shape->dims[shape->rank++] = value.i;
        BL_TRY(bl_ptx_accept(p, '[', &open));
    }
    return BL_OK;
}

/* Bytes of the array; an unsized one's are 0. */
static enum bl_status size_of(struct bl_ptx_parser *p, int line, enum bl_ptx_type type,
                              const struct bl_ptx_shape *shape, uint64_t *out)
{
    uint64_t size = bl_ptx_type_bytes(type);

    for (uint32_t i = 0; i < shape->rank; i++) {
        uint64_t dim = shape->dims[i] == UINT64_MAX ? 0 : shape->dims[i];
        if (dim != 0 && size > largest_size / dim) {
            return bl_ptx_fail(p, line, "a variable of more than 2^40 bytes");
        }
        size *= dim;
    }
    *out = size;
    return BL_OK;
}

static enum bl_status var_new(struct bl_ptx_parser *p, const struct qualities *q,
                              const struct bl_ptx_name *name, int line,
                              const struct bl_ptx_shape *shape, struct bl_ptx_var **out)
{
    struct bl_ptx_var *var = bl_arena_alloc(p->keep, sizeof *var);

    if (!var) {
        return bl_error_nomem(p->err);
    }
    var->name = bl_arena_copy(p->keep, name->text, name->length);
    if (!var->name) {
        return bl_error_nomem(p->err);
    }
    var->space = q->space;
    var->type = q->type;
    var->align = q->align ? q->align : bl_ptx_type_bytes(q->type) * q->vector;
    var->is_extern = q->is_extern;
    var->line = line;
    BL_TRY(size_of(p, line, q->type, shape, &var->size));
    *out = var;
    return BL_OK;
}

/* Puts the variable where its space says it belongs. An .extern one that is declared
 * again, or then defined, stays one and the same variable. */
static enum bl_status var_add(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                              struct bl_ptx_var **var)
{
    bool in_func =
        p->func && ((*var)->space == BL_SPACE_LOCAL || (*var)->space == BL_SPACE_SHARED ||
                    (*var)->space == BL_SPACE_PARAM);
    struct bl_ptx_sym *sym = name->sym;
    struct bl_ptx_var **slot;

    if (sym && sym->depth == p->depth && sym->kind == BL_SYM_VAR &&
        sym->var->space == (*var)->space && (sym->var->is_extern || (*var)->is_extern)) {
        if (sym->var->is_extern) {
            *sym->var = **var;
        }
        *var = sym->var;
        return BL_OK;
    }
    BL_TRY(bl_ptx_declare(p, name, BL_SYM_VAR, (*var)->line, &sym));
    sym->var = *var;
    slot = bl_arena_push(p->scratch, in_func ? &p->locals : &p->vars, sizeof *slot);
    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = *var;
    return BL_OK;
}

static enum bl_status parse_initial(struct bl_ptx_parser *p, struct bl_ptx_var *var,
                                    const struct bl_ptx_shape *shape, bool unsized,
                                    int line)
{
    bool given;

    BL_TRY(bl_ptx_accept(p, '=', &given));
    if (given) {
        if (var->space != BL_SPACE_GLOBAL && var->space != BL_SPACE_CONST) {
            return bl_ptx_fail(p, line,
                               "only .global and .const variables can have "
                               "initial values");
        }
        return bl_ptx_parse_init(p, var, shape);
    }
    if (unsized && !var->is_extern) {
        return bl_ptx_fail(p, line,
                           "the size of %s is missing: only .extern arrays and "
                           "those with initial values can leave it out",
                           bl_ptx_show(var->name, strlen(var->name)).text);
    }
    return BL_OK;
}

static enum bl_status parse_var(struct bl_ptx_parser *p, const struct qualities *q)
{
    struct bl_ptx_shape shape = {.rank = 0};
    struct bl_ptx_name *name;
    struct bl_ptx_var *var;
    bool unsized;
    int line = p->tok.line;

    BL_TRY(bl_ptx_expect_name(p, "a variable's name", &name));
    BL_TRY(parse_dims(p, &shape));
    unsized = shape.rank > 0 && shape.dims[0] == UINT64_MAX;
    if (q->vector > 1) {
        shape.dims[shape.rank++] = q->vector;
    }
    BL_TRY(var_new(p, q, name, line, &shape, &var));
    BL_TRY(var_add(p, name, &var));
    return parse_initial(p, var, &shape, unsized, line);
}

enum bl_status bl_ptx_parse_declaration(struct bl_ptx_parser *p, enum bl_ptx_word word,
                                        bool is_extern)
{
    struct qualities q = {.is_reg = word == BL_W_REG, .is_extern = is_extern};
    bool more;

    q.space = word == BL_W_CONST    ? BL_SPACE_CONST
              : word == BL_W_SHARED ? BL_SPACE_SHARED
              : word == BL_W_LOCAL  ? BL_SPACE_LOCAL
              : word == BL_W_PARAM  ? BL_SPACE_PARAM
                                    : BL_SPACE_GLOBAL;
    BL_TRY(parse_qualities(p, &q));
    do {
        BL_TRY(q.is_reg ? parse_reg(p, &q) : parse_var(p, &q));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } while (more);
    return bl_ptx_expect(p, ';');
}

/* ---- parameters ---------------------------------------------------------- */

static enum bl_status parse_param(struct bl_ptx_parser *p, bool nameless,
                                  struct bl_arena_list *list)
{
    struct qualities q = {.space = BL_SPACE_PARAM};
    struct bl_ptx_shape shape = {.rank = 0};
    struct bl_ptx_name *name;
    struct bl_ptx_var *var, **slot;
    struct bl_ptx_sym *sym;
    int line = p->tok.line;

    if (p->tok.kind != BL_TOK_DOT || p->tok.name->word != BL_W_PARAM) {
        return bl_ptx_unexpected(p, "a parameter in space .param");
    }
    BL_TRY(bl_ptx_advance(p));
    BL_TRY(parse_qualities(p, &q));
    BL_TRY(bl_ptx_expect_name(p, "a parameter's name", &name));
    BL_TRY(parse_dims(p, &shape));
    if (q.vector > 1) {
        shape.dims[shape.rank++] = q.vector;
    }
    BL_TRY(var_new(p, &q, name, line, &shape, &var));
    if (!nameless) {
        BL_TRY(bl_ptx_declare(p, name, BL_SYM_VAR, line, &sym));
        sym->var = var;
    }
    slot = bl_arena_push(p->scratch, list, sizeof *slot);
    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = var;
    return BL_OK;
}

enum bl_status bl_ptx_parse_params(struct bl_ptx_parser *p, bool nameless,
                                   struct bl_arena_list *list)
{
    bool more, closed;

    BL_TRY(bl_ptx_expect(p, '('));
    BL_TRY(bl_ptx_accept(p, ')', &closed));
    if (closed) {
        return BL_OK;
    }
    do {
        BL_TRY(parse_param(p, nameless, list));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } while (more);
    return bl_ptx_expect(p, ')');
}
