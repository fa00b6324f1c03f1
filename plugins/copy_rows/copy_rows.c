/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_rows - a matrix copied row by row, by blocks of any width, with or without unused
 * elements at the rows' ends: aligned and unaligned access to global memory.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "copy_rows.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { WIDTH, HEIGHT, UNUSED };
static const struct banklab_param params[] = {
    [WIDTH] = {.name = "width",
               .help = "threads of a block along a row; the block has 1024 at most",
               .type = BANKLAB_PARAM_INT,
               .minimum = 1,
               .maximum = 1024,
               .default_value = 32},
    [HEIGHT] = {.name = "height",
                .help = "rows that a block takes at once",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 64,
                .default_value = 8},
    [UNUSED] = {.name = "unused",
                .help = "elements at the end of each row that are only there to make it "
                        "longer",
                .unit = "elements",
                .type = BANKLAB_PARAM_INT,
                .minimum = 0,
                .maximum = 64,
                .default_value = 0},
};

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t width = (uint32_t)values[WIDTH].i;
    const uint32_t height = (uint32_t)values[HEIGHT].i;
    const uint64_t unused = (uint64_t)values[UNUSED].i;
    const uint64_t across = banklab_ceil_div(problem->cols, width);
    struct banklab_launch *launch;

    if (width * height > 1024)
        return banklab_unsupported(error, "%u x %u threads: a block has at most 1024",
                                   width, height);
    if (unused >= problem->cols)
        return banklab_unsupported(error, "rows of %llu elements with %llu unused",
                                   (unsigned long long)problem->cols,
                                   (unsigned long long)unused);
    if (across > INT32_MAX)
        return banklab_unsupported(error, "%llu blocks across: a grid has at most %d",
                                   (unsigned long long)across, INT32_MAX);

    launch = banklab_launch_add(plan, "copy_rows_e%u", problem->elem);
    launch->grid[0] = (uint32_t)across;
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->rows, height), 65535);
    launch->block[0] = width;
    launch->block[1] = height;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u64(launch, problem->cols - unused);
    return BANKLAB_OK;
}

static int reference(const struct banklab_problem *problem, const banklab_value *values,
                     const void *in, void *out, struct banklab_error *error)
{
    const uint64_t row = problem->cols * problem->elem;
    const uint64_t unused = (uint64_t)values[UNUSED].i * problem->elem;
    const uint8_t *from = in;
    uint8_t *to = out;

    (void)error;
    for (uint64_t r = 0; r < problem->rows; r++) {
        memcpy(to + r * row, from + r * row, row - unused);
        memset(to + (r + 1) * row - unused, 0, unused);
    }
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "copy_rows",
    .kind = "pattern",
    .summary = "a matrix copied by rows, aligned or not, with room at their ends or not",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .reference = reference,
};
