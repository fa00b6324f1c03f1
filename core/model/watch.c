/* SPDX-License-Identifier: Apache-2.0 */
#include "model/fault.h"
#include "model/watch_tell.h"

static struct bl_watch_at where(const struct bl_warp *warp, const struct bl_insn *in)
{
    const struct bl_block *block = warp->block;
    return (struct bl_watch_at){.worker = block->worker,
                                .block = block->number,
                                .warp = warp->index,
                                .insn = in ? in->src : NULL,
                                .func = warp->code->func};
}

enum bl_flow bl_watch_tell_access(struct bl_warp *warp, const struct bl_insn *in,
                                  const struct bl_mem_op *op,
                                  struct bl_watch_access *access)
{
    const struct bl_watcher *watcher = warp->block->launch->watcher;
    struct bl_error err;
    if (!watcher->access)
        return BL_FLOW_NEXT;
    access->at = where(warp, in);
    access->site = op->site;
    access->width = op->width;
    return watcher->access(watcher->ctx, access, &err) == BL_OK
               ? BL_FLOW_NEXT
               : bl_fault_error(warp, &err);
}

enum bl_flow bl_watch_tell_sync(struct bl_warp *warp, const struct bl_insn *in,
                                struct bl_watch_sync *sync)
{
    const struct bl_watcher *watcher = warp->block->launch->watcher;
    struct bl_error err;
    if (!watcher->sync)
        return BL_FLOW_NEXT;
    sync->at = where(warp, in);
    return watcher->sync(watcher->ctx, sync, &err) == BL_OK ? BL_FLOW_NEXT
                                                            : bl_fault_error(warp, &err);
}

enum bl_flow bl_watch_tell_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                 enum bl_watch_sync_kind kind, uint32_t mask,
                                 uint32_t groups)
{
    struct bl_watch_sync sync = {.kind = kind, .mask = mask, .groups = groups};
    return bl_watch_tell_sync(warp, in, &sync);
}
