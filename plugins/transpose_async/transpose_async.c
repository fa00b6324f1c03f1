/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_async - transpose by blocks that stay: each walks over many tiles, and while
 * it turns one, cp.async brings the next ones.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_async.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { VECTOR = 16, MOST_THREADS = 256 };

static const char *const tiles[] = {"best",   "32x32",   "64x32",   "64x64", "128x32",
                                    "128x64", "128x128", "256x128", NULL};

enum { TILE, STAGES, BLOCKS };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help = "rows x columns of the input; best: by the element's width",
              .unit = "elements",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = tiles},
    [STAGES] = {.name = "stages",
                .help = "tiles that are on their way in; one more buffer is read",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 4,
                .default_value = 3},
    [BLOCKS] = {.name = "blocks",
                .help = "most blocks of the grid; best as many as the GPU runs at once",
                .type = BANKLAB_PARAM_INT,
                .minimum = 1,
                .maximum = 65535,
                .default_value = 264},
};

/* The tiles that there are kernels for, at least eight vectors each way; the first of a
 * width is its best: 16 KiB. */
static const struct shape {
    uint32_t elem, rows, cols;
} shapes[] = {
    {1, 128, 128}, {1, 256, 128}, {2, 128, 64}, {2, 64, 64},  {2, 128, 128},
    {4, 64, 64},   {4, 128, 32},  {4, 64, 32},  {4, 32, 32},  {8, 64, 32},
    {8, 32, 32},   {8, 64, 64},   {16, 32, 32}, {16, 64, 32},
};

static const struct shape *find(uint32_t elem, const banklab_value *values)
{
    char name[32];

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *shape = &shapes[i];
        snprintf(name, sizeof name, "%ux%u", shape->rows, shape->cols);
        if (shape->elem == elem &&
            (values[TILE].i == 0 || strcmp(name, tiles[values[TILE].i]) == 0))
            return shape;
    }
    return NULL;
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem, v = VECTOR / elem;
    const uint32_t stages = (uint32_t)values[STAGES].i;
    const uint64_t rows = problem->rows, cols = problem->cols;
    const uint64_t batch = banklab_batch(problem);
    const struct shape *shape = find(elem, values);
    struct banklab_launch *launch;
    uint64_t down, across;
    uint32_t bytes;

    if (!shape)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s; "
                                   "tile = best has one for each width",
                                   elem, tiles[values[TILE].i]);
    if (rows % v || cols % v)
        return banklab_unsupported(error,
                                   "cp.async of 16 bytes needs rows of a multiple of 16 "
                                   "bytes, %u elements, in the input and in the output; "
                                   "transpose_skew does others",
                                   v);
    if (cols > UINT32_MAX / elem / shape->rows || rows > UINT32_MAX / elem / shape->cols)
        return banklab_unsupported(error,
                                   "offsets within a tile have 32 bits: at most %u rows "
                                   "and %u cols; transpose_wide does more",
                                   UINT32_MAX / elem / shape->cols,
                                   UINT32_MAX / elem / shape->rows);
    down = banklab_ceil_div(rows, shape->rows);
    across = banklab_ceil_div(cols, shape->cols);
    if (batch > INT32_MAX / (down * across))
        return banklab_unsupported(error, "at most %d tiles in all", INT32_MAX);
    bytes = shape->rows * shape->cols * elem;
    launch = banklab_launch_add(plan, "transpose_async_e%u_%ux%u", elem, shape->rows,
                                shape->cols);
    /* A thread has at least one square of 16 bytes and as many elements. */
    launch->block[0] = banklab_at_most(bytes / VECTOR / v, MOST_THREADS);
    launch->grid[0] = banklab_at_most(down * across * batch, (uint32_t)values[BLOCKS].i);
    launch->shared_bytes = (stages + 1) * bytes;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u32(launch, (uint32_t)rows);
    banklab_arg_u32(launch, (uint32_t)cols);
    banklab_arg_u32(launch, (uint32_t)(down * across * batch));
    banklab_arg_u32(launch, stages);
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_async",
    .kind = "transpose",
    .summary = "transpose of tiles that cp.async brings while others are turned",
    .min_cc = 80,
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
