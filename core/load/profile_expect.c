/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/profile_parts.h"
#include "work/measure_fields.h"

static const char prefix[] = "expect.";
static const char verdict[] = BL_FIELD_VERDICT;

bool bl_expect_is_key(const char *key)
{
    return strncmp(key, prefix, strlen(prefix)) == 0;
}

static enum bl_status unknown_field(const struct bl_raw *raw,
                                    const struct bl_entry *entry, const char *name,
                                    struct bl_error *err)
{
    size_t count;
    const struct bl_field *fields = bl_field_all(&count);
    const char **names = calloc(count + 1, sizeof *names);
    char hint[BL_HINT_SIZE];
    if (!names)
        return bl_error_nomem(err);
    for (size_t i = 0; i < count; i++)
        names[i] = fields[i].name;
    names[count] = verdict;
    bl_hint_print(name, names, count + 1, hint, sizeof hint);
    free(names);
    return bl_entry_error(raw, entry, err, "unknown field \"%s\" to expect%s", name,
                          hint);
}

/* Takes the operator off the front; returns what follows it, NULL if it is none of
 * ours. */
static const char *take_op(const char *text, enum bl_op *out)
{
    /* Those of two characters come first. */
    static const struct {
        const char *text;
        enum bl_op op;
    } ops[] = {{"<=", BL_LE}, {">=", BL_GE}, {"!=", BL_NE},
               {"<", BL_LT},  {">", BL_GT},  {"=", BL_EQ}};
    *out = BL_EQ;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (strncmp(text, ops[i].text, strlen(ops[i].text)) == 0) {
            *out = ops[i].op;
            text += strlen(ops[i].text);
            break;
        }
    }
    while (isspace((unsigned char)*text))
        text++;
    return strchr("<>=!", *text) && *text ? NULL : text;
}

static enum bl_status check_verdict(const struct bl_raw *raw,
                                    const struct bl_entry *entry, const char *text,
                                    enum bl_op op, struct bl_error *err)
{
    static const char *const verdicts[] = {"pass", "fail", "skip", "error"};
    char hint[BL_HINT_SIZE];
    if (op != BL_EQ && op != BL_NE)
        return bl_entry_error(raw, entry, err,
                              "a verdict has no order; expect it with = or !=");
    for (size_t i = 0; i < 4; i++)
        if (strcmp(text, verdicts[i]) == 0)
            return BL_OK;
    bl_hint_print(text, verdicts, 4, hint, sizeof hint);
    return bl_entry_error(raw, entry, err, "unknown verdict \"%.80s\"%s", text, hint);
}

enum bl_status bl_expect_parse(const struct bl_raw *raw, const struct bl_entry *entry,
                               struct bl_expect *out, struct bl_error *err)
{
    const char *name = entry->key + strlen(prefix);
    bool is_verdict = strcmp(name, verdict) == 0;
    struct bl_expect expect = {.line = entry->line};
    const char *value = take_op(entry->value, &expect.op);
    enum bl_status st;
    if (!is_verdict && !bl_field_find(name))
        return unknown_field(raw, entry, name, err);
    if (!value)
        return bl_entry_error(raw, entry, err,
                              "unknown operator in \"%.80s\"; it can be <, <=, >, >=, != "
                              "or =",
                              entry->value);
    if (is_verdict) {
        st = check_verdict(raw, entry, value, expect.op, err);
        if (st != BL_OK)
            return st;
    } else if (!bl_text_real(value, &expect.number)) {
        return bl_entry_error(
            raw, entry, err, "%s is expected to be a number, not \"%.80s\"", name, value);
    }
    expect.field = strdup(name);
    expect.text = strdup(value);
    if (!expect.field || !expect.text) {
        bl_expect_free(&expect, 1);
        return bl_error_nomem(err);
    }
    *out = expect;
    return BL_OK;
}

void bl_expect_free(struct bl_expect *expects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(expects[i].field);
        free(expects[i].text);
    }
}
