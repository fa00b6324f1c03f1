/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_args.c - the arguments of a launch, and whether the kernel takes them.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/kernel_parts.h"

#define REFUSE(maker, entry, ...)                                                        \
    bl_entry_error((maker)->raw, entry, (maker)->err, __VA_ARGS__)

static const struct {
    const char *name;
    uint32_t role;
} buffers[] = {
    {"in", BANKLAB_INPUT},
    {"out", BANKLAB_OUTPUT},
    {"scratch", BANKLAB_SCRATCH0},
    {"scratch1", BANKLAB_SCRATCH0 + 1},
    {"scratch2", BANKLAB_SCRATCH0 + 2},
    {"scratch3", BANKLAB_SCRATCH0 + 3},
};
enum { BUFFERS = sizeof buffers / sizeof *buffers };

/* 1.0f, -2.5, 1e-3; 10f too, but 0x1f is a whole number. */
static bool read_real(const char *text, double *out)
{
    const size_t length = strlen(text);
    const bool marked =
        length > 1 && (text[length - 1] == 'f' || text[length - 1] == 'F');
    const char *digits = text + (*text == '-' || *text == '+');
    char *copy;
    bool good;
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return false;
    if (!marked && !strpbrk(text, ".eE"))
        return false;
    copy = strndup(text, length - marked);
    good = copy && bl_text_real(copy, out);
    if (!good && copy && length > 1 && copy[strlen(copy) - 1] == '.') {
        copy[strlen(copy) - 1] = '\0'; /* C writes "1." too */
        good = bl_text_real(copy, out);
    }
    free(copy);
    return good;
}

/* A buffer's name within an expression is the commonest mistake. */
static enum bl_status refuse_expr(struct bl_kernel_maker *maker,
                                  const struct bl_entry *entry, const char *text,
                                  uint32_t number)
{
    if (maker->err->status == BL_E_NOMEM)
        return BL_E_NOMEM;
    for (int i = 0; i < BUFFERS; i++) {
        const size_t length = strlen(buffers[i].name);
        const char *at = strstr(text, buffers[i].name);
        const bool starts =
            at && (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_'));
        if (starts && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return REFUSE(maker, entry,
                          "%s: argument %" PRIu32 ", \"%.80s\": a buffer stands alone; "
                          "give an offset as an argument of its own",
                          entry->key, number, text);
    }
    bl_error_prefix(maker->err, "%s: argument %" PRIu32, entry->key, number);
    return bl_entry_prefix(maker->raw, entry, maker->err);
}

static enum bl_status read_arg(struct bl_kernel_maker *maker,
                               const struct bl_entry *entry, uint32_t number,
                               struct bl_kernel_arg *arg)
{
    const struct bl_kernel *kernel = maker->kernel;
    for (int i = 0; i < BUFFERS; i++) {
        if (strcmp(arg->text, buffers[i].name) != 0)
            continue;
        arg->kind = BL_KERNEL_BUFFER;
        arg->role = buffers[i].role;
        if (arg->role >= BANKLAB_SCRATCH0 &&
            !kernel->scratch[arg->role - BANKLAB_SCRATCH0])
            return REFUSE(maker, entry,
                          "%s: argument %" PRIu32 ": how large is %s? Add a line as %s = "
                          "rows * cols * elem, its bytes",
                          entry->key, number, arg->text, arg->text);
        return BL_OK;
    }
    if (read_real(arg->text, &arg->real)) {
        arg->kind = BL_KERNEL_REAL;
        return BL_OK;
    }
    arg->kind = BL_KERNEL_EXPR;
    if (bl_expr_read(arg->text, kernel->names, kernel->name_count, &arg->expr,
                     maker->err) != BL_OK)
        return refuse_expr(maker, entry, arg->text, number);
    maker->kernel->batched |= bl_expr_uses(arg->expr, BL_KERNEL_BATCH);
    return BL_OK;
}

enum bl_status bl_kernel_read_args(struct bl_kernel_maker *maker,
                                   const struct bl_entry *entry,
                                   struct bl_kernel_launch *launch)
{
    const char *rest = entry->value;
    enum bl_status st = BL_OK;
    bool nomem = false;
    char *item;
    while (st == BL_OK && (item = bl_kernel_item(&rest, &nomem)) != NULL) {
        if (!*item || launch->arg_count == BANKLAB_MAX_ARGS) {
            st = *item
                     ? REFUSE(maker, entry, "%s has more than %d arguments", entry->key,
                              BANKLAB_MAX_ARGS)
                     : REFUSE(maker, entry, "%s has nothing beside a comma", entry->key);
            free(item);
            break;
        }
        launch->args[launch->arg_count++].text = item;
        st = read_arg(maker, entry, launch->arg_count,
                      &launch->args[launch->arg_count - 1]);
    }
    return nomem ? bl_error_nomem(maker->err) : st;
}

/* ---- against the kernel
 * ---------------------------------------------------------------- */

/* What is wrong with the argument for the parameter; NULL: nothing. */
static const char *mismatch(const struct bl_kernel_arg *arg,
                            const struct bl_entry_param *param)
{
    const bool real = param->type == BANKLAB_ARG_F32 || param->type == BANKLAB_ARG_F64;
    if (!param->type)
        return param->bytes > 8 || strcmp(param->ptx, "b8") == 0
                   ? "which no argument can be: give its parts one by one in a kernel of "
                     "your own"
                   : "which no argument can be: those of 4 and 8 bytes can be given";
    switch (arg->kind) {
    case BL_KERNEL_BUFFER:
        if (param->type != BANKLAB_ARG_U64 || (param->known && !param->is_pointer))
            return "and the argument a buffer";
        return NULL;
    case BL_KERNEL_REAL: return real ? NULL : "and the argument a number with a fraction";
    default:
        if (real)
            return "and the argument a whole number; write it as 2.0f";
        return param->is_pointer ? "and the argument a whole number: it takes in, out or "
                                   "scratch"
                                 : NULL;
    }
}

enum bl_status bl_kernel_check_args(struct bl_kernel_maker *maker,
                                    const struct bl_kernel_launch *launch,
                                    const struct bl_kernel_entry *kernel)
{
    char key[32];
    const struct bl_entry *entry;
    snprintf(key, sizeof key, "%sargs", launch->key);
    entry = bl_section_find(maker->section, key);
    if (launch->arg_count != kernel->param_count && !entry)
        return bl_error_at(maker->err, BL_E_INPUT, maker->raw->path, maker->section->line,
                           "the case \"%s\" has no %s; %.300s takes %zu: list them by "
                           "comma, of in, out, numbers and expressions",
                           maker->section->name, key, kernel->shown, kernel->param_count);
    if (launch->arg_count != kernel->param_count)
        return REFUSE(maker, entry, "%s has %" PRIu32 " argument%s, but %.300s takes %zu",
                      key, launch->arg_count, launch->arg_count == 1 ? "" : "s",
                      kernel->shown, kernel->param_count);
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        const struct bl_entry_param *param = &kernel->params[i];
        const char *what = mismatch(&launch->args[i], param);
        if (what)
            return REFUSE(maker, entry,
                          "%s: argument %" PRIu32 ", \"%.60s\", does not fit %.300s: the "
                          "parameter is %.60s%s.%s%s, %s",
                          key, i + 1, launch->args[i].text, kernel->shown,
                          param->cxx ? param->cxx : "", param->cxx ? " (" : "",
                          param->ptx, param->cxx ? ")" : "", what);
    }
    return BL_OK;
}
