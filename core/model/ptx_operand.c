/* SPDX-License-Identifier: Apache-2.0
 *
 * The operands of instructions.
 */

#include "model/ptx_parse.h"

#include <string.h>

static enum bl_status undeclared(struct bl_ptx_parser *p, const struct bl_ptx_name *name,
                                 int line)
{
    if (name->text[0] == '%') {
        return bl_ptx_fail(p, line,
                           "the register %s is not declared here (.reg), nor a special "
                           "register that is known",
                           bl_ptx_show(name->text, name->length).text);
    }
    return bl_ptx_fail(
        p, line,
        "%s is not declared here: a register, variable or function of that "
        "name must come before its use",
        bl_ptx_show(name->text, name->length).text);
}

/* "%tid" has been taken; .x may follow. */
static enum bl_status parse_sreg(struct bl_ptx_parser *p, const struct bl_ptx_name *name,
                                 int line, struct bl_ptx_operand *out)
{
    const char *element = p->tok.kind == BL_TOK_DOT ? p->tok.name->text : NULL;

    if (name->text[0] != '%' || !bl_ptx_sreg_find(name->text, element, &out->sreg)) {
        return undeclared(p, name, line);
    }
    out->kind = BL_OPND_SREG;
    return element ? bl_ptx_advance(p) : BL_OK;
}

/* A vector register whose name has been taken: .x, or the whole of it. */
static enum bl_status parse_vector_reg(struct bl_ptx_parser *p, struct bl_ptx_sym *sym,
                                       struct bl_ptx_operand *out)
{
    static const char elements[] = "xyzw", colours[] = "rgba";

    if (p->tok.kind == BL_TOK_DOT) {
        char c = p->tok.name->text[0];
        const char *at = strchr(elements, c), *alias = strchr(colours, c);
        size_t index = at      ? (size_t)(at - elements)
                       : alias ? (size_t)(alias - colours)
                               : 8;

        if (p->tok.name->length != 1 || index >= sym->count) {
            return bl_ptx_unexpected(p, "an element of the vector, such as .x,");
        }
        out->kind = BL_OPND_REG;
        BL_TRY(bl_ptx_reg_index(p, sym, (uint32_t)index, &out->reg));
        return bl_ptx_advance(p);
    }
    out->kind = BL_OPND_VEC;
    out->count = sym->count;
    out->list = bl_arena_alloc(p->keep, sym->count * sizeof *out->list);
    if (!out->list) {
        return bl_error_nomem(p->err);
    }
    for (uint32_t i = 0; i < sym->count; i++) {
        out->list[i].kind = BL_OPND_REG;
        BL_TRY(bl_ptx_reg_index(p, sym, i, &out->list[i].reg));
    }
    return BL_OK;
}

/* A name has been taken: what is it? */
static enum bl_status parse_symbol(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                                   int line, struct bl_ptx_operand *out)
{
    struct bl_ptx_sym *sym;

    if (name->length == 1 && name->text[0] == '_') {
        out->kind = BL_OPND_SINK;
        return BL_OK;
    }
    BL_TRY(bl_ptx_lookup(p, name, &sym));
    if (!sym) {
        return parse_sreg(p, name, line, out);
    }
    switch (sym->kind) {
    case BL_SYM_REG:
        out->kind = BL_OPND_REG;
        return bl_ptx_reg_index(p, sym, 0, &out->reg);
    case BL_SYM_VECTOR: return parse_vector_reg(p, sym, out);
    case BL_SYM_VAR:
        out->kind = BL_OPND_VAR;
        out->var = sym->var;
        return BL_OK;
    case BL_SYM_FUNC:
        out->kind = BL_OPND_FUNC;
        out->func = sym->func;
        return BL_OK;
    case BL_SYM_PROTO:
        out->kind = BL_OPND_PROTO;
        out->func = sym->func;
        return BL_OK;
    case BL_SYM_TABLE: *out = *sym->table; return BL_OK;
    default:
        return bl_ptx_fail(p, line,
                           "the label %s can't be an operand of this instruction",
                           bl_ptx_show(name->text, name->length).text);
    }
}

static enum bl_status parse_immediate(struct bl_ptx_parser *p, struct bl_ptx_operand *out)
{
    struct bl_ptx_value value;

    BL_TRY(bl_ptx_parse_value(p, false, &value));
    out->kind = value.is_float ? BL_OPND_FLOAT : BL_OPND_INT;
    out->i = (int64_t)value.i;
    out->f = value.f;
    out->single = value.single;
    return BL_OK;
}

static bool at_symbol(const struct bl_ptx_parser *p)
{
    return p->tok.kind == BL_TOK_NAME && p->tok.name->word != BL_W_WARP_SZ;
}

