/* SPDX-License-Identifier: Apache-2.0 */
#include "expr/expr_lex.h"

#include <string.h>

/* Not by <ctype.h>: a locale's letters are no letters here. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t bl_expr_word(const char *text)
{
    size_t length = 0;

    if (!is_letter(text[0]))
        return 0;
    while (is_letter(text[length]) || is_digit(text[length]) ||
           (text[length] == '.' && is_letter(text[length + 1])))
        length++;
    return length;
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* u, l and ll, one after the other, as C has them. */
static size_t suffix_length(const char *text)
{
    size_t length = 0;

    while (length < 3 && text[length] != '\0' && strchr("uUlL", text[length]))
        length++;
    return length;
}

static enum bl_status lex_number(const char *text, struct bl_expr_token *token,
                                 struct bl_error *err)
{
    const char *start = text + token->at, *p = start;
    int base = 10;
    bool fits = true;

    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    } else if (p[0] == '0') {
        base = 8;
    }
    const char *digits = p;
    token->value = 0;
    for (; digit_value(*p) < base; p++)
        fits = fits && !__builtin_mul_overflow(token->value, base, &token->value) &&
               !__builtin_add_overflow(token->value, digit_value(*p), &token->value);
    const bool some = p > digits;
    p += suffix_length(p);
    const char *end = p;
    while (is_letter(*p) || is_digit(*p) || *p == '.')
        p++;
    token->length = (size_t)(p - start);
    if (some && p == end && fits)
        return BL_OK;
    if (some && p == end)
        return bl_expr_fail(text, token->at, token->length, err,
                            "the number does not fit into 64 bits");
    return bl_expr_fail(text, token->at, token->length, err,
                        "\"%.*s\" is no whole number: decimal, 0x hexadecimal or 0 octal "
                        "is expected",
                        token->length < 60 ? (int)token->length : 60, start);
}

static const struct {
    char text[3];
    int kind;
} pairs[] = {
    {"||", BL_EXPR_T_OR},  {"&&", BL_EXPR_T_AND}, {"==", BL_EXPR_T_EQ},
    {"!=", BL_EXPR_T_NE},  {"<=", BL_EXPR_T_LE},  {">=", BL_EXPR_T_GE},
    {"<<", BL_EXPR_T_SHL}, {">>", BL_EXPR_T_SHR},
};

static enum bl_status lex_sign(const char *text, struct bl_expr_token *token,
                               struct bl_error *err)
{
    const char *p = text + token->at;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strncmp(p, pairs[i].text, 2) == 0) {
            token->kind = pairs[i].kind;
            token->length = 2;
            return BL_OK;
        }
    token->kind = (unsigned char)*p;
    token->length = 1;
    if (strchr("+-*/%&|^~!?:<>(),", *p))
        return BL_OK;
    if (*p == '=')
        return bl_expr_fail(text, token->at, 1, err,
                            "nothing can be assigned here; == compares");
    if (*p == '.')
        return bl_expr_fail(text, token->at, 1, err, "whole numbers have no point");
    if ((unsigned char)*p > 0x20 && (unsigned char)*p < 0x7f)
        return bl_expr_fail(text, token->at, 1, err, "'%c' is no operator", *p);
    return bl_expr_fail(text, token->at, 1, err, "the byte 0x%02x has no meaning here",
                        (unsigned)(unsigned char)*p);
}

enum bl_status bl_expr_lex(const char *text, size_t from, struct bl_expr_token *out,
                           struct bl_error *err)
{
    struct bl_expr_token token = {.at = from};
    enum bl_status status = BL_OK;

    while (text[token.at] != '\0' && strchr(" \t\r\n", text[token.at]))
        token.at++;
    if (text[token.at] == '\0') {
        token.kind = BL_EXPR_T_END;
    } else if (is_digit(text[token.at])) {
        token.kind = BL_EXPR_T_NUMBER;
        status = lex_number(text, &token, err);
    } else if (is_letter(text[token.at])) {
        token.kind = BL_EXPR_T_WORD;
        token.length = bl_expr_word(text + token.at);
    } else {
        status = lex_sign(text, &token, err);
    }
    if (status == BL_OK)
        *out = token;
    return status;
}
