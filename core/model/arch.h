/* SPDX-License-Identifier: Apache-2.0
 *
 * arch.h - the memory rules of one compute capability, from conf/arch/NAME.ini.
 *
 * Rules are data: access.h is one engine for all generations.
 */
#ifndef BL_ARCH_H
#define BL_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/paths.h"

struct bl_arch {
    char name[16];       /* "cc90" */
    uint32_t cc;         /* 90 */
    uint32_t banks;      /* 32 */
    uint32_t bank_bytes; /* 4 */
    uint32_t group;      /* most lanes that are served together: 32 */
    /* Lanes a phase, for access widths 1, 2, 4, 8, 16 (index log2 width). */
    uint32_t phase_lanes[5];
    /* Partners l ^ x that let two phases merge (loads), up to `group`: 1, 2, 0, 0. */
    uint32_t merge_xor[4];
    uint32_t sector_bytes; /* 32 */
    uint32_t max_threads;  /* a block */
    uint32_t max_warps;    /* resident on an SM */
    uint32_t max_block[3], max_grid[3];
    uint64_t max_shared; /* bytes a block, static + dynamic, opted in */
    char evidence[128];  /* "measured on ..." or "documented, not measured", and where */
};

/* Reads and checks conf/arch/NAME.ini: BL_E_INPUT with file and line. A name that has
 * no file is BL_E_INPUT too, and lists those that have. */
enum bl_status bl_arch_read(const struct bl_paths *paths, const char *name,
                            struct bl_arch *out, struct bl_error *err);

#endif
