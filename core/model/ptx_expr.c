/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions (PTX ISA 4.6): C's operators on 64-bit integers.
 */

#include "model/ptx_parse.h"

#include <string.h>

/* How tightly the operators bind; 0: no operator. */
static int precedence(int kind)
{
    switch (kind) {
    case BL_TOK_OR: return 1;
    case BL_TOK_AND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case BL_TOK_EQ:
    case BL_TOK_NE: return 6;
    case '<':
    case '>':
    case BL_TOK_LE:
    case BL_TOK_GE: return 7;
    case BL_TOK_SHL:
    case BL_TOK_SHR: return 8;
    case '+':
    case '-': return 9;
    case '*':
    case '/':
    case '%': return 10;
    default: return 0;
    }
}

static enum bl_status parse_from(struct bl_ptx_parser *p, int least, int depth,
                                 struct bl_ptx_value *out);

static enum bl_status divide(struct bl_ptx_parser *p, int kind, bool is_unsigned,
                             uint64_t a, uint64_t b, uint64_t *out)
{
    if (b == 0) {
        return bl_ptx_fail(p, p->tok.line, "division by zero in a constant expression");
    }
    if (is_unsigned) {
        *out = kind == '/' ? a / b : a % b;
    } else if (b == UINT64_MAX) { /* -1: INT64_MIN / -1 would overflow */
        *out = kind == '/' ? 0 - a : 0;
    } else {
        *out =
            (uint64_t)(kind == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    }
    return BL_OK;
}

static uint64_t shift(int kind, bool is_unsigned, uint64_t a, uint64_t by)
{
    uint64_t sign = !is_unsigned && (int64_t)a < 0 ? UINT64_MAX : 0;

    if (kind == BL_TOK_SHL) {
        return by > 63 ? 0 : a << by;
    }
    if (by == 0) {
        return a;
    }
    return by > 63 ? sign : a >> by | (sign << (64 - by));
}

static bool less(bool is_unsigned, uint64_t a, uint64_t b)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static enum bl_status apply(struct bl_ptx_parser *p, int kind, struct bl_ptx_value *a,
                            const struct bl_ptx_value *b)
{
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    uint64_t x = a->i, y = b->i;

    if (a->is_float || b->is_float) {
        return bl_ptx_fail(
            p, p->tok.line,
            "operators between numbers work on whole numbers only, and one "
            "here is a float");
    }
    switch (kind) {
    case BL_TOK_OR: a->i = x || y; break;
    case BL_TOK_AND: a->i = x && y; break;
    case '|': a->i = x | y; break;
    case '^': a->i = x ^ y; break;
    case '&': a->i = x & y; break;
    case BL_TOK_EQ: a->i = x == y; break;
    case BL_TOK_NE: a->i = x != y; break;
    case '<': a->i = less(is_unsigned, x, y); break;
    case '>': a->i = less(is_unsigned, y, x); break;
    case BL_TOK_LE: a->i = !less(is_unsigned, y, x); break;
    case BL_TOK_GE: a->i = !less(is_unsigned, x, y); break;
    case BL_TOK_SHL:
    case BL_TOK_SHR:
        is_unsigned = a->is_unsigned;
        a->i = shift(kind, is_unsigned, x, y);
        break;
    case '+': a->i = x + y; break;
    case '-': a->i = x - y; break;
    case '*': a->i = x * y; break;
    default: BL_TRY(divide(p, kind, is_unsigned, x, y, &a->i)); break;
    }
    a->is_unsigned = precedence(kind) >= 3 && precedence(kind) != 6 &&
                     precedence(kind) != 7 && is_unsigned;
    return BL_OK;
}

static enum bl_status negate(struct bl_ptx_parser *p, int kind, struct bl_ptx_value *v)
{
    if (v->is_float) {
        if (kind == '-') {
            v->f = -v->f;
            v->i ^= v->single ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
        } else if (kind != '+') {
            return bl_ptx_fail(p, p->tok.line, "a float can't follow '%c'", kind);
        }
        return BL_OK;
    }
    switch (kind) {
    case '-': v->i = 0 - v->i; break;
    case '~': v->i = ~v->i; break;
    case '!':
        v->i = v->i == 0;
        v->is_unsigned = false;
        break;
    default: break;
    }
    return BL_OK;
}

/* "(" has been taken: a cast (.s64) or (.u64), or an expression. */
static enum bl_status parse_parenthesis(struct bl_ptx_parser *p, int depth,
                                        struct bl_ptx_value *out)
{
    if (p->tok.kind == BL_TOK_DOT &&
        (p->tok.name->type == BL_T_S64 || p->tok.name->type == BL_T_U64)) {
        bool is_unsigned = p->tok.name->type == BL_T_U64;

        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_expect(p, ')'));
        BL_TRY(parse_from(p, 11, depth + 1, out));
        out->is_unsigned = is_unsigned;
        return BL_OK;
    }
    BL_TRY(parse_from(p, 0, depth + 1, out));
    return bl_ptx_expect(p, ')');
}

