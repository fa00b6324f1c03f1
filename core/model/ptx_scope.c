/* SPDX-License-Identifier: Apache-2.0 */

#include "model/ptx_parse.h"

enum bl_status bl_ptx_scope_open(struct bl_ptx_parser *p)
{
    if (p->depth + 1 >= BL_PTX_DEPTH) {
        return bl_ptx_fail(p, p->tok.line, "more than %d blocks inside each other",
                           BL_PTX_DEPTH - 3);
    }
    p->depth++;
    p->scopes[p->depth] = (struct bl_ptx_scope){.line = p->tok.line};
    return BL_OK;
}

static enum bl_status label_missing(struct bl_ptx_parser *p,
                                    const struct bl_ptx_pending *use)
{
    return bl_ptx_fail(p, use->line, "there is no label %s in this function",
                       bl_ptx_show(use->name->text, use->name->length).text);
}

/* Fills in one use of a name that this scope gives a meaning. */
static enum bl_status label_resolve(struct bl_ptx_parser *p,
                                    const struct bl_ptx_pending *use)
{
    struct bl_ptx_sym *sym = use->name->sym;

    if (sym->kind == BL_SYM_LABEL) {
        use->operand->kind = BL_OPND_LABEL;
        use->operand->target = sym->target;
        if (sym->target > p->last_target) {
            p->last_target = sym->target;
        }
        return BL_OK;
    }
    if (sym->kind == BL_SYM_TABLE && use->table_too) {
        *use->operand = *sym->table;
        return BL_OK;
    }
    return bl_ptx_fail(p, use->line, "%s (line %d) is no label: a branch needs one",
                       bl_ptx_show(use->name->text, use->name->length).text, sym->line);
}

enum bl_status bl_ptx_scope_close(struct bl_ptx_parser *p)
{
    struct bl_ptx_scope *scope = &p->scopes[p->depth];
    struct bl_ptx_pending *use = scope->pending;

    while (use) {
        struct bl_ptx_pending *next = use->next;
        if (use->name->sym && use->name->sym->depth == p->depth) {
            BL_TRY(label_resolve(p, use));
        } else if (p->depth <= 1) {
            return label_missing(p, use);
        } else {
            use->next = scope[-1].pending;
            scope[-1].pending = use;
        }
        use = next;
    }
    for (struct bl_ptx_sym *sym = scope->syms; sym; sym = sym->next) {
        if (sym->kind == BL_SYM_FAMILY) {
            sym->name->family = sym->outer;
        } else {
            sym->name->sym = sym->outer;
        }
    }
    p->depth--;
    return BL_OK;
}

static enum bl_status declare_at(struct bl_ptx_parser *p, uint32_t depth,
                                 struct bl_ptx_name *name, enum bl_ptx_sym_kind kind,
                                 int line, struct bl_ptx_sym **out)
{
    struct bl_ptx_sym *sym = bl_arena_alloc(p->scratch, sizeof *sym);
    struct bl_ptx_sym **top = kind == BL_SYM_FAMILY ? &name->family : &name->sym;

    if (!sym) {
        return bl_error_nomem(p->err);
    }
    sym->kind = kind;
    sym->depth = depth;
    sym->line = line;
    sym->name = name;
    for (int i = 0; i < 8; i++) {
        sym->reg[i] = UINT32_MAX;
    }
    sym->outer = *top;
    *top = sym;
    sym->next = p->scopes[depth].syms;
    p->scopes[depth].syms = sym;
    *out = sym;
    return BL_OK;
}

