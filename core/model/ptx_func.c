/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: their heads, and what ties a head to its body.
 */

#include "model/ptx_parse.h"

#include <string.h>

/* nx [, ny [, nz]]; those left out are 1. */
static enum bl_status parse_extent(struct bl_ptx_parser *p, uint32_t out[3])
{
    bool more = true;

    for (int i = 0; i < 3; i++) {
        uint64_t value = 1;
        if (more) {
            BL_TRY(bl_ptx_expect_number(p, "a number of threads", UINT32_MAX, &value));
            BL_TRY(i < 2 ? bl_ptx_accept(p, ',', &more) : BL_OK);
        }
        out[i] = (uint32_t)value;
    }
    return BL_OK;
}

static enum bl_status parse_numbers(struct bl_ptx_parser *p)
{
    uint64_t ignored;
    bool more;

    do {
        BL_TRY(bl_ptx_expect_number(p, "a number", UINT32_MAX, &ignored));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } while (more);
    return BL_OK;
}

/* Between the head and the body: .maxntid and its kind. */
static enum bl_status parse_tuning(struct bl_ptx_parser *p, struct bl_ptx_func *func)
{
    while (p->tok.kind == BL_TOK_DOT) {
        struct bl_ptx_token directive = p->tok;

        BL_TRY(bl_ptx_advance(p));
        switch (directive.name->word) {
        case BL_W_MAXNTID: BL_TRY(parse_extent(p, func->maxntid)); break;
        case BL_W_REQNTID: BL_TRY(parse_extent(p, func->reqntid)); break;
        case BL_W_NUMBERS: BL_TRY(parse_numbers(p)); break;
        case BL_W_ALONE: break;
        case BL_W_ATTRIBUTE: BL_TRY(bl_ptx_parse_attribute(p)); break;
        case BL_W_PRAGMA: BL_TRY(bl_ptx_parse_common(p, BL_W_PRAGMA)); break;
        default:
            return bl_ptx_fail(p, directive.line,
                               "the directive %s has no place at the head of a function",
                               bl_ptx_show_token(&directive).text);
        }
    }
    return BL_OK;
}

static enum bl_status func_new(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                               bool is_entry, int line, struct bl_ptx_func **out)
{
    struct bl_ptx_func *func = bl_arena_alloc(p->keep, sizeof *func), **slot;
    struct bl_ptx_sym *sym;

    BL_TRY(bl_ptx_declare(p, name, BL_SYM_FUNC, line, &sym));
    slot = bl_arena_push(p->scratch, &p->funcs, sizeof *slot);
    if (!func || !slot) {
        return bl_error_nomem(p->err);
    }
    func->name = bl_arena_copy(p->keep, name->text, name->length);
    if (!func->name) {
        return bl_error_nomem(p->err);
    }
    func->is_entry = is_entry;
    func->is_extern = true; /* until there is a body */
    func->line = line;
    func->order = (int)p->funcs.count - 1;
    sym->func = func;
    *slot = func;
    *out = func;
    return BL_OK;
}

/* The function of that name if it was declared before, else a new one. */
static enum bl_status func_for(struct bl_ptx_parser *p, struct bl_ptx_name *name,
                               bool is_entry, int line, struct bl_ptx_func **out)
{
    struct bl_ptx_sym *sym;

    BL_TRY(bl_ptx_lookup(p, name, &sym));
    if (!sym) {
        return func_new(p, name, is_entry, line, out);
    }
    if (sym->kind != BL_SYM_FUNC) {
        return bl_ptx_fail(p, line, "%s is declared twice: line %d has it already",
                           bl_ptx_show(name->text, name->length).text, sym->line);
    }
    if (sym->func->is_entry != is_entry) {
        return bl_ptx_fail(p, line, "%s was declared as .%s on line %d",
                           bl_ptx_show(name->text, name->length).text,
                           is_entry ? "func" : "entry", sym->func->line);
    }
    *out = sym->func;
    return BL_OK;
}

