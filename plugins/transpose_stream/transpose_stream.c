/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_stream - transpose by blocks that stay: each walks over many tiles, and while
 * it turns one, bulk tensor copies bring the next ones and take the last.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_stream.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { GOING = 2, BARRIER_BYTES = 8 }; /* buffers of turned tiles; see the kernel */

static const char *const tiles[] = {"best",    "16x32",   "32x16",   "32x32",  "64x32",
                                    "32x64",   "64x64",   "128x32",  "128x64", "64x128",
                                    "128x128", "256x128", "128x256", NULL};
static const char *const threads[] = {"128", "256", NULL};

enum { TILE, STAGES, BLOCKS, THREADS };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help = "rows x columns of the input; best: by the element's width",
              .unit = "elements",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = tiles},
    [STAGES] = {.name = "stages",
                .help = "buffers for tiles that are on their way in",
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
    [THREADS] = {.name = "threads",
                 .help = "most threads of a block: at least a square of 16 bytes each",
                 .type = BANKLAB_PARAM_INT,
                 .choices = threads,
                 .minimum = 128,
                 .maximum = 256,
                 .default_value = 256},
};

/* The tiles that there are kernels for; the first of a width is its best. Rows are whole
 * multiples of 128 bytes, in the input and in the output. */
static const struct shape {
    uint32_t elem, rows, cols;
} shapes[] = {
    {1, 128, 128}, {1, 256, 128}, {1, 128, 256}, {2, 128, 64}, {2, 64, 64},  {2, 64, 128},
    {2, 128, 128}, {4, 64, 64},   {4, 64, 32},   {4, 32, 64},  {4, 128, 32}, {4, 128, 64},
    {4, 64, 128},  {8, 64, 32},   {8, 32, 32},   {8, 32, 64},  {8, 64, 64},  {16, 32, 32},
    {16, 32, 16},  {16, 16, 32},  {16, 64, 32},
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

/* A tensor of all matrices, of which a copy moves one tile. False: the lab is too old. */
static int add_tensor(struct banklab_plan *plan, struct banklab_launch *launch,
                      uint32_t role, uint64_t rows, uint64_t cols, uint32_t box_rows,
                      uint32_t box_cols, const struct banklab_problem *problem)
{
    const uint32_t elem = problem->elem;
    const uint32_t wide = elem == 16 ? 8 : elem; /* tensors have no wider elements */
    struct banklab_tensor *tensor = banklab_arg_tensor(
        plan, launch, role, wide, cols * (elem / wide), rows, cols * elem);
    if (!tensor)
        return 0;
    tensor->box[0] = box_cols * (elem / wide);
    tensor->box[1] = box_rows;
    banklab_tensor_batch(tensor, banklab_batch(problem));
    return 1;
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem, stages = (uint32_t)values[STAGES].i;
    const uint64_t rows = problem->rows, cols = problem->cols;
    const uint64_t batch = banklab_batch(problem);
    const struct shape *shape = find(elem, values);
    struct banklab_launch *launch;
    uint64_t down, across;
    uint32_t bytes, block;

    if (!shape)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s; "
                                   "tile = best has one for each width",
                                   elem, tiles[values[TILE].i]);
    if (cols * elem % 16 || rows * elem % 16)
        return banklab_unsupported(error, "a bulk tensor copy needs rows of a multiple "
                                          "of 16 bytes, in the input and in the output");
    down = banklab_ceil_div(rows, shape->rows);
    across = banklab_ceil_div(cols, shape->cols);
    /* Coordinates are 32 bits, of elements of at most 8 bytes, and so are tiles. */
    if (rows > INT32_MAX / 4 || cols > INT32_MAX / 4 || batch > INT32_MAX ||
        down * across > INT32_MAX / batch || rows * cols >= (UINT64_C(1) << 40) / elem)
        return banklab_unsupported(error,
                                   "bulk tensor copies of at most %d rows and cols, less "
                                   "than 2^40 bytes a matrix, and %d tiles in all",
                                   INT32_MAX / 4, INT32_MAX);
    bytes = shape->rows * shape->cols * elem;
    /* At least a square of 16 bytes and as many elements each. */
    block = banklab_at_most(bytes * elem / (16 * 16), (uint32_t)values[THREADS].i);
    launch = banklab_launch_add(plan, "transpose_stream_e%u_%ux%u_t%u", elem, shape->rows,
                                shape->cols, block);
    launch->block[0] = block;
    launch->grid[0] = banklab_at_most(down * across * batch, (uint32_t)values[BLOCKS].i);
    launch->shared_bytes = (stages + GOING) * bytes + stages * BARRIER_BYTES;
    if (!add_tensor(plan, launch, BANKLAB_INPUT, rows, cols, shape->rows, shape->cols,
                    problem) ||
        !add_tensor(plan, launch, BANKLAB_OUTPUT, cols, rows, shape->cols, shape->rows,
                    problem))
        return banklab_unsupported(error, "this banklab knows no tensor maps");
    banklab_arg_u32(launch, stages);
    banklab_arg_u32(launch, (uint32_t)down);
    banklab_arg_u32(launch, (uint32_t)across);
    banklab_arg_u32(launch, (uint32_t)(down * across * batch));
    return BANKLAB_OK;
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_stream",
    .kind = "transpose",
    .summary = "transpose of tiles that come and go while others are turned",
    .min_cc = 90,
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
