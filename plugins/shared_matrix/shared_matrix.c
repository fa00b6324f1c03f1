/* SPDX-License-Identifier: Apache-2.0
 *
 * shared_matrix - a small matrix in shared memory, stored by rows and read by rows or by
 * columns. What the kernel computes is written beside it, in shared_matrix.cu.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "shared_matrix.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum read { BY_ROWS, BY_COLUMNS, FIRST_COLUMN };
static const char *const reads[] = {"rows", "columns", "first", NULL};

enum { WIDTH, HEIGHT, PITCH, BASE, READ };
static const struct banklab_param params[] = {
    [WIDTH] = {.name = "width",
               .help = "elements in a row",
               .unit = "elements",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 64,
               .default_value = 32},
    [HEIGHT] = {.name = "height",
                .help = "rows; the block has width x height threads, 1024 at most",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 64,
                .default_value = 16},
    [PITCH] = {.name = "pitch",
               .help = "distance between the starts of rows; 0: width, no gap",
               .unit = "elements",
               .type = BANKLAB_PARAM_INT,
               .minimum = 0,
               .maximum = 80,
               .default_value = 0},
    [BASE] = {.name = "base",
              .help = "where the first row starts",
              .unit = "elements",
              .type = BANKLAB_PARAM_INT,
              .minimum = 0,
              .maximum = 64,
              .default_value = 0},
    [READ] = {.name = "read",
              .help = "how it is read: by rows, by columns, or the first column alone",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = reads},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint32_t width = (uint32_t)values[WIDTH].i;
    const uint32_t height = (uint32_t)values[HEIGHT].i;
    const uint32_t base = (uint32_t)values[BASE].i;
    const uint32_t pitch = values[PITCH].i ? (uint32_t)values[PITCH].i : width;
    const uint64_t blocks = banklab_ceil_div(n, width * height);
    struct banklab_launch *launch;

    if (width * height > 1024)
        return banklab_unsupported(error, "%u x %u threads: a block has at most 1024",
                                   width, height);
    if (pitch < width)
        return banklab_unsupported(error, "rows of %u elements overlap at a pitch of %u",
                                   width, pitch);
    if (blocks > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks: a grid has at most %d",
                                   (unsigned long long)blocks, INT32_MAX);

    launch = banklab_launch_add(plan, "shared_matrix_e%u_%s", problem->elem,
                                reads[values[READ].i]);
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = width * height;
    launch->shared_bytes = (base + height * pitch) * problem->elem;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, n);
    banklab_arg_u32(launch, width);
    banklab_arg_u32(launch, height);
    banklab_arg_u32(launch, pitch);
    banklab_arg_u32(launch, base);
    return BANKLAB_OK;
}

/* Which thread of the block stored what thread t reads. */
static uint32_t owner(const banklab_value *values, uint32_t t)
{
    const uint32_t width = (uint32_t)values[WIDTH].i;
    const uint32_t height = (uint32_t)values[HEIGHT].i;

    switch ((enum read)values[READ].i) {
    case BY_COLUMNS: return t % height * width + t / height;
    case FIRST_COLUMN: return t < height ? t * width : t;
    case BY_ROWS: break;
    }
    return t;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t n = problem->rows * problem->cols;
    const uint64_t threads = (uint64_t)(values[WIDTH].i * values[HEIGHT].i);
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)error;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t t = (uint32_t)(i % threads);
        const uint64_t source = (i - t + owner(values, t)) % n;

        memcpy(to + i * problem->elem, from + source * problem->elem, problem->elem);
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "shared_matrix",
    .kind = "pattern",
    .summary = "a small matrix in shared memory, by rows or by columns",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .reference = reference,
};
