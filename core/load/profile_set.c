/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/plugin_form.h"
#include "load/profile_parts.h"
#include "load/run_keys.h"

/* --set [CASE.]KEY=VALUE, taken apart. */
struct setting {
    const char *whole;
    char *of_case; /* NULL: of every case */
    char *key;
    char *value;
};

#define REFUSE(set, err, ...)                                                            \
    bl_entry_error(NULL, &(struct bl_entry){.set = (set)->whole}, err, __VA_ARGS__)

/* The dot that parts the case from the key; NULL: there is no case. Names of cases may
 * hold dots, keys don't, but for those of forms: the last one parts, or the one before.
 */
static char *parting_dot(char *key)
{
    char *dot = strrchr(key, '.'), *before = NULL;
    if (!dot)
        return NULL;
    *dot = '\0';
    before = strrchr(key, '.');
    *dot = '.';
    return bl_form_key_is(before ? before + 1 : key) ? before : dot;
}

/* `copy` is cut up. */
static enum bl_status take_apart(struct setting *set, char *copy, struct bl_error *err)
{
    char *equals = strchr(copy, '=');
    char *dot;
    if (!equals)
        return REFUSE(set, err, "no '='; write KEY=VALUE or CASE.KEY=VALUE");
    *equals = '\0';
    set->value = bl_text_trim(equals + 1);
    set->key = bl_text_trim(copy);
    dot = parting_dot(set->key);
    if (dot) {
        *dot = '\0';
        set->of_case = set->key;
        set->key = dot + 1;
    }
    if (*set->key == '\0')
        return REFUSE(set, err, "no key before the '='");
    if (*set->value == '\0')
        return REFUSE(set, err, "%s has no value", set->key);
    if (strcmp(set->key, "plugin") == 0)
        return REFUSE(set, err, "a case's plugin can't be set; write another case");
    if (set->of_case &&
        (strcmp(set->of_case, "expect") == 0 ||
         (strlen(set->of_case) > 7 &&
          strcmp(set->of_case + strlen(set->of_case) - 7, ".expect") == 0)))
        return REFUSE(set, err, "expectations can't be set; write them in the profile");
    return BL_OK;
}

static enum bl_status put(struct bl_section *section, const struct setting *set,
                          struct bl_error *err)
{
    struct bl_entry *entry = bl_section_find(section, set->key);
    char *value;
    if (!entry)
        return bl_section_add(section, set->key, set->value, 0, set->whole, err);
    value = strdup(set->value);
    if (!value)
        return bl_error_nomem(err);
    free(entry->value);
    entry->value = value;
    entry->set = set->whole;
    return BL_OK;
}

/* The arch too; but outside of a case it is a key of [run]. Of a form all keys, but for
 * its constants, which are the case's own: those that the case has. */
static bool has_key(const struct bl_section *section, const char *key)
{
    if (section->form && section->form->takes(key))
        return !strchr(key, '.') || bl_section_find(section, key);
    return strcmp(key, "arch") == 0 || bl_problem_key_find(key) ||
           bl_plugin_param(section->plugin, key) >= 0;
}

static void offer(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count < BL_PROFILE_KEYS_MAX)
        names[(*count)++] = name;
}

/* The keys that would have been right: of one case, or of [run] and all cases. */
static enum bl_status unknown_key(const struct bl_raw *raw, const struct setting *set,
                                  const struct bl_section *only, struct bl_error *err)
{
    static const char *const of_case[] = {"rows", "cols", "elem", "batch", "arch"};
    const char *names[BL_PROFILE_KEYS_MAX];
    char hint[BL_HINT_SIZE];
    size_t count = 0, run_count;
    const struct bl_run_key *run = bl_run_keys(&run_count);
    for (size_t i = 0; !only && i < run_count; i++)
        offer(names, &count, run[i].name);
    for (size_t i = 0; i < sizeof of_case / sizeof *of_case; i++)
        offer(names, &count, of_case[i]);
    for (size_t i = 0; i < raw->case_count; i++) {
        const struct bl_section *section = &raw->cases[i];
        if (only && section != only)
            continue;
        for (uint32_t p = 0; p < section->plugin->abi.param_count; p++)
            offer(names, &count, section->plugin->abi.params[p].name);
        for (size_t e = 0; section->form && e < section->count; e++)
            if (section->form->takes(section->entries[e].key))
                offer(names, &count, section->entries[e].key);
    }
    bl_hint_print(set->key, names, count, hint, sizeof hint);
    if (only && bl_run_key_find(set->key))
        return REFUSE(set, err, "%s is a key of [run], not of a case; write --set %s=%s",
                      set->key, set->key, set->value);
    if (only)
        return REFUSE(set, err, "the case \"%s\" has no key \"%.80s\"%s", only->name,
                      set->key, hint);
    return REFUSE(set, err,
                  "\"%.80s\" is no key of [run] or [problem], and no "
                  "parameter of a plugin of this profile%s",
                  set->key, hint);
}

static enum bl_status put_in_case(const struct bl_raw *raw, const struct setting *set,
                                  struct bl_error *err)
{
    const char *names[BL_PROFILE_KEYS_MAX];
    char hint[BL_HINT_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < raw->case_count; i++) {
        struct bl_section *section = &raw->cases[i];
        if (strcmp(section->name, set->of_case) == 0)
            return has_key(section, set->key) ? put(section, set, err)
                                              : unknown_key(raw, set, section, err);
        if (count < BL_PROFILE_KEYS_MAX)
            names[count++] = section->name;
    }
    bl_hint_print(set->of_case, names, count, hint, sizeof hint);
    return REFUSE(set, err, "there is no case \"%.80s\"%s", set->of_case, hint);
}

static enum bl_status apply(struct bl_raw *raw, const struct setting *set,
                            struct bl_error *err)
{
    enum bl_status st = BL_OK;
    bool done = false;
    if (set->of_case)
        return put_in_case(raw, set, err);
    if (bl_run_key_find(set->key))
        return put(&raw->run, set, err);
    /* A key of the problem goes into the cases too, where it beats what they say. */
    for (size_t i = 0; st == BL_OK && i < raw->case_count; i++) {
        if (has_key(&raw->cases[i], set->key)) {
            st = put(&raw->cases[i], set, err);
            done = true;
        }
    }
    return done ? st : unknown_key(raw, set, NULL, err);
}

enum bl_status bl_raw_override(struct bl_raw *raw, const struct bl_override *sets,
                               size_t count, struct bl_error *err)
{
    enum bl_status st = BL_OK;
    for (size_t i = 0; st == BL_OK && i < count; i++) {
        struct setting set = {.whole = sets[i].text};
        char *copy = strdup(sets[i].text);
        if (!copy)
            return bl_error_nomem(err);
        st = take_apart(&set, copy, err);
        if (st == BL_OK)
            st = apply(raw, &set, err);
        free(copy);
    }
    return st;
}
