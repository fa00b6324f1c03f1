/* SPDX-License-Identifier: Apache-2.0
 *
 * watch_tell.h - how the machine tells a watcher. Each is called only where the block has
 * one, so that a run that nobody watches pays for a test of a pointer.
 */
#ifndef BL_WATCH_TELL_H
#define BL_WATCH_TELL_H

#include "model/block.h"
#include "model/watch.h"

/* Fills in `at`, and site and width where `op` is given. NEXT, or FAULT: the watcher's
 * error is the block's. */
enum bl_flow bl_watch_tell_access(struct bl_warp *warp, const struct bl_insn *in,
                                  const struct bl_mem_op *op,
                                  struct bl_watch_access *access);
/* Fills in `at`; `in` NULL: no instruction. */
enum bl_flow bl_watch_tell_sync(struct bl_warp *warp, const struct bl_insn *in,
                                struct bl_watch_sync *sync);
/* A sync with nothing but lanes. */
enum bl_flow bl_watch_tell_lanes(struct bl_warp *warp, const struct bl_insn *in,
                                 enum bl_watch_sync_kind kind, uint32_t mask,
                                 uint32_t groups);

#endif
