/* SPDX-License-Identifier: Apache-2.0
 *
 * slowdown.h - what results say about one another.
 */
#ifndef BL_SLOWDOWN_H
#define BL_SLOWDOWN_H

#include "work/device.h"
#include "work/measure.h"

/* Fills the ratios of `self` over `other`, both of which passed under the rules of one
 * arch. Predicted times come from the counts of both by `rates` (NULL: none). Leaves
 * `against` alone; sets `present` if there is any ratio. */
void bl_slowdown_compare(const struct bl_rates *rates, const struct bl_result *self,
                         const struct bl_result *other, struct bl_slowdown *out);

/* Sets percent_of_copy of every passing case that has a throughput, where the report
 * has a copy to compare with (see struct bl_throughput). */
void bl_throughput_compare(struct bl_report *report);

#endif
