/* SPDX-License-Identifier: Apache-2.0
 *
 * An entry is text up to the PTX:
 *     banklab-kernel 1
 *     file HASH PATH        for each file that was read
 *     ptx HASH LENGTH
 * and then LENGTH bytes of PTX.
 */
#include "kernel/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { ENTRY_MAX = 256 << 20 };

static const char head[] = "banklab-kernel 1\n";

/* ---- hashes --------------------------------------------------------------------------
 */

__extension__ typedef unsigned __int128 wide;

void bl_hash_begin(struct bl_hash *hash)
{
    *hash = (struct bl_hash){0x6c62272e07bb0142u, 0x62b821756295c58du};
}

void bl_hash_add(struct bl_hash *hash, const void *data, size_t bytes)
{
    const wide prime = ((wide)1 << 88) + 0x13b;
    const unsigned char *at = data;
    wide value = (wide)hash->high << 64 | hash->low;
    for (size_t i = 0; i < bytes; i++)
        value = (value ^ at[i]) * prime;
    hash->high = (unsigned long long)(value >> 64);
    hash->low = (unsigned long long)value;
}

void bl_hash_text(struct bl_hash *hash, const char *text)
{
    bl_hash_add(hash, text, strlen(text) + 1);
}

void bl_hash_print(const struct bl_hash *hash, char out[BL_HASH_TEXT])
{
    snprintf(out, BL_HASH_TEXT, "%016llx%016llx", hash->high, hash->low);
}

static void hash_bytes(const char *data, size_t bytes, char out[BL_HASH_TEXT])
{
    struct bl_hash hash;
    bl_hash_begin(&hash);
    bl_hash_add(&hash, data, bytes);
    bl_hash_print(&hash, out);
}

static bool hash_file(const char *path, char out[BL_HASH_TEXT])
{
    struct bl_error err;
    size_t length;
    char *text;
    if (bl_text_read_file(path, ENTRY_MAX, &text, &length, &err) != BL_OK)
        return false;
    hash_bytes(text, length, out);
    free(text);
    return true;
}

/* ---- places
 * ---------------------------------------------------------------------------- */

char *bl_cache_dir(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    /* The XDG Base Directory Specification: a path that is not absolute is ignored. */
    if (base && *base == '/')
        return bl_text_format("%s/banklab", base);
    return home && *home == '/' ? bl_text_format("%s/.cache/banklab", home) : NULL;
}

static char *entry_path(const char *dir, const struct bl_hash *key)
{
    char name[BL_HASH_TEXT];
    bl_hash_print(key, name);
    return bl_text_format("%s/%s.ptx", dir, name);
}

/* The folder with those above it. */
static bool make_dirs(const char *dir)
{
    char *copy = strdup(dir);
    bool made = copy != NULL;
    for (char *at = copy; made && (at = strchr(at + 1, '/')) != NULL;) {
        *at = '\0';
        made = mkdir(copy, 0700) == 0 || errno == EEXIST || errno == EROFS ||
               errno == EACCES; /* it may be there all the same */
        *at = '/';
    }
    made = made && (mkdir(copy, 0700) == 0 || errno == EEXIST);
    free(copy);
    return made;
}

/* ---- to read
 * ----------------------------------------------------------------------------- */

/* The line at *at, without its end; *at moves on. NULL: there is no whole line. */
static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *at = end + 1;
    return line;
}

/* "HASH REST"; NULL: it is not of that form. `text` is cut up. */
static char *after_hash(char *text)
{
    const size_t length = BL_HASH_TEXT - 1;
    if (strspn(text, "0123456789abcdef") != length || text[length] != ' ')
        return NULL;
    text[length] = '\0';
    return text + length + 1;
}

static bool file_is_same(char *text)
{
    char now[BL_HASH_TEXT];
    const char *path = after_hash(text);
    return path && hash_file(path, now) && strcmp(now, text) == 0;
}

