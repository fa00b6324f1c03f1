/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands in a module outside its functions.
 */

#include "model/ptx_parse.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FILES = 65536 };

/* "9.0": a float token, of which the text counts. */
static enum bl_status parse_version(struct bl_ptx_parser *p)
{
    struct bl_ptx_module *m = p->module;
    char text[16];

    if (p->tok.kind != BL_TOK_FLOAT || p->tok.length >= sizeof text) {
        return bl_ptx_unexpected(p, "a version such as 8.0");
    }
    memcpy(text, p->tok.text, p->tok.length);
    text[p->tok.length] = '\0';
    if (sscanf(text, "%3d.%3d", &m->version_major, &m->version_minor) != 2) {
        return bl_ptx_unexpected(p, "a version such as 8.0");
    }
    return bl_ptx_advance(p);
}

/* sm_90a, debug: the first must be a processor. */
static enum bl_status parse_target(struct bl_ptx_parser *p)
{
    struct bl_ptx_name *name = NULL;
    bool more;
    int line = p->tok.line;

    BL_TRY(bl_ptx_expect_name(p, "a target such as sm_75", &name));
    if (sscanf(name->text, "sm_%4d", &p->module->target) != 1 || p->module->target <= 0) {
        return bl_ptx_fail(p, line, "the target %s is none: sm_75 would be one",
                           bl_ptx_show(name->text, name->length).text);
    }
    BL_TRY(bl_ptx_accept(p, ',', &more));
    while (more) {
        BL_TRY(bl_ptx_expect_name(p, "a target option", &name));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    }
    return BL_OK;
}

static enum bl_status parse_address_size(struct bl_ptx_parser *p)
{
    uint64_t size;
    int line = p->tok.line;

    BL_TRY(bl_ptx_expect_number(p, "the address size", 64, &size));
    if (size != 64) {
        return bl_ptx_fail(p, line, "addresses of %u bits: only 64 can be run",
                           (unsigned)size);
    }
    p->module->address_size = 64;
    return BL_OK;
}

/* N "path" [, time, size] */
static enum bl_status parse_file(struct bl_ptx_parser *p)
{
    uint64_t index, ignored;
    bool more;
    char *path;

    BL_TRY(bl_ptx_expect_number(p, "the file's number", MOST_FILES - 1, &index));
    if (p->tok.kind != BL_TOK_STRING) {
        return bl_ptx_unexpected(p, "the file's name in quotes");
    }
    path = bl_arena_copy(p->keep, p->tok.text, p->tok.length);
    if (!path) {
        return bl_error_nomem(p->err);
    }
    while (p->files.count <= index) {
        if (!bl_arena_push(p->scratch, &p->files, sizeof(char *))) {
            return bl_error_nomem(p->err);
        }
    }
    ((char **)p->files.items)[index] = path;
    BL_TRY(bl_ptx_advance(p));
    BL_TRY(bl_ptx_accept(p, ',', &more));
    while (more) {
        BL_TRY(bl_ptx_expect_number(p, "a number", UINT64_MAX, &ignored));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    }
    return BL_OK;
}

static enum bl_status parse_pragma(struct bl_ptx_parser *p)
{
    bool more;

    do {
        if (p->tok.kind != BL_TOK_STRING) {
            return bl_ptx_unexpected(p, "the pragma in quotes");
        }
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_accept(p, ',', &more));
    } while (more);
    return bl_ptx_expect(p, ';');
}

enum bl_status bl_ptx_parse_common(struct bl_ptx_parser *p, enum bl_ptx_word word)
{
    switch (word) {
    case BL_W_FILE: return parse_file(p);
    case BL_W_PRAGMA: return parse_pragma(p);
    default:
        if (p->tok.kind != BL_TOK_DOT && p->tok.kind != BL_TOK_NAME) {
            return bl_ptx_unexpected(p, "the section's name");
        }
        BL_TRY(bl_ptx_advance(p));
        return bl_ptx_skip_balanced(p, '{', '}');
    }
}

/* NAME, OTHER; the first is another name for the second. */
static enum bl_status parse_alias(struct bl_ptx_parser *p)
{
    struct bl_ptx_func *funcs[2];
    struct bl_ptx_alias *alias;
    int line = p->tok.line;

    for (int i = 0; i < 2; i++) {
        struct bl_ptx_name *name = NULL;
        struct bl_ptx_sym *sym;

        BL_TRY(bl_ptx_expect_name(p, "a function's name", &name));
        BL_TRY(bl_ptx_lookup(p, name, &sym));
        if (!sym || sym->kind != BL_SYM_FUNC) {
            return bl_ptx_fail(p, line, "%s is no function: .alias needs two",
                               bl_ptx_show(name->text, name->length).text);
        }
        funcs[i] = sym->func;
        BL_TRY(bl_ptx_expect(p, i == 0 ? ',' : ';'));
    }
    alias = bl_arena_push(p->scratch, &p->aliases, sizeof *alias);
    if (!alias) {
        return bl_error_nomem(p->err);
    }
    *alias = (struct bl_ptx_alias){.alias = funcs[0], .of = funcs[1], .line = line};
    return BL_OK;
}

/* .visible, .weak, .extern and .common stand before what they say it of. */
static enum bl_status parse_linkage(struct bl_ptx_parser *p, enum bl_ptx_word *word,
                                    bool *is_extern)
{
    *is_extern = false;
    while (*word == BL_W_LINKAGE || *word == BL_W_EXTERN) {
        *is_extern = *is_extern || *word == BL_W_EXTERN;
        if (p->tok.kind != BL_TOK_DOT) {
            return bl_ptx_unexpected(p, "a function or a variable");
        }
        *word = p->tok.name->word;
        BL_TRY(bl_ptx_advance(p));
    }
    return BL_OK;
}

enum bl_status bl_ptx_parse_directive(struct bl_ptx_parser *p)
{
    struct bl_ptx_token directive = p->tok;
    enum bl_ptx_word word;
    bool is_extern;

    if (directive.kind != BL_TOK_DOT) {
        return bl_ptx_unexpected(p, "a directive such as .entry or .global");
    }
    word = directive.name->word;
    BL_TRY(bl_ptx_advance(p));
    BL_TRY(parse_linkage(p, &word, &is_extern));
    if (word != BL_W_VERSION && p->module->version_major == 0) {
        return bl_ptx_fail(p, directive.line,
                           "%s found where .version should be: a module begins with it",
                           bl_ptx_show_token(&directive).text);
    }
    switch (word) {
    case BL_W_VERSION: return parse_version(p);
    case BL_W_TARGET: return parse_target(p);
    case BL_W_ADDRESS_SIZE: return parse_address_size(p);
    case BL_W_FILE:
    case BL_W_PRAGMA:
    case BL_W_SECTION: return bl_ptx_parse_common(p, word);
    case BL_W_ALIAS: return parse_alias(p);
    case BL_W_ENTRY: return bl_ptx_parse_func(p, true, is_extern);
    case BL_W_FUNC: return bl_ptx_parse_func(p, false, is_extern);
    case BL_W_GLOBAL:
    case BL_W_CONST:
    case BL_W_SHARED:
    case BL_W_LOCAL: return bl_ptx_parse_declaration(p, word, is_extern);
    default:
        return bl_ptx_fail(p, directive.line, "the directive %s has no place in a module",
                           bl_ptx_show_token(&directive).text);
    }
}