/* The innermost family that has this name as a member: NAME<count> has NAME0 and up. */
static struct bl_ptx_sym *family_of(const struct bl_ptx_parser *p,
                                    const struct bl_ptx_name *name)
{
    struct bl_ptx_sym *best = NULL;
    uint32_t value = 0, unit = 1;

    for (size_t cut = name->length - 1; cut > 0 && name->length - cut <= 9; cut--) {
        char digit = name->text[cut];
        const struct bl_ptx_name *prefix;
        struct bl_ptx_sym *family;

        if (digit < '0' || digit > '9') {
            break;
        }
        value += (uint32_t)(digit - '0') * unit;
        unit *= 10;
        if (digit == '0' && cut + 1 < name->length) {
            continue; /* %r01 is no member of %r<…> */
        }
        prefix = bl_ptx_name_find(&p->names, name->text, cut);
        family = prefix ? prefix->family : NULL;
        while (family && value >= family->count) {
            family = family->outer;
        }
        if (family && (!best || family->depth > best->depth)) {
            best = family;
        }
    }
    return best;
}

enum bl_status bl_ptx_declare(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                              enum bl_ptx_sym_kind kind, int line,
                              struct bl_ptx_sym **out)
{
    struct bl_ptx_sym *before = kind == BL_SYM_FAMILY ? name->family : name->sym;

    if (!(before && before->depth == p->depth) && kind != BL_SYM_FAMILY) {
        before = family_of(p, name);
    }
    if (before && before->depth == p->depth) {
        return bl_ptx_fail(
            p, line, "%s is declared twice: line %d has it already, in the same block",
            bl_ptx_show(name->text, name->length).text, before->line);
    }
    return declare_at(p, p->depth, name, kind, line, out);
}

enum bl_status bl_ptx_lookup(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                             struct bl_ptx_sym **out)
{
    struct bl_ptx_sym *sym = name->sym, *family;

    /* A member of a family becomes a symbol of the family's scope at its first use, so
     * that this search is made once a name and scope. */
    if (!sym || sym->depth < p->depth) {
        family = family_of(p, name);
        if (family && (!sym || family->depth > sym->depth)) {
            BL_TRY(declare_at(p, family->depth, name, BL_SYM_REG, family->line, &sym));
            sym->type = family->type;
        }
    }
    *out = sym;
    return BL_OK;
}

static enum bl_status reg_new(struct bl_ptx_parser *p, const struct bl_ptx_sym *sym,
                              uint32_t at, uint32_t *out)
{
    struct bl_ptx_reg *reg;
    size_t length = sym->name->length;

    if (p->regs.count >= INT32_MAX) {
        return bl_ptx_fail(p, p->tok.line, "too many registers");
    }
    reg = bl_arena_push(p->scratch, &p->regs, sizeof *reg);
    if (!reg) {
        return bl_error_nomem(p->err);
    }
    /* Room for an element's ".x". */
    reg->name = bl_arena_alloc(p->keep, length + 3);
    if (!reg->name) {
        return bl_error_nomem(p->err);
    }
    for (size_t i = 0; i < length; i++) {
        reg->name[i] = sym->name->text[i];
    }
    if (sym->kind == BL_SYM_VECTOR) {
        reg->name[length] = '.';
        reg->name[length + 1] = "xyzwefgh"[at];
    }
    reg->type = sym->type;
    *out = (uint32_t)(p->regs.count - 1);
    return BL_OK;
}

enum bl_status bl_ptx_reg_index(struct bl_ptx_parser *p, struct bl_ptx_sym *sym,
                                uint32_t at, uint32_t *out)
{
    if (sym->reg[at] == UINT32_MAX) {
        BL_TRY(reg_new(p, sym, at, &sym->reg[at]));
    }
    *out = sym->reg[at];
    return BL_OK;
}

enum bl_status bl_ptx_label_use(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                                int line, bool table_too, struct bl_ptx_operand *operand)
{
    struct bl_ptx_pending *use = bl_arena_alloc(p->scratch, sizeof *use);

    if (!use) {
        return bl_error_nomem(p->err);
    }
    use->name = name;
    use->operand = operand;
    use->line = line;
    use->table_too = table_too;
    use->next = p->scopes[p->depth].pending;
    p->scopes[p->depth].pending = use;
    return BL_OK;
}
