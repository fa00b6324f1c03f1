/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_wide - transpose by squares turned in registers, in tiles of any shape: what
 * the shape, the width of an access, the order of the blocks, the way through the caches
 * and fetching ahead are worth.
 */
#include <stdio.h>
#include <string.h>

#include "../transpose/tiles.h"

static const char ptx[] = {
#include "transpose_wide.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

static const char *const tiles[] = {
    "best",   "16x32",  "32x16",  "32x32", "64x32",  "32x64",   "64x64",   "128x32",
    "32x128", "128x64", "64x128", "16x64", "256x64", "128x128", "128x256", NULL};
static const char *const orders[] = {"best", "down", "across", "blocks", NULL};
static const char *const hints[] = {"none", "stream", NULL};
static const char *const aheads[] = {"best", "0", "1", "2", NULL};
static const char *const vectors[] = {"4", "8", "16", NULL};

enum { TILE, VECTOR, ORDER, HINT, AHEAD };
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
               .help = "of blocks, in the input: blocks is down in 16 x 16 tiles",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = orders},
    [HINT] = {.name = "hint",
              .help = "stream: data is the first to be evicted, as it is used once",
              .type = BANKLAB_PARAM_CHOICE,
              .choices = hints},
    [AHEAD] = {.name = "ahead",
               .help = "fetch into the L2 cache the tile so many to the right",
               .unit = "tiles",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = aheads},
};

/* The kernels that there are; the first of a width and vector is its best. */
static const struct tiles_shape shapes[] = {
    {1, 4, 64, 64, 1},  {1, 8, 128, 256, 1}, {1, 8, 128, 64, 1},   {1, 8, 64, 64, 1},
    {1, 8, 64, 128, 1}, {1, 8, 128, 128, 1}, {1, 16, 128, 128, 1}, {1, 16, 256, 64, 1},
    {2, 4, 64, 64, 1},  {2, 8, 128, 128, 1}, {2, 8, 64, 64, 1},    {2, 8, 128, 64, 1},
    {2, 8, 64, 128, 1}, {4, 4, 64, 64, 1},   {4, 4, 32, 32, 1},    {4, 4, 64, 32, 1},
    {4, 4, 32, 64, 1},  {4, 4, 128, 32, 1},  {4, 4, 32, 128, 1},   {4, 4, 128, 64, 1},
    {4, 4, 64, 128, 1}, {4, 4, 128, 128, 1}, {8, 2, 64, 32, 2},    {8, 2, 32, 32, 2},
    {8, 2, 32, 64, 2},  {8, 2, 64, 64, 2},   {16, 1, 16, 64, 4},   {16, 1, 32, 32, 4},
    {16, 1, 16, 32, 4}, {16, 1, 32, 16, 4},  {16, 1, 64, 32, 4},   {16, 1, 32, 64, 4},
};

static const struct tiles_shape *find(uint32_t elem, const banklab_value *values)
{
    const uint32_t vector = elem < 4 ? (uint32_t)values[VECTOR].i : 16;
    char name[32];

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct tiles_shape *shape = &shapes[i];
        snprintf(name, sizeof name, "%ux%u", shape->rows, shape->cols);
        if (shape->elem == elem && shape->v * elem == vector &&
            (values[TILE].i == 0 || strcmp(name, tiles[values[TILE].i]) == 0))
            return shape;
    }
    return NULL;
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem, side = elem == 16 ? 32 : 64;
    const struct tiles_shape *shape = find(elem, values);
    /* Elements of 16 bytes gain 2 % by blocks, the others lose. */
    const enum tiles_order order = values[ORDER].i
                                       ? (enum tiles_order)(values[ORDER].i - 1)
                                   : elem == 16 ? TILES_BLOCKS
                                                : TILES_DOWN;
    uint32_t ahead = (uint32_t)values[AHEAD].i - 1;

    if (!shape && elem >= 4)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s; "
                                   "tile = best has one for each width",
                                   elem, tiles[values[TILE].i]);
    if (!shape)
        return banklab_unsupported(error,
                                   "no kernel for elements of %u bytes with tile %s and "
                                   "vectors of %d bytes; tile = best has one for vectors "
                                   "of %s bytes",
                                   elem, tiles[values[TILE].i], (int)values[VECTOR].i,
                                   elem == 1 ? "4, 8 and 16" : "8 and 16");
    if (!tiles_fit(problem, shape)) {
        struct banklab_launch *launch =
            banklab_launch_add(plan, "transpose_wide_single_e%u", elem);
        launch->block[0] = side;
        launch->block[1] = 256 / side;
        return tiles_cover(launch, problem, side, side,
                           order == TILES_BLOCKS ? TILES_DOWN : order, 0, error);
    }
    if (!values[AHEAD].i)
        ahead = order == TILES_DOWN ? tiles_ahead(problem, shape) : 0;
    return tiles_launch(plan, "transpose_wide", problem, shape,
                        values[HINT].i ? "_stream" : "", order, ahead, error);
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
