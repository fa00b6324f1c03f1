/* SPDX-License-Identifier: Apache-2.0
 *
 * draw.h - access patterns, drawn by seed and number.
 */
#ifndef BL_DRAW_H
#define BL_DRAW_H

#include "calibrate/operation.h"
#include "calibrate/pattern.h"

struct bl_pattern {
    const char *family; /* "stride": how it was drawn */
    const char *lanes;  /* "all": how its mask was */
    struct bl_pattern_args args;
};

/* Pattern `number` of `op`: the same for the same seed. Every family and every kind of
 * mask comes up, the rarer ones less often. Addresses are multiples of op->width within
 * BL_PATTERN_SHARED and BL_PATTERN_GLOBAL; the mask is never 0. */
void bl_pattern_draw(const struct bl_operation *op, uint64_t seed, uint64_t number,
                     struct bl_pattern *out);

#endif
