/* SPDX-License-Identifier: Apache-2.0
 *
 * kernel_plan.c - what a kernel's plugin says when it is asked.
 */
#include <inttypes.h>
#include <string.h>

#include "kernel/kernel_parts.h"
#include "work/kind.h"

/* What a plan is worked out from. */
struct planning {
    const struct bl_kernel *kernel;
    const struct bl_kernel_variant *variant;
    int64_t values[BL_KERNEL_NAMES_MAX];
    const struct bl_kernel_launch *launch;
    struct banklab_plan *plan;
    struct banklab_error *error;
};

__attribute__((format(printf, 2, 3))) static int failed(struct banklab_error *error,
                                                        const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(error->text, sizeof error->text, format, ap);
    va_end(ap);
    return BANKLAB_FAILED;
}

static int evaluate(const struct planning *p, const char *key, const struct bl_expr *expr,
                    int64_t *out)
{
    struct bl_error err;
    if (bl_expr_value(expr, p->values, out, &err) == BL_OK)
        return BANKLAB_OK;
    err.text[strcspn(err.text, "\n")] = '\0'; /* the place is shown by the text below */
    return failed(p->error, "%s%s = %.80s: %.120s", p->launch ? p->launch->key : "", key,
                  bl_expr_text(expr), err.text);
}

static int plan_shape(const struct planning *p, const char *key,
                      struct bl_expr *const exprs[3], uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        int64_t value = 1;
        if (exprs[i] && evaluate(p, key, exprs[i], &value))
            return BANKLAB_FAILED;
        if (value < 1 || value > UINT32_MAX)
            return failed(p->error,
                          "%s%s: %.80s is %" PRId64 " where rows = %" PRId64
                          ", cols = %" PRId64 "%s",
                          p->launch->key, key, bl_expr_text(exprs[i]), value,
                          p->values[0], p->values[1],
                          value == 0 ? "; ceil(a/b) rounds up" : "");
        out[i] = (uint32_t)value;
    }
    return BANKLAB_OK;
}

/* Whether the parameter can hold the number; *shown is its type. */
static bool fits(int64_t value, const struct bl_entry_param *param)
{
    if (param->type == BANKLAB_ARG_U64)
        return value >= 0 || !param->is_unsigned;
    if (value < (param->is_unsigned ? 0 : INT32_MIN))
        return false;
    return value <= (param->is_signed ? INT32_MAX : UINT32_MAX);
}

static int plan_arg(const struct planning *p, const struct bl_kernel_arg *arg,
                    const struct bl_entry_param *param, struct banklab_launch *out)
{
    int64_t value = 0;
    if (arg->kind == BL_KERNEL_BUFFER) {
        banklab_arg_buffer(out, arg->role);
        return BANKLAB_OK;
    }
    if (arg->kind == BL_KERNEL_REAL) {
        banklab_arg_add(out, param->type, 0);
        out->args[out->arg_count - 1].value.f = arg->real;
        return BANKLAB_OK;
    }
    if (evaluate(p, "args", arg->expr, &value))
        return BANKLAB_FAILED;
    if (!fits(value, param))
        return failed(p->error,
                      "%sargs: %.80s is %" PRId64 ", which %s of %" PRIu64
                      " bytes does not hold",
                      p->launch->key, arg->text, value,
                      param->cxx ? param->cxx : param->ptx, param->bytes);
    banklab_arg_add(out, param->type,
                    param->type == BANKLAB_ARG_U32 ? (uint32_t)value : (uint64_t)value);
    return BANKLAB_OK;
}

static int plan_launch(struct planning *p, uint32_t at)
{
    const struct bl_kernel_launch *launch = &p->kernel->launches[at];
    const struct bl_kernel_entry *kernel = p->variant->kernels[at];
    struct banklab_launch *out = banklab_launch_add(p->plan, "%s", kernel->name);
    int64_t shared = 0;
    p->launch = launch;
    if (plan_shape(p, "grid", launch->grid, out->grid) ||
        plan_shape(p, "block", launch->block, out->block))
        return BANKLAB_FAILED;
    if (launch->shared && evaluate(p, "shared", launch->shared, &shared))
        return BANKLAB_FAILED;
    if (shared < 0 || shared > UINT32_MAX)
        return failed(p->error, "%sshared = %.80s is %" PRId64 " bytes", launch->key,
                      bl_expr_text(launch->shared), shared);
    out->shared_bytes = (uint32_t)shared;
    for (uint32_t i = 0; i < launch->arg_count; i++)
        if (plan_arg(p, &launch->args[i], &kernel->params[i], out))
            return BANKLAB_FAILED;
    return BANKLAB_OK;
}

