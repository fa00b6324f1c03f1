/* SPDX-License-Identifier: Apache-2.0
 *
 * cache.h - what a compiler made, kept in files, each named after all that it was made
 * of, but for the files that the source included: those stand in it with their contents'
 * hashes.
 */
#ifndef BL_KERNEL_CACHE_H
#define BL_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* 128-bit FNV-1a: names contents, and withstands chance but no malice, as nothing here
 * has to. (Fowler, Noll, Vo, Eastlake: The FNV Non-Cryptographic Hash Algorithm.) */
struct bl_hash {
    unsigned long long high, low;
};
enum { BL_HASH_TEXT = 33 };
void bl_hash_begin(struct bl_hash *hash);
void bl_hash_add(struct bl_hash *hash, const void *data, size_t bytes);
/* A text and its end, so that "a", "bc" is not "ab", "c". */
void bl_hash_text(struct bl_hash *hash, const char *text);
void bl_hash_print(const struct bl_hash *hash, char out[BL_HASH_TEXT]);

/* The folder: $XDG_CACHE_HOME/banklab, or $HOME/.cache/banklab; fresh. NULL: the
 * environment names none, or memory ran out. */
char *bl_cache_dir(void);

/* The PTX kept under the key. False where there is none, where a file that it depends on
 * is another now, or where it is damaged. */
bool bl_cache_get(const char *dir, const struct bl_hash *key, char **text,
                  size_t *length);

/* Keeps the PTX, whole or not at all. `depends` is what the compiler wrote of the files
 * that it read, as a rule of make. BL_E_IO with the reason. */
enum bl_status bl_cache_put(const char *dir, const struct bl_hash *key,
                            const char *depends, const char *text, size_t length,
                            struct bl_error *err);

#endif
