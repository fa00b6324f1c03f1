/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader's frame: tokens, the module's beginning and its end.
 */

#include "model/ptx_parse.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum bl_status bl_ptx_fail(struct bl_ptx_parser *p, int line, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return bl_error_at(p->err, BL_E_INPUT, p->module->name, line, "%s", text);
}

enum bl_status bl_ptx_unexpected(struct bl_ptx_parser *p, const char *wanted)
{
    return bl_ptx_fail(p, p->tok.line, "%s found where %s should be",
                       bl_ptx_show_token(&p->tok).text, wanted);
}

enum bl_status bl_ptx_advance(struct bl_ptx_parser *p)
{
    return bl_ptx_lex(&p->lex, &p->tok);
}

enum bl_status bl_ptx_expect(struct bl_ptx_parser *p, int kind)
{
    char wanted[4] = {'\'', (char)kind, '\'', '\0'};

    if (p->tok.kind != kind) {
        return bl_ptx_unexpected(p, wanted);
    }
    return bl_ptx_advance(p);
}

enum bl_status bl_ptx_accept(struct bl_ptx_parser *p, int kind, bool *taken)
{
    *taken = p->tok.kind == kind;
    return *taken ? bl_ptx_advance(p) : BL_OK;
}

enum bl_status bl_ptx_expect_name(struct bl_ptx_parser *p, const char *what,
                                  struct bl_ptx_name **out)
{
    if (p->tok.kind != BL_TOK_NAME) {
        return bl_ptx_unexpected(p, what);
    }
    *out = p->tok.name;
    return bl_ptx_advance(p);
}

enum bl_status bl_ptx_expect_number(struct bl_ptx_parser *p, const char *what,
                                    uint64_t most, uint64_t *out)
{
    if (p->tok.kind != BL_TOK_INT) {
        return bl_ptx_unexpected(p, what);
    }
    if (p->tok.i > most) {
        return bl_ptx_fail(p, p->tok.line, "%s is too large for %s: at most %llu",
                           bl_ptx_show_token(&p->tok).text, what,
                           (unsigned long long)most);
    }
    *out = p->tok.i;
    return bl_ptx_advance(p);
}

enum bl_status bl_ptx_skip_balanced(struct bl_ptx_parser *p, int open, int close)
{
    int line = p->tok.line;
    size_t depth = 0;

    BL_TRY(p->tok.kind == open ? BL_OK : bl_ptx_expect(p, open));
    do {
        if (p->tok.kind == BL_TOK_END) {
            return bl_ptx_fail(p, line, "'%c' is not closed: '%c' is missing", open,
                               close);
        }
        depth += p->tok.kind == open;
        depth -= p->tok.kind == close;
        BL_TRY(bl_ptx_advance(p));
    } while (depth > 0);
    return BL_OK;
}

enum bl_status bl_ptx_keep(struct bl_ptx_parser *p, const struct bl_arena_list *list,
                           size_t item_size, void *out)
{
    void *copy = bl_arena_copy(p->keep, list->items, list->count * item_size);

    if (!copy) {
        return bl_error_nomem(p->err);
    }
    memcpy(out, &copy, sizeof copy);
    return BL_OK;
}

/* ---- the end of the module ----------------------------------------------- */

static enum bl_status finish_aliases(struct bl_ptx_parser *p)
{
    for (size_t i = 0; i < p->aliases.count; i++) {
        const struct bl_ptx_alias *a = (struct bl_ptx_alias *)p->aliases.items + i;
        struct bl_ptx_func kept = *a->alias;

        if (a->of->is_extern || !a->alias->is_extern) {
            return bl_ptx_fail(p, a->line,
                               ".alias %s, %s: the first must have no body, and the "
                               "second must have one",
                               bl_ptx_show(a->alias->name, strlen(a->alias->name)).text,
                               bl_ptx_show(a->of->name, strlen(a->of->name)).text);
        }
        *a->alias = *a->of;
        a->alias->name = kept.name;
        a->alias->line = kept.line;
        a->alias->order = kept.order;
    }
    return BL_OK;
}

