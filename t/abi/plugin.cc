// SPDX-License-Identifier: Apache-2.0
//
// A plugin in C++17. Designated initialisers came with C++20 only; compilers for the lab
// take them before.
#include "banklab/plugin.h"

namespace
{

const char ptx[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                   ".visible .entry nothing() { ret; }\n";
const banklab_module modules[] = {{ptx, sizeof ptx - 1, 70, 0}};

int plan(const struct banklab_problem *problem, const banklab_value *,
         struct banklab_plan *, struct banklab_error *error)
{
    return banklab_unsupported(error, "%llu rows are not the point",
                               static_cast<unsigned long long>(problem->rows));
}

} // namespace

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "plugin",
    .kind = "copy",
    .summary = "in C++",
    BANKLAB_MODULES(modules),
    .plan = plan,
};