/* Where the PTX is in an entry of `length` bytes; NULL: it is not to be used. */
static const char *open_entry(char *entry, size_t length, uint64_t *bytes)
{
    char *at = entry, *line = next_line(&at), *rest, now[BL_HASH_TEXT];
    if (!line || strncmp(line, head, sizeof head - 2) != 0 ||
        strlen(line) != sizeof head - 2)
        return NULL;
    while ((line = next_line(&at)) != NULL && strncmp(line, "file ", 5) == 0)
        if (!file_is_same(line + 5))
            return NULL;
    if (!line || strncmp(line, "ptx ", 4) != 0 || !(rest = after_hash(line + 4)) ||
        !bl_text_uint(rest, bytes) || *bytes != length - (size_t)(at - entry))
        return NULL;
    hash_bytes(at, *bytes, now);
    return strcmp(now, line + 4) == 0 ? at : NULL;
}

bool bl_cache_get(const char *dir, const struct bl_hash *key, char **text, size_t *length)
{
    char *path = entry_path(dir, key), *entry = NULL, *copy = NULL;
    const char *ptx = NULL;
    struct bl_error err;
    size_t size;
    uint64_t bytes = 0;
    if (path && bl_text_read_file(path, ENTRY_MAX, &entry, &size, &err) == BL_OK)
        ptx = open_entry(entry, size, &bytes);
    if (ptx)
        copy = malloc(bytes + 1);
    if (copy) {
        memcpy(copy, ptx, bytes);
        copy[bytes] = '\0';
        *text = copy;
        *length = bytes;
    }
    free(entry);
    free(path);
    return copy != NULL;
}

/* ---- to write
 * ------------------------------------------------------------------------------ */

/* The next path of a rule of make at *at, which moves on; into `out`. False: the end. */
static bool next_depend(const char **at, char *out, size_t size)
{
    size_t used = 0;
    *at += strspn(*at, " \t\r\n");
    while (strncmp(*at, "\\\n", 2) == 0 || strncmp(*at, "\\\r\n", 3) == 0) {
        *at += 2;
        *at += strspn(*at, " \t\r\n");
    }
    for (; **at && !strchr(" \t\r\n", **at) && used + 1 < size; (*at)++) {
        if ((**at == '\\' && (*at)[1] && strchr(" #\\", (*at)[1])) ||
            (**at == '$' && (*at)[1] == '$'))
            (*at)++;
        out[used++] = **at;
    }
    out[used] = '\0';
    return used > 0;
}

static bool write_entry(FILE *to, const char *depends, const char *text, size_t length)
{
    char path[4096], hash[BL_HASH_TEXT];
    const char *at = strstr(depends, ": ");
    bool good = at != NULL;
    fputs(head, to);
    at = at ? at + 2 : "";
    while (good && next_depend(&at, path, sizeof path)) {
        good = !strchr(path, '\n') && hash_file(path, hash);
        fprintf(to, "file %s %s\n", hash, path);
    }
    hash_bytes(text, length, hash);
    fprintf(to, "ptx %s %zu\n", hash, length);
    return good && fwrite(text, 1, length, to) == length && fflush(to) == 0;
}

enum bl_status bl_cache_put(const char *dir, const struct bl_hash *key,
                            const char *depends, const char *text, size_t length,
                            struct bl_error *err)
{
    char *path = entry_path(dir, key), *fresh = bl_text_format("%s/new-XXXXXX", dir);
    enum bl_status st = BL_OK;
    FILE *to = NULL;
    int fd = -1;
    errno = 0;
    if (!path || !fresh)
        st = bl_error_nomem(err);
    else if (!make_dirs(dir) || (fd = mkstemp(fresh)) < 0 || !(to = fdopen(fd, "w")))
        st = bl_error_set(err, BL_E_IO, "%s: %s", dir, strerror(errno));
    if (to) {
        const bool written = write_entry(to, depends, text, length);
        fd = -1;
        if (fclose(to) != 0 || !written || rename(fresh, path) != 0) {
            st =
                bl_error_set(err, BL_E_IO, "%s: %s", path,
                             errno ? strerror(errno) : "what it depends on is not known");
            unlink(fresh);
        }
    }
    if (fd >= 0)
        close(fd);
    free(path);
    free(fresh);
    return st;
}
