/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy whose PTX no compiler takes.
 */
#include "banklab/plugin.h"

static const char syntax_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                                 ".visible .entry right()\n{\n"
                                 "this is no instruction;\n}\n";
static const struct banklab_module syntax_modules[] = {
    {.text = syntax_ptx, .length = sizeof syntax_ptx - 1}};

static int syntax_plan(const struct banklab_problem *problem, const banklab_value *params,
                       struct banklab_plan *plan, struct banklab_error *error)
{
    (void)problem;
    (void)params;
    (void)error;
    banklab_launch_add(plan, "right");
    return BANKLAB_OK;
}

BANKLAB_EXPORT extern const struct banklab_plugin banklab_plugin;
const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "syntax",
    .kind = "copy",
    .summary = "PTX that no compiler takes",
    BANKLAB_MODULES(syntax_modules),
    .plan = syntax_plan,
};
