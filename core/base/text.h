/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h - small text helpers that C lacks.
 */
#ifndef BL_TEXT_H
#define BL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A fresh string by printf rules; NULL if memory ran out. Caller frees. */
__attribute__((format(printf, 1, 2))) char *bl_text_format(const char *format, ...);

/* The name in `names` (count of them, none NULL) nearest to `name` by edit distance,
 * or NULL if none is near (more than a third of its letters, at least 2, differ). */
const char *bl_text_nearest(const char *name, const char *const *names, size_t count);

/* Cuts white space off both ends, in place; the start of what is left. */
char *bl_text_trim(char *text);

/* A whole number: decimal or 0x hex, nothing before or after, in the range of the type;
 * bl_text_int takes a sign too. False if not. */
bool bl_text_int(const char *text, int64_t *out);
bool bl_text_uint(const char *text, uint64_t *out);
/* A finite decimal number in the C locale, nothing before or after. */
bool bl_text_real(const char *text, double *out);

/* A whole file as NUL-terminated bytes (the NUL not counted in *length_out). Refuses
 * what is not a regular file, and more than `limit` bytes. Caller frees. */
enum bl_status bl_text_read_file(const char *path, size_t limit, char **text_out,
                                 size_t *length_out, struct bl_error *err);

#endif
