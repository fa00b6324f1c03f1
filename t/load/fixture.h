/* SPDX-License-Identifier: Apache-2.0
 *
 * fixture.h - a plugin for tests that is sound but for what the including file has
 * defined otherwise. NAME must be defined; every other macro stands for one or some
 * fields of struct banklab_plugin.
 */
#include "banklab/plugin.h"

#ifndef HEAD
#define HEAD BANKLAB_PLUGIN_HEAD
#endif
#ifndef KIND
#define KIND "copy"
#endif
#ifndef SUMMARY
#define SUMMARY "a fixture"
#endif
#ifndef ELEMS
#define ELEMS 0
#endif
#ifndef PARAMS
#define PARAMS .params = NULL
#endif
#ifndef MODULES
#define MODULES BANKLAB_MODULES(fixture_modules)
#endif
#ifndef TWIN
#define TWIN .twin = NULL
#endif
#ifndef PLAN
#define PLAN fixture_plan
#endif

__attribute__((unused)) static int fixture_plan(const struct banklab_problem *problem,
                                                const banklab_value *params,
                                                struct banklab_plan *plan,
                                                struct banklab_error *error)
{
    (void)problem;
    (void)params;
    (void)plan;
    return banklab_unsupported(error, "a fixture runs nothing");
}

static const char fixture_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

__attribute__((unused)) static const struct banklab_module fixture_modules[] = {
    {.text = fixture_ptx, .length = sizeof fixture_ptx - 1, .cc = 70},
};

/* NOTHING_EXPORTED: the including file has the symbol itself. */
#ifndef NOTHING_EXPORTED
BANKLAB_EXPORT extern const struct banklab_plugin banklab_plugin;
const struct banklab_plugin banklab_plugin = {
    HEAD,   .name = NAME, .kind = KIND, .summary = SUMMARY, .elems = ELEMS,
    PARAMS, MODULES,      TWIN,         .plan = PLAN,
};
#endif