/* One register, number or name, with no structure but a ! before a predicate and an
 * offset after a variable. */
static enum bl_status parse_simple(struct bl_ptx_parser *p, struct bl_ptx_operand *out)
{
    struct bl_ptx_name *name;
    int line = p->tok.line;

    memset(out, 0, sizeof *out);
    if (p->tok.kind == '!') {
        struct bl_ptx_operand *o = out;

        BL_TRY(bl_ptx_advance(p));
        if (!at_symbol(p)) {
            BL_TRY(parse_immediate(p, o));
            if (o->kind == BL_OPND_FLOAT) {
                return bl_ptx_fail(p, line, "a float can't follow '!'");
            }
            o->i = o->i == 0;
            return BL_OK;
        }
        BL_TRY(bl_ptx_expect_name(p, "a predicate", &name));
        BL_TRY(parse_symbol(p, name, line, o));
        if (o->kind != BL_OPND_REG) {
            return bl_ptx_fail(p, line, "only a predicate can follow '!'");
        }
        o->negated = true;
        return BL_OK;
    }
    if (!at_symbol(p)) {
        return parse_immediate(p, out);
    }
    BL_TRY(bl_ptx_expect_name(p, "an operand", &name));
    BL_TRY(parse_symbol(p, name, line, out));
    return out->kind == BL_OPND_VAR ? bl_ptx_parse_offset(p, &out->i) : BL_OK;
}

/* Simple operands up to `close`, as the list of *out. The opening has been taken. */
static enum bl_status parse_list(struct bl_ptx_parser *p, int close,
                                 struct bl_ptx_operand *out)
{
    struct bl_ptx_operand item, *slot;
    bool more;

    p->inner.count = 0;
    BL_TRY(bl_ptx_accept(p, close, &more));
    more = !more;
    while (more) {
        BL_TRY(parse_simple(p, &item));
        slot = bl_arena_push(p->scratch, &p->inner, sizeof *slot);
        if (!slot) {
            return bl_error_nomem(p->err);
        }
        *slot = item;
        BL_TRY(bl_ptx_accept(p, ',', &more));
        if (!more) {
            BL_TRY(bl_ptx_expect(p, close));
        }
    }
    out->count = (uint32_t)p->inner.count;
    return bl_ptx_keep(p, &p->inner, sizeof item, &out->list);
}

static enum bl_status push(struct bl_ptx_parser *p, const struct bl_ptx_operand *operand)
{
    struct bl_ptx_operand *slot = bl_arena_push(p->scratch, &p->operands, sizeof *slot);

    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = *operand;
    return BL_OK;
}

/* What stands in the brackets after the address: it becomes operands of its own. */
static enum bl_status parse_more_inside(struct bl_ptx_parser *p)
{
    struct bl_ptx_operand operand;
    bool more, vector;

    BL_TRY(bl_ptx_accept(p, ',', &more));
    while (more) {
        memset(&operand, 0, sizeof operand);
        BL_TRY(bl_ptx_accept(p, '{', &vector));
        if (vector) {
            operand.kind = BL_OPND_VEC;
            BL_TRY(parse_list(p, '}', &operand));
        } else {
            BL_TRY(parse_simple(p, &operand));
        }
        BL_TRY(push(p, &operand));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    }
    return BL_OK;
}

/* "[" has been taken. */
static enum bl_status parse_memory(struct bl_ptx_parser *p)
{
    struct bl_ptx_operand base;
    int64_t offset = 0;
    int line = p->tok.line;

    BL_TRY(parse_simple(p, &base));
    if ((base.kind != BL_OPND_REG || base.negated) && base.kind != BL_OPND_VAR &&
        base.kind != BL_OPND_INT) {
        return bl_ptx_fail(p, line,
                           "an address is a register, a variable or a number, "
                           "and an offset: [%%rd1+8]");
    }
    if (base.kind == BL_OPND_REG) {
        BL_TRY(bl_ptx_parse_offset(p, &offset));
        base.i = offset;
    }
    base.base_kind = base.kind;
    base.kind = BL_OPND_MEM;
    BL_TRY(push(p, &base));
    BL_TRY(parse_more_inside(p));
    return bl_ptx_expect(p, ']');
}

/* p|q: the first has been read, the bar comes next. */
static enum bl_status parse_pair(struct bl_ptx_parser *p, struct bl_ptx_operand *operand)
{
    struct bl_ptx_operand *list = bl_arena_alloc(p->keep, 2 * sizeof *list);
    int line = p->tok.line;

    if (!list) {
        return bl_error_nomem(p->err);
    }
    BL_TRY(bl_ptx_advance(p));
    list[0] = *operand;
    BL_TRY(parse_simple(p, &list[1]));
    if (list[1].kind != BL_OPND_REG && list[1].kind != BL_OPND_SINK) {
        return bl_ptx_fail(p, line, "only a register or _ can follow '|' here");
    }
    *operand = (struct bl_ptx_operand){.kind = BL_OPND_PAIR, .list = list, .count = 2};
    return BL_OK;
}

