/* SPDX-License-Identifier: Apache-2.0
 *
 * expr_read.c - from an expression's text to operations of a stack machine.
 */
#include "expr/expr_functions.h"
#include "expr/expr_lex.h"

#include <stdlib.h>
#include <string.h>

#include "load/hint.h"

struct reader {
    const char *text;
    const char *const *names;
    size_t name_count;
    struct bl_error *err;
    struct bl_expr_token token;
    struct bl_expr_op *ops;
    size_t count, room;
    size_t joined; /* the last operation that some jump goes to */
    int depth;     /* of the nesting */
    int stacked;   /* values on the stack at this point */
};

static enum bl_status next(struct reader *r)
{
    return bl_expr_lex(r->text, r->token.at + r->token.length, &r->token, r->err);
}

#define FAIL(r, ...)                                                                     \
    bl_expr_fail((r)->text, (r)->token.at, (r)->token.length, (r)->err, __VA_ARGS__)

/* The token as a message names it. */
static const char *token_text(const struct reader *r, char buffer[64])
{
    size_t length = r->token.length < 40 ? r->token.length : 40;

    if (r->token.kind == BL_EXPR_T_END)
        return "the end";
    buffer[0] = '"';
    memcpy(buffer + 1, r->text + r->token.at, length);
    buffer[length + 1] = '"';
    buffer[length + 2] = '\0';
    return buffer;
}

/* ---- operations
 * ------------------------------------------------------------------------ */

static enum bl_status add_op(struct reader *r, enum bl_expr_code code, size_t at,
                             int64_t value)
{
    if (r->count == r->room) {
        const size_t room = r->room ? 2 * r->room : 32;
        struct bl_expr_op *ops = realloc(r->ops, room * sizeof *ops);

        if (!ops)
            return bl_error_nomem(r->err);
        r->ops = ops;
        r->room = room;
    }
    if (code == BL_EXPR_PUSH || code == BL_EXPR_NAME) {
        if (++r->stacked > BL_EXPR_STACK)
            return FAIL(r, "more than %d values wait for each other", BL_EXPR_STACK);
    } else if (code >= BL_EXPR_TWO || code == BL_EXPR_UNLESS) {
        r->stacked--;
    }
    r->ops[r->count++] = (struct bl_expr_op){code, (uint32_t)at, value};
    return BL_OK;
}

/* The jump ops[from] leads to what comes next. */
static void land(struct reader *r, size_t from)
{
    r->ops[from].value = (int64_t)r->count;
    r->joined = r->count;
}

static enum bl_status read_choice(struct reader *r);

static enum bl_status expect(struct reader *r, int kind, const char *what)
{
    char buffer[64];

    if (r->token.kind != kind)
        return FAIL(r, "%s is expected here, not %s", what, token_text(r, buffer));
    return next(r);
}

/* ---- functions
 * ---------------------------------------------------------------------------- */

/* The operation that makes the value on top, if it is one of two operands. */
static struct bl_expr_op *last_op(struct reader *r, size_t from)
{
    struct bl_expr_op *op = r->count > from ? &r->ops[r->count - 1] : NULL;

    return op && r->joined < r->count && op->code >= BL_EXPR_TWO ? op : NULL;
}

/* Turns the quotient on top into one that is rounded as `function` says. If its left
 * side were a quotient too, that would have lost its rest already. */
static enum bl_status round_quotient(struct reader *r,
                                     const struct bl_expr_function *function, size_t at,
                                     size_t first)
{
    struct bl_expr_op *op = last_op(r, first);

    if (!op || op->code != BL_EXPR_DIV)
        return bl_expr_fail(r->text, at, strlen(function->name), r->err,
                            "%s takes one quotient: %s", function->name, function->form);
    if (op->value)
        return bl_expr_fail(r->text, op->at, 1, r->err,
                            "%s rounds one quotient, and this is the quotient of one: "
                            "write a / (b * c)",
                            function->name);
    op->code = function->code;
    return BL_OK;
}

static enum bl_status read_call(struct reader *r, const struct bl_expr_function *function)
{
    const size_t at = r->token.at, first = r->count;
    char buffer[64];
    enum bl_status status = next(r);

    if (status == BL_OK && r->token.kind != '(')
        return bl_expr_fail(r->text, at, strlen(function->name), r->err,
                            "%s is a function: %s", function->name, function->form);
    for (int i = 0; status == BL_OK && i < function->arguments; i++) {
        if (i > 0 && r->token.kind != ',')
            return FAIL(r, "%s takes %d arguments, %s: a comma is expected here, not %s",
                        function->name, function->arguments, function->form,
                        token_text(r, buffer));
        status = next(r);
        if (status == BL_OK)
            status = read_choice(r);
    }
    if (status == BL_OK && r->token.kind == ',')
        return FAIL(r, "one argument too many: %s", function->form);
    if (status == BL_OK && function->of_quotient)
        status = round_quotient(r, function, at, first);
    else if (status == BL_OK)
        status = add_op(r, function->code, at, 0);
    return status == BL_OK ? expect(r, ')', "\")\"") : status;
}

