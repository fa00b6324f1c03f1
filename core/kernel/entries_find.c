/* SPDX-License-Identifier: Apache-2.0
 *
 * entries_find.c - which kernel a name means.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/entries.h"

enum { LISTED = 8, LISTED_COLUMNS = 100 };

/* Without blanks, but for one between words, and without the u and l behind numbers. */
static char *plain(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;
    bool number = false, word = false;
    for (; out && *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool letter = isalnum(c) || c == '_';
        if (isspace(c)) {
            const unsigned char next = (unsigned char)text[1];
            if (word && (isalnum(next) || next == '_'))
                *to++ = ' ';
            word = number = false;
            continue;
        }
        if (number && strchr("uUlL", c))
            continue;
        number = isdigit(c) && (number || !word);
        word = letter;
        *to++ = (char)c;
    }
    if (out)
        *to = '\0';
    return out;
}

/* The forms in which a name may be written, from the whole to its shortest. */
enum form { WHOLE, NO_PARAMETERS, NO_TEMPLATE, NO_NAMESPACE, BARE, FORMS };

/* The end of the name that a '(' of its parameters, or a '<' of its template, follows.
 * "(anonymous namespace)::k(int)" begins with one that is part of the name. */
static size_t length_to(const char *name, char stop)
{
    size_t at = 0;
    while (strncmp(name + at, "(anonymous namespace)::", 23) == 0)
        at += 23;
    return at + strcspn(name + at, stop == '<' ? "<(" : "(");
}

/* The name in that form, of one that plain() made; `text` is cut up. */
static const char *in_form(char *text, enum form form)
{
    const char *open;
    size_t depth = 0;
    char *last = text;
    if (form == WHOLE)
        return text;
    /* Parameters begin at the first '(' that no template's bracket holds. */
    for (char *at = text + length_to(text, '<'); *at; at++) {
        depth += *at == '<';
        depth -= *at == '>' && depth > 0;
        if (*at == '(' && depth == 0) {
            *at = '\0';
            break;
        }
    }
    open = text + length_to(text, '<');
    if (form == NO_TEMPLATE || form == BARE)
        text[open - text] = '\0';
    if (form == NO_NAMESPACE || form == BARE)
        for (char *at = text; at < open && *at; at++)
            if (at[0] == ':' && at[1] == ':')
                last = at + 2;
    return last;
}

/* How many mean it in that form; *out is the last of them. */
static size_t count_form(const struct bl_kernel_entries *entries, const char *wanted,
                         enum form form, const struct bl_kernel_entry **out, bool *nomem)
{
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const struct bl_kernel_entry *entry = &entries->at[i];
        char *text = plain(entry->shown);
        if (!text) {
            *nomem = true;
            return 0;
        }
        if (strcmp(in_form(text, form), wanted) == 0) {
            count++;
            *out = entry;
        }
        free(text);
    }
    return count;
}

/* "\n  NAME" for each, into `out`. */
static void list(const struct bl_kernel_entries *entries, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < entries->count && used < size; i++) {
        if (i == LISTED) {
            snprintf(out + used, size - used, "\n  and %zu more", entries->count - i);
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "\n  %.*s", LISTED_COLUMNS,
                                 entries->at[i].shown);
    }
}

/* "; did you mean X?" by the names alone. */
static void hint(const struct bl_kernel_entries *entries, const char *wanted, char *out,
                 size_t size)
{
    const char **names = calloc(entries->count + 1, sizeof *names);
    char **texts = calloc(entries->count + 1, sizeof *texts);
    char *asked = plain(wanted);
    const char *nearest = NULL;
    size_t count = 0;
    out[0] = '\0';
    for (size_t i = 0; names && texts && asked && i < entries->count; i++) {
        texts[i] = plain(entries->at[i].shown);
        if (texts[i])
            names[count++] = in_form(texts[i], strchr(asked, '<') ? NO_NAMESPACE : BARE);
    }
    if (count)
        nearest = bl_text_nearest(asked, names, count);
    if (nearest)
        snprintf(out, size, "; did you mean \"%.100s\"?", nearest);
    for (size_t i = 0; texts && i < entries->count; i++)
        free(texts[i]);
    free(texts);
    free(names);
    free(asked);
}

static enum bl_status refuse(const struct bl_kernel_entries *entries, const char *file,
                             const char *wanted, size_t matches, struct bl_error *err)
{
    char names[LISTED * (LISTED_COLUMNS + 3) + 40], near[120];
    if (entries->count == 0)
        return bl_error_set(err, BL_E_INPUT,
                            "%s has no kernel: a kernel is __global__, and a template "
                            "becomes one where it is instantiated: template __global__ "
                            "void NAME<float, 32>(float *, const float *, int, int);",
                            file);
    list(entries, names, sizeof names);
    if (!wanted)
        return bl_error_set(err, BL_E_INPUT,
                            "%s has %zu kernels; name one: entry = NAME, of%s", file,
                            entries->count, names);
    if (matches > 1)
        return bl_error_set(err, BL_E_INPUT,
                            "%s has %zu kernels \"%.100s\"; write out which of%s", file,
                            matches, wanted, names);
    hint(entries, wanted, near, sizeof near);
    return bl_error_set(err, BL_E_INPUT, "%s has no kernel \"%.100s\"%s It has%s", file,
                        wanted, *near ? near : ".", names);
}

enum bl_status bl_kernel_entries_find(const struct bl_kernel_entries *entries,
                                      const char *file, const char *wanted,
                                      const struct bl_kernel_entry **out,
                                      struct bl_error *err)
{
    const struct bl_kernel_entry *found = NULL;
    bool nomem = false;
    size_t matches = 0;
    char *asked;
    if (!wanted && entries->count == 1) {
        *out = &entries->at[0];
        return BL_OK;
    }
    if (!wanted)
        return refuse(entries, file, NULL, 0, err);
    for (size_t i = 0; i < entries->count; i++) {
        if (strcmp(entries->at[i].name, wanted) == 0) {
            *out = &entries->at[i];
            return BL_OK;
        }
    }
    asked = plain(wanted);
    if (!asked)
        return bl_error_nomem(err);
    for (int form = WHOLE; form < FORMS && matches == 0 && !nomem; form++)
        matches = count_form(entries, asked, (enum form)form, &found, &nomem);
    free(asked);
    if (nomem)
        return bl_error_nomem(err);
    if (matches != 1)
        return refuse(entries, file, wanted, matches, err);
    *out = found;
    return BL_OK;
}
