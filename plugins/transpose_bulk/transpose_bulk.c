/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_bulk - transpose by bulk tensor copies: one thread of a block orders whole
 * boxes, which the hardware moves, and swizzles on the way if asked.
 */
#include "banklab/plugin.h"

static const char ptx[] = {
#include "transpose_bulk.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { ROW = 128 }; /* bytes of a row of a square */

static const char *const swizzles[] = {"none", "32", "64", "128", NULL};
static const char *const orders[] = {"rows", "diagonals", NULL};
static const char *const sides[] = {"1", "2", NULL};

enum { SIDE, SWIZZLE, ORDER };
static const struct banklab_param params[] = {
    [SIDE] = {.name = "side",
              .help = "a tile is so many squares of 128 bytes, each way",
              .unit = "squares",
              .type = BANKLAB_PARAM_INT,
              .choices = sides,
              .minimum = 1,
              .maximum = 2,
              .default_value = 2},
    [SWIZZLE] = {.name = "swizzle",
                 .help = "bytes within which the copy exchanges pieces of 16 bytes",
                 .type = BANKLAB_PARAM_CHOICE,
                 .choices = swizzles,
                 .default_value = 0},
    [ORDER] = {.name = "order",
               .help = "which blocks of 16 bytes eight neighbouring threads transpose",
               .type = BANKLAB_PARAM_CHOICE,
               .choices = orders,
               .default_value = 1},
};

static const struct banklab_setting conflict_free[] = {{"swizzle", "none"},
                                                       {"order", "diagonals"}};

/* A tensor map of matrices of `rows` rows and the box that one copy moves. False: the lab
 * is too old. */
static int add_tensor(struct banklab_plan *plan, struct banklab_launch *launch,
                      uint32_t role, uint64_t rows, uint64_t cols, uint64_t batch,
                      uint32_t elem, uint32_t swizzle)
{
    const uint32_t wide = elem == 16 ? 8 : elem; /* tensors have no wider elements */
    struct banklab_tensor *tensor = banklab_arg_tensor(
        plan, launch, role, wide, cols * (elem / wide), rows, cols * elem);
    if (!tensor)
        return 0;
    tensor->swizzle = swizzle;
    tensor->box[0] = (swizzle ? swizzle : ROW) / wide;
    tensor->box[1] = ROW / elem;
    if (batch > 1)
        banklab_tensor_batch(tensor, batch);
    return 1;
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const uint32_t elem = problem->elem, side = (uint32_t)values[SIDE].i;
    const uint32_t swizzle = values[SWIZZLE].i ? 16u << values[SWIZZLE].i : 0;
    const uint32_t tile = side * ROW / elem;
    const uint64_t down = banklab_ceil_div(problem->rows, tile);
    const uint64_t across = banklab_ceil_div(problem->cols, tile);
    const uint64_t batch = banklab_batch(problem);
    struct banklab_launch *launch;

    if (problem->cols * elem % 16 || problem->rows * elem % 16)
        return banklab_unsupported(error, "a bulk tensor copy needs rows of a multiple "
                                          "of 16 bytes, in the input and in the output");
    /* Of elements of at most 8 bytes; and a tile may hang over. */
    if (problem->rows > INT32_MAX / 4 || problem->cols > INT32_MAX / 4)
        return banklab_unsupported(error,
                                   "rows and cols: at most %d, as a bulk tensor copy's "
                                   "coordinates have 32 bits",
                                   INT32_MAX / 4);
    if (down * across > INT32_MAX)
        return banklab_unsupported(error, "%llu x %llu tiles: a grid has at most %d",
                                   (unsigned long long)down, (unsigned long long)across,
                                   INT32_MAX);
    if (batch > INT32_MAX ||
        (batch > 1 && problem->rows * problem->cols >= (UINT64_C(1) << 40) / elem))
        return banklab_unsupported(error, "a tensor has at most 2^31 - 1 matrices, of "
                                          "less than 2^40 bytes");

    launch = banklab_launch_add(plan, "transpose_bulk_e%u_s%u", elem, swizzle);
    launch->grid[0] = (uint32_t)(down * across);
    launch->block[0] = 64 * side * side;
    launch->shared_bytes = 2 * tile * tile * elem + 16;
    if (!add_tensor(plan, launch, BANKLAB_INPUT, problem->rows, problem->cols, batch,
                    elem, swizzle) ||
        !add_tensor(plan, launch, BANKLAB_OUTPUT, problem->cols, problem->rows, batch,
                    elem, swizzle))
        return banklab_unsupported(error, "this banklab knows no tensor maps");
    banklab_arg_u32(launch, side);
    banklab_arg_u32(launch, values[ORDER].i != 0);
    banklab_arg_u32(launch, (uint32_t)down);
    return banklab_grid_batch(launch, problem, error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_bulk",
    .kind = "transpose",
    .summary = "transpose of tiles that bulk tensor copies bring and take",
    .min_cc = 90,
    BANKLAB_PARAMS(params),
    BANKLAB_MODULES(modules),
    BANKLAB_TWIN(conflict_free),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
