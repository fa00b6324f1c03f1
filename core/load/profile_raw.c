/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/ini_read.h"
#include "load/profile_parts.h"

struct reader {
    struct bl_raw *raw;
    struct bl_section *section; /* open now */
};

char *bl_profile_file(const char *profile, const char *value)
{
    const char *slash = strrchr(profile, '/');
    if (value[0] == '/' || !slash)
        return strdup(value);
    return bl_text_format("%.*s/%s", (int)(slash - profile), profile, value);
}

struct bl_entry *bl_section_find(const struct bl_section *section, const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->entries[i].key, key) == 0)
            return &section->entries[i];
    return NULL;
}

enum bl_status bl_section_add(struct bl_section *section, const char *key,
                              const char *value, int line, const char *set,
                              struct bl_error *err)
{
    struct bl_entry entry = {.line = line, .set = set};
    if (section->count == section->capacity) {
        size_t capacity = section->capacity ? section->capacity * 2 : 8;
        struct bl_entry *entries =
            realloc(section->entries, capacity * sizeof *section->entries);
        if (!entries)
            return bl_error_nomem(err);
        section->entries = entries;
        section->capacity = capacity;
    }
    entry.key = strdup(key);
    entry.value = strdup(value);
    if (!entry.key || !entry.value) {
        free(entry.key);
        free(entry.value);
        return bl_error_nomem(err);
    }
    section->entries[section->count++] = entry;
    return BL_OK;
}

static void section_free(struct bl_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        free(section->entries[i].key);
        free(section->entries[i].value);
    }
    free(section->entries);
    free(section->name);
}

void bl_raw_free(struct bl_raw *raw)
{
    section_free(&raw->run);
    section_free(&raw->problem);
    for (size_t i = 0; i < raw->case_count; i++)
        section_free(&raw->cases[i]);
    free(raw->cases);
}

enum bl_status bl_entry_error(const struct bl_raw *raw, const struct bl_entry *entry,
                              struct bl_error *err, const char *format, ...)
{
    char text[sizeof err->text];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    bl_error_set(err, BL_E_INPUT, "%s", text);
    return bl_entry_prefix(raw, entry, err);
}

char *bl_entry_place(const struct bl_raw *raw, const struct bl_entry *entry)
{
    return entry->set ? bl_text_format("--set %.200s", entry->set)
                      : bl_text_format("%s:%d", raw->path, entry->line);
}

enum bl_status bl_entry_prefix(const struct bl_raw *raw, const struct bl_entry *entry,
                               struct bl_error *err)
{
    if (err->status == BL_E_NOMEM)
        return err->status;
    if (entry->set)
        return bl_error_prefix(err, "--set %.200s", entry->set);
    return bl_error_prefix(err, "%s:%d", raw->path, entry->line);
}

/* What follows "case" in "[case NAME]", or NULL if the section is of another sort. */
static const char *case_name(const char *section)
{
    if (strncmp(section, "case", 4) != 0 ||
        (section[4] != '\0' && !isspace((unsigned char)section[4])))
        return NULL;
    section += 4;
    while (isspace((unsigned char)*section))
        section++;
    return section;
}

static enum bl_status open_case(struct reader *reader, const char *file, int line,
                                const char *name, struct bl_error *err)
{
    struct bl_raw *raw = reader->raw;
    struct bl_section *section;
    if (*name == '\0')
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "this case has no name; write [case NAME]");
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                     "_-.") != strlen(name))
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "the case name \"%s\" may only have letters, digits, '_', '-' "
                           "and '.'",
                           name);
    if (raw->case_count == BL_PROFILE_CASES_MAX)
        return bl_error_at(err, BL_E_INPUT, file, line, "more than %d cases",
                           BL_PROFILE_CASES_MAX);
    if (raw->case_count == raw->case_capacity) {
        size_t capacity = raw->case_capacity ? raw->case_capacity * 2 : 16;
        struct bl_section *cases = realloc(raw->cases, capacity * sizeof *cases);
        if (!cases)
            return bl_error_nomem(err);
        raw->cases = cases;
        raw->case_capacity = capacity;
    }
    section = &raw->cases[raw->case_count];
    *section = (struct bl_section){.name = strdup(name), .line = line};
    if (!section->name)
        return bl_error_nomem(err);
    raw->case_count++;
    reader->section = section;
    return BL_OK;
}

