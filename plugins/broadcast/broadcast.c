/* SPDX-License-Identifier: Apache-2.0
 *
 * broadcast - a warp loads fewer different elements than it has lanes: those that share
 * one never conflict. What the kernel computes is written beside it, in broadcast.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "broadcast.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { ACCESSES = 64 }; /* as in the kernel */

static const char *const groups[] = {"blocks", "cyclic", NULL};

enum { WORDS, GROUP, SPREAD, WARPS, REPS };
static const struct banklab_param params[] = {
    [WORDS] = {.name = "words",
               .help = "different elements that a warp loads",
               .unit = "elements",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 32,
               .default_value = 1},
    [GROUP] = {.name = "group",
               .help =
                   "who shares: neighbouring lanes (blocks) or every words-th (cyclic)",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = groups},
    [SPREAD] = {.name = "spread",
                .help = "distance between the elements; 32 words put all into one bank",
                .unit = "elements",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 128,
                .default_value = 1},
    [WARPS] = {.name = "warps",
               .help = "warps a block; with few, the clock shows waiting",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 32,
               .default_value = 16},
    [REPS] = {.name = "reps",
              .help = "times the 64 loads are made; the last is timed",
              .type = BANKLAB_PARAM_INT,
              .minimum = 1,
              .maximum = 100,
              .default_value = 2},
};

static const struct banklab_setting twin[] = {{"spread", "1"}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t words = (uint32_t)values[WORDS].i;
    const uint32_t spread = (uint32_t)values[SPREAD].i;
    const uint32_t warps = (uint32_t)values[WARPS].i;
    const uint64_t blocks = banklab_ceil_div(n, 32 * warps);
    struct banklab_launch *launch;

    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch = banklab_launch_add(plan, "broadcast_e%u_%s", problem->elem,
                                groups[values[GROUP].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = 32 * warps;
    launch->shared_bytes = ((words - 1) * spread + 1) * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_buffer(launch, BANKLAB_CLOCK);
    banklab_arg_u64(launch, n);
    banklab_arg_u32(launch, words);
    banklab_arg_u32(launch, spread);
    banklab_arg_u32(launch, (uint32_t)values[REPS].i);
    banklab_arg_u64(launch, 32 * warps % n);

    plan->clock.warps = blocks * warps;
    plan->clock.warps_per_block = warps;
    plan->clock.accesses_per_warp = ACCESSES;
    return BANKLAB_OK;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t words = (uint32_t)values[WORDS].i;
    const uint32_t threads = 32 * (uint32_t)values[WARPS].i;
    const uint32_t elem = problem->elem;
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)error;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t first = i - i % threads;
        const uint32_t lane = (uint32_t)(i - first) % 32;
        const uint32_t word = values[GROUP].i ? lane % words : lane * words / 32;
        const uint64_t read = (first + word * (uint64_t)values[SPREAD].i) % n;

        for (uint32_t k = 0; k < elem; k++)
            to[i * elem + k] = from[i * elem + k] ^ from[read * elem + k];
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,    .name = "broadcast",
    .kind = "pattern",      .summary = "lanes that load the same element, by the clock",
    BANKLAB_PARAMS(params), BANKLAB_MODULES(modules),
    BANKLAB_TWIN(twin),     .plan = plan,
    .reference = reference,
};