/* .file may come after the .loc lines that use it. */
static void finish_locs(struct bl_ptx_module *m)
{
    for (size_t f = 0; f < m->func_count; f++) {
        for (size_t i = 0; i < m->funcs[f]->insn_count; i++) {
            struct bl_ptx_insn *insn = &m->funcs[f]->insns[i];
            if (insn->loc_file >= 0 &&
                ((size_t)insn->loc_file >= m->file_count || !m->files[insn->loc_file])) {
                insn->loc_file = -1;
            }
        }
    }
}

static enum bl_status finish(struct bl_ptx_parser *p)
{
    struct bl_ptx_module *m = p->module;
    const char *missing = m->version_major == 0  ? ".version 8.0"
                          : m->target == 0       ? ".target sm_75"
                          : m->address_size == 0 ? ".address_size 64"
                                                 : NULL;

    if (missing) {
        return bl_ptx_fail(p, 1, "no %.*s here: a module needs a line such as %s",
                           (int)strcspn(missing, " "), missing, missing);
    }
    BL_TRY(bl_ptx_keep(p, &p->files, sizeof(char *), &m->files));
    BL_TRY(bl_ptx_keep(p, &p->vars, sizeof(struct bl_ptx_var *), &m->vars));
    BL_TRY(bl_ptx_keep(p, &p->funcs, sizeof(struct bl_ptx_func *), &m->funcs));
    m->file_count = p->files.count;
    m->var_count = p->vars.count;
    m->func_count = p->funcs.count;
    BL_TRY(finish_aliases(p));
    finish_locs(m);
    return BL_OK;
}

static enum bl_status read_module(struct bl_ptx_parser *p, const char *text,
                                  size_t length)
{
    BL_TRY(bl_ptx_names_init(&p->names, p->keep, p->scratch, p->err));
    p->lex = (struct bl_ptx_lexer){.at = text,
                                   .end = text + length,
                                   .line = 1,
                                   .file = p->module->name,
                                   .names = &p->names,
                                   .err = p->err};
    BL_TRY(bl_ptx_advance(p));
    while (p->tok.kind != BL_TOK_END) {
        BL_TRY(bl_ptx_parse_directive(p));
    }
    return finish(p);
}

enum bl_status bl_ptx_read(const char *name, const char *text, size_t length,
                           struct bl_ptx_module **out, struct bl_error *err)
{
    struct bl_arena *keep = bl_arena_new(), *scratch = bl_arena_new();
    struct bl_ptx_parser *p = scratch ? bl_arena_alloc(scratch, sizeof *p) : NULL;
    struct bl_ptx_module *module = keep ? bl_arena_alloc(keep, sizeof *module) : NULL;
    enum bl_status status = BL_E_NOMEM;

    if (p && module) {
        module->name = bl_arena_copy(keep, name, strlen(name));
    }
    if (!p || !module || !module->name) {
        bl_error_nomem(err);
        goto out;
    }
    if (length >= INT_MAX) {
        status = bl_error_at(err, BL_E_INPUT, name, 0, "PTX of 2 GiB or more");
        goto out;
    }
    /* Text that was embedded as a C string may bring its NUL along. */
    while (length > 0 && text[length - 1] == '\0') {
        length--;
    }
    module->arena = keep;
    p->module = module;
    p->keep = keep;
    p->scratch = scratch;
    p->err = err;
    status = read_module(p, text, length);
    if (status == BL_OK) {
        *out = module;
        keep = NULL;
    }
out:
    bl_arena_free(scratch);
    bl_arena_free(keep);
    return status;
}

void bl_ptx_free(struct bl_ptx_module *module)
{
    if (module) {
        bl_arena_free(module->arena);
    }
}

struct bl_ptx_func *bl_ptx_func_find(const struct bl_ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->func_count; i++) {
        if (strcmp(module->funcs[i]->name, name) == 0) {
            return module->funcs[i];
        }
    }
    return NULL;
}