static enum bl_status open_section(struct reader *reader, const char *file, int line,
                                   const char *name, struct bl_error *err)
{
    static const char *const known[] = {"run", "problem", "case NAME"};
    const char *of_case = case_name(name);
    struct bl_section *section = NULL;
    char hint[BL_HINT_SIZE];
    if (of_case)
        return open_case(reader, file, line, of_case, err);
    if (strcmp(name, "run") == 0)
        section = &reader->raw->run;
    else if (strcmp(name, "problem") == 0)
        section = &reader->raw->problem;
    if (!section) {
        /* "[cas x]" and "[CASE x]" are near to "case", whatever x is. */
        char word[16];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, " \t"), name);
        for (char *c = word; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        if (bl_text_nearest(word, (const char *const[]){"case"}, 1))
            snprintf(hint, sizeof hint, "; did you mean [case NAME]?");
        else
            bl_hint_print(word, known, 3, hint, sizeof hint);
        return bl_error_at(err, BL_E_INPUT, file, line, "unknown section [%s]%s", name,
                           hint);
    }
    if (section->line)
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "[%s] stands here again; it began at line %d", name,
                           section->line);
    section->line = line;
    reader->section = section;
    return BL_OK;
}

static enum bl_status read_entry(void *ctx, const char *file, int line,
                                 const char *section, const char *name, const char *value,
                                 struct bl_error *err)
{
    struct reader *reader = ctx;
    const struct bl_entry *first;
    if (!name)
        return open_section(reader, file, line, section, err);
    if (!reader->section)
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "\"%s\" stands before the first section", name);
    first = bl_section_find(reader->section, name);
    if (first)
        return bl_error_at(err, BL_E_INPUT, file, line,
                           "%s is set twice in this section, first at line %d", name,
                           first->line);
    if (*value == '\0')
        return bl_error_at(err, BL_E_INPUT, file, line, "%s has no value", name);
    if (reader->section->count == BL_PROFILE_ENTRIES_MAX)
        return bl_error_at(err, BL_E_INPUT, file, line, "more than %d keys in a section",
                           BL_PROFILE_ENTRIES_MAX);
    return bl_section_add(reader->section, name, value, line, NULL, err);
}

static int by_name_and_line(const void *a, const void *b)
{
    const struct bl_section *left = *(const struct bl_section *const *)a;
    const struct bl_section *right = *(const struct bl_section *const *)b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

/* Sorted, so that many cases don't take their square in time. */
static enum bl_status check_unique(const struct bl_raw *raw, struct bl_error *err)
{
    const struct bl_section **order = calloc(raw->case_count + 1, sizeof *order);
    const struct bl_section *again = NULL, *first = NULL;
    if (!order)
        return bl_error_nomem(err);
    for (size_t i = 0; i < raw->case_count; i++)
        order[i] = &raw->cases[i];
    qsort(order, raw->case_count, sizeof *order, by_name_and_line);
    for (size_t i = 1; i < raw->case_count; i++) {
        if (strcmp(order[i - 1]->name, order[i]->name) == 0 &&
            (!again || order[i]->line < again->line)) {
            first = order[i - 1];
            again = order[i];
        }
    }
    free(order);
    if (!again)
        return BL_OK;
    return bl_error_at(err, BL_E_INPUT, raw->path, again->line,
                       "there is a case \"%s\" already, at line %d", again->name,
                       first->line);
}

enum bl_status bl_raw_read(const char *path, struct bl_raw *raw, struct bl_error *err)
{
    struct reader reader = {.raw = raw};
    enum bl_status st;
    raw->path = path;
    raw->run.name = strdup("run");
    raw->problem.name = strdup("problem");
    if (!raw->run.name || !raw->problem.name)
        return bl_error_nomem(err);
    st = bl_ini_read(path, read_entry, &reader, err);
    if (st != BL_OK)
        return st;
    if (raw->case_count == 0)
        return bl_error_at(err, BL_E_INPUT, path, 0,
                           "no case; a profile needs at least one section [case NAME] "
                           "with a line plugin = NAME");
    return check_unique(raw, err);
}
