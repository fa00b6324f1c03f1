/* SPDX-License-Identifier: Apache-2.0
 *
 * expr_functions.h - inside of expressions: the functions by name. A new one is a row
 * here, and its operation in expr.c.
 */
#ifndef BL_EXPR_FUNCTIONS_H
#define BL_EXPR_FUNCTIONS_H

#include "expr/expr_parts.h"

struct bl_expr_function {
    const char *name;
    int arguments;
    enum bl_expr_code code;
    bool of_quotient; /* takes a / b, and is told both */
    const char *form;
};

enum { BL_EXPR_FUNCTIONS = 6 };
extern const struct bl_expr_function bl_expr_functions[BL_EXPR_FUNCTIONS];

/* By `length` bytes of name; NULL: there is none. */
const struct bl_expr_function *bl_expr_function_find(const char *word, size_t length);

/* Whether the `length` bytes are that name. */
bool bl_expr_word_is(const char *word, size_t length, const char *name);

#endif
