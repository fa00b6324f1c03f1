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

struct bl_insn;

struct bl_async_copy {
    uint32_t offset; /* in shared memory */
    uint32_t group;  /* of the lane's: how many it had committed before */
    uint8_t bytes, lane;
};

/* A bulk copy out of shared memory that its lane has not waited for. */
struct bl_bulk_read {
    const struct bl_insn *in;
    uint8_t *was;           /* the bytes that were there when it was issued; owned */
    uint32_t offset, bytes; /* in shared memory */
    uint32_t group;         /* of the lane's: how many it had committed before */
    uint32_t lane;
};

struct bl_bulk {
    struct bl_bulk_read *reads;
    size_t count, cap;
    uint32_t committed[32]; /* groups, by lane */
};

struct bl_async {
    struct bl_async_copy *copies;
    size_t count, cap;
    uint32_t committed[32]; /* groups, by lane */
};

#endif
