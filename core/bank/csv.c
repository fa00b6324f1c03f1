/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct bl_csv {
    FILE *in, *comments;
    const char *name;
    int line;
    bool begun, ended, crlf;
    char *text; /* of the record, fields NUL-terminated one after the other */
    size_t used, room;
    size_t starts[BL_CSV_FIELDS_MAX];
    char *fields[BL_CSV_FIELDS_MAX];
    size_t count;
};

enum { CR = '\r', LF = '\n', QUOTE = '"' };

enum bl_status bl_csv_open(FILE *in, const char *name, FILE *comments,
                           struct bl_csv **out, struct bl_error *err)
{
    struct bl_csv *csv = calloc(1, sizeof *csv);

    if (!csv)
        return bl_error_nomem(err);
    csv->in = in;
    csv->comments = comments;
    csv->name = name;
    csv->line = 1;
    *out = csv;
    return BL_OK;
}

void bl_csv_close(struct bl_csv *csv)
{
    if (!csv)
        return;
    free(csv->text);
    free(csv);
}

bool bl_csv_crlf(const struct bl_csv *csv)
{
    return csv->crlf;
}

static int peek(struct bl_csv *csv)
{
    const int c = getc_unlocked(csv->in);

    if (c != EOF)
        ungetc(c, csv->in);
    return c;
}

static enum bl_status add(struct bl_csv *csv, int c, struct bl_error *err)
{
    if (csv->used == csv->room) {
        const size_t room = csv->room ? 2 * csv->room : 4096;
        char *text = realloc(csv->text, room);

        if (!text)
            return bl_error_nomem(err);
        csv->text = text;
        csv->room = room;
    }
    if (csv->used == BL_CSV_RECORD_MAX)
        return bl_error_at(err, BL_E_INPUT, csv->name, csv->line,
                           "a record of more than %d bytes: is a quote missing?",
                           BL_CSV_RECORD_MAX);
    csv->text[csv->used++] = (char)c;
    return BL_OK;
}

/* The rest of a quoted field, behind its first quote. */
static enum bl_status read_quoted(struct bl_csv *csv, struct bl_error *err)
{
    const int first = csv->line;

    for (;;) {
        const int c = getc_unlocked(csv->in);
        enum bl_status status;

        if (c == EOF)
            return bl_error_at(err, BL_E_INPUT, csv->name, first,
                               "the quote that begins here has no end");
        if (c == '\0')
            return bl_error_at(err, BL_E_INPUT, csv->name, csv->line,
                               "a byte 0: this is no text");
        if (c == QUOTE && peek(csv) != QUOTE)
            return BL_OK;
        if (c == QUOTE)
            getc_unlocked(csv->in);
        csv->line += c == LF;
        status = add(csv, c, err);
        if (status != BL_OK)
            return status;
    }
}

/* What is no byte of a field: the end of the field, *end, which has been read. */
static enum bl_status read_plain(struct bl_csv *csv, bool was_quoted, int *end,
                                 struct bl_error *err)
{
    for (;;) {
        int c = getc_unlocked(csv->in);
        enum bl_status status;

        if (c == CR && peek(csv) == LF) {
            c = getc_unlocked(csv->in);
            csv->crlf = csv->crlf || !csv->begun;
        } else if (c == CR) {
            return bl_error_at(err, BL_E_INPUT, csv->name, csv->line,
                               "a carriage return that ends no line");
        }
        if (c == EOF || c == LF || c == ',') {
            *end = c;
            return BL_OK;
        }
        if (c == '\0')
            return bl_error_at(err, BL_E_INPUT, csv->name, csv->line,
                               "a byte 0: this is no text");
        if (was_quoted || c == QUOTE)
            return bl_error_at(
                err, BL_E_INPUT, csv->name, csv->line,
                was_quoted ? "a comma or the line's end is expected behind a quote"
                           : "a quote in a field that begins without one; "
                             "\"a \"\"b\"\"\" would be right");
        status = add(csv, c, err);
        if (status != BL_OK)
            return status;
    }
}

static enum bl_status read_field(struct bl_csv *csv, int *end, struct bl_error *err)
{
    bool quoted = false;
    enum bl_status status = BL_OK;

    if (csv->count == BL_CSV_FIELDS_MAX)
        return bl_error_at(err, BL_E_INPUT, csv->name, csv->line,
                           "more than %d fields in a record", BL_CSV_FIELDS_MAX);
    csv->starts[csv->count++] = csv->used;
    if (peek(csv) == QUOTE) {
        getc_unlocked(csv->in);
        quoted = true;
        status = read_quoted(csv, err);
    }
    if (status == BL_OK)
        status = read_plain(csv, quoted, end, err);
    if (status == BL_OK)
        status = add(csv, '\0', err);
    return status;
}

static void skip_comment(struct bl_csv *csv)
{
    int c;

    while ((c = getc_unlocked(csv->in)) != EOF) {
        if (csv->comments)
            putc_unlocked(c, csv->comments);
        if (c == LF) {
            csv->line++;
            return;
        }
    }
}

static void skip_mark(struct bl_csv *csv)
{
    if (peek(csv) != 0xef)
        return;
    for (int i = 0; i < 3 && peek(csv) == (unsigned char)"\xef\xbb\xbf"[i]; i++)
        getc_unlocked(csv->in);
}

/* One record, which may be a blank line: a single empty field. */
static enum bl_status read_record(struct bl_csv *csv, struct bl_error *err)
{
    int end = ',';
    enum bl_status status = BL_OK;

    csv->used = 0;
    csv->count = 0;
    while (status == BL_OK && end == ',')
        status = read_field(csv, &end, err);
    if (status != BL_OK)
        return status;
    csv->line += end == LF;
    csv->ended = end == EOF;
    if (ferror(csv->in))
        return bl_error_set(err, BL_E_IO, "%s: %s", csv->name, strerror(errno));
    return BL_OK;
}

enum bl_status bl_csv_next(struct bl_csv *csv, struct bl_csv_record *out,
                           struct bl_error *err)
{
    struct bl_csv_record record = {.fields = csv->fields};
    enum bl_status status;

    if (!csv->begun)
        skip_mark(csv);
    while (!csv->begun && peek(csv) == '#')
        skip_comment(csv);
    do {
        if (csv->ended) {
            out->count = 0;
            return BL_OK;
        }
        record.line = csv->line;
        status = read_record(csv, err);
        if (status != BL_OK)
            return status;
    } while (csv->count == 1 && csv->text[0] == '\0');
    csv->begun = true;
    for (size_t i = 0; i < csv->count; i++)
        csv->fields[i] = csv->text + csv->starts[i];
    record.count = csv->count;
    *out = record;
    return BL_OK;
}

void bl_csv_put(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc(QUOTE, out);
    for (; *text; text++) {
        if (*text == QUOTE)
            fputc(QUOTE, out);
        fputc(*text, out);
    }
    fputc(QUOTE, out);
}
