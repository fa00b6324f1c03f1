/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz.h - what a fuzz target brings: libFuzzer's entry, and seeds for fuzz_main.c,
 * which plays a fixed number of changed seeds in `make check`.
 */
#ifndef BL_FUZZ_H
#define BL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

extern const char *const fuzz_seeds[]; /* NULL-terminated */

/* Returns 0; ends the program where something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
