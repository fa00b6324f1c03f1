/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_parts.h - inside of `plugin = kernel`: what is made of a case's keys.
 */
#ifndef BL_KERNEL_PARTS_H
#define BL_KERNEL_PARTS_H

#include "expr/expr.h"
#include "kernel/entries.h"
#include "load/param.h"
#include "load/plugin_calls.h"
#include "load/plugin_form.h"

enum {
    BL_KERNEL_CONSTS_MAX = 32, /* const. and define. keys of a case */
    BL_KERNEL_BATCH = 3,       /* of the names: rows, cols, elem, batch, constants */
    BL_KERNEL_NAMES_MAX = 4 + BL_KERNEL_CONSTS_MAX,
    BL_KERNEL_VARIANTS_MAX = 256 /* sets of values for which code is made */
};

/* Its place in the plugin's table of parameters is its index. */
struct bl_kernel_const {
    const char *name; /* "TILE": inside of the parameter's name, "define.TILE" */
    bool define;      /* given to the compiler */
    bool is_text;     /* a choice; in no expression */
    bool selects;     /* which code, and which of its kernels, depends on it */
    const struct bl_entry *entry; /* while the plugin is made */
};

enum bl_kernel_arg_kind { BL_KERNEL_BUFFER, BL_KERNEL_EXPR, BL_KERNEL_REAL };

struct bl_kernel_arg {
    enum bl_kernel_arg_kind kind;
    uint32_t role; /* BUFFER */
    double real;   /* REAL */
    struct bl_expr *expr;
    char *text; /* as written */
};

struct bl_kernel_launch {
    struct bl_expr *grid[3], *block[3]; /* NULL: 1 */
    struct bl_expr *shared;             /* NULL: 0 */
    struct bl_kernel_arg args[BANKLAB_MAX_ARGS];
    uint32_t arg_count;
    char key[24]; /* "launch2.", before its keys; "" of the first */
};

/* Device code, read. */
struct bl_kernel_code {
    char *text;
    size_t length;
    struct bl_kernel_entries entries;
};

/* One set of values of the constants that select. */
struct bl_kernel_variant {
    int64_t values[BL_KERNEL_CONSTS_MAX]; /* by constant; others are 0 */
    const struct bl_kernel_code *code;
    struct banklab_module module;
    const struct bl_kernel_entry *kernels[BANKLAB_MAX_LAUNCHES];
};

/* `own` of a kernel's plugin. */
struct bl_kernel {
    char *file; /* as it is shown */
    char *summary;
    struct banklab_param params[BL_KERNEL_CONSTS_MAX];
    struct bl_kernel_const consts[BL_KERNEL_CONSTS_MAX];
    uint32_t const_count;
    char **choices[BL_KERNEL_CONSTS_MAX]; /* of bl_sweep_expand; NULL: a number */
    struct banklab_setting twin[BL_KERNEL_CONSTS_MAX];
    uint32_t twin_count;
    const char *names[BL_KERNEL_NAMES_MAX]; /* of expressions; "" for what is text */
    size_t name_count;
    bool batched; /* some expression has the batch in it */
    struct bl_kernel_launch launches[BANKLAB_MAX_LAUNCHES];
    uint32_t launch_count;
    struct bl_expr *scratch[BANKLAB_MAX_SCRATCH];
    char *expect, *input; /* whole files, or NULL */
    size_t expect_bytes, input_bytes;
    struct bl_kernel_code *codes[BL_KERNEL_VARIANTS_MAX];
    size_t code_count;
    struct bl_kernel_variant *variants;
    size_t variant_count;
};

/* The case that a kernel is made of. */
struct bl_kernel_maker {
    struct bl_form_env *env;
    const struct bl_raw *raw;
    const struct bl_section *section;
    struct bl_kernel *kernel;
    struct bl_error *err;
};

extern const struct bl_plugin_made bl_kernel_made;

void bl_kernel_free(void *kernel);

/* ---- kernel.c ---- */

/* "launch2.grid": its number from 1 and what follows the dot; 1 and the key where it is
 * of the first. 0: it is no launch's key. */
unsigned bl_kernel_launch_key(const char *key, const char **rest);

/* ---- kernel_consts.c ---- */

/* The constants, the names in expressions, and the twin. */
enum bl_status bl_kernel_read_consts(struct bl_kernel_maker *maker);

/* The variant for these values; NULL: there is none. */
const struct bl_kernel_variant *bl_kernel_variant_find(const struct bl_kernel *kernel,
                                                       const banklab_value *params);

/* ---- kernel_launch.c ---- */

/* Grids, blocks, arguments and buffers. */
enum bl_status bl_kernel_read_launches(struct bl_kernel_maker *maker);

/* The next of a list that commas part, at *rest, which moves on; fresh and trimmed, NULL
 * at the end. Commas within brackets part nothing. *nomem: memory ran out. */
char *bl_kernel_item(const char **rest, bool *nomem);

/* ---- kernel_args.c ---- */

enum bl_status bl_kernel_read_args(struct bl_kernel_maker *maker,
                                   const struct bl_entry *entry,
                                   struct bl_kernel_launch *launch);
/* Whether the kernel takes the arguments, by number, size and kind. */
enum bl_status bl_kernel_check_args(struct bl_kernel_maker *maker,
                                    const struct bl_kernel_launch *launch,
                                    const struct bl_kernel_entry *kernel);

/* ---- kernel_code.c ---- */

/* Every variant, with its code. */
enum bl_status bl_kernel_read_code(struct bl_kernel_maker *maker);

/* ---- kernel_plan.c ---- */

int bl_kernel_plan(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                   const banklab_value *params, struct banklab_plan *plan,
                   struct banklab_error *error);

#endif
