/* SPDX-License-Identifier: Apache-2.0
 *
 * hint.h - the half of a message that says what would have been right.
 */
#ifndef BL_HINT_H
#define BL_HINT_H

#include <stddef.h>

enum { BL_HINT_SIZE = 400 };

/* "a, b or c" into `out` (size bytes). What does not fit is left out after "...". */
void bl_hint_list(const char *const *names, size_t count, char *out, size_t size);

/* `; did you mean "pad"?` into `out`; where no name is near, `; it can be a, b or c`;
 * where there is no name at all, nothing. */
void bl_hint_print(const char *name, const char *const *names, size_t count, char *out,
                   size_t size);

#endif
