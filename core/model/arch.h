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

/* How many words of a bank one wavefront of a load can give to more than one lane. */
enum bl_arch_broadcast {
    BL_BROADCAST_ALL, /* every bank its word, to all lanes that want it */
    BL_BROADCAST_ONE  /* one word of the phase; of the other banks one lane each. Which
                         word and which lanes is open: the costs have a least and a most */
};

/* What stores of lanes to one word cost. */
enum bl_arch_store {
    BL_STORE_WORD, /* one wavefront */
    BL_STORE_OPEN  /* one if they are to one address; else at least one, at most one for
                      each address */
};

/* How the lanes of a request of global memory share what it moves. */
enum bl_arch_coalescing {
    BL_COALESCE_SECTORS, /* each sector is moved once */
    /* 4, 8 or 16 bytes a lane, in sequence from an address aligned to the lanes' bytes
     * (16 bytes: to 128): all of these bytes are moved, also those of inactive lanes.
     * Else a sector for each active lane. */
    BL_COALESCE_SEQUENCE
};

/* Lists of five are for access widths 1, 2, 4, 8, 16 (index log2 width). */
struct bl_arch {
    char name[16];       /* "cc90" */
    uint32_t cc;         /* 90 */
    uint32_t banks;      /* 32 */
    uint32_t bank_bytes; /* neighbouring bytes in one bank: 4 */
    uint32_t bank_rows;  /* rows of banks, aligned, of which a wavefront reaches a word
                            each in one bank: 1; 2 where banks are wider than bank_bytes */
    uint32_t
        access_bytes; /* a wider access is so many of this width, one after another */
    uint32_t group;   /* most lanes that are served together: 32 */
    uint32_t phase_lanes[5];
    uint32_t beats[5]; /* steps of the data stage for the registers alone; with merged
                          phases half of them */
    uint32_t extra_wavefronts[5]; /* of each phase with an active lane */
    /* Partners l ^ x that let two phases merge (loads), up to `group`: 1, 2, 0, 0. */
    uint32_t merge_xor[4];
    uint32_t broadcast;        /* enum bl_arch_broadcast */
    uint32_t store;            /* enum bl_arch_store */
    uint32_t wavefront_cycles; /* clock cycles of a step of the data stage: 1 */
    uint32_t atomics;          /* whether the rules of atomics hold: 0 or 1 */
    uint32_t sector_bytes;     /* 32 */
    uint32_t global_lanes[5];  /* lanes of one request of global memory */
    uint32_t coalescing;       /* enum bl_arch_coalescing */
    uint32_t max_threads;      /* a block */
    uint32_t max_warps;        /* resident on an SM */
    uint32_t max_block[3], max_grid[3];
    uint64_t max_shared; /* bytes a block, static + dynamic, opted in */
    char evidence[128];  /* "measured on ..." or "documented, not measured", and where */
};

/* Whether costs of shared memory have a least and a most. */
static inline bool bl_arch_is_open(const struct bl_arch *arch)
{
    return arch->broadcast == BL_BROADCAST_ONE || arch->store == BL_STORE_OPEN;
}

/* Reads and checks conf/arch/NAME.ini: BL_E_INPUT with file and line. A name that has
 * no file is BL_E_INPUT too, and lists those that have. */
enum bl_status bl_arch_read(const struct bl_paths *paths, const char *name,
                            struct bl_arch *out, struct bl_error *err);

/* The text of such a file; `path` is for messages. */
enum bl_status bl_arch_read_text(const char *path, const char *name, const char *text,
                                 size_t length, struct bl_arch *out,
                                 struct bl_error *err);

#endif
