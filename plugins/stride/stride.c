/* SPDX-License-Identifier: Apache-2.0
 *
 * stride - lane l accesses element l * stride of shared memory: the number of ways of a
 * bank conflict, and its cycles by the clock.
 *
 * A block is `warps` warps, which all make the same accesses. What the kernel computes
 * is written beside it, in stride.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "stride.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

/* As in the kernel. */
enum { ACCESSES = 64, STATIC_BYTES = 48 * 1024, SMALL_BYTES = 8 * 1024 };

static const char *const ops[] = {"load", "store", NULL};
static const char *const memories[] = {"static", "dynamic", NULL};

enum { STRIDE, OP, MEMORY, WARPS, REPS };
static const struct banklab_param params[] = {
    [STRIDE] = {.name = "stride",
                .help = "distance between neighbouring lanes; 0: all at one place",
                .unit = "elements",
                .type = BANKLAB_PARAM_INT,
                .minimum = 0,
                .maximum = 128,
                .default_value = 1},
    [OP] = {.name = "op",
            .help = "what the lanes do",
            .type = BANKLAB_PARAM_CHOICE,
            .choices = ops},
    [MEMORY] = {.name = "memory",
                .help = "size fixed when compiled (8 or 48 KB), or given at the launch",
                .type = BANKLAB_PARAM_CHOICE,
                .choices = memories},
    [WARPS] = {.name = "warps",
               .help = "warps a block; with few, the clock shows waiting",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 32,
               .default_value = 16},
    [REPS] = {.name = "reps",
              .help = "times the 64 accesses are made; the last is timed",
              .type = BANKLAB_PARAM_INT,
              .minimum = 1,
              .maximum = 100,
              .default_value = 2},
};

static const struct banklab_setting twin[] = {{"stride", "1"}};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t stride = (uint32_t)values[STRIDE].i;
    const uint32_t warps = (uint32_t)values[WARPS].i;
    const uint32_t array = 31 * stride + 1; /* elements */
    const uint32_t bytes = array * problem->elem;
    const uint64_t blocks = banklab_ceil_div(n, 32 * warps);
    const int dynamic = values[MEMORY].i != 0;
    struct banklab_launch *launch;

    if (!dynamic && bytes > STATIC_BYTES)
        return banklab_unsupported(error,
                                   "%u bytes for stride %u: static shared memory has %d; "
                                   "use memory = dynamic",
                                   bytes, stride, STATIC_BYTES);
    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch =
        banklab_launch_add(plan, "stride_e%u_%s_%s", problem->elem, ops[values[OP].i],
                           dynamic                ? "dynamic"
                           : bytes <= SMALL_BYTES ? "small"
                                                  : "static");
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = 32 * warps;
    launch->shared_bytes = dynamic ? bytes : 0;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_buffer(launch, BANKLAB_CLOCK);
    banklab_arg_u64(launch, n);
    banklab_arg_u32(launch, stride);
    banklab_arg_u32(launch, array);
    banklab_arg_u32(launch, (uint32_t)values[REPS].i);
    banklab_arg_u64(launch, 32 * warps % n);

    plan->clock.warps = blocks * warps;
    plan->clock.warps_per_block = warps;
    plan->clock.accesses_per_warp = ACCESSES;
    return BANKLAB_OK;
}

/* Byte k of what thread t of the block that starts at `first` sees. */
static uint8_t seen(const struct banklab_problem *problem, const banklab_value *values,
                    const uint8_t *in, uint64_t first, uint32_t t, uint32_t k)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t stride = (uint32_t)values[STRIDE].i;
    uint8_t x = 0;

    if (values[OP].i == 0)
        return in[(first + t % 32 * stride) % n * problem->elem + k];
    for (uint32_t j = t; j < 31 * stride + 1; j += 32 * (uint32_t)values[WARPS].i) {
        const int stored = stride ? j % stride == 0 : 1;
        const uint8_t byte = in[(first + j) % n * problem->elem + k];
        x ^= stored ? byte : (uint8_t)~byte;
    }
    return x;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t threads = 32 * (uint32_t)values[WARPS].i;
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)error;
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < problem->elem; k++) {
            const uint32_t t = (uint32_t)(i % threads);
            const uint64_t at = i * problem->elem + k;
            to[at] = from[at] ^ seen(problem, values, from, i - t, t, k);
        }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,    .name = "stride",
    .kind = "pattern",      .summary = "strided shared-memory access, by the clock",
    BANKLAB_PARAMS(params), BANKLAB_MODULES(modules),
    BANKLAB_TWIN(twin),     .plan = plan,
    .reference = reference,
};
