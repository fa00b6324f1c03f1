/* SPDX-License-Identifier: Apache-2.0
 *
 * error.h - how failures travel.
 *
 * A function that can fail returns enum bl_status and takes a struct bl_error *
 * last-but-outputs. An error is worded once, where it is first known: what, where
 * (file:line where there is one), and what would be right. Callers pass it on.
 * Outputs are set only on BL_OK.
 */
#ifndef BL_ERROR_H
#define BL_ERROR_H

enum bl_status {
    BL_OK = 0,
    BL_E_NOMEM = -1,       /* memory ran out */
    BL_E_IO = -2,          /* a file could not be read or written */
    BL_E_INPUT = -3,       /* bad profile, plugin, PTX or argument */
    BL_E_UNSUPPORTED = -4, /* this case can't be done here: a skip */
    BL_E_FAULT = -5,       /* the kernel did something wrong: the case fails */
    BL_E_INTERNAL = -6     /* a bug of ours */
};

struct bl_error {
    enum bl_status status;
    char text[1024]; /* one line, or several joined by '\n'; no trailing newline */
};

/* Sets `err` (NULL allowed) and returns `status`, to be returned. Text that does not
 * fit ends in "...". */
__attribute__((format(printf, 3, 4))) enum bl_status
bl_error_set(struct bl_error *err, enum bl_status status, const char *format, ...);

/* As bl_error_set, with "file:line: " before the text; line 0: "file: ". */
__attribute__((format(printf, 5, 6))) enum bl_status
bl_error_at(struct bl_error *err, enum bl_status status, const char *file, int line,
            const char *format, ...);

/* Puts "prefix: " before the text that is there; returns its status. `err` not NULL
 * wherever the status is to be passed on. */
__attribute__((format(printf, 2, 3))) enum bl_status
bl_error_prefix(struct bl_error *err, const char *format, ...);

/* "out of memory", from anywhere. */
enum bl_status bl_error_nomem(struct bl_error *err);

#endif
