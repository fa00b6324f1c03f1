/* SPDX-License-Identifier: Apache-2.0 */
#include "work/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 1000 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts `values`. */
static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2]
                     : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* xorshift64*: any generator will do that is the same everywhere. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static double resampled_median(const double *samples, size_t count, double *room,
                               uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        room[i] = samples[(next(state) >> 32) * count >> 32];
    return median_of(room, count);
}

/* How many resampled medians lie below the interval, and as many above. Percentiles of
 * few samples make it too narrow, as sigma made of n and z in the place of Student's t do
 * for a mean; this takes the percentiles as far out as mends both. (T. Hesterberg, "What
 * Teachers Should Know About the Bootstrap", The American Statistician 69, 2015.) */
static size_t cut_of(size_t count)
{
    const double z = 1.959963984540054, n = (double)count, v = n - 1;
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    /* Student's t by its series in 1/v. */
    const double t = z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
                     (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
    const double outside = erfc(sqrt(n / v) * t / sqrt(2)) / 2;

    return (size_t)(outside * RESAMPLES);
}

enum bl_status bl_stats_estimate(const double *samples, size_t count,
                                 struct bl_estimate *out, struct bl_error *err)
{
    double *room = malloc((count + RESAMPLES) * sizeof *room);
    double *medians = room + count;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

    if (!room)
        return bl_error_nomem(err);
    memcpy(room, samples, count * sizeof *room);
    out->median = median_of(room, count);
    if (count < 3) {
        out->low = room[0];
        out->high = room[count - 1];
    } else {
        for (int i = 0; i < RESAMPLES; i++)
            medians[i] = resampled_median(samples, count, room, &state);
        qsort(medians, RESAMPLES, sizeof *medians, ascending);
        out->low = medians[cut_of(count)];
        out->high = medians[RESAMPLES - 1 - cut_of(count)];
    }
    free(room);
    return BL_OK;
}
