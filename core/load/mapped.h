/* SPDX-License-Identifier: Apache-2.0
 *
 * mapped.h - whether an address that a plugin's struct holds leads to something.
 *
 * A plugin's tables and texts are constant data of its shared object. A pointer that
 * was never set right, a table with an absurd element size or a text without an end
 * would make the lab read where there is nothing, and take it down.
 */
#ifndef BL_MAPPED_H
#define BL_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

/* All `bytes` from `at` on are readable in one segment of a loaded object. */
bool bl_mapped_bytes(const void *at, uint64_t bytes);

/* A NUL ends `text` before its segment ends. */
bool bl_mapped_text(const char *text);

/* `at` lies in a segment that can be executed. */
bool bl_mapped_code(const void *at);

#endif
