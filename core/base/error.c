/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Formats at err->text + used; what does not fit ends in "...". */
__attribute__((format(printf, 3, 0))) static void
append(struct bl_error *err, size_t used, const char *format, va_list ap)
{
    static const char cut[] = "...";
    size_t room = sizeof err->text - used;
    int n = vsnprintf(err->text + used, room, format, ap);

    if (n < 0)
        err->text[used] = '\0';
    else if ((size_t)n >= room)
        memcpy(err->text + sizeof err->text - sizeof cut, cut, sizeof cut);
}

enum bl_status bl_error_set(struct bl_error *err, enum bl_status status,
                            const char *format, ...)
{
    va_list ap;

    if (err) {
        err->status = status;
        va_start(ap, format);
        append(err, 0, format, ap);
        va_end(ap);
    }
    return status;
}

enum bl_status bl_error_at(struct bl_error *err, enum bl_status status, const char *file,
                           int line, const char *format, ...)
{
    va_list ap;

    if (err) {
        if (line > 0)
            bl_error_set(err, status, "%s:%d: ", file, line);
        else
            bl_error_set(err, status, "%s: ", file);
        va_start(ap, format);
        append(err, strlen(err->text), format, ap);
        va_end(ap);
    }
    return status;
}

enum bl_status bl_error_prefix(struct bl_error *err, const char *format, ...)
{
    char prefix[sizeof err->text];
    char old[sizeof err->text];
    va_list ap;

    if (!err)
        return BL_E_INTERNAL;
    memcpy(old, err->text, sizeof old);
    va_start(ap, format);
    vsnprintf(prefix, sizeof prefix, format, ap);
    va_end(ap);
    return bl_error_set(err, err->status, "%s: %s", prefix, old);
}

enum bl_status bl_error_nomem(struct bl_error *err)
{
    return bl_error_set(err, BL_E_NOMEM, "out of memory");
}
