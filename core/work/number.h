/* SPDX-License-Identifier: Apache-2.0
 *
 * number.h - numbers as people read them, for messages.
 */
#ifndef BL_NUMBER_H
#define BL_NUMBER_H

#include <stdint.h>

enum { BL_NUMBER_MAX = 32 };

/* "1,234,567", into `out`, which is returned. */
const char *bl_number_group(uint64_t value, char out[BL_NUMBER_MAX]);

/* "48.0 MiB", into `out`, which is returned. */
const char *bl_number_bytes(uint64_t bytes, char out[BL_NUMBER_MAX]);

#endif
