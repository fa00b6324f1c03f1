/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: calls what nothing brings.
 */
#include "banklab/plugin.h"

int banklab_fixture_missing(void);

static int calling_plan(const struct banklab_problem *problem,
                        const banklab_value *params, struct banklab_plan *plan,
                        struct banklab_error *error)
{
    (void)problem;
    (void)params;
    (void)plan;
    (void)error;
    return banklab_fixture_missing();
}

#define NAME "undefined_symbol"
#define PLAN calling_plan
#include "fixture.h"
