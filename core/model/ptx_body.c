/* SPDX-License-Identifier: Apache-2.0
 *
 * Function bodies: blocks, labels, directives and instructions.
 */

#include "model/ptx_parse.h"

#include <limits.h>
#include <string.h>

/* FILE LINE COLUMN */
static enum bl_status parse_place(struct bl_ptx_parser *p, struct bl_ptx_place *out)
{
    uint64_t file, line, column;

    BL_TRY(bl_ptx_expect_number(p, "the file's number", INT_MAX, &file));
    BL_TRY(bl_ptx_expect_number(p, "the line", INT_MAX, &line));
    BL_TRY(bl_ptx_expect_number(p, "the column", INT_MAX, &column));
    *out = (struct bl_ptx_place){
        .file = (int)file, .line = (int)line, .column = (int)column};
    return BL_OK;
}

/* Where a place was called from may be in an inlined function itself: compilers have told
 * of that place shortly before. */
enum { LOOK_BACK = 256 };

static const struct bl_ptx_place *find_inlined(const struct bl_ptx_parser *p,
                                               const struct bl_ptx_place *place)
{
    const struct bl_ptx_place *const *told = p->inlined.items;
    size_t least = p->inlined.count > LOOK_BACK ? p->inlined.count - LOOK_BACK : 0;

    for (size_t i = p->inlined.count; i > least; i--) {
        const struct bl_ptx_place *at = told[i - 1];
        if (at->line == place->line && at->column == place->column &&
            at->file == place->file && at->depth < BL_PTX_INLINED) {
            return at;
        }
    }
    return NULL;
}

/* function_name LABEL, inlined_at FILE LINE COLUMN: behind `place`. */
static enum bl_status parse_inlined(struct bl_ptx_parser *p, struct bl_ptx_place *place)
{
    struct bl_ptx_place at, *kept, **slot;
    struct bl_ptx_name *label;
    int64_t offset;

    BL_TRY(bl_ptx_expect_name(p, "function_name", &label));
    BL_TRY(bl_ptx_expect_name(p, "a label", &label));
    BL_TRY(bl_ptx_parse_offset(p, &offset));
    BL_TRY(bl_ptx_expect(p, ','));
    BL_TRY(bl_ptx_expect_name(p, "inlined_at", &label));
    BL_TRY(parse_place(p, &at));
    place->called_at = find_inlined(p, &at);
    if (!place->called_at) {
        place->called_at = bl_arena_copy(p->keep, &at, sizeof at);
    }
    kept = bl_arena_alloc(p->keep, sizeof *kept);
    slot = bl_arena_push(p->scratch, &p->inlined, sizeof *slot);
    if (!place->called_at || !kept || !slot) {
        return bl_error_nomem(p->err);
    }
    place->depth = place->called_at->depth + 1;
    *kept = *place;
    *slot = kept;
    return BL_OK;
}

/* PLACE [, function_name LABEL, inlined_at PLACE] */
static enum bl_status parse_loc(struct bl_ptx_parser *p)
{
    struct bl_ptx_place place;
    bool more;

    BL_TRY(parse_place(p, &place));
    p->loc_file = place.file;
    p->loc_line = place.line;
    BL_TRY(bl_ptx_accept(p, ',', &more));
    if (more) {
        BL_TRY(parse_inlined(p, &place));
    }
    p->called_at = place.called_at;
    return BL_OK;
}

static enum bl_status parse_body_directive(struct bl_ptx_parser *p)
{
    struct bl_ptx_token directive = p->tok;
    bool is_extern = false;

    BL_TRY(bl_ptx_advance(p));
    if (directive.name->word == BL_W_EXTERN && p->tok.kind == BL_TOK_DOT) {
        is_extern = true;
        directive = p->tok;
        BL_TRY(bl_ptx_advance(p));
    }
    switch (directive.name->word) {
    case BL_W_LOC: return parse_loc(p);
    case BL_W_FILE:
    case BL_W_PRAGMA:
    case BL_W_SECTION: return bl_ptx_parse_common(p, directive.name->word);
    case BL_W_REG:
    case BL_W_LOCAL:
    case BL_W_SHARED:
    case BL_W_PARAM:
    case BL_W_GLOBAL:
    case BL_W_CONST: return bl_ptx_parse_declaration(p, directive.name->word, is_extern);
    default:
        return bl_ptx_fail(p, directive.line,
                           "the directive %s has no place in a function's body",
                           bl_ptx_show_token(&directive).text);
    }
}

/* ---- tables --------------------------------------------------------------------------
 */

