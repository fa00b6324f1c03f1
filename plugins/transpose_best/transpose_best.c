/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_best - the transpose that was the fastest of all for problems like this one,
 * on an NVIDIA H200: one name for who only wants the answer.
 */
#include "../transpose/direct.h"
#include "../transpose/skew.h"
#include "../transpose/slab.h"
#include "../transpose/thin.h"
#include "../transpose/tiles.h"

static const char ptx[] = {
#include "transpose_best.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

/* What is fastest for one matrix whose rows are whole vectors: the first line of its
 * width that it is not too large for. Squares were measured, of the sides that the lines
 * tell; the evidence is doc/evidence/h200/ladder-*.json and fastest.json. */
enum way { THIN, DIRECT, TILES };
static const struct choice {
    uint32_t elem, most_kib; /* bytes of an element, KiB of the matrix */
    enum way way;
    int64_t set[3];           /* THIN, DIRECT: their parameters, in their order */
    struct tiles_shape shape; /* TILES; of the others, what a batch takes */
} choices[] = {
    {4, 512, THIN, {0, 8}, {4, 4, 64, 64, 1}},        /* 256 */
    {4, 2048, THIN, {0, 16}, {4, 4, 64, 64, 1}},      /* 512 */
    {4, 8192, THIN, {1, 16}, {4, 4, 64, 64, 1}},      /* 1024 */
    {4, 32768, DIRECT, {0, 4, 2}, {4, 4, 64, 64, 1}}, /* 2048 */
    {4, 512 << 10, TILES, {0}, {4, 4, 64, 64, 1}},    /* 4096, 8192 */
    {4, UINT32_MAX, TILES, {0}, {4, 4, 128, 64, 1}},  /* 16384, 32768 */
    {1, UINT32_MAX, TILES, {0}, {1, 8, 128, 256, 1}}, /* the others: 8192 */
    {2, UINT32_MAX, TILES, {0}, {2, 8, 128, 128, 1}}, /**/
    {8, UINT32_MAX, TILES, {0}, {8, 2, 64, 32, 2}},   /**/
    {16, UINT32_MAX, TILES, {0}, {16, 1, 16, 64, 4}}, /**/
};

/* For batches of matrices that fill no tile: squares numbered through all of them. */
static const int64_t small_matrices[] = {0, 1, 1};

typedef int plan_function(const struct banklab_problem *, const banklab_value *,
                          struct banklab_plan *, struct banklab_error *);

/* The plan of another, with its parameters set so, or their defaults. */
static int as(plan_function *plan_it, const struct banklab_param *params, uint32_t count,
              const int64_t *set, const struct banklab_problem *problem,
              struct banklab_plan *plan, struct banklab_error *error)
{
    banklab_value values[4] = {{0}};

    for (uint32_t i = 0; i < count; i++)
        values[i].i = set ? set[i] : params[i].default_value;
    return plan_it(problem, values, plan, error);
}
#define AS(name, set)                                                                    \
    as(name##_plan, name##_params, BANKLAB_COUNT(name##_params), set, problem, plan,     \
       error)

static const struct choice *choose(const struct banklab_problem *problem)
{
    const uint64_t kib = problem->rows * problem->cols / 1024 * problem->elem;
    const struct choice *choice = choices;

    while (choice->elem != problem->elem || kib > choice->most_kib)
        if (choice++ == &choices[BANKLAB_COUNT(choices) - 1])
            return NULL;
    return choice;
}

static int plan(const struct banklab_problem *problem, const banklab_value *values,
                struct banklab_plan *plan, struct banklab_error *error)
{
    const struct choice *choice = choose(problem);
    const int batch = banklab_batch(problem) > 1;
    const int whole = problem->rows % (16 / problem->elem) == 0 &&
                      problem->cols % (16 / problem->elem) == 0;

    (void)values; /* it has no parameters */
    if (!choice)
        return banklab_unsupported(error, "4 TiB and more: not measured");
    /* What leaves a quarter of a tile empty. */
    if (problem->rows * 4 <= choice->shape.rows * 3 ||
        problem->cols * 4 <= choice->shape.cols * 3) {
        if (batch && whole && AS(direct, small_matrices) == BANKLAB_OK)
            return BANKLAB_OK;
        if (AS(slab, NULL) == BANKLAB_OK)
            return BANKLAB_OK;
    }
    if (!whole)
        return AS(skew, NULL);
    if (!batch && choice->way == THIN)
        return AS(thin, choice->set);
    if (!batch && choice->way == DIRECT)
        return AS(direct, choice->set);
    return tiles_launch(plan, "transpose_wide", problem, &choice->shape, "",
                        problem->elem == 16 ? TILES_BLOCKS : TILES_DOWN,
                        problem->elem == 16 ? 0 : tiles_ahead(problem, &choice->shape),
                        error);
}

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_best",
    .kind = "transpose",
    .summary = "the fastest transpose that was measured for such a problem",
    BANKLAB_MODULES(modules),
    .plan = plan,
    .flags = BANKLAB_BATCHES,
};
