/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *bl_text_format(const char *format, ...)
{
    va_list ap;
    char *text = NULL;
    int n;

    va_start(ap, format);
    n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    if (n < 0 || !(text = malloc((size_t)n + 1)))
        return NULL;
    va_start(ap, format);
    vsnprintf(text, (size_t)n + 1, format, ap);
    va_end(ap);
    return text;
}

char *bl_text_trim(char *text)
{
    size_t length;

    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

enum { NAME_MAX_LETTERS = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance, two rows at a time. Both names at most NAME_MAX_LETTERS. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[NAME_MAX_LETTERS + 1];

    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t swap = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(swap, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

const char *bl_text_nearest(const char *name, const char *const *names, size_t count)
{
    size_t length = strlen(name), allowed = length / 3 > 2 ? length / 3 : 2;
    const char *best = NULL;

    if (length > NAME_MAX_LETTERS)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]), d;
        if (other > NAME_MAX_LETTERS)
            continue;
        d = distance(name, length, names[i], other);
        /* A replaced word is no near name. */
        if (d <= allowed && d < (length > other ? length : other)) {
            best = names[i];
            allowed = d ? d - 1 : 0;
            if (d == 0)
                break;
        }
    }
    return best;
}

/* Where the digits start, or NULL: strtoull would also take blanks and signs. */
static const char *digits_of(const char *text, int *base)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        *base = 16;
        text += 2;
        return strspn(text, "0123456789abcdefABCDEF") > 0 ? text : NULL;
    }
    *base = 10;
    return strspn(text, "0123456789") > 0 ? text : NULL;
}

bool bl_text_uint(const char *text, uint64_t *out)
{
    unsigned long long value;
    char *end;
    int base;

    if (!(text = digits_of(text, &base)))
        return false;
    errno = 0;
    value = strtoull(text, &end, base);
    if (errno || *end)
        return false;
    *out = value;
    return true;
}

bool bl_text_int(const char *text, int64_t *out)
{
    bool minus = *text == '-';
    uint64_t value;

    if (*text == '-' || *text == '+')
        text++;
    if (!bl_text_uint(text, &value) || value > (uint64_t)INT64_MAX + minus)
        return false;
    *out = minus ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool bl_text_real(const char *text, double *out)
{
    double value;
    char *end;

    /* No hex, no "inf", no blanks; the program never leaves the C locale. */
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    errno = 0;
    value = strtod(text, &end);
    if (*end || !isfinite(value) || (errno && value != 0))
        return false;
    *out = value;
    return true;
}

static enum bl_status read_open(FILE *file, const char *path, size_t size,
                                char **text_out, size_t *length_out, struct bl_error *err)
{
    char *text = malloc(size + 1);
    size_t length;

    if (!text)
        return bl_error_nomem(err);
    length = fread(text, 1, size, file);
    if (ferror(file)) {
        free(text);
        return bl_error_set(err, BL_E_IO, "%s: %s", path, strerror(errno));
    }
    text[length] = '\0';
    *text_out = text;
    *length_out = length;
    return BL_OK;
}

enum bl_status bl_text_read_file(const char *path, size_t limit, char **text_out,
                                 size_t *length_out, struct bl_error *err)
{
    enum bl_status status;
    struct stat st;
    FILE *file = fopen(path, "rb");

    if (!file)
        return bl_error_set(err, BL_E_IO, "%s: %s", path, strerror(errno));
    if (fstat(fileno(file), &st) != 0 || !S_ISREG(st.st_mode))
        status = bl_error_set(err, BL_E_IO, "%s: not a regular file", path);
    else if ((uintmax_t)st.st_size > limit)
        status = bl_error_set(err, BL_E_INPUT, "%s: %jd bytes; at most %zu are read",
                              path, (intmax_t)st.st_size, limit);
    else
        status = read_open(file, path, (size_t)st.st_size, text_out, length_out, err);
    fclose(file);
    return status;
}