/* ---- operands
 * -------------------------------------------------------------------------------- */

static enum bl_status unknown_word(struct reader *r)
{
    const char *all[256];
    char word[BL_HINT_SIZE], hint[BL_HINT_SIZE];
    size_t count = 0, length = r->token.length < 60 ? r->token.length : 60;

    for (size_t i = 0; i < r->name_count && count < 200; i++)
        all[count++] = r->names[i];
    for (size_t i = 0; i < BL_EXPR_FUNCTIONS; i++)
        all[count++] = bl_expr_functions[i].name;
    memcpy(word, r->text + r->token.at, length);
    word[length] = '\0';
    bl_hint_print(word, all, count, hint, sizeof hint);
    return FAIL(r, "unknown name \"%s\"%s", word, hint);
}

static enum bl_status read_word(struct reader *r)
{
    const char *word = r->text + r->token.at;
    const struct bl_expr_function *function =
        bl_expr_function_find(word, r->token.length);
    enum bl_status status;

    if (function)
        return read_call(r, function);
    for (size_t i = 0; i < r->name_count; i++)
        if (bl_expr_word_is(word, r->token.length, r->names[i])) {
            status = add_op(r, BL_EXPR_NAME, r->token.at, (int64_t)i);
            return status == BL_OK ? next(r) : status;
        }
    return unknown_word(r);
}

static enum bl_status read_operand(struct reader *r);

static enum bl_status read_signed(struct reader *r, enum bl_expr_code code)
{
    const size_t at = r->token.at;
    enum bl_status status = next(r);

    if (++r->depth > BL_EXPR_DEPTH_MAX)
        return FAIL(r, "nested more than %d deep", BL_EXPR_DEPTH_MAX);
    if (status == BL_OK)
        status = read_operand(r);
    r->depth--;
    return status == BL_OK && code != BL_EXPR_PUSH ? add_op(r, code, at, 0) : status;
}

static enum bl_status read_operand(struct reader *r)
{
    char buffer[64];
    enum bl_status status;

    switch (r->token.kind) {
    case BL_EXPR_T_NUMBER:
        status = add_op(r, BL_EXPR_PUSH, r->token.at, r->token.value);
        return status == BL_OK ? next(r) : status;
    case BL_EXPR_T_WORD: return read_word(r);
    case '-': return read_signed(r, BL_EXPR_NEG);
    case '+': return read_signed(r, BL_EXPR_PUSH);
    case '~': return read_signed(r, BL_EXPR_FLIP);
    case '!': return read_signed(r, BL_EXPR_NOT);
    case '(':
        status = next(r);
        if (status == BL_OK)
            status = read_choice(r);
        return status == BL_OK ? expect(r, ')', "an operator or \")\"") : status;
    default:
        return FAIL(r, "a number, a name or \"(\" is expected here, not %s",
                    token_text(r, buffer));
    }
}

/* ---- operators
 * -------------------------------------------------------------------------------- */

/* How tightly the operators bind, from 1; && and || have no operation of their own. */
static int binds(int kind, enum bl_expr_code *code)
{
    switch (kind) {
    case BL_EXPR_T_OR: *code = BL_EXPR_PUSH; return 1;
    case BL_EXPR_T_AND: *code = BL_EXPR_PUSH; return 2;
    case '|': *code = BL_EXPR_OR; return 3;
    case '^': *code = BL_EXPR_XOR; return 4;
    case '&': *code = BL_EXPR_AND; return 5;
    case BL_EXPR_T_EQ: *code = BL_EXPR_EQ; return 6;
    case BL_EXPR_T_NE: *code = BL_EXPR_NE; return 6;
    case '<': *code = BL_EXPR_LT; return 7;
    case '>': *code = BL_EXPR_GT; return 7;
    case BL_EXPR_T_LE: *code = BL_EXPR_LE; return 7;
    case BL_EXPR_T_GE: *code = BL_EXPR_GE; return 7;
    case BL_EXPR_T_SHL: *code = BL_EXPR_SHL; return 8;
    case BL_EXPR_T_SHR: *code = BL_EXPR_SHR; return 8;
    case '+': *code = BL_EXPR_ADD; return 9;
    case '-': *code = BL_EXPR_SUB; return 9;
    case '*': *code = BL_EXPR_MUL; return 10;
    case '/': *code = BL_EXPR_DIV; return 10;
    case '%': *code = BL_EXPR_REM; return 10;
    default: return 0;
    }
}

static enum bl_status read_binary(struct reader *r, int least);

