/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/profile_parts.h"
#include "load/run_keys.h"

static enum bl_status unknown_key(const struct bl_raw *raw, const struct bl_entry *entry,
                                  struct bl_error *err)
{
    const char *names[BL_RUN_KEYS_MAX];
    char hint[BL_HINT_SIZE];
    size_t count;
    const struct bl_run_key *keys = bl_run_keys(&count);
    for (size_t i = 0; i < count; i++)
        names[i] = keys[i].name;
    bl_hint_print(entry->key, names, count, hint, sizeof hint);
    return bl_entry_error(raw, entry, err, "unknown key \"%s\" in [run]%s", entry->key,
                          hint);
}

/* A name that is looked up when the device is opened: errors then tell the place. */
static enum bl_status note_place(const struct bl_raw *raw, const struct bl_entry *entry,
                                 struct bl_run_options *out, struct bl_error *err)
{
    char **at = strcmp(entry->key, "arch") == 0    ? &out->arch_at
                : strcmp(entry->key, "rates") == 0 ? &out->rates_at
                                                   : NULL;
    if (!at)
        return BL_OK;
    free(*at);
    *at = bl_entry_place(raw, entry);
    return *at ? BL_OK : bl_error_nomem(err);
}

enum bl_status bl_run_read(const struct bl_raw *raw, struct bl_run_options *out,
                           struct bl_error *err)
{
    size_t count;
    const struct bl_run_key *keys = bl_run_keys(&count);
    for (size_t i = 0; i < count; i++)
        if (keys[i].parse(keys[i].fallback, (char *)out + keys[i].offset) != BL_OK)
            return bl_error_nomem(err);
    for (size_t i = 0; i < raw->run.count; i++) {
        const struct bl_entry *entry = &raw->run.entries[i];
        const struct bl_run_key *key = bl_run_key_find(entry->key);
        enum bl_status st;
        if (!key)
            return unknown_key(raw, entry, err);
        st = key->parse(entry->value, (char *)out + key->offset);
        if (st == BL_E_NOMEM)
            return bl_error_nomem(err);
        if (st != BL_OK)
            return bl_entry_error(raw, entry, err, "%s takes %s, not \"%.80s\"",
                                  key->name, key->takes, entry->value);
        st = note_place(raw, entry, out, err);
        if (st != BL_OK)
            return st;
    }
    return BL_OK;
}

void bl_run_free(struct bl_run_options *run)
{
    free(run->device);
    free(run->arch);
    free(run->rates);
    free(run->baseline);
    free(run->arch_at);
    free(run->rates_at);
}