static enum bl_status parse_targets(struct bl_ptx_parser *p, struct bl_ptx_operand *table,
                                    bool calls)
{
    struct bl_arena_list names = {0};
    struct bl_ptx_name **slot;
    int line = p->tok.line;
    bool more;

    do {
        slot = bl_arena_push(p->scratch, &names, sizeof *slot);
        if (!slot) {
            return bl_error_nomem(p->err);
        }
        BL_TRY(bl_ptx_expect_name(p, calls ? "a function's name" : "a label", slot));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } while (more);
    table->kind = BL_OPND_TABLE;
    table->count = (uint32_t)names.count;
    table->list = bl_arena_alloc(p->keep, names.count * sizeof *table->list);
    if (!table->list) {
        return bl_error_nomem(p->err);
    }
    for (uint32_t i = 0; i < table->count; i++) {
        struct bl_ptx_name *name = ((struct bl_ptx_name **)names.items)[i];
        struct bl_ptx_sym *sym;

        if (!calls) {
            BL_TRY(bl_ptx_label_use(p, name, line, false, &table->list[i]));
            continue;
        }
        BL_TRY(bl_ptx_lookup(p, name, &sym));
        if (!sym || sym->kind != BL_SYM_FUNC) {
            return bl_ptx_fail(p, line, "%s is no function: .calltargets lists functions",
                               bl_ptx_show(name->text, name->length).text);
        }
        table->list[i].kind = BL_OPND_FUNC;
        table->list[i].func = sym->func;
    }
    return BL_OK;
}

/* [(returns)] _ [(parameters)] [.noreturn] */
static enum bl_status parse_prototype(struct bl_ptx_parser *p, struct bl_ptx_sym *sym,
                                      int line)
{
    struct bl_arena_list params = {0}, returns = {0};
    struct bl_ptx_func *func = bl_arena_alloc(p->keep, sizeof *func);
    struct bl_ptx_name *name;

    if (!func) {
        return bl_error_nomem(p->err);
    }
    if (p->tok.kind == '(') {
        BL_TRY(bl_ptx_parse_params(p, true, &returns));
    }
    BL_TRY(bl_ptx_expect_name(p, "_ or a function's name", &name));
    if (p->tok.kind == '(') {
        BL_TRY(bl_ptx_parse_params(p, true, &params));
    }
    while (p->tok.kind == BL_TOK_DOT &&
           (p->tok.name->word == BL_W_ALONE || p->tok.name->word == BL_W_NUMBERS)) {
        bool number;
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_accept(p, BL_TOK_INT, &number));
    }
    BL_TRY(bl_ptx_keep(p, &params, sizeof(struct bl_ptx_var *), &func->params));
    BL_TRY(bl_ptx_keep(p, &returns, sizeof(struct bl_ptx_var *), &func->returns));
    func->param_count = params.count;
    func->return_count = returns.count;
    func->is_extern = true;
    func->line = line;
    sym->func = func;
    return BL_OK;
}

enum bl_status bl_ptx_parse_table(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                                  int line, enum bl_ptx_word word)
{
    struct bl_ptx_sym *sym;

    if (word == BL_W_CALLPROTOTYPE) {
        BL_TRY(bl_ptx_declare(p, name, BL_SYM_PROTO, line, &sym));
        BL_TRY(parse_prototype(p, sym, line));
        return bl_ptx_expect(p, ';');
    }
    BL_TRY(bl_ptx_declare(p, name, BL_SYM_TABLE, line, &sym));
    sym->table = bl_arena_alloc(p->scratch, sizeof *sym->table);
    if (!sym->table) {
        return bl_error_nomem(p->err);
    }
    BL_TRY(parse_targets(p, sym->table, word == BL_W_CALLTARGETS));
    return bl_ptx_expect(p, ';');
}

/* ---- instructions
 * ---------------------------------------------------------------------- */

/* @p or @!p; the @ comes next. */
static enum bl_status parse_guard(struct bl_ptx_parser *p, struct bl_ptx_insn *insn)
{
    struct bl_ptx_name *name;
    struct bl_ptx_sym *sym;
    uint32_t reg;
    int line = p->tok.line;

    BL_TRY(bl_ptx_advance(p));
    BL_TRY(bl_ptx_accept(p, '!', &insn->pred_negated));
    BL_TRY(bl_ptx_expect_name(p, "a predicate", &name));
    BL_TRY(bl_ptx_lookup(p, name, &sym));
    if (!sym || sym->kind != BL_SYM_REG || sym->type != BL_T_PRED) {
        return bl_ptx_fail(p, line,
                           "%s is no predicate that is declared here (.reg .pred)",
                           bl_ptx_show(name->text, name->length).text);
    }
    BL_TRY(bl_ptx_reg_index(p, sym, 0, &reg));
    insn->pred = (int32_t)reg;
    return BL_OK;
}

/* From the opcode, which has been taken, to the semicolon. */
static enum bl_status parse_insn(struct bl_ptx_parser *p, const struct bl_ptx_name *op,
                                 struct bl_ptx_insn *insn)
{
    struct bl_ptx_insn *slot;
    const char **mod;

