/* SPDX-License-Identifier: Apache-2.0
 *
 * run_keys.h - the keys of a profile's [run], as one table: it drives the reading,
 * --set, and the documents.
 */
#ifndef BL_RUN_KEYS_H
#define BL_RUN_KEYS_H

#include <stddef.h>

#include "load/profile.h"

enum { BL_RUN_KEYS_MAX = 32 };

struct bl_run_key {
    const char *name;
    const char *fallback; /* the value where the profile is silent */
    const char *takes;    /* "a whole number of at least 1" */
    const char *help;
    /* Reads `text` into the field at `field`. BL_E_INPUT: not what the key takes. */
    enum bl_status (*parse)(const char *text, void *field);
    size_t offset; /* of the field in struct bl_run_options */
};

const struct bl_run_key *bl_run_keys(size_t *count);
/* The key called `name`, or NULL. */
const struct bl_run_key *bl_run_key_find(const char *name);

#endif
