/* SPDX-License-Identifier: Apache-2.0
 *
 * csv.h - comma-separated values, read record by record (RFC 4180).
 *
 * Lines end in LF or CR LF. A field in quotes may hold commas, line ends and doubled
 * quotes. Blank lines are left out, a byte order mark too. Lines that begin with '#'
 * above the first record are comments, which are copied to where they are wanted.
 */
#ifndef BL_CSV_H
#define BL_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum { BL_CSV_FIELDS_MAX = 512, BL_CSV_RECORD_MAX = 1 << 20 /* bytes */ };

struct bl_csv_record {
    int line;      /* where it begins, from 1 */
    size_t count;  /* 0: the end */
    char **fields; /* until the next call; may be changed in place */
};

struct bl_csv;

/* `name` is the file's, for messages; `comments` gets comments, NULL: nobody does. Both
 * and `in` remain the caller's, and last as long as the reader. */
enum bl_status bl_csv_open(FILE *in, const char *name, FILE *comments,
                           struct bl_csv **out, struct bl_error *err);
void bl_csv_close(struct bl_csv *csv);

/* BL_E_INPUT with file and line: quotes that don't match, a byte 0, a lone CR, a record
 * beyond the limits; BL_E_IO: reading failed. */
enum bl_status bl_csv_next(struct bl_csv *csv, struct bl_csv_record *out,
                           struct bl_error *err);

/* Whether the first record ended in CR LF. */
bool bl_csv_crlf(const struct bl_csv *csv);

/* A field, in quotes where it needs them. */
void bl_csv_put(FILE *out, const char *text);

#endif
