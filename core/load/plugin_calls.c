/* SPDX-License-Identifier: Apache-2.0 */
#include "load/plugin_calls.h"

int bl_plugin_plan(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                   const banklab_value *params, struct banklab_plan *plan,
                   struct banklab_error *error)
{
    if (plugin->made)
        return plugin->made->plan(plugin, problem, params, plan, error);
    return plugin->abi.plan(problem, params, plan, error);
}

bool bl_plugin_has_reference(const struct bl_plugin *plugin)
{
    return plugin->made ? plugin->made->has_reference(plugin)
                        : plugin->abi.reference != NULL;
}

int bl_plugin_reference(const struct bl_plugin *plugin,
                        const struct banklab_problem *problem,
                        const banklab_value *params, const void *in, void *out,
                        struct banklab_error *error)
{
    if (plugin->made)
        return plugin->made->reference(plugin, problem, params, in, out, error);
    return plugin->abi.reference(problem, params, in, out, error);
}

const void *bl_plugin_input(const struct bl_plugin *plugin, uint64_t *bytes)
{
    *bytes = 0;
    return plugin->made ? plugin->made->input(plugin, bytes) : NULL;
}

const struct banklab_module *bl_plugin_modules(const struct bl_plugin *plugin,
                                               const banklab_value *params,
                                               uint32_t *count)
{
    if (plugin->made)
        return plugin->made->modules(plugin, params, count);
    *count = plugin->abi.module_count;
    return plugin->abi.modules;
}