static enum bl_status parse_operand(struct bl_ptx_parser *p)
{
    struct bl_ptx_operand operand = {.kind = BL_OPND_VEC};
    bool taken;

    BL_TRY(bl_ptx_accept(p, '[', &taken));
    if (taken) {
        return parse_memory(p);
    }
    BL_TRY(bl_ptx_accept(p, '{', &taken));
    if (taken) {
        BL_TRY(parse_list(p, '}', &operand));
        return push(p, &operand);
    }
    BL_TRY(parse_simple(p, &operand));
    if ((operand.kind == BL_OPND_REG || operand.kind == BL_OPND_SINK) &&
        p->tok.kind == '|') {
        BL_TRY(parse_pair(p, &operand));
    }
    return push(p, &operand);
}

static enum bl_status parse_args(struct bl_ptx_parser *p)
{
    struct bl_ptx_operand args = {.kind = BL_OPND_ARGS};
    bool open;

    BL_TRY(bl_ptx_accept(p, '(', &open));
    if (open) {
        BL_TRY(parse_list(p, ')', &args));
    }
    return push(p, &args);
}

/* [(returns),] target [, (arguments)] [, prototype or targets] */
static enum bl_status parse_call(struct bl_ptx_parser *p)
{
    struct bl_ptx_operand target;
    bool returns = p->tok.kind == '(', more;
    int line;

    BL_TRY(parse_args(p));
    if (returns) {
        BL_TRY(bl_ptx_expect(p, ','));
    }
    line = p->tok.line;
    BL_TRY(parse_simple(p, &target));
    if ((target.kind != BL_OPND_FUNC && target.kind != BL_OPND_REG) || target.negated) {
        return bl_ptx_fail(p, line,
                           "a call needs a function or a register that holds the "
                           "address of one");
    }
    BL_TRY(push(p, &target));
    BL_TRY(bl_ptx_accept(p, ',', &more));
    if (more && p->tok.kind == '(') {
        BL_TRY(parse_args(p));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } else {
        struct bl_ptx_operand none = {.kind = BL_OPND_ARGS};
        BL_TRY(push(p, &none));
    }
    if (!more) {
        return BL_OK;
    }
    line = p->tok.line;
    BL_TRY(parse_simple(p, &target));
    if (target.kind != BL_OPND_PROTO && target.kind != BL_OPND_TABLE) {
        return bl_ptx_fail(p, line,
                           "an indirect call ends with the name of a "
                           ".callprototype or .calltargets");
    }
    return push(p, &target);
}

/* bra and brx: labels, which may come later in the text. */
static enum bl_status parse_branch(struct bl_ptx_parser *p, bool indexed)
{
    struct bl_ptx_operand label = {.kind = BL_OPND_LABEL};

    if (indexed) {
        BL_TRY(parse_operand(p));
        BL_TRY(bl_ptx_expect(p, ','));
    }
    if (p->tok.kind != BL_TOK_NAME) {
        return bl_ptx_unexpected(p, indexed ? "the name of a .branchtargets" : "a label");
    }
    return push(p, &label);
}

/* The operands have their final place now: labels can be noted. */
static enum bl_status note_label(struct bl_ptx_parser *p, struct bl_ptx_insn *insn,
                                 bool indexed)
{
    struct bl_ptx_name *name = p->tok.name;
    int line = p->tok.line;

    BL_TRY(bl_ptx_advance(p));
    return bl_ptx_label_use(p, name, line, indexed,
                            &insn->operands[insn->operand_count - 1]);
}

enum bl_status bl_ptx_parse_operands(struct bl_ptx_parser *p, struct bl_ptx_insn *insn)
{
    bool bra = strcmp(insn->op, "bra") == 0, brx = strcmp(insn->op, "brx") == 0;
    bool more = p->tok.kind != ';';

    p->operands.count = 0;
    if (bra || brx) {
        BL_TRY(parse_branch(p, brx));
    } else if (strcmp(insn->op, "call") == 0) {
        BL_TRY(parse_call(p));
    } else {
        while (more) {
            BL_TRY(parse_operand(p));
            BL_TRY(bl_ptx_accept(p, ',', &more));
        }
    }
    insn->operand_count = (uint32_t)p->operands.count;
    BL_TRY(bl_ptx_keep(p, &p->operands, sizeof(struct bl_ptx_operand), &insn->operands));
    if (bra || brx) {
        BL_TRY(note_label(p, insn, brx));
    }
    return bl_ptx_expect(p, ';');
}
