/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a fuzz target without libFuzzer: over the files that are named, or over changed
 * seeds, always the same ones, as a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fuzz.h"

enum { ROUNDS = 20000, SIZE_MAX_BYTES = 1 << 16, CHANGES_MAX = 8 };

static uint64_t state = 1;

static size_t any(size_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (size_t)(state >> 33) % below : 0;
}

static void remove_part(uint8_t *data, size_t *size, size_t at)
{
    size_t length = any(*size - at + 1) % 16;
    memmove(data + at, data + at + length, *size - at - length);
    *size -= length;
}

/* Repeats up to 256 bytes from elsewhere. */
static void insert_part(uint8_t *data, size_t *size, size_t at)
{
    size_t from = any(*size), length = any(*size - from) % 256;
    uint8_t part[256];
    if (*size + length > SIZE_MAX_BYTES)
        return;
    memcpy(part, data + from, length);
    memmove(data + at + length, data + at, *size - at);
    memcpy(data + at, part, length);
    *size += length;
}

static void change(uint8_t *data, size_t *size)
{
    static const char telling[] = "\n\r\0[]=:;# \t\"{}(),.%+-0x9@|\xff";
    size_t at = any(*size);
    switch (any(5)) {
    case 0: remove_part(data, size, at); break;
    case 1:
    case 2: insert_part(data, size, at); break;
    case 3:
        if (at < *size)
            data[at] = (uint8_t)telling[any(sizeof telling - 1)];
        break;
    default:
        if (at < *size)
            data[at] = (uint8_t)any(256);
        break;
    }
}

/* The target gets a block of just that size, so that a read behind it is seen. */
static int play(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return 1;
    memcpy(copy, data, size);
    int rc = LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return rc;
}

static int play_seeds(void)
{
    static uint8_t data[SIZE_MAX_BYTES];
    size_t seeds = 0;
    while (fuzz_seeds[seeds])
        seeds++;
    puts("1..1");
    fflush(stdout);
    for (int i = 0; i < ROUNDS; i++) {
        const char *seed = fuzz_seeds[any(seeds)];
        size_t size = strlen(seed);
        memcpy(data, seed, size);
        for (size_t n = any(CHANGES_MAX + 1); n > 0; n--)
            change(data, &size);
        if (play(data, size) != 0) {
            printf("not ok 1 - round %d\n", i);
            return 1;
        }
    }
    printf("ok 1 - %d changed seeds\n", ROUNDS);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return play_seeds();
    for (int i = 1; i < argc; i++) {
        struct bl_error err;
        size_t size;
        char *text;
        if (bl_text_read_file(argv[i], SIZE_MAX / 2, &text, &size, &err) != BL_OK) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
        int rc = play((const uint8_t *)text, size);
        free(text);
        if (rc != 0)
            return 1;
    }
    return 0;
}
