/* SPDX-License-Identifier: Apache-2.0
 *
 * pattern.h - one warp's memory access, as the kernels of patterns.cuh take it.
 */
#ifndef BL_PATTERN_H
#define BL_PATTERN_H

#include <stdint.h>

enum {
    BL_PATTERN_ACCESSES = 64,  /* of a warp between two readings of the clock */
    BL_PATTERN_WARPS = 16,     /* of a block that is timed */
    BL_PATTERN_SHARED = 16384, /* bytes of shared memory that addresses lie in */
    BL_PATTERN_GLOBAL = 16384  /* and of global memory */
};

/* The kernels' argument. Lanes not in the mask don't take part; their addresses are
 * within bounds all the same. */
struct bl_pattern_args {
    uint32_t mask;
    uint32_t shared_bytes; /* BL_PATTERN_SHARED */
    uint32_t near[32];     /* in shared memory, from its start */
    uint32_t far[32];      /* in global memory, from the buffer's start */
};

#endif
