/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.h - global memory: the caller's spans and the program's .global variables.
 */
#ifndef BL_MEMORY_H
#define BL_MEMORY_H

#include "model/model.h"

/* Sorted by address; gaps of at least 256 bytes lie between them. */
struct bl_memory_span {
    char *name;
    uint8_t *host;
    uint64_t address, bytes;
};

struct bl_memory {
    struct bl_memory_span *spans;
    size_t count;
    uint8_t *vars; /* storage of the .global variables */
};

/* The span that holds `address`, or NULL. */
const struct bl_memory_span *bl_memory_find(const struct bl_memory *memory,
                                            uint64_t address);
/* Says where `address` points, for messages: "output + 16 (16 bytes long)", "input - 4
 * (64 bytes long)", "address 0x0 (null)", … */
void bl_memory_describe(const struct bl_memory *memory, uint64_t address, char *text,
                        size_t size);

#endif
