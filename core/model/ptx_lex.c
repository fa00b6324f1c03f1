/* SPDX-License-Identifier: Apache-2.0 */

#include "model/ptx_lex.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct bl_ptx_shown bl_ptx_show(const char *text, size_t length)
{
    struct bl_ptx_shown shown;
    size_t take = length > 40 ? 40 : length;
    size_t n = 0;

    shown.text[n++] = '\'';
    for (size_t i = 0; i < take; i++) {
        char c = text[i];
        shown.text[n++] = (c < ' ' || c > '~') ? '?' : c;
    }
    memcpy(shown.text + n, take < length ? "...'" : "'", take < length ? 5 : 2);
    return shown;
}

struct bl_ptx_shown bl_ptx_show_token(const struct bl_ptx_token *token)
{
    if (token->kind == BL_TOK_END) {
        return (struct bl_ptx_shown){"the end of the text"};
    }
    return bl_ptx_show(token->text, token->length);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What may stand in a name after its first character. */
static bool is_follower(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static int hex_value(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static char peek(const struct bl_ptx_lexer *lex, size_t ahead)
{
    return (size_t)(lex->end - lex->at) > ahead ? lex->at[ahead] : '\0';
}

static enum bl_status skip_comment(struct bl_ptx_lexer *lex)
{
    int line = lex->line;

    for (lex->at += 2; lex->at < lex->end; lex->at++) {
        if (*lex->at == '*' && peek(lex, 1) == '/') {
            lex->at += 2;
            return BL_OK;
        }
        lex->line += *lex->at == '\n';
    }
    return bl_error_at(lex->err, BL_E_INPUT, lex->file, line,
                       "this comment is not closed: */ is missing");
}

/* White space and comments. */
static enum bl_status skip_blank(struct bl_ptx_lexer *lex)
{
    while (lex->at < lex->end) {
        char c = *lex->at;
        if (c == '\n') {
            lex->line++;
            lex->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lex->at++;
        } else if (c == '/' && peek(lex, 1) == '/') {
            const char *eol = memchr(lex->at, '\n', (size_t)(lex->end - lex->at));
            lex->at = eol ? eol : lex->end;
        } else if (c == '/' && peek(lex, 1) == '*') {
            enum bl_status status = skip_comment(lex);
            if (status != BL_OK) {
                return status;
            }
        } else {
            break;
        }
    }
    return BL_OK;
}

static enum bl_status number_error(struct bl_ptx_lexer *lex, const char *start,
                                   const char *why)
{
    const char *end = start;

    while (end < lex->end && (is_follower(*end) || *end == '.')) {
        end++;
    }
    return bl_error_at(lex->err, BL_E_INPUT, lex->file, lex->line, "the number %s %s",
                       bl_ptx_show(start, (size_t)(end - start)).text, why);
}

/* 0f and 8, or 0d and 16, hexadecimal digits: the bits of a float. */
static enum bl_status lex_float_bits(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    const char *start = lex->at;
    bool single = start[1] == 'f' || start[1] == 'F';
    int digits = single ? 8 : 16;
    uint64_t bits = 0;

    lex->at += 2;
    for (int i = 0; i < digits; i++) {
        int value = hex_value(peek(lex, 0));
        if (value < 0) {
            break;
        }
        bits = bits << 4 | (unsigned)value;
        lex->at++;
    }
    if (lex->at != start + 2 + digits || is_follower(peek(lex, 0))) {
        return number_error(lex, start,
                            single ? "needs 8 hexadecimal digits after 0f"
                                   : "needs 16 hexadecimal digits after 0d");
    }
    out->kind = BL_TOK_FLOAT;
    out->single = single;
    out->i = bits;
    if (single) {
        uint32_t half = (uint32_t)bits;
        float f;
        memcpy(&f, &half, sizeof f);
        out->f = (double)f;
    } else {
        memcpy(&out->f, &bits, sizeof out->f);
    }
    return BL_OK;
}

static enum bl_status lex_decimal_float(struct bl_ptx_lexer *lex,
                                        struct bl_ptx_token *out)
{
    const char *start = lex->at;
    char copy[64];
    size_t length;

    while (is_digit(peek(lex, 0)) || peek(lex, 0) == '.') {
        lex->at++;
    }
    if (peek(lex, 0) == 'e' || peek(lex, 0) == 'E') {
        lex->at++;
        if (peek(lex, 0) == '+' || peek(lex, 0) == '-') {
            lex->at++;
        }
        while (is_digit(peek(lex, 0))) {
            lex->at++;
        }
    }
    length = (size_t)(lex->at - start);
    if (length >= sizeof copy || is_follower(peek(lex, 0))) {
        return number_error(lex, start, "is no decimal number, or too long a one");
    }
    memcpy(copy, start, length);
    copy[length] = '\0';
    if (copy[length - 1] == '.') {
        copy[length - 1] = '\0'; /* "1." is a number in C, as in PTX */
    }
    if (!bl_text_real(copy, &out->f)) {
        return number_error(lex, start, "is no decimal number in the range of a double");
    }
    out->kind = BL_TOK_FLOAT;
    memcpy(&out->i, &out->f, sizeof out->i);
    return BL_OK;
}

static unsigned number_base(struct bl_ptx_lexer *lex)
{
    if (*lex->at != '0') {
        return 10;
    }
    if (peek(lex, 1) == 'x' || peek(lex, 1) == 'X') {
        lex->at += 2;
        return 16;
    }
    if (peek(lex, 1) == 'b' || peek(lex, 1) == 'B') {
        lex->at += 2;
        return 2;
    }
    return 8;
}

static enum bl_status lex_int(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    const char *start = lex->at, *digits;
    unsigned base = number_base(lex);
    uint64_t value = 0;

    digits = lex->at;
    for (; lex->at < lex->end; lex->at++) {
        int digit = hex_value(*lex->at);
        if (digit < 0 || (unsigned)digit >= base) {
            break;
        }
        if (value > (UINT64_MAX - (unsigned)digit) / base) {
            return number_error(lex, start, "is too large: 64 bits at most");
        }
        value = value * base + (unsigned)digit;
    }
    if (lex->at == digits) {
        return number_error(lex, start, "has no digits");
    }
    out->is_unsigned = value > INT64_MAX;
    if (peek(lex, 0) == 'U' || peek(lex, 0) == 'u') {
        out->is_unsigned = true;
        lex->at++;
    }
    if (is_follower(peek(lex, 0))) {
        return number_error(lex, start, "has a digit or letter too many in it");
    }
    out->kind = BL_TOK_INT;
    out->i = value;
    return BL_OK;
}

static enum bl_status lex_number(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    size_t digits = 0;
    char second = peek(lex, 1);

    if (*lex->at == '0' &&
        (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
        return lex_float_bits(lex, out);
    }
    while (is_digit(peek(lex, digits))) {
        digits++;
    }
    if (peek(lex, digits) == '.' || peek(lex, digits) == 'e' ||
        peek(lex, digits) == 'E') {
        return lex_decimal_float(lex, out);
    }
    return lex_int(lex, out);
}

static enum bl_status lex_string(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    const char *start = ++lex->at;

    while (lex->at < lex->end && *lex->at != '"' && *lex->at != '\n') {
        lex->at += *lex->at == '\\' && peek(lex, 1) == '"' ? 2 : 1;
    }
    if (lex->at >= lex->end || *lex->at != '"') {
        return bl_error_at(lex->err, BL_E_INPUT, lex->file, lex->line,
                           "this string is not closed: \" is missing on its line");
    }
    out->kind = BL_TOK_STRING;
    out->text = start;
    out->length = (size_t)(lex->at - start);
    lex->at++;
    return BL_OK;
}

/* A name, or after a dot a modifier, which may begin with a digit and have :: in it. */
static enum bl_status lex_name(struct bl_ptx_lexer *lex, bool after_dot,
                               struct bl_ptx_token *out)
{
    const char *start = lex->at;

    lex->at += !after_dot;
    while (lex->at < lex->end) {
        if (is_follower(*lex->at)) {
            lex->at++;
        } else if (after_dot && *lex->at == ':' && peek(lex, 1) == ':') {
            lex->at += 2;
        } else {
            break;
        }
    }
    out->kind = after_dot ? BL_TOK_DOT : BL_TOK_NAME;
    out->name = bl_ptx_name_add(lex->names, start, (size_t)(lex->at - start));
    return out->name ? BL_OK : bl_error_nomem(lex->err);
}

static enum bl_status lex_punctuation(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    static const struct {
        char text[3];
        int kind;
    } pairs[] = {{"<<", BL_TOK_SHL}, {">>", BL_TOK_SHR}, {"<=", BL_TOK_LE},
                 {">=", BL_TOK_GE},  {"==", BL_TOK_EQ},  {"!=", BL_TOK_NE},
                 {"&&", BL_TOK_AND}, {"||", BL_TOK_OR}};
    char c = *lex->at;

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (c == pairs[i].text[0] && peek(lex, 1) == pairs[i].text[1]) {
            out->kind = pairs[i].kind;
            lex->at += 2;
            return BL_OK;
        }
    }
    if (c == '\0' || !strchr("{}[]()<>,;:@!|&^+-*/%~=?", c)) {
        return bl_error_at(lex->err, BL_E_INPUT, lex->file, lex->line,
                           "the byte 0x%02x has no place in PTX outside comments",
                           (unsigned)(unsigned char)c);
    }
    out->kind = (unsigned char)c;
    lex->at++;
    return BL_OK;
}

enum bl_status bl_ptx_lex(struct bl_ptx_lexer *lex, struct bl_ptx_token *out)
{
    enum bl_status status = skip_blank(lex);
    struct bl_ptx_token token = {.kind = BL_TOK_END};
    char c;

    if (status != BL_OK) {
        return status;
    }
    token.line = lex->line;
    token.text = lex->at;
    c = peek(lex, 0);
    if (lex->at == lex->end) {
        status = BL_OK;
    } else if (is_letter(c) || c == '_' || c == '$' ||
               (c == '%' && is_follower(peek(lex, 1)))) {
        status = lex_name(lex, false, &token);
    } else if (c == '.' && is_follower(peek(lex, 1))) {
        lex->at++;
        status = lex_name(lex, true, &token);
    } else if (is_digit(c)) {
        status = lex_number(lex, &token);
    } else if (c == '"') {
        status = lex_string(lex, &token);
    } else {
        status = lex_punctuation(lex, &token);
    }
    if (status != BL_OK) {
        return status;
    }
    if (token.kind != BL_TOK_STRING) {
        token.length = (size_t)(lex->at - token.text);
    }
    *out = token;
    return BL_OK;
}
