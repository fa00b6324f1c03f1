/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.h - the bytes that fill buffers: input, poison and guards.
 *
 * A stream is a fixed function of (seed, offset): byte i is byte i % 8, little-endian,
 * of word i / 8. So any piece of it can be written or checked alone, in any order.
 */
#ifndef BL_STREAM_H
#define BL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Word i of the stream of `seed`: SplitMix64 (Steele, Lea, Flood 2014), whose state is
 * a counter. */
static inline uint64_t bl_stream_word(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Another stream's seed, drawn from `seed`: the same `label` gives the same one. */
static inline uint64_t bl_stream_seed(uint64_t seed, uint64_t label)
{
    return bl_stream_word(seed ^ UINT64_C(0x62616e6b6c616221), label);
}

/* Writes the stream's bytes from 0 to `bytes`; `out` needs no alignment. */
void bl_stream_fill(void *out, uint64_t bytes, uint64_t seed);

/* True if `in` holds what bl_stream_fill wrote; else *at is the first byte that
 * differs. */
bool bl_stream_check(const void *in, uint64_t bytes, uint64_t seed, uint64_t *at);

/* Poison for a buffer whose right content is `expected`: each byte is the expected one
 * with some bits turned over, at least one. Which ones is the stream's business. */
static inline uint64_t bl_poison_word(uint64_t expected, uint64_t seed, uint64_t i)
{
    return expected ^ (bl_stream_word(seed, i) | UINT64_C(0x0101010101010101));
}

void bl_poison_fill(void *out, const void *expected, uint64_t bytes, uint64_t seed);

/* True if the `size` bytes (1, 2, 4, 8 or 16) at offset i * size of `got` still are
 * their poison. */
bool bl_poison_intact(const void *got, const void *expected, uint64_t i, uint32_t size,
                      uint64_t seed);

#endif
