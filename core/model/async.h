/* SPDX-License-Identifier: Apache-2.0
 *
 * async.h - copies that a warp has begun and not yet waited for.
 */
#ifndef BL_ASYNC_H
#define BL_ASYNC_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* In a block's `written`: 0xff is written, 0 is not, and this is on its way. */
    BL_BYTE_IN_FLIGHT = 1,
    BL_BYTE_BULK = 2,   /* likewise, by a bulk copy (mbarrier.h) */
    BL_BYTE_BARRIER = 3 /* part of an mbarrier, which is not to be read */
};

struct bl_async_copy {
    uint32_t offset; /* in shared memory */
    uint32_t group;  /* of the lane's: how many it had committed before */
    uint8_t bytes, lane;
};

/* Bulk copies out of shared memory, by lane: begun since the last commit, and groups
 * committed that no wait has reached. */
struct bl_bulk {
    uint32_t begun[32], groups[32];
};

struct bl_async {
    struct bl_async_copy *copies;
    size_t count, cap;
    uint32_t committed[32]; /* groups, by lane */
};

#endif
