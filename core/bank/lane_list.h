/* SPDX-License-Identifier: Apache-2.0
 *
 * lane_list.h - a mask as text.
 */
#ifndef BL_LANE_LIST_H
#define BL_LANE_LIST_H

#include <stddef.h>
#include <stdint.h>

enum { BL_LANE_LIST_MAX = 100 }; /* bytes that any list needs, with its NUL */

/* "0-15 18 20-22"; the bytes written, without the NUL. */
size_t bl_lane_list(uint32_t mask, char out[BL_LANE_LIST_MAX]);

#endif
