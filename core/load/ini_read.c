/* SPDX-License-Identifier: Apache-2.0 */
#include "load/ini_read.h"

#include <ctype.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct reader {
    const char *file;
    const char *at, *end; /* what is left of the text */
    int line;
    char section[BL_INI_NAME_MAX + 1];
    bool in_section;
    bool owed; /* inih has been given a `name = value` that it has not handed on yet */
    bl_ini_fn *fn;
    void *ctx;
    struct bl_error *err;
    enum bl_status status;
};

#define FAIL(r, ...)                                                                     \
    ((r)->status = bl_error_at((r)->err, BL_E_INPUT, (r)->file, (r)->line, __VA_ARGS__))

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* True where inih would see the beginning of a comment behind a value. */
static bool is_comment_or_end(const char *text)
{
    while (is_blank(*text))
        text++;
    return *text == '\0' || *text == ';';
}

/* Takes the next line off the text: without its end, and without a byte order mark. */
static const char *next_line(struct reader *r, size_t *length)
{
    const char *start = r->at;
    const char *stop = memchr(start, '\n', (size_t)(r->end - start));
    r->at = stop ? stop + 1 : r->end;
    if (!stop)
        stop = r->end;
    if (stop > start && stop[-1] == '\r')
        stop--;
    if (r->line == 1 && stop - start >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        start += 3;
    *length = (size_t)(stop - start);
    return start;
}

/* `line` is "[...". inih would take `[a] b` for `[a]`, and cut a long name. */
static void open_section(struct reader *r, const char *line)
{
    const char *start = line + 1;
    const char *stop = strchr(start, ']');
    for (const char *p = start; stop && p < stop; p++)
        if (*p == ';' && is_blank(p[-1]))
            stop = NULL; /* the `]` is in a comment */
    if (!stop) {
        FAIL(r, "the section's ']' is missing: expected '[name]'");
        return;
    }
    if (!is_comment_or_end(stop + 1)) {
        FAIL(r, "text behind the section's ']': '%s'; a comment begins with ';'",
             stop + 1);
        return;
    }
    while (start < stop && is_blank(*start))
        start++;
    while (stop > start && is_blank(stop[-1]))
        stop--;
    size_t length = (size_t)(stop - start);
    if (length == 0) {
        FAIL(r, "the section has no name: expected '[name]'");
        return;
    }
    if (length > BL_INI_NAME_MAX) {
        FAIL(r, "the section's name has %zu bytes; at most %d are read", length,
             BL_INI_NAME_MAX);
        return;
    }
    memcpy(r->section, start, length);
    r->section[length] = '\0';
    r->in_section = true;
    r->status = r->fn(r->ctx, r->file, r->line, r->section, NULL, NULL, r->err);
}

/* Looks at a line before inih gets it. */
static void check_line(struct reader *r, const char *line)
{
    const char *text = line;
    while (is_blank(*text))
        text++;
    if (*text == '\0' || *text == ';' || *text == '#')
        return;
    if (text > line)
        FAIL(r, "the line begins with whitespace; one value can't go on over several "
                "lines, and names begin at the first column");
    else if (*text == '[')
        open_section(r, line);
    else
        r->owed = true;
}

/* inih says nothing of a bad line until the end of the file. */
static void check_owed(struct reader *r)
{
    if (r->owed && r->status == BL_OK)
        FAIL(r, "no '=' in the line: expected 'name = value' or '[section]'");
}

/* The reader that inih calls, in the manner of fgets: NULL ends the reading. */
static char *read_line(char *out, int size, void *stream)
{
    struct reader *r = stream;
    check_owed(r);
    if (r->status != BL_OK || r->at == r->end)
        return NULL;
    r->line++;
    size_t length;
    const char *line = next_line(r, &length);
    /* One byte for '\n', which tells every build of inih that the line is whole. */
    size_t most = size > 2 ? (size_t)size - 2 : 0;
    if (length > most) {
        FAIL(r, "the line has %zu bytes; at most %zu are read", length, most);
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 0x20 && line[i] != '\t') {
            FAIL(r, "byte 0x%02x in column %zu; plain text is expected",
                 (unsigned)(unsigned char)line[i], i + 1);
            return NULL;
        }
    memcpy(out, line, length);
    out[length] = '\0';
    check_line(r, out);
    if (r->status != BL_OK)
        return NULL;
    out[length] = '\n';
    out[length + 1] = '\0';
    return out;
}

static int take(void *user, const char *section, const char *name, const char *value
#if INI_HANDLER_LINENO
                ,
                int lineno
#endif
)
{
    struct reader *r = user;
    (void)section; /* the reader's own has no blanks at its ends */
#if INI_HANDLER_LINENO
    (void)lineno;
#endif
    if (!name) /* some builds of inih announce sections; the reader has done so */
        return 1;
    if (!value) /* some builds let a name stand alone; then it is still owed */
        return 0;
    r->owed = false;
    size_t length = strlen(name);
    if (r->status != BL_OK)
        return 0;
    if (!r->in_section)
        FAIL(r, "'%s' stands before the first '[section]'", name);
    else if (length == 0)
        FAIL(r, "no name before the '=': expected 'name = value'");
    else if (length > BL_INI_NAME_MAX)
        FAIL(r, "the name '%s' has %zu bytes; at most %d are read", name, length,
             BL_INI_NAME_MAX);
    else
        r->status = r->fn(r->ctx, r->file, r->line, r->section, name, value, r->err);
    return r->status == BL_OK;
}

enum bl_status bl_ini_read_text(const char *file, const char *text, size_t length,
                                bl_ini_fn *fn, void *ctx, struct bl_error *err)
{
    if (length > BL_INI_LIMIT)
        return bl_error_at(err, BL_E_IO, file, 0, "%zu bytes; at most %d are read",
                           length, BL_INI_LIMIT);
    struct reader r = {
        .file = file, .at = text, .end = text + length, .fn = fn, .ctx = ctx, .err = err};
    int rc = ini_parse_stream(read_line, &r, take, &r);
    check_owed(&r);
    if (r.status == BL_OK && rc == -2)
        return bl_error_nomem(err);
    if (r.status == BL_OK && rc != 0)
        return bl_error_at(err, BL_E_INPUT, file, rc, "the line can't be understood");
    return r.status;
}

enum bl_status bl_ini_read(const char *path, bl_ini_fn *fn, void *ctx,
                           struct bl_error *err)
{
    char *text;
    size_t length;
    enum bl_status status = bl_text_read_file(path, BL_INI_LIMIT, &text, &length, err);
    if (status != BL_OK)
        return status;
    status = bl_ini_read_text(path, text, length, fn, ctx, err);
    free(text);
    return status;
}