static enum bl_status parse_unary(struct bl_ptx_parser *p, int depth,
                                  struct bl_ptx_value *out)
{
    int kind = p->tok.kind;

    memset(out, 0, sizeof *out);
    if (depth > BL_PTX_DEPTH) {
        return bl_ptx_fail(p, p->tok.line, "an expression nested more than %d deep",
                           BL_PTX_DEPTH);
    }
    switch (kind) {
    case BL_TOK_INT:
    case BL_TOK_FLOAT:
        out->is_float = kind == BL_TOK_FLOAT;
        out->i = p->tok.i;
        out->f = p->tok.f;
        out->single = p->tok.single;
        out->is_unsigned = p->tok.is_unsigned;
        return bl_ptx_advance(p);
    case '-':
    case '+':
    case '~':
    case '!':
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(parse_unary(p, depth + 1, out));
        return negate(p, kind, out);
    case '(': BL_TRY(bl_ptx_advance(p)); return parse_parenthesis(p, depth, out);
    default:
        if (kind == BL_TOK_NAME && p->tok.name->word == BL_W_WARP_SZ) {
            out->i = 32;
            return bl_ptx_advance(p);
        }
        return bl_ptx_unexpected(p, "a number");
    }
}

/* Operators that bind at least as tightly as `least`; 0 takes the ?: too. */
static enum bl_status parse_from(struct bl_ptx_parser *p, int least, int depth,
                                 struct bl_ptx_value *out)
{
    BL_TRY(parse_unary(p, depth, out));
    for (;;) {
        int kind = p->tok.kind, level = precedence(kind);
        struct bl_ptx_value right;

        if (level == 0 || level < least) {
            break;
        }
        BL_TRY(bl_ptx_advance(p));
        BL_TRY(parse_from(p, level + 1, depth + 1, &right));
        BL_TRY(apply(p, kind, out, &right));
    }
    if (least == 0 && p->tok.kind == '?') {
        struct bl_ptx_value yes, no;

        BL_TRY(bl_ptx_advance(p));
        BL_TRY(parse_from(p, 0, depth + 1, &yes));
        BL_TRY(bl_ptx_expect(p, ':'));
        BL_TRY(parse_from(p, 0, depth + 1, &no));
        *out = (out->is_float ? out->f != 0 : out->i != 0) ? yes : no;
    }
    return BL_OK;
}

enum bl_status bl_ptx_parse_value(struct bl_ptx_parser *p, bool terms_only,
                                  struct bl_ptx_value *out)
{
    return parse_from(p, terms_only ? 10 : 0, 0, out);
}

enum bl_status bl_ptx_parse_offset(struct bl_ptx_parser *p, int64_t *out)
{
    uint64_t sum = 0;

    while (p->tok.kind == '+' || p->tok.kind == '-') {
        bool minus = p->tok.kind == '-';
        struct bl_ptx_value value;

        BL_TRY(bl_ptx_advance(p));
        BL_TRY(bl_ptx_parse_value(p, true, &value));
        if (value.is_float) {
            return bl_ptx_fail(p, p->tok.line,
                               "an address takes a whole number, not a float");
        }
        sum = minus ? sum - value.i : sum + value.i;
    }
    *out = (int64_t)sum;
    return BL_OK;
}
