/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a plan that is data.
 */
#include "banklab/plugin.h"

static const char data[] = "no code";

#define NAME "plan_astray"
#define PLAN                                                                             \
    (int (*)(const struct banklab_problem *, const banklab_value *,                      \
             struct banklab_plan *, struct banklab_error *)) data
#include "fixture.h"
