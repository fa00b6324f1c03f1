/* SPDX-License-Identifier: Apache-2.0 */
#include "load/ini_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "load/ini_read.h"

struct keys {
    const char *section;
    const struct bl_ini_key *at;
    size_t count;
    char *out;
    int line[BL_INI_KEYS_MAX]; /* where each was given; 0: not yet */
    int section_line;
};

struct place { /* where an error is */
    const char *file;
    int line;
    const struct bl_ini_key *key;
    struct bl_error *err;
};

static enum bl_status bad_range(const struct place *p, const char *text)
{
    return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                       "'%s': '%s' is not a %s in %.15g..%.15g", p->key->name, text,
                       p->key->type == BL_INI_REAL ? "number" : "whole number",
                       p->key->minimum, p->key->maximum);
}

static bool in_range(const struct bl_ini_key *key, double value)
{
    return value >= key->minimum && value <= key->maximum;
}

/* One number of a list; `text` without blanks. */
static enum bl_status take_u32(const struct place *p, const char *text, uint32_t *out)
{
    uint64_t value;
    if (!bl_text_uint(text, &value) || value > UINT32_MAX ||
        !in_range(p->key, (double)value))
        return bad_range(p, text);
    if (p->key->power_of_two && (value & (value - 1)) != 0)
        return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                           "'%s': %s is not a power of two", p->key->name, text);
    *out = (uint32_t)value;
    return BL_OK;
}

static enum bl_status take_list(const struct place *p, const char *text, uint32_t *out)
{
    const struct bl_ini_key *key = p->key;
    uint32_t count = 0;
    if (key->count_min == 0 && strcmp(text, "none") == 0)
        text = NULL;
    while (text) {
        const char *comma = strchr(text, ',');
        size_t length = comma ? (size_t)(comma - text) : strlen(text);
        while (length > 0 && (*text == ' ' || *text == '\t'))
            text++, length--;
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            length--;
        char number[32];
        if (length >= sizeof number)
            return bad_range(p, text);
        memcpy(number, text, length);
        number[length] = '\0';
        if (count == key->count_max)
            return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                               "'%s': more than %u numbers", key->name, key->count_max);
        enum bl_status status = take_u32(p, number, &out[count]);
        if (status != BL_OK)
            return status;
        count++;
        text = comma ? comma + 1 : NULL;
    }
    if (count < key->count_min)
        return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                           "'%s': %u of %u numbers are there", key->name, count,
                           key->count_min);
    return BL_OK;
}

