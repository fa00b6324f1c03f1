/* SPDX-License-Identifier: Apache-2.0
 *
 * plugin_form.h - plugins that are forms: `plugin = kernel` has no code, and what it does
 * stands in the keys of the case that names it. Of each such case a plugin is made, and
 * behind this boundary nothing knows it from one of a .so.
 */
#ifndef BL_PLUGIN_FORM_H
#define BL_PLUGIN_FORM_H

#include <stdbool.h>

#include "base/paths.h"
#include "load/profile_parts.h"

struct bl_form_key {
    const char *name;  /* as it is shown: "const.NAME" */
    const char *takes; /* "1 to 3 expressions" */
    const char *help;  /* one line */
};

/* What a form may use besides the case. */
struct bl_form_env {
    const struct bl_paths *paths;
    const char *compiler; /* of device code, as the user named it; NULL: not named */
    bl_warn_fn *warn;     /* NULL: dropped */
    void *warn_ctx;
    bool cache_warned; /* that nothing can be kept between runs has been said */
};

struct bl_plugin_form {
    const struct bl_form_key *keys;
    size_t key_count;
    const char *example; /* a profile, and what else there is to be said */
    /* Whether it is a key of the form's, a constant of a case included; not those that
     * every case has. */
    bool (*takes)(const char *key);
    /* The plugin of a case, whose overrides are worked in. Its parameters are called as
     * the keys that set them. Errors have the place of the entry, or of the section. The
     * caller ends with bl_plugin_close. */
    enum bl_status (*make)(struct bl_form_env *env, const struct bl_raw *raw,
                           const struct bl_section *section, struct bl_plugin **out,
                           struct bl_error *err);
};

/* All forms, each a plugin that is nothing but its name and its form; NULL-terminated. */
extern const struct bl_plugin *const bl_plugin_forms[];

/* Whether it is a key of any form's. */
bool bl_form_key_is(const char *key);

#endif
