/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_wide - transpose by squares turned in registers, in tiles of any shape: what
 * the shape, the width of an access, the order of the blocks and the way through the
 * caches are worth.
 */
#include <stdio.h>
#include <string.h>

#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_wide.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static const char *const tiles[] = {"best",   "16x32",   "32x16",  "32x32",  "64x32",
                                    "32x64",  "64x64",   "128x32", "32x128", "128x64",
                                    "64x128", "128x128", "256x64", NULL};
static const char *const orders[] = {"down", "across", NULL};
static const char *const hints[] = {"stream", "none", NULL};
static const char *const vectors[] = {"4", "8", "16", NULL};

enum { TILE, VECTOR, ORDER, HINT };
static const struct banklab_param params[] = {
    [TILE] = {.name = "tile",
              .help =
                  "rows x columns of the input in a tile; best: by the element's width",
              .unit = "elements",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = tiles},
    [VECTOR] = {.name = "vector",
                .help = "an access, of elements of 1 and 2 bytes; wider ones take 16",
                .unit = "bytes",
                .type = BANKLAB_PARAM_INT,
                .choices = vectors,
                .minimum = 4,
                .maximum = 16,
                .default_value = 8},
    [ORDER] = {.name = "order",
               .help = "where the next block's tile lies in the input",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = orders},
    [HINT] = {.name = "hint",
              .help = "stream: data is the first to be evicted, as it is used once",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = hints},
};

/* The kernels that there are; the first of a width and vector is its best. `squares` of
 * `v` x `v` elements a thread. */
static const struct shape {
    uint32_t elem, v, rows, cols, squares;
} shapes[] = {
    {1, 4, 64, 64, 1},   {1, 8, 128, 64, 1},   {1, 8, 64, 64, 1},   {1, 8, 64, 128, 1},
    {1, 8, 128, 128, 1}, {1, 16, 128, 128, 1}, {1, 16, 256, 64, 1}, {2, 4, 64, 64, 1},
    {2, 8, 64, 64, 1},   {2, 8, 128, 64, 1},   {2, 8, 64, 128, 1},  {2, 8, 128, 128, 1},
    {4, 4, 64, 64, 1},   {4, 4, 32, 32, 1},    {4, 4, 64, 32, 1},   {4, 4, 32, 64, 1},
    {4, 4, 128, 32, 1},  {4, 4, 32, 128, 1},   {4, 4, 128, 64, 1},  {4, 4, 64, 128, 1},
    {4, 4, 128, 128, 1}, {8, 2, 64, 32, 2},    {8, 2, 32, 32, 2},   {8, 2, 32, 64, 2},
    {8, 2, 64, 64, 2},   {16, 1, 32, 32, 4},   {16, 1, 16, 32, 4},  {16, 1, 32, 16, 4},
    {16, 1, 64, 32, 4},  {16, 1, 32, 64, 4},
};

static const struct shape *find(uint32_t elem, const banklab_value *values)
{
    const uint32_t vector = elem < 4 ? (uint32_t)values[VECTOR].i : 16;
    char name[32];

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *shape = &shapes[i];
        snprintf(name, sizeof name, "%ux%u", shape->rows, shape->cols);
        if (shape->elem == elem && shape->v * elem == vector &&
            (values[TILE].i == 0 || strcmp(name, tiles[values[TILE].i]) == 0))
            return shape;
    }
    return NULL;
}

/* Tiles of rows x cols; "down" if the grid has room for it. */
static int cover(struct banklab_launch *launch, const struct banklab_problem *problem,
                 uint32_t rows, uint32_t cols, int down, struct banklab_error *error)
{
    const uint64_t r = banklab_ceil_div(problem->rows, rows);
    const uint64_t c = banklab_ceil_div(problem->cols, cols);

    down = (down && c <= 65535) || r > 65535;
    launch->grid[0] = (uint32_t)(down ? r : c);
    launch->grid[1] = (uint32_t)(down ? c : r);
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    banklab_arg_u32(launch, (uint32_t)down);
    return banklab_grid_batch(launch, problem, error);
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem, side = elem == 16 ? 32 : 64;
    const struct shape *shape = find(elem, values);
    const int down = values[ORDER].i == 0;
    struct banklab_launch *launch;

    if (!shape)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s and "
                                   "vectors of %d bytes; tile = best has one for vectors "
                                   "of 4 to 16 times the element",
                                   elem, tiles[values[TILE].i], (int)values[VECTOR].i);
    if (problem->rows % shape->v || problem->cols % shape->v) {
        launch = banklab_launch_add(plan, "transpose_wide_single_e%u", elem);
        launch->block[0] = side;
        launch->block[1] = 256 / side;
        return cover(launch, problem, side, side, down, error);
    }
    launch = banklab_launch_add(plan, "transpose_wide_e%u_v%u_%ux%u%s", elem, shape->v,
                                shape->rows, shape->cols,
                                values[HINT].i == 0 ? "_stream" : "");
    launch->block[0] = shape->rows / shape->v / shape->squares * (shape->cols / shape->v);
    launch->shared_bytes = shape->rows * shape->cols * elem;
    return cover(launch, problem, shape->rows, shape->cols, down, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_wide",
    .kind = "transpose",
    .summary = "transpose by squares turned in registers, in tiles of any shape",
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