static enum bl_status take_word(const struct place *p, const char *text, uint32_t *out)
{
    const char *const *words = p->key->words;
    char list[128] = "";
    size_t count = 0;
    for (; words[count]; count++) {
        const size_t used = strlen(list);
        if (strcmp(words[count], text) == 0) {
            *out = (uint32_t)count;
            return BL_OK;
        }
        snprintf(list + used, sizeof list - used, "%s'%s'",
                 count == 0         ? ""
                 : words[count + 1] ? ", "
                                    : " or ",
                 words[count]);
    }
    const char *near = bl_text_nearest(text, words, count);
    return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                       "'%s' takes %s, not '%s'%s%s%s", p->key->name, list, text,
                       near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

static enum bl_status take_value(const struct place *p, const char *text, char *out)
{
    uint64_t whole;
    double real;
    size_t length = strlen(text);
    switch (p->key->type) {
    case BL_INI_U32: return take_list(p, text, (uint32_t *)(void *)out);
    case BL_INI_U64:
        if (!bl_text_uint(text, &whole) || !in_range(p->key, (double)whole))
            return bad_range(p, text);
        memcpy(out, &whole, sizeof whole);
        return BL_OK;
    case BL_INI_REAL:
        if (!bl_text_real(text, &real) || !in_range(p->key, real))
            return bad_range(p, text);
        memcpy(out, &real, sizeof real);
        return BL_OK;
    case BL_INI_TEXT:
        if (length == 0 || length >= p->key->size)
            return bl_error_at(p->err, BL_E_INPUT, p->file, p->line,
                               "'%s': a text of 1 to %zu bytes is expected, not %zu",
                               p->key->name, p->key->size - 1, length);
        memcpy(out, text, length + 1);
        return BL_OK;
    case BL_INI_WORD: return take_word(p, text, (uint32_t *)(void *)out);
    }
    return bl_error_set(p->err, BL_E_INTERNAL, "key '%s' has no type", p->key->name);
}

static enum bl_status unknown_key(const struct keys *k, const char *file, int line,
                                  const char *name, struct bl_error *err)
{
    const char *names[BL_INI_KEYS_MAX];
    for (size_t i = 0; i < k->count; i++)
        names[i] = k->at[i].name;
    const char *near = bl_text_nearest(name, names, k->count);
    return bl_error_at(err, BL_E_INPUT, file, line, "unknown key '%s'%s%s%s", name,
                       near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
}

static enum bl_status take_section(struct keys *k, const char *file, int line,
                                   const char *section, struct bl_error *err)
{
    if (strcmp(section, k->section) != 0)
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "unknown section '[%s]'; only '[%s]' is expected", section,
                           k->section);
    if (k->section_line)
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "'[%s]' is there already, in line %d", section,
                           k->section_line);
    k->section_line = line;
    return BL_OK;
}

static enum bl_status take(void *ctx, const char *file, int line, const char *section,
                           const char *name, const char *value, struct bl_error *err)
{
    struct keys *k = ctx;
    if (!name)
        return take_section(k, file, line, section, err);
    size_t i = 0;
    while (i < k->count && strcmp(name, k->at[i].name) != 0)
        i++;
    if (i == k->count)
        return unknown_key(k, file, line, name, err);
    if (k->line[i])
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "'%s' is there already, in line %d", name, k->line[i]);
    k->line[i] = line;
    struct place place = {.file = file, .line = line, .key = &k->at[i], .err = err};
    return take_value(&place, value, k->out + k->at[i].offset);
}

/* All keys must have come. */
static enum bl_status check_all(const struct keys *k, const char *path,
                                struct bl_error *err)
{
    if (!k->section_line)
        return bl_error_at(err, BL_E_INPUT, path, 0, "no section '[%s]'", k->section);
    for (size_t i = 0; i < k->count; i++)
        if (!k->line[i])
            return bl_error_at(err, BL_E_INPUT, path, k->section_line,
                               "'[%s]' lacks the key '%s'", k->section, k->at[i].name);
    return BL_OK;
}

static enum bl_status check_count(size_t count, struct bl_error *err)
{
    if (count > BL_INI_KEYS_MAX)
        return bl_error_set(err, BL_E_INTERNAL, "%zu keys; at most %d", count,
                            BL_INI_KEYS_MAX);
    return BL_OK;
}

enum bl_status bl_ini_keys_read(const char *path, const char *section,
                                const struct bl_ini_key *keys, size_t count, void *out,
                                struct bl_error *err)
{
    struct keys k = {.section = section, .at = keys, .count = count, .out = out};
    enum bl_status status = check_count(count, err);
    if (status == BL_OK)
        status = bl_ini_read(path, take, &k, err);
    return status == BL_OK ? check_all(&k, path, err) : status;
}

enum bl_status bl_ini_keys_read_text(const char *file, const char *text, size_t length,
                                     const char *section, const struct bl_ini_key *keys,
                                     size_t count, void *out, struct bl_error *err)
{
    struct keys k = {.section = section, .at = keys, .count = count, .out = out};
    enum bl_status status = check_count(count, err);
    if (status == BL_OK)
        status = bl_ini_read_text(file, text, length, take, &k, err);
    return status == BL_OK ? check_all(&k, file, err) : status;
}
