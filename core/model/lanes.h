/* SPDX-License-Identifier: Apache-2.0
 *
 * lanes.h - moving elements between memory and registers, 32 lanes at a time, and lane
 * memory (local memory, parameter areas).
 *
 * Lane memory is laid out as a GPU does it, by 4-byte words: the word at address a of
 * lane l is at 32 a + 4 l. It grows at its end without moving, and lanes that use the
 * same address lie side by side.
 */
#ifndef BL_LANES_H
#define BL_LANES_H

#include "model/program.h"

/* Copies elements from base + offset[l] into op's registers, for the lanes in mask. */
void bl_lanes_load(uint8_t *frame, const struct bl_mem_op *op, const uint8_t *base,
                   const uint64_t offset[BL_LANES], uint32_t mask);
/* And back. */
void bl_lanes_store(const uint8_t *frame, const struct bl_mem_op *op, uint8_t *base,
                    const uint64_t offset[BL_LANES], uint32_t mask);

/* The same in lane memory. */
void bl_lanes_load_own(uint8_t *frame, const struct bl_mem_op *op, const uint8_t *base,
                       const uint64_t offset[BL_LANES], uint32_t mask);
void bl_lanes_store_own(const uint8_t *frame, const struct bl_mem_op *op, uint8_t *base,
                        const uint64_t offset[BL_LANES], uint32_t mask);

/* One lane's `size` bytes at `address` of lane memory, out or in. */
void bl_lane_read(const uint8_t *base, uint64_t address, uint32_t lane, void *to,
                  uint32_t size);
void bl_lane_write(uint8_t *base, uint64_t address, uint32_t lane, const void *from,
                   uint32_t size);

/* One lane's register of `bytes` (2, 4, 8, 16) as little-endian bytes, out or in. */
void bl_lane_get(const uint8_t *frame, uint32_t slot, uint32_t bytes, uint32_t lane,
                 void *to);
void bl_lane_set(uint8_t *frame, uint32_t slot, uint32_t bytes, uint32_t lane,
                 const void *from);

#endif
