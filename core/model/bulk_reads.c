/* SPDX-License-Identifier: Apache-2.0
 *
 * bulk_reads.c - shared memory that bulk copies out of it may still be reading.
 *
 * The model carries a copy out when it is issued, a GPU any time until a wait of the lane
 * that issued it. So what the copy read is remembered until then, and must not have
 * changed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/block.h"
#include "model/bulk.h"
#include "model/fault.h"

bool bl_bulk_begun(struct bl_warp *warp, const struct bl_insn *in, uint32_t lane,
                   uint64_t offset, uint32_t bytes)
{
    struct bl_bulk *bulk = &warp->bulk;
    uint8_t *was = malloc(bytes + 1);
    if (!was ||
        bl_grow(&bulk->reads, bulk->count, &bulk->cap, sizeof *bulk->reads, NULL)) {
        free(was);
        bl_fault_nomem(warp);
        return false;
    }
    memcpy(was, warp->block->shared + offset, bytes);
    bulk->reads[bulk->count++] = (struct bl_bulk_read){.in = in,
                                                       .was = was,
                                                       .offset = (uint32_t)offset,
                                                       .bytes = bytes,
                                                       .group = bulk->committed[lane],
                                                       .lane = lane};
    return true;
}

static bool is_unchanged(struct bl_warp *warp, const struct bl_bulk_read *read)
{
    const uint8_t *is = warp->block->shared + read->offset;
    uint32_t i = 0;
    while (i < read->bytes && is[i] == read->was[i])
        i++;
    if (i == read->bytes)
        return true;
    bl_fault(warp, read->in, (int)read->lane,
             "a bulk copy of %" PRIu32 " bytes at shared memory + %" PRIu32
             ", which was written over, first at + %" PRIu32
             ", before this thread had waited for it to be read; is "
             "cp.async.bulk.wait_group.read missing, or a barrier behind it?",
             read->bytes, read->offset, read->offset + i);
    return false;
}

/* Of the lanes in `mask`: all but the last `groups` groups, and what is in none. */
static bool is_over(const struct bl_bulk *bulk, const struct bl_bulk_read *read,
                    uint32_t mask, uint64_t groups)
{
    return (mask >> read->lane & 1) && read->group + groups < bulk->committed[read->lane];
}

bool bl_bulk_waited(struct bl_warp *warp, uint32_t mask, uint64_t groups)
{
    struct bl_bulk *bulk = &warp->bulk;
    bool unchanged = true;
    size_t kept = 0;
    for (size_t i = 0; i < bulk->count; i++) {
        struct bl_bulk_read read = bulk->reads[i];
        if (!is_over(bulk, &read, mask, groups)) {
            bulk->reads[kept++] = read;
            continue;
        }
        unchanged = unchanged && is_unchanged(warp, &read);
        free(read.was);
    }
    bulk->count = kept;
    return unchanged;
}

bool bl_bulk_ended(struct bl_warp *warp)
{
    for (size_t i = 0; i < warp->bulk.count; i++)
        if (!is_unchanged(warp, &warp->bulk.reads[i]))
            return false;
    return true;
}

void bl_bulk_forget(struct bl_bulk *bulk)
{
    for (size_t i = 0; i < bulk->count; i++)
        free(bulk->reads[i].was);
    bulk->count = 0;
    memset(bulk->committed, 0, sizeof bulk->committed);
}
