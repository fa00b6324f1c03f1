/* SPDX-License-Identifier: Apache-2.0
 *
 * stats.h - what a row of samples says: its median and how sure that is.
 */
#ifndef BL_STATS_H
#define BL_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bl_estimate {
    double median;
    double low, high; /* 95 % interval of the median, by the bootstrap, with percentiles
                         expanded for few samples */
};

/* `count` samples, at least 1; with fewer than 3 the interval is their range. The
 * resampling is seeded: the same samples give the same interval. */
enum bl_status bl_stats_estimate(const double *samples, size_t count,
                                 struct bl_estimate *out, struct bl_error *err);

#endif
