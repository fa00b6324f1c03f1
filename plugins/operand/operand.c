/* SPDX-License-Identifier: Apache-2.0
 *
 * operand - registers against shared memory: the same arithmetic, by the clock, with its
 * operands in the one or the other. What it computes is written in operand.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "operand.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { ACCESSES = 64, OPERANDS = 8 }; /* as in the kernel */
#define FACTOR UINT32_C(1664525)      /* any odd number that is no small sum of shifts */

static const char *const places[] = {"register", "shared", NULL};

enum { PLACE, WARPS, REPS };
static const struct banklab_param params[] = {
    [PLACE] = {.name = "place",
               .help = "where the operands are",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = places},
    [WARPS] = {.name = "warps",
               .help = "warps a block; with few, the clock shows waiting",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 32,
               .default_value = 16},
    [REPS] = {.name = "reps",
              .help = "times the 64 operations are made; the last is timed",
              .type = BANKLAB_PARAM_INT,
              .minimum = 1,
              .maximum = 100,
              .default_value = 2},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t warps = (uint32_t)values[WARPS].i;
    const uint64_t blocks = banklab_ceil_div(n, 32 * warps);
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch = banklab_launch_add(plan, "operand_%s", places[values[PLACE].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = 32 * warps;
    launch->shared_bytes = 32 * warps * OPERANDS * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_buffer(launch, BANKLAB_CLOCK);
    banklab_arg_u64(launch, n);
    banklab_arg_u32(launch, FACTOR);
    banklab_arg_u32(launch, (uint32_t)values[REPS].i);

    plan->clock.warps = blocks * warps;
    plan->clock.warps_per_block = warps;
    plan->clock.accesses_per_warp = ACCESSES;
    return BANKLAB_OK;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t *from = in;
    uint32_t *to = out;

    (void)values; /* the result is the same wherever the operands are */
    (void)error;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t x = from[i];

        for (uint64_t k = 0; k < ACCESSES; k++)
            x = x * FACTOR + from[(i + k % OPERANDS) % n];
        to[i] = x;
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "operand",
    .kind = "pattern",
    .summary = "operands in registers or in shared memory, by the clock",
    .elems = BANKLAB_ELEM(4),
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .reference = reference,
};