static int plan_scratch(const struct planning *p)
{
    for (int i = 0; i < BANKLAB_MAX_SCRATCH; i++) {
        int64_t bytes = 0;
        if (!p->kernel->scratch[i])
            continue;
        if (evaluate(p, "scratch", p->kernel->scratch[i], &bytes))
            return BANKLAB_FAILED;
        if (bytes < 1)
            return failed(p->error, "scratch = %.80s is %" PRId64 " bytes",
                          bl_expr_text(p->kernel->scratch[i]), bytes);
        p->plan->scratch_bytes[i] = (uint64_t)bytes;
    }
    return BANKLAB_OK;
}

/* Files must be as long as the problem's buffers. */
static int check_files(const struct planning *p, const struct banklab_problem *problem)
{
    const uint64_t bytes = bl_problem_elements(problem) * problem->elem;
    const struct bl_kernel *kernel = p->kernel;
    char shape[BL_SHAPE_MAX];
    const bool expects = kernel->expect && kernel->expect_bytes != bytes;
    if (!expects && !(kernel->input && kernel->input_bytes != bytes))
        return BANKLAB_OK;
    return failed(
        p->error, "%s has %zu bytes, but %s elements of %" PRIu32 " bytes are %" PRIu64,
        expects ? "expect_file" : "in_file",
        expects ? kernel->expect_bytes : kernel->input_bytes,
        bl_problem_shape(problem, " x ", shape, sizeof shape), problem->elem, bytes);
}

static int plan(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                const banklab_value *params, struct banklab_plan *out,
                struct banklab_error *error)
{
    const struct bl_kernel *kernel = plugin->own;
    struct planning p = {.kernel = kernel, .plan = out, .error = error};
    int said;
    p.variant = bl_kernel_variant_find(kernel, params);
    if (!p.variant)
        return failed(error, "there is no code for these values of its constants");
    p.values[0] = (int64_t)problem->rows; /* at most 2^60: bl_kind_bytes */
    p.values[1] = (int64_t)problem->cols;
    p.values[2] = problem->elem;
    p.values[BL_KERNEL_BATCH] = (int64_t)bl_problem_batch(problem);
    for (uint32_t i = 0; i < kernel->const_count; i++)
        p.values[BL_KERNEL_BATCH + 1 + i] = params[i].i;
    said = check_files(&p, problem);
    if (said == BANKLAB_OK)
        said = plan_scratch(&p);
    for (uint32_t i = 0; said == BANKLAB_OK && i < kernel->launch_count; i++)
        said = plan_launch(&p, i);
    return said;
}

static bool has_reference(const struct bl_plugin *plugin)
{
    return ((const struct bl_kernel *)plugin->own)->expect != NULL;
}

/* The plan has found it as long as the output. */
static int reference(const struct bl_plugin *plugin,
                     const struct banklab_problem *problem, const banklab_value *params,
                     const void *in, void *out, struct banklab_error *error)
{
    const struct bl_kernel *kernel = plugin->own;
    (void)problem;
    (void)params;
    (void)in;
    (void)error;
    memcpy(out, kernel->expect, kernel->expect_bytes);
    return BANKLAB_OK;
}

static const void *input(const struct bl_plugin *plugin, uint64_t *bytes)
{
    const struct bl_kernel *kernel = plugin->own;
    *bytes = kernel->input_bytes;
    return kernel->input;
}

static const struct banklab_module *modules(const struct bl_plugin *plugin,
                                            const banklab_value *params, uint32_t *count)
{
    const struct bl_kernel_variant *variant = bl_kernel_variant_find(plugin->own, params);
    *count = variant ? 1 : 0;
    return variant ? &variant->module : NULL;
}

const struct bl_plugin_made bl_kernel_made = {
    .plan = plan,
    .has_reference = has_reference,
    .reference = reference,
    .input = input,
    .modules = modules,
    .close = bl_kernel_free,
};
