/* SPDX-License-Identifier: Apache-2.0
 *
 * expr.c - carries out what expr_read.c made of a text.
 */
#include "expr/expr_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bl_expr_free(struct bl_expr *expr)
{
    if (!expr)
        return;
    free(expr->text);
    free(expr->ops);
    free(expr);
}

const char *bl_expr_text(const struct bl_expr *expr)
{
    return expr->text;
}

bool bl_expr_uses(const struct bl_expr *expr, size_t name)
{
    for (size_t i = 0; i < expr->count; i++)
        if (expr->ops[i].code == BL_EXPR_NAME && (size_t)expr->ops[i].value == name)
            return true;
    return false;
}

/* ---- errors --------------------------------------------------------------------------
 */

enum { SHOWN_BEFORE = 40, SHOWN_MAX = 70, MARK_MAX = 32 };

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* Characters that begin in text[from..to). */
static int columns(const char *text, size_t from, size_t to)
{
    int count = 0;

    for (size_t i = from; i < to; i++)
        count += begins_character(text[i]);
    return count;
}

enum bl_status bl_expr_fail(const char *text, size_t at, size_t length,
                            struct bl_error *err, const char *format, ...)
{
    const size_t end_of_text = strlen(text);
    size_t first = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0, last = first + SHOWN_MAX;
    char what[600], mark[MARK_MAX + 1];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    while (first > 0 && !begins_character(text[first]))
        first--;
    last = last < end_of_text ? last : end_of_text;
    while (last < end_of_text && !begins_character(text[last]))
        last++;
    length = length < 1 ? 1 : length < MARK_MAX ? length : MARK_MAX;
    memset(mark, '~', length);
    mark[0] = '^';
    mark[length] = '\0';
    return bl_error_set(err, BL_E_INPUT, "column %d: %s\n  %s%.*s%s\n  %*s%s",
                        columns(text, 0, at) + 1, what, first > 0 ? "..." : "",
                        (int)(last - first), text + first,
                        last < end_of_text ? "..." : "",
                        columns(text, first, at) + (first > 0 ? 3 : 0), "", mark);
}

static enum bl_status overflow(const struct bl_expr *expr, const struct bl_expr_op *op,
                               struct bl_error *err)
{
    return bl_expr_fail(expr->text, op->at, 1, err,
                        "the result does not fit into 64 bits");
}

/* ---- operations
 * ------------------------------------------------------------------------ */

static enum bl_status divide(const struct bl_expr *expr, const struct bl_expr_op *op,
                             int64_t a, int64_t b, int64_t *out, struct bl_error *err)
{
    int64_t quotient, rest;

    if (b == 0)
        return bl_expr_fail(expr->text, op->at, 1, err,
                            "%" PRId64 " is divided by zero here", a);
    if (b == -1) {
        if (op->code != BL_EXPR_REM && a == INT64_MIN)
            return overflow(expr, op, err);
        *out = op->code == BL_EXPR_REM ? 0 : -a;
        return BL_OK;
    }
    quotient = a / b;
    rest = a % b;
    switch (op->code) {
    case BL_EXPR_REM: *out = rest; break;
    case BL_EXPR_CEIL: *out = quotient + (rest != 0 && (rest < 0) == (b < 0)); break;
    case BL_EXPR_FLOOR: *out = quotient - (rest != 0 && (rest < 0) != (b < 0)); break;
    default: *out = quotient; break;
    }
    return BL_OK;
}

static enum bl_status shift(const struct bl_expr *expr, const struct bl_expr_op *op,
                            int64_t a, int64_t by, int64_t *out, struct bl_error *err)
{
    if (by < 0 || by > 63)
        return bl_expr_fail(expr->text, op->at, 2, err,
                            "a shift by %" PRId64 "; 0 to 63 can be", by);
    if (op->code == BL_EXPR_SHR) {
        *out = a < 0 ? ~(~a >> by) : a >> by;
        return BL_OK;
    }
    if (a > INT64_MAX >> by || a < -(INT64_MAX >> by) - 1)
        return overflow(expr, op, err);
    *out = (int64_t)((uint64_t)a << by);
    return BL_OK;
}

static enum bl_status two(const struct bl_expr *expr, const struct bl_expr_op *op,
                          int64_t a, int64_t b, int64_t *out, struct bl_error *err)
{
    bool fits = true;

    switch (op->code) {
    case BL_EXPR_ADD: fits = !__builtin_add_overflow(a, b, out); break;
    case BL_EXPR_SUB: fits = !__builtin_sub_overflow(a, b, out); break;
    case BL_EXPR_MUL: fits = !__builtin_mul_overflow(a, b, out); break;
    case BL_EXPR_AND: *out = a & b; break;
    case BL_EXPR_OR: *out = a | b; break;
    case BL_EXPR_XOR: *out = a ^ b; break;
    case BL_EXPR_LT: *out = a < b; break;
    case BL_EXPR_LE: *out = a <= b; break;
    case BL_EXPR_GT: *out = a > b; break;
    case BL_EXPR_GE: *out = a >= b; break;
    case BL_EXPR_EQ: *out = a == b; break;
    case BL_EXPR_NE: *out = a != b; break;
    case BL_EXPR_MIN: *out = a < b ? a : b; break;
    case BL_EXPR_MAX: *out = a > b ? a : b; break;
    case BL_EXPR_SHL:
    case BL_EXPR_SHR: return shift(expr, op, a, b, out, err);
    default: return divide(expr, op, a, b, out, err);
    }
    return fits ? BL_OK : overflow(expr, op, err);
}

static enum bl_status one(const struct bl_expr *expr, const struct bl_expr_op *op,
                          int64_t *top, struct bl_error *err)
{
    switch (op->code) {
    case BL_EXPR_FLIP: *top = ~*top; return BL_OK;
    case BL_EXPR_NOT: *top = !*top; return BL_OK;
    case BL_EXPR_BOOL: *top = *top != 0; return BL_OK;
    case BL_EXPR_ABS:
        if (*top >= 0)
            return BL_OK;
        break;
    default: break;
    }
    if (*top == INT64_MIN)
        return overflow(expr, op, err);
    *top = -*top;
    return BL_OK;
}

enum bl_status bl_expr_value(const struct bl_expr *expr, const int64_t *values,
                             int64_t *out, struct bl_error *err)
{
    int64_t stack[BL_EXPR_STACK];
    size_t used = 0;

    for (size_t i = 0; i < expr->count; i++) {
        const struct bl_expr_op *op = &expr->ops[i];
        enum bl_status status = BL_OK;

        switch (op->code) {
        case BL_EXPR_PUSH: stack[used++] = op->value; break;
        case BL_EXPR_NAME: stack[used++] = values[op->value]; break;
        case BL_EXPR_JUMP: i = (size_t)op->value - 1; break;
        case BL_EXPR_UNLESS:
            if (stack[--used] == 0)
                i = (size_t)op->value - 1;
            break;
        default:
            if (op->code < BL_EXPR_TWO) {
                status = one(expr, op, &stack[used - 1], err);
            } else {
                used--;
                status =
                    two(expr, op, stack[used - 1], stack[used], &stack[used - 1], err);
            }
        }
        if (status != BL_OK)
            return status;
    }
    *out = stack[0];
    return BL_OK;
}