/* a && b: a unless b bool jump: 0. a || b: a unless 1 jump: b bool. The value is made on
 * one of two ways, so that the stack is counted once. */
static enum bl_status read_short_cut(struct reader *r, bool is_or, size_t at)
{
    const size_t unless = r->count;
    size_t jump;
    enum bl_status status = add_op(r, BL_EXPR_UNLESS, at, 0);

    if (status == BL_OK && is_or)
        status = add_op(r, BL_EXPR_PUSH, at, 1);
    else if (status == BL_OK)
        status = read_binary(r, 3);
    if (status == BL_OK && !is_or)
        status = add_op(r, BL_EXPR_BOOL, at, 0);
    jump = r->count;
    if (status == BL_OK)
        status = add_op(r, BL_EXPR_JUMP, at, 0);
    if (status != BL_OK)
        return status;
    land(r, unless);
    r->stacked--;
    status = is_or ? read_binary(r, 2) : add_op(r, BL_EXPR_PUSH, at, 0);
    if (status == BL_OK && is_or)
        status = add_op(r, BL_EXPR_BOOL, at, 0);
    if (status == BL_OK)
        land(r, jump);
    return status;
}

/* A quotient remembers in `value` whether its left side is one, for round_quotient. */
static enum bl_status read_right(struct reader *r, enum bl_expr_code code, int level,
                                 size_t at, size_t first)
{
    const struct bl_expr_op *left = last_op(r, first);
    const bool of_quotient = left && left->code == BL_EXPR_DIV;
    enum bl_status status = read_binary(r, level + 1);

    return status == BL_OK ? add_op(r, code, at, code == BL_EXPR_DIV && of_quotient)
                           : status;
}

static enum bl_status read_binary(struct reader *r, int least)
{
    const size_t first = r->count;
    enum bl_expr_code code;
    enum bl_status status = read_operand(r);
    int level;

    while (status == BL_OK && (level = binds(r->token.kind, &code)) >= least) {
        const size_t at = r->token.at;
        const bool is_or = r->token.kind == BL_EXPR_T_OR;

        status = next(r);
        if (status != BL_OK)
            break;
        if (level <= 2)
            status = read_short_cut(r, is_or, at);
        else
            status = read_right(r, code, level, at, first);
    }
    return status;
}

static enum bl_status read_ways(struct reader *r, size_t at)
{
    const size_t unless = r->count;
    size_t jump;
    enum bl_status status = add_op(r, BL_EXPR_UNLESS, at, 0);

    if (status == BL_OK)
        status = next(r);
    if (status == BL_OK)
        status = read_choice(r);
    if (status == BL_OK)
        status = expect(r, ':', "the \":\" of \"?\"");
    jump = r->count;
    if (status == BL_OK)
        status = add_op(r, BL_EXPR_JUMP, at, 0);
    if (status != BL_OK)
        return status;
    land(r, unless);
    r->stacked--;
    status = read_choice(r);
    if (status == BL_OK)
        land(r, jump);
    return status;
}

static enum bl_status read_choice(struct reader *r)
{
    enum bl_status status;

    if (++r->depth > BL_EXPR_DEPTH_MAX)
        return FAIL(r, "nested more than %d deep", BL_EXPR_DEPTH_MAX);
    status = read_binary(r, 1);
    if (status == BL_OK && r->token.kind == '?')
        status = read_ways(r, r->token.at);
    r->depth--;
    return status;
}

static enum bl_status read_all(struct reader *r)
{
    char buffer[64];
    enum bl_status status = next(r);

    if (status == BL_OK && r->token.kind == BL_EXPR_T_END)
        return bl_error_set(r->err, BL_E_INPUT, "an expression is expected, not nothing");
    if (status == BL_OK)
        status = read_choice(r);
    if (status == BL_OK && r->token.kind != BL_EXPR_T_END)
        status = FAIL(r, "an operator is expected here, not %s", token_text(r, buffer));
    return status;
}

enum bl_status bl_expr_read(const char *text, const char *const *names, size_t count,
                            struct bl_expr **out, struct bl_error *err)
{
    struct reader r = {.text = text, .names = names, .name_count = count, .err = err};
    struct bl_expr *expr;
    enum bl_status status;

    if (strlen(text) > BL_EXPR_TEXT_MAX)
        return bl_error_set(err, BL_E_INPUT,
                            "an expression of %zu bytes; at most %d are read",
                            strlen(text), BL_EXPR_TEXT_MAX);
    status = read_all(&r);
    expr = status == BL_OK ? calloc(1, sizeof *expr) : NULL;
    if (status == BL_OK && (!expr || !(expr->text = strdup(text))))
        status = bl_error_nomem(err);
    if (status != BL_OK) {
        free(expr);
        free(r.ops);
        return status;
    }
    expr->ops = r.ops;
    expr->count = r.count;
    *out = expr;
    return BL_OK;
}
