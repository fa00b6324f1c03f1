/* SPDX-License-Identifier: Apache-2.0
 *
 * expr.h - integer expressions in C's syntax over named values: a lane's address, the
 * width of a grid.
 *
 * Operators, binding and short circuits are C's:
 *     ?:  ||  &&  |  ^  &  == !=  < <= > >=  << >>  + -  * / %  unary - + ~ !  ( )
 * Functions: min(a, b), max(a, b), abs(a); ceil(a / b), floor(a / b), which take one
 * quotient and round it exactly; ceil_div(a, b), the same as ceil(a / b).
 * Numbers are decimal, hexadecimal (0x1f) or octal (017); C's suffixes u and l change
 * nothing. Names are letters, digits, '_' and, inside, '.': threadIdx.x is one.
 *
 * All values are signed and have 64 bits. What C leaves undefined is an error here:
 * overflow, division by zero, shifting by less than 0 or more than 63. a << n is
 * a * 2^n, also of a negative a; a >> n rounds down; / rounds to zero, and % has the
 * sign of its left side, as in C.
 *
 * An error says what is wrong in which column, and shows the place:
 *     column 4: unknown name "tv"; did you mean "tx"?
 *       4*(tv+1)
 *          ^~
 */
#ifndef BL_EXPR_H
#define BL_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    BL_EXPR_TEXT_MAX = 4096, /* bytes of an expression */
    BL_EXPR_DEPTH_MAX = 64   /* parentheses, signs, ?: and calls within each other */
};

struct bl_expr;

/* Reads `text`, which may use `names` (count of them). BL_E_INPUT where it is no
 * expression. *out is fresh; the caller ends with bl_expr_free. Nothing that was passed
 * is kept. */
enum bl_status bl_expr_read(const char *text, const char *const *names, size_t count,
                            struct bl_expr **out, struct bl_error *err);
void bl_expr_free(struct bl_expr *expr);

/* The value where names[i] has values[i]. BL_E_INPUT where there is none. May be called
 * by several threads at once. */
enum bl_status bl_expr_value(const struct bl_expr *expr, const int64_t *values,
                             int64_t *out, struct bl_error *err);

/* Whether names[name] stands in it. */
bool bl_expr_uses(const struct bl_expr *expr, size_t name);

/* As it was read. */
const char *bl_expr_text(const struct bl_expr *expr);

/* Whether `text` can be a name, and is none of the functions'. */
bool bl_expr_is_name(const char *text);

#endif
