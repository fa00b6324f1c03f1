/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/profile_parts.h"

enum { ROWS, COLS, ELEM, BATCH, KEY_COUNT };

static const struct bl_problem_key keys[KEY_COUNT] = {
    [ROWS] = {"rows", "rows of the input"},
    [COLS] = {"cols", "columns of the input"},
    [ELEM] = {"elem", "bytes of an element"},
    [BATCH] = {"batch", "matrices, one behind the other"},
};

const struct bl_problem_key *bl_problem_key_find(const char *key)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, key) == 0)
            return &keys[i];
    return NULL;
}

enum bl_status bl_problem_parse(const struct bl_problem_key *key, const char *text,
                                uint64_t *out, struct bl_error *err)
{
    uint64_t value;
    bool number = bl_text_uint(text, &value);
    if (key == &keys[ELEM]) {
        if (!number ||
            (value != 1 && value != 2 && value != 4 && value != 8 && value != 16))
            return bl_error_set(err, BL_E_INPUT,
                                "elem takes 1, 2, 4, 8 or 16 bytes, not \"%.80s\"", text);
    } else if (!number || value == 0) {
        return bl_error_set(err, BL_E_INPUT,
                            "%s takes a whole number of at least 1, not \"%.80s\"",
                            key->name, text);
    }
    *out = value;
    return BL_OK;
}

void bl_problem_put(const struct bl_problem_key *key, uint64_t value,
                    struct banklab_problem *problem)
{
    if (key == &keys[ROWS])
        problem->rows = value;
    else if (key == &keys[COLS])
        problem->cols = value;
    else if (key == &keys[BATCH])
        problem->batch = value;
    else
        problem->elem = (uint32_t)value;
}

enum bl_status bl_problem_read(const struct bl_raw *raw, struct banklab_problem *out,
                               struct bl_error *err)
{
    static const char *const names[] = {"rows", "cols", "elem", "batch"};
    for (size_t i = 0; i < raw->problem.count; i++) {
        const struct bl_entry *entry = &raw->problem.entries[i];
        const struct bl_problem_key *key = bl_problem_key_find(entry->key);
        char hint[BL_HINT_SIZE];
        uint64_t value;
        if (!key) {
            bl_hint_print(entry->key, names, KEY_COUNT, hint, sizeof hint);
            return bl_entry_error(raw, entry, err, "unknown key \"%s\" in [problem]%s",
                                  entry->key, hint);
        }
        if (strchr(entry->value, ',') || strstr(entry->value, ".."))
            return bl_entry_error(raw, entry, err,
                                  "[problem] gives every case one value of %s; a sweep "
                                  "as \"%.80s\" belongs in a case",
                                  key->name, entry->value);
        if (bl_problem_parse(key, entry->value, &value, err) != BL_OK)
            return bl_entry_prefix(raw, entry, err);
        bl_problem_put(key, value, out);
    }
    return BL_OK;
}
