/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.c - the bytes that fill buffers.
 *
 * Words are stored in the host's order, which is little-endian wherever the lab runs:
 * the kernels' own memory is.
 */
#include "work/stream.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "banklab needs a little-endian host, as GPUs are"
#endif

void bl_stream_fill(void *out, uint64_t bytes, uint64_t seed)
{
    uint8_t *to = out;
    const uint64_t words = bytes / 8;

    for (uint64_t i = 0; i < words; i++) {
        const uint64_t word = bl_stream_word(seed, i);
        memcpy(to + 8 * i, &word, 8);
    }
    if (bytes % 8) {
        const uint64_t word = bl_stream_word(seed, words);
        memcpy(to + 8 * words, &word, bytes % 8);
    }
}

/* Words, from the start, that are what they were: in steps of many, each free of
 * branches, so that the compiler can make vector code of it. */
static uint64_t whole_words(const uint8_t *from, uint64_t words, uint64_t seed)
{
    enum { STEP = 64 };
    uint64_t done = 0;

    for (; done + STEP <= words; done += STEP) {
        uint64_t differ = 0;
        for (uint64_t i = done; i < done + STEP; i++) {
            uint64_t word;
            memcpy(&word, from + 8 * i, 8);
            differ |= word ^ bl_stream_word(seed, i);
        }
        if (differ)
            break;
    }
    return done;
}

bool bl_stream_check(const void *in, uint64_t bytes, uint64_t seed, uint64_t *at)
{
    const uint8_t *from = in;

    for (uint64_t done = 8 * whole_words(from, bytes / 8, seed); done < bytes;
         done += 8) {
        const uint64_t left = bytes - done, size = left < 8 ? left : 8;
        const uint64_t word = bl_stream_word(seed, done / 8);
        uint8_t want[8];

        memcpy(want, &word, 8);
        if (memcmp(from + done, want, size) == 0)
            continue;
        *at = done;
        for (uint64_t j = 0; j < size && from[done + j] == want[j]; j++)
            *at = done + j + 1;
        return false;
    }
    return true;
}

void bl_poison_fill(void *out, const void *expected, uint64_t bytes, uint64_t seed)
{
    uint8_t *to = out;
    const uint8_t *right = expected;
    const uint64_t words = bytes / 8;

    for (uint64_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, right + 8 * i, 8);
        word = bl_poison_word(word, seed, i);
        memcpy(to + 8 * i, &word, 8);
    }
    if (bytes % 8) {
        uint64_t word = 0;
        memcpy(&word, right + 8 * words, bytes % 8);
        word = bl_poison_word(word, seed, words);
        memcpy(to + 8 * words, &word, bytes % 8);
    }
}

bool bl_poison_intact(const void *got, const void *expected, uint64_t i, uint32_t size,
                      uint64_t seed)
{
    const uint8_t *is = (const uint8_t *)got + i * size;
    const uint8_t *right = (const uint8_t *)expected + i * size;

    for (uint32_t j = 0; j < size; j++) {
        const uint64_t offset = i * size + j;
        const uint64_t turned = bl_poison_word(0, seed, offset / 8) >> (offset % 8 * 8);
        if (is[j] != (uint8_t)(right[j] ^ turned))
            return false;
    }
    return true;
}
