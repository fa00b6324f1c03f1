/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "load/mapped.h"

#include <link.h>
#include <string.h>

struct search {
    uintptr_t at;
    uint32_t flags;
    uint64_t room; /* bytes from `at` to the end of its segment; 0: it is in none */
};

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uint64_t into = search->at - (object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type != PT_LOAD || into >= segment->p_memsz ||
            (segment->p_flags & search->flags) != search->flags)
            continue;
        search->room = segment->p_memsz - into;
        return 1;
    }
    return 0;
}

static uint64_t room(const void *at, uint32_t flags)
{
    struct search search = {(uintptr_t)at, flags, 0};
    dl_iterate_phdr(look, &search);
    return search.room;
}

bool bl_mapped_bytes(const void *at, uint64_t bytes)
{
    return bytes <= room(at, PF_R);
}

bool bl_mapped_text(const char *text)
{
    uint64_t bytes = room(text, PF_R);
    return bytes > 0 && memchr(text, '\0', bytes) != NULL;
}

bool bl_mapped_code(const void *at)
{
    return room(at, PF_X) > 0;
}
