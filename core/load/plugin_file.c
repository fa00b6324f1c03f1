/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "load/plugin_check.h"

/* Where the last of the segments that are to be mapped ends; 0 if it can't be told, which
 * is left to dlopen to complain of. */
static uint64_t mapped_end(FILE *file, const ElfW(Ehdr) * head)
{
    uint64_t end = 0;
    if (head->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        head->e_phentsize != sizeof(ElfW(Phdr)) || head->e_phoff > INT64_MAX ||
        fseeko(file, (off_t)head->e_phoff, SEEK_SET) != 0)
        return 0;
    for (int i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) segment;
        uint64_t at;
        if (fread(&segment, sizeof segment, 1, file) != 1)
            return 0;
        if (segment.p_type != PT_LOAD)
            continue;
        if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &at))
            at = UINT64_MAX;
        if (at > end)
            end = at;
    }
    return end;
}

static enum bl_status check_object(const char *path, FILE *file, uint64_t size,
                                   struct bl_error *err)
{
    ElfW(Ehdr) head = {.e_ident = {0}};
    size_t got = fread(&head, 1, sizeof head, file);
    uint64_t end;
    if (got < SELFMAG || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: not a shared object (no ELF header); a plugin is built "
                            "with the linker, not copied from a source or a script",
                            path);
    end = got == sizeof head ? mapped_end(file, &head) : 0;
    if (end > size)
        return bl_error_set(err, BL_E_INPUT,
                            "%s: cut short: %" PRIu64 " bytes, but its segments go on to "
                            "%" PRIu64 "; build or copy it again",
                            path, size, end);
    return BL_OK;
}

enum bl_status bl_plugin_check_file(const char *path, struct bl_error *err)
{
    struct stat info;
    enum bl_status st;
    FILE *file;
    if (stat(path, &info) != 0)
        return bl_error_set(err, BL_E_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return bl_error_set(err, BL_E_INPUT, "%s: not a regular file", path);
    file = fopen(path, "rbe");
    if (!file)
        return bl_error_set(err, BL_E_INPUT, "%s: %s", path, strerror(errno));
    st = check_object(path, file, (uint64_t)info.st_size, err);
    fclose(file);
    return st;
}