static bool same_shape(struct bl_ptx_var *const *before, size_t before_count,
                       const struct bl_arena_list *now)
{
    struct bl_ptx_var **vars = now->items;

    if (before_count != now->count) {
        return false;
    }
    for (size_t i = 0; i < before_count; i++) {
        if (before[i]->size != vars[i]->size) {
            return false;
        }
    }
    return true;
}

/* Gives the function the parameters that were just read. They must be those that it
 * was declared with, since calls may have been read by now. */
static enum bl_status set_shape(struct bl_ptx_parser *p, struct bl_ptx_func *func,
                                bool is_new, int line)
{
    if (!is_new && (!same_shape(func->params, func->param_count, &p->params) ||
                    !same_shape(func->returns, func->return_count, &p->returns))) {
        return bl_ptx_fail(p, line, "%s was declared with other parameters on line %d",
                           bl_ptx_show(func->name, strlen(func->name)).text, func->line);
    }
    BL_TRY(bl_ptx_keep(p, &p->params, sizeof(struct bl_ptx_var *), &func->params));
    BL_TRY(bl_ptx_keep(p, &p->returns, sizeof(struct bl_ptx_var *), &func->returns));
    func->param_count = p->params.count;
    func->return_count = p->returns.count;
    return BL_OK;
}

static void forget_last(struct bl_ptx_parser *p)
{
    p->params.count = p->returns.count = p->locals.count = 0;
    p->regs.count = p->insns.count = 0;
    p->last_target = 0;
    p->loc_file = -1;
    p->loc_line = 0;
    p->called_at = NULL;
    p->inlined.count = 0;
}

/* After the name: parameters, directives, and the body or a semicolon. */
static enum bl_status parse_rest(struct bl_ptx_parser *p, struct bl_ptx_func *func,
                                 bool is_new, bool is_extern, int line)
{
    bool declared_only;

    if (p->tok.kind == '(') {
        BL_TRY(bl_ptx_parse_params(p, false, &p->params));
    }
    BL_TRY(set_shape(p, func, is_new, line));
    BL_TRY(parse_tuning(p, func));
    BL_TRY(bl_ptx_accept(p, ';', &declared_only));
    if (declared_only) {
        return BL_OK;
    }
    if (p->tok.kind != '{') {
        return bl_ptx_unexpected(p, "the function's body or ';'");
    }
    if (is_extern || !func->is_extern) {
        return bl_ptx_fail(
            p, line, "%s %s", bl_ptx_show(func->name, strlen(func->name)).text,
            is_extern ? "is .extern and can't have a body" : "has two bodies");
    }
    func->is_extern = false;
    func->line = line;
    p->func = func;
    BL_TRY(bl_ptx_parse_body(p));
    p->func = NULL;
    return BL_OK;
}

enum bl_status bl_ptx_parse_func(struct bl_ptx_parser *p, bool is_entry, bool is_extern)
{
    struct bl_ptx_func *func = NULL;
    struct bl_ptx_name *name = NULL;
    size_t funcs_before = p->funcs.count;
    int line = p->tok.line;
    uint32_t depth = p->depth;

    forget_last(p);
    while (p->tok.kind == BL_TOK_DOT && p->tok.name->word == BL_W_ATTRIBUTE) {
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_parse_attribute(p));
    }
    BL_TRY(bl_ptx_scope_open(p));
    if (!is_entry && p->tok.kind == '(') {
        BL_TRY(bl_ptx_parse_params(p, false, &p->returns));
    }
    BL_TRY(bl_ptx_expect_name(p, "the function's name", &name));
    /* The function's own name belongs to the module. */
    p->depth = depth;
    BL_TRY(func_for(p, name, is_entry, line, &func));
    p->depth = depth + 1;
    BL_TRY(parse_rest(p, func, p->funcs.count > funcs_before, is_extern, line));
    return bl_ptx_scope_close(p);
}
