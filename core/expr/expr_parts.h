/* SPDX-License-Identifier: Apache-2.0
 *
 * expr_parts.h - inside of expressions: what expr_read.c makes and expr.c carries out.
 */
#ifndef BL_EXPR_PARTS_H
#define BL_EXPR_PARTS_H

#include "expr/expr.h"

/* Operations of a stack machine. Those of two operands take the upper one as right. */
enum bl_expr_code {
    BL_EXPR_PUSH, /* value */
    BL_EXPR_NAME, /* value of names[value] */
    BL_EXPR_NEG,
    BL_EXPR_FLIP,
    BL_EXPR_NOT,
    BL_EXPR_ABS,
    BL_EXPR_BOOL,   /* 1 where it is not 0 */
    BL_EXPR_JUMP,   /* to ops[value] */
    BL_EXPR_UNLESS, /* takes the top; to ops[value] where it is 0 */
    BL_EXPR_TWO,    /* from here on: two operands */
    BL_EXPR_ADD = BL_EXPR_TWO,
    BL_EXPR_SUB,
    BL_EXPR_MUL,
    BL_EXPR_DIV,
    BL_EXPR_REM,
    BL_EXPR_CEIL,
    BL_EXPR_FLOOR,
    BL_EXPR_SHL,
    BL_EXPR_SHR,
    BL_EXPR_AND,
    BL_EXPR_OR,
    BL_EXPR_XOR,
    BL_EXPR_LT,
    BL_EXPR_LE,
    BL_EXPR_GT,
    BL_EXPR_GE,
    BL_EXPR_EQ,
    BL_EXPR_NE,
    BL_EXPR_MIN,
    BL_EXPR_MAX
};

struct bl_expr_op {
    enum bl_expr_code code;
    uint32_t at; /* byte of the text that errors point at */
    int64_t value;
};

enum { BL_EXPR_STACK = 128 }; /* values that may wait for each other */

struct bl_expr {
    char *text;
    struct bl_expr_op *ops;
    size_t count;
};

/* BL_E_INPUT: "column N: " and what `format` says, the text, and a mark below the
 * `length` bytes from `at` on. */
__attribute__((format(printf, 5, 6))) enum bl_status
bl_expr_fail(const char *text, size_t at, size_t length, struct bl_error *err,
             const char *format, ...);

#endif
