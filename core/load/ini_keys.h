/* SPDX-License-Identifier: Apache-2.0
 *
 * ini_keys.h - INI files that are one section of known keys, read into a struct by a
 * table: arch files and device files.
 */
#ifndef BL_INI_KEYS_H
#define BL_INI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum bl_ini_type {
    BL_INI_U32,  /* uint32_t[count_max], numbers parted by commas; fewer leave zeros;
                    with count_min 0, "none" stands for no number */
    BL_INI_U64,  /* uint64_t */
    BL_INI_REAL, /* double */
    BL_INI_TEXT, /* char[size], not empty */
    BL_INI_WORD  /* uint32_t: which of `words` it is */
};

struct bl_ini_key {
    const char *name;
    enum bl_ini_type type;
    size_t offset;                 /* into the struct */
    size_t size;                   /* TEXT: bytes with the NUL */
    uint32_t count_min, count_max; /* U32 */
    double minimum, maximum;       /* numbers, both included */
    bool power_of_two;             /* U32 */
    const char *const *words;      /* WORD: NULL-terminated, at most BL_INI_WORDS_MAX */
};

enum { BL_INI_KEYS_MAX = 32, BL_INI_WORDS_MAX = 8 };

/* Reads section [section] of the file `path` into `out`. Every key must be there once,
 * in one section, and no other. BL_E_INPUT with file and line. `out` is written only
 * where the file was good up to there: use a fresh one. */
enum bl_status bl_ini_keys_read(const char *path, const char *section,
                                const struct bl_ini_key *keys, size_t count, void *out,
                                struct bl_error *err);

/* The same from memory; `file` is for messages. */
enum bl_status bl_ini_keys_read_text(const char *file, const char *text, size_t length,
                                     const char *section, const struct bl_ini_key *keys,
                                     size_t count, void *out, struct bl_error *err);

#endif
