/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/profile_parts.h"
#include "load/run_keys.h"

enum { THREADS_MAX = 1024 };

static enum bl_status set_text(const char *text, void *field)
{
    char **out = field;
    char *copy = strdup(text);
    if (!copy)
        return BL_E_NOMEM;
    free(*out);
    *out = copy;
    return BL_OK;
}

static enum bl_status parse_device(const char *text, void *field)
{
    static const char cuda[] = "cuda:";
    uint64_t ordinal;
    if (strcmp(text, "auto") != 0 && strcmp(text, "model") != 0 &&
        strcmp(text, "cuda") != 0 &&
        (strncmp(text, cuda, strlen(cuda)) != 0 ||
         !bl_text_uint(text + strlen(cuda), &ordinal) || ordinal > INT32_MAX))
        return BL_E_INPUT;
    return set_text(text, field);
}

/* The name of a file in a folder of ours, which must not lead out of it. */
static enum bl_status parse_file_name(const char *text, void *field)
{
    if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                     "_-.") != strlen(text) ||
        text[0] == '.' || text[0] == '\0')
        return BL_E_INPUT;
    return set_text(text, field);
}

static enum bl_status parse_baseline(const char *text, void *field)
{
    char **out = field;
    if (strcmp(text, "none") != 0)
        return set_text(text, field);
    free(*out);
    *out = NULL;
    return BL_OK;
}

static enum bl_status parse_u64(const char *text, void *field)
{
    return bl_text_uint(text, field) ? BL_OK : BL_E_INPUT;
}

static enum bl_status parse_positive(const char *text, void *field)
{
    uint64_t value;
    if (!bl_text_uint(text, &value) || value == 0)
        return BL_E_INPUT;
    *(uint64_t *)field = value;
    return BL_OK;
}

static enum bl_status parse_threads(const char *text, void *field)
{
    uint64_t value;
    if (!bl_text_uint(text, &value) || value > THREADS_MAX)
        return BL_E_INPUT;
    *(uint32_t *)field = (uint32_t)value;
    return BL_OK;
}

#define FIELD(name) offsetof(struct bl_run_options, name)

static const struct bl_run_key keys[] = {
    {"device", "auto", "auto, model, cuda or cuda:NUMBER",
     "where the kernels run; auto: a GPU if there is one, else the model", parse_device,
     FIELD(device)},
    {"arch", "cc90", "the name of an arch file, as cc90",
     "the model's bank rules where no GPU decides", parse_file_name, FIELD(arch)},
    {"rates", "h200", "the name of a device file, as h200",
     "the rates behind predicted times", parse_file_name, FIELD(rates)},
    {"baseline", "none", "the name of a case, or none",
     "the case that every slowdown is against", parse_baseline, FIELD(baseline)},
    {"seed", "1", "a whole number of at least 0", "the seed of the pseudo-random inputs",
     parse_u64, FIELD(seed)},
    {"steps", "50000000", "a whole number of at least 1",
     "the most warp instructions that one block may execute on the model", parse_positive,
     FIELD(steps)},
    {"threads", "0", "a whole number from 0 to 1024",
     "worker threads of the model; 0: one for each CPU core", parse_threads,
     FIELD(threads)},
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

const struct bl_run_key *bl_run_keys(size_t *count)
{
    *count = KEY_COUNT;
    return keys;
}

const struct bl_run_key *bl_run_key_find(const char *name)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static enum bl_status unknown_key(const struct bl_raw *raw, const struct bl_entry *entry,
                                  struct bl_error *err)
{
    const char *names[KEY_COUNT];
    char hint[BL_HINT_SIZE];
    for (size_t i = 0; i < KEY_COUNT; i++)
        names[i] = keys[i].name;
    bl_hint_print(entry->key, names, KEY_COUNT, hint, sizeof hint);
    return bl_entry_error(raw, entry, err, "unknown key \"%s\" in [run]%s", entry->key,
                          hint);
}

enum bl_status bl_run_read(const struct bl_raw *raw, struct bl_run_options *out,
                           struct bl_error *err)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
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
    }
    return BL_OK;
}

void bl_run_free(struct bl_run_options *run)
{
    free(run->device);
    free(run->arch);
    free(run->rates);
    free(run->baseline);
}
