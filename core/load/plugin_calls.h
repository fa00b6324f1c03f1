/* SPDX-License-Identifier: Apache-2.0
 *
 * plugin_calls.h - what a plugin says, asked in one way of all plugins.
 *
 * A plugin from a .so says it through its struct banklab_plugin. One that the lab makes
 * of a profile's words has no code of its own: its functions are the lab's, and are
 * handed the plugin. The contracts are those of banklab/plugin.h for both.
 */
#ifndef BL_PLUGIN_CALLS_H
#define BL_PLUGIN_CALLS_H

#include <stdbool.h>

#include "load/registry.h"

/* A made plugin's functions. `own` of the plugin is theirs. */
struct bl_plugin_made {
    int (*plan)(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                const banklab_value *params, struct banklab_plan *plan,
                struct banklab_error *error);
    /* False: the kind's rule holds, and `reference` is not called. */
    bool (*has_reference)(const struct bl_plugin *plugin);
    int (*reference)(const struct bl_plugin *plugin,
                     const struct banklab_problem *problem, const banklab_value *params,
                     const void *in, void *out, struct banklab_error *error);
    /* As bl_plugin_input. */
    const void *(*input)(const struct bl_plugin *plugin, uint64_t *bytes);
    /* As bl_plugin_modules. */
    const struct banklab_module *(*modules)(const struct bl_plugin *plugin,
                                            const banklab_value *params, uint32_t *count);
    void (*close)(void *own);
};

int bl_plugin_plan(const struct bl_plugin *plugin, const struct banklab_problem *problem,
                   const banklab_value *params, struct banklab_plan *plan,
                   struct banklab_error *error);

/* Whether it says itself what the output must hold; else its kind does. */
bool bl_plugin_has_reference(const struct bl_plugin *plugin);
int bl_plugin_reference(const struct bl_plugin *plugin,
                        const struct banklab_problem *problem,
                        const banklab_value *params, const void *in, void *out,
                        struct banklab_error *error);

/* What the input must hold, the plugin's; *bytes of it. NULL, the rule: the lab's
 * pseudo-random bytes. */
const void *bl_plugin_input(const struct bl_plugin *plugin, uint64_t *bytes);

/* The device code for these values of its parameters: *count modules, the plugin's. Of a
 * plugin from a .so they are the same for all values, and `params` may be NULL. */
const struct banklab_module *bl_plugin_modules(const struct bl_plugin *plugin,
                                               const banklab_value *params,
                                               uint32_t *count);

#endif
