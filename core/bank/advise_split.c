/* SPDX-License-Identifier: Apache-2.0
 *
 * advise_split.c - row and column of an address's text, where it is of the usual form.
 * What comes of it is compared with the address's values: this need not understand all
 * that can be written.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bank/advise_read.h"
#include "base/text.h"

struct piece {
    const char *at;
    size_t length;
};

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static struct piece trimmed(struct piece piece)
{
    while (piece.length > 0 && isspace((unsigned char)*piece.at)) {
        piece.at++;
        piece.length--;
    }
    while (piece.length > 0 && isspace((unsigned char)piece.at[piece.length - 1]))
        piece.length--;
    return piece;
}

/* Where the parenthesis at `i` ends. */
static size_t closing(struct piece piece, size_t i)
{
    int depth = 0;

    for (; i < piece.length; i++) {
        depth += piece.at[i] == '(';
        depth -= piece.at[i] == ')';
        if (depth == 0)
            break;
    }
    return i;
}

/* Without blanks and parentheses around it. */
static struct piece bare(struct piece piece)
{
    piece = trimmed(piece);
    while (piece.length > 1 && piece.at[0] == '(' &&
           closing(piece, 0) == piece.length - 1)
        piece = trimmed((struct piece){piece.at + 1, piece.length - 2});
    return piece;
}

/* The next of `operators` outside parentheses, from `i` on; else the length. */
static size_t find(struct piece piece, size_t i, const char *operators)
{
    for (; i < piece.length; i++) {
        if (piece.at[i] == '(')
            i = closing(piece, i);
        else if (strchr(operators, piece.at[i]))
            return i;
    }
    return piece.length;
}

static bool is_text(struct piece piece, const char *text)
{
    piece = trimmed(piece);
    return piece.length == strlen(text) && memcmp(piece.at, text, piece.length) == 0;
}

/* What stands with `factor` in a product: A of "A * factor" and of "factor * A". */
static bool other_factor(struct piece product, const char *factor, struct piece *out)
{
    size_t first = find(product, 0, "*"), last = first;

    for (size_t i = first; i < product.length; i = find(product, i + 1, "*"))
        last = i;
    if (first == product.length)
        return false;
    struct piece left = {product.at, first};
    struct piece rest = {product.at + first + 1, product.length - first - 1};
    struct piece right = {product.at + last + 1, product.length - last - 1};
    if (is_text(right, factor)) {
        *out = trimmed((struct piece){product.at, last});
        return true;
    }
    if (is_text(left, factor) && find(rest, 0, "/%") == rest.length) {
        *out = trimmed(rest);
        return true;
    }
    return false;
}

static bool names(struct piece piece, const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i + length <= piece.length; i++)
        if (memcmp(piece.at + i, name, length) == 0 &&
            (i == 0 || !in_name(piece.at[i - 1])) &&
            (i + length == piece.length || !in_name(piece.at[i + length])))
            return true;
    return false;
}

/* "sum + piece"; frees `sum`. */
static char *longer(char *sum, struct piece piece)
{
    char *text = sum ? bl_text_format("%s + %.*s", sum, (int)piece.length, piece.at)
                     : bl_text_format("%.*s", (int)piece.length, piece.at);

    free(sum);
    return text;
}

static bool split_sum(struct piece sum, const char *pitch, char **row, char **col)
{
    if (find(sum, 0, "-<>&^|?:=!~,") != sum.length)
        return false;
    for (size_t i = 0; i <= sum.length;) {
        const size_t end = find(sum, i, "+");
        struct piece term = trimmed((struct piece){sum.at + i, end - i}), factor;
        char **side = names(term, pitch) ? row : col;

        if (side == row && is_text(term, pitch))
            factor = (struct piece){"1", 1};
        else if (side == row && !other_factor(term, pitch, &factor))
            return false;
        *side = longer(*side, side == row ? factor : term);
        if (!*side || term.length == 0)
            return false;
        i = end + 1;
    }
    return *row != NULL;
}

/* In parentheses, unless it is a single word. */
static char *enclosed(char *text)
{
    struct piece piece = bare((struct piece){text, strlen(text)});
    bool word = true;
    char *out;

    for (size_t i = 0; i < piece.length; i++)
        word = word && in_name(piece.at[i]);
    out = bl_text_format(word ? "%.*s" : "(%.*s)", (int)piece.length, piece.at);
    free(text);
    return out;
}

bool bl_advise_split(const char *text, const char *pitch, uint32_t elem, char **row,
                     char **col)
{
    struct piece all = bare((struct piece){text, strlen(text)}), inner = all;
    char *bytes = bl_text_format("%u", (unsigned)elem);
    bool right = bytes != NULL;

    *row = *col = NULL;
    if (right && elem > 1)
        right = find(all, 0, "+-<>&^|?:=!~,") == all.length &&
                other_factor(all, bytes, &inner);
    right = right && split_sum(bare(inner), pitch, row, col);
    if (right) {
        *row = enclosed(*row);
        *col = enclosed(*col ? *col : strdup("0"));
        right = *row && *col;
    }
    if (!right) {
        free(*row);
        free(*col);
        *row = *col = NULL;
    }
    free(bytes);
    return right;
}

char *bl_advise_replace(const char *text, const char *name, const char *value)
{
    const size_t length = strlen(name);
    char *out = strdup("");

    for (size_t i = 0; text[i] && out;) {
        size_t end = i + 1;
        char *more;

        while (in_name(text[i]) && in_name(text[end]))
            end++;
        if (end - i == length && memcmp(text + i, name, length) == 0)
            more = bl_text_format("%s%s", out, value);
        else
            more = bl_text_format("%s%.*s", out, (int)(end - i), text + i);
        free(out);
        out = more;
        i = end;
    }
    return out;
}
