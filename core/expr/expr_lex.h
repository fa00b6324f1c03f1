/* SPDX-License-Identifier: Apache-2.0
 *
 * expr_lex.h - inside of expressions: their words.
 */
#ifndef BL_EXPR_LEX_H
#define BL_EXPR_LEX_H

#include "expr/expr_parts.h"

/* Single characters are their own kind. */
enum bl_expr_kind {
    BL_EXPR_T_END = 0,
    BL_EXPR_T_NUMBER = 256,
    BL_EXPR_T_WORD,
    BL_EXPR_T_OR,  /* || */
    BL_EXPR_T_AND, /* && */
    BL_EXPR_T_EQ,
    BL_EXPR_T_NE,
    BL_EXPR_T_LE,
    BL_EXPR_T_GE,
    BL_EXPR_T_SHL,
    BL_EXPR_T_SHR
};

struct bl_expr_token {
    int kind;
    size_t at, length; /* in bytes of the text */
    int64_t value;     /* of a number */
};

/* The bytes from `text` on that are a name; 0: none. */
size_t bl_expr_word(const char *text);

/* The token at or after text[from], blanks left out. */
enum bl_status bl_expr_lex(const char *text, size_t from, struct bl_expr_token *out,
                           struct bl_error *err);

#endif