    insn->op = op->text;
    insn->loc_file = p->loc_file;
    insn->loc_line = p->loc_line;
    insn->called_at = p->called_at;
    p->mods.count = 0;
    while (p->tok.kind == BL_TOK_DOT) {
        mod = bl_arena_push(p->scratch, &p->mods, sizeof *mod);
        if (!mod) {
            return bl_error_nomem(p->err);
        }
        *mod = p->tok.name->text;
        BL_TRY(bl_ptx_advance(p));
    }
    insn->mod_count = (uint32_t)p->mods.count;
    BL_TRY(bl_ptx_keep(p, &p->mods, sizeof(char *), &insn->mods));
    BL_TRY(bl_ptx_parse_operands(p, insn));
    slot = bl_arena_push(p->scratch, &p->insns, sizeof *slot);
    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = *insn;
    return BL_OK;
}

/* A label, a table, or an instruction. */
static enum bl_status parse_named(struct bl_ptx_parser *p)
{
    struct bl_ptx_insn insn = {.pred = -1, .line = p->tok.line};
    struct bl_ptx_name *name = p->tok.name;
    struct bl_ptx_sym *sym;
    bool label;

    BL_TRY(bl_ptx_advance(p));
    BL_TRY(bl_ptx_accept(p, ':', &label));
    if (!label) {
        return parse_insn(p, name, &insn);
    }
    if (p->tok.kind == BL_TOK_DOT) {
        enum bl_ptx_word word = p->tok.name->word;
        if (word == BL_W_BRANCHTARGETS || word == BL_W_CALLTARGETS ||
            word == BL_W_CALLPROTOTYPE) {
            BL_TRY(bl_ptx_advance(p));
            return bl_ptx_parse_table(p, name, insn.line, word);
        }
    }
    BL_TRY(bl_ptx_declare(p, name, BL_SYM_LABEL, insn.line, &sym));
    sym->target = (uint32_t)p->insns.count;
    return BL_OK;
}

static enum bl_status parse_guarded(struct bl_ptx_parser *p)
{
    struct bl_ptx_insn insn = {.pred = -1, .line = p->tok.line};
    struct bl_ptx_name *op;

    BL_TRY(parse_guard(p, &insn));
    BL_TRY(bl_ptx_expect_name(p, "an instruction", &op));
    return parse_insn(p, op, &insn);
}

static enum bl_status parse_statement(struct bl_ptx_parser *p)
{
    switch (p->tok.kind) {
    case BL_TOK_DOT: return parse_body_directive(p);
    case BL_TOK_NAME: return parse_named(p);
    case '@': return parse_guarded(p);
    case ';': return bl_ptx_advance(p);
    case '{': BL_TRY(bl_ptx_scope_open(p)); return bl_ptx_advance(p);
    case '}': BL_TRY(bl_ptx_scope_close(p)); return bl_ptx_advance(p);
    case BL_TOK_END:
        return bl_ptx_fail(p, p->scopes[p->depth].line,
                           "this block is not closed: '}' is missing");
    default: return bl_ptx_unexpected(p, "an instruction, a directive or a label");
    }
}

/* Adds a `ret` where the text lets control run past its end. */
static enum bl_status close_end(struct bl_ptx_parser *p, int line)
{
    static const char *const leaving[] = {"ret", "exit", "trap", "bra", "brx"};
    const struct bl_ptx_insn *last =
        p->insns.count > 0 ? (struct bl_ptx_insn *)p->insns.items + p->insns.count - 1
                           : NULL;
    struct bl_ptx_insn *slot;
    bool open = p->last_target >= p->insns.count || last->pred >= 0;

    for (size_t i = 0; !open && i < sizeof leaving / sizeof *leaving; i++) {
        if (strcmp(last->op, leaving[i]) == 0) {
            return BL_OK;
        }
    }
    slot = bl_arena_push(p->scratch, &p->insns, sizeof *slot);
    if (!slot) {
        return bl_error_nomem(p->err);
    }
    *slot = (struct bl_ptx_insn){.op = "ret", .pred = -1, .line = line, .loc_file = -1};
    return BL_OK;
}

enum bl_status bl_ptx_parse_body(struct bl_ptx_parser *p)
{
    uint32_t outside = p->depth;
    struct bl_ptx_func *func = p->func;
    int line;

    BL_TRY(parse_statement(p)); /* the brace */
    do {
        line = p->tok.line;
        BL_TRY(parse_statement(p));
    } while (p->depth > outside);
    BL_TRY(close_end(p, line));
    BL_TRY(bl_ptx_keep(p, &p->insns, sizeof *func->insns, &func->insns));
    BL_TRY(bl_ptx_keep(p, &p->regs, sizeof *func->regs, &func->regs));
    BL_TRY(bl_ptx_keep(p, &p->locals, sizeof *func->locals, &func->locals));
    func->insn_count = p->insns.count;
    func->reg_count = p->regs.count;
    func->local_count = p->locals.count;
    return BL_OK;
}
