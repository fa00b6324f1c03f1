/* SPDX-License-Identifier: Apache-2.0
 *
 * ini_read.h - INI files with line numbers, through inih.
 *
 * Debian's inih has no line numbers, cuts lines at 200 bytes silently and goes on
 * after a bad line. This reader feeds inih line by line, counts, and refuses what
 * would be cut, continuation lines, NUL bytes and lines that inih calls bad.
 * Used for profiles, arch files and device files alike.
 */
#ifndef BL_INI_READ_H
#define BL_INI_READ_H

#include <stddef.h>

#include "base/error.h"

/* One `name = value` in `section` at `line`; name and value are NULL where a section
 * opens, an empty one too. Strings are good during the call only.
 * Not BL_OK stops the reading with that error; it should be worded by bl_error_at. */
typedef enum bl_status bl_ini_fn(void *ctx, const char *file, int line,
                                 const char *section, const char *name, const char *value,
                                 struct bl_error *err);

/* Reads the file `path`. Unix and DOS line ends, a UTF-8 byte order mark, and a last
 * line without its end are fine. `;` and `#` begin a comment line; ` ;` ends a value.
 * Not the reader's business: sections or keys that come twice, and what they mean.
 *   BL_E_IO      no such file, not a regular file, or over BL_INI_LIMIT bytes
 *   BL_E_INPUT   "path:line: " and what is wrong with the line: too long, begins with
 *                whitespace (inih would glue it to the line before), control bytes, no
 *                `=`, a key before any section, a section without `]` or with text
 *                behind it, a name of nothing or over BL_INI_NAME_MAX bytes
 *   else         what `fn` returned */
enum bl_status bl_ini_read(const char *path, bl_ini_fn *fn, void *ctx,
                           struct bl_error *err);

/* The same from memory; `file` is for messages. `text` may hold any bytes. */
enum bl_status bl_ini_read_text(const char *file, const char *text, size_t length,
                                bl_ini_fn *fn, void *ctx, struct bl_error *err);

enum {
    BL_INI_NAME_MAX = 49,   /* inih keeps 50 bytes with the NUL */
    BL_INI_LIMIT = 1 << 20, /* bytes of a whole file */
};

#endif
