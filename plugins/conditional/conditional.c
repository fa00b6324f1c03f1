/* SPDX-License-Identifier: Apache-2.0
 *
 * conditional - half of the threads read an element of their own, the others share one:
 * chosen before the load, or overwritten after it. See conditional.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "conditional.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { THREADS = 256, SHARED_BY_ALL = 15 }; /* as in the kernel */

static const char *const forms[] = {"select", "overwrite", NULL};

enum { FORM };
static const struct banklab_param params[] = {
    [FORM] = {.name = "form",
              .help = "choose where to read, or read twice and overwrite",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = forms},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint64_t blocks = banklab_ceil_div(n, THREADS);
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch = banklab_launch_add(plan, "conditional_e%u_%s", problem->elem,
                                forms[values[FORM].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = THREADS;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, n);
    return BANKLAB_OK;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)values; /* both forms give the same */
    (void)error;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t t = i % THREADS;
        const uint64_t source = t % 16 < 8 ? i : (i - t + SHARED_BY_ALL) % n;

        memcpy(to + i * problem->elem, from + source * problem->elem, problem->elem);
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "conditional",
    .kind = "pattern",
    .summary = "half the lanes read their own, the others one element",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .reference = reference,
};
