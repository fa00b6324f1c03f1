/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include "cuda/shelf.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

enum bl_status bl_shelf_open(struct bl_shelf *out, struct bl_error *err)
{
    const int fd = memfd_create("banklab images", MFD_CLOEXEC);

    if (fd < 0)
        return bl_error_set(err, BL_E_IO, "memory shared with the GPU worker: %s",
                            strerror(errno));
    *out = (struct bl_shelf){.fd = fd};
    return BL_OK;
}

static void look_away(struct bl_shelf *shelf)
{
    if (shelf->at)
        munmap(shelf->at, shelf->bytes);
    shelf->at = NULL;
    shelf->bytes = 0;
}

void bl_shelf_close(struct bl_shelf *shelf)
{
    look_away(shelf);
    if (shelf->fd >= 0)
        close(shelf->fd);
    shelf->fd = -1;
}

enum bl_status bl_shelf_see(struct bl_shelf *shelf, uint64_t bytes, struct bl_error *err)
{
    void *at;

    if (shelf->at && bytes <= shelf->bytes)
        return BL_OK;
    look_away(shelf);
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shelf->fd, 0);
    if (at == MAP_FAILED)
        return bl_error_nomem(err);
    shelf->at = at;
    shelf->bytes = bytes;
    return BL_OK;
}

/* Where a case needs much less than the last, the rest is given back. */
enum bl_status bl_shelf_reserve(struct bl_shelf *shelf, uint64_t bytes,
                                struct bl_error *err)
{
    if (shelf->at && bytes <= shelf->bytes && bytes >= shelf->bytes / 8)
        return BL_OK;
    look_away(shelf);
    if (bytes > INT64_MAX || ftruncate(shelf->fd, (off_t)bytes) != 0)
        return bl_error_nomem(err);
    return bl_shelf_see(shelf, bytes, err);
}

uint64_t bl_shelf_place(uint64_t *used, uint64_t bytes)
{
    const uint64_t at = *used;

    *used = (at + bytes + PAGE - 1) / PAGE * PAGE;
    return at;
}
