/* SPDX-License-Identifier: Apache-2.0
 *
 * bad.h - what the wrong plugins of this folder share: device code (bad.cu), and a plan
 * for square tiles of 32 with blocks of 32 x 8 threads. Each NAME.c says what is wrong.
 */
#ifndef BAD_H
#define BAD_H

#include "banklab/plugin.h"

static const char ptx[] = {
#include "bad.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

enum { TILE = 32, BLOCK_ROWS = 8 };

static inline struct banklab_launch *bad_launch(const struct banklab_problem *problem,
                                                struct banklab_plan *plan,
                                                const char *kernel)
{
    struct banklab_launch *launch = banklab_launch_add(plan, "%s", kernel);

    launch->grid[0] = (uint32_t)banklab_ceil_div(problem->cols, TILE);
    launch->grid[1] = banklab_at_most(banklab_ceil_div(problem->rows, TILE), 65535);
    launch->block[0] = TILE;
    launch->block[1] = BLOCK_ROWS;
    banklab_arg_buffer(launch, BANKLAB_INPUT);
    banklab_arg_buffer(launch, BANKLAB_OUTPUT);
    banklab_arg_u64(launch, problem->rows);
    banklab_arg_u64(launch, problem->cols);
    return launch;
}

/* A plugin without parameters that launches the kernel of its name. */
#define BAD_PLAN(kernel)                                                                 \
    static int plan(const struct banklab_problem *problem, const banklab_value *values,  \
                    struct banklab_plan *plan, struct banklab_error *error)              \
    {                                                                                    \
        (void)values;                                                                    \
        (void)error;                                                                     \
        bad_launch(problem, plan, kernel);                                               \
        return BANKLAB_OK;                                                               \
    }

#define BAD_PLUGIN(plugin_name, plugin_kind, ...)                                        \
    BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {                        \
        BANKLAB_PLUGIN_HEAD,                                                             \
        .name = plugin_name,                                                             \
        .kind = plugin_kind,                                                             \
        .summary = "a transpose, right or wrong on purpose",                             \
        .elems = BANKLAB_ELEM(4),                                                        \
        BANKLAB_MODULES(modules),                                                        \
        .plan = plan,                                                                    \
        __VA_ARGS__};

#endif
