/* SPDX-License-Identifier: Apache-2.0 */
#include "expr/expr_functions.h"

#include <string.h>

#include "expr/expr_lex.h"

const struct bl_expr_function bl_expr_functions[BL_EXPR_FUNCTIONS] = {
    {"min", 2, BL_EXPR_MIN, false, "min(a, b)"},
    {"max", 2, BL_EXPR_MAX, false, "max(a, b)"},
    {"abs", 1, BL_EXPR_ABS, false, "abs(a)"},
    {"ceil", 1, BL_EXPR_CEIL, true, "ceil(a / b)"},
    {"floor", 1, BL_EXPR_FLOOR, true, "floor(a / b)"},
    {"ceil_div", 2, BL_EXPR_CEIL, false, "ceil_div(a, b)"},
};

bool bl_expr_word_is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

const struct bl_expr_function *bl_expr_function_find(const char *word, size_t length)
{
    for (size_t i = 0; i < BL_EXPR_FUNCTIONS; i++)
        if (bl_expr_word_is(word, length, bl_expr_functions[i].name))
            return &bl_expr_functions[i];
    return NULL;
}

bool bl_expr_is_name(const char *text)
{
    const size_t length = bl_expr_word(text);

    return length > 0 && text[length] == '\0' && !bl_expr_function_find(text, length);
}
