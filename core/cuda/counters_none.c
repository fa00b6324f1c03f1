/* SPDX-License-Identifier: Apache-2.0
 *
 * counters_none.c - in the place of counters.c where CUPTI's headers were not there.
 */
#include "cuda/counters.h"

enum bl_status bl_counters_open(struct bl_gpu *gpu, struct bl_counters **out,
                                struct bl_error *err)
{
    (void)gpu;
    (void)out;
    return bl_error_set(err, BL_E_UNSUPPORTED,
                        "no hardware counters: this program was built without CUPTI "
                        "(12.6 or newer, a part of the CUDA Toolkit)");
}

void bl_counters_close(struct bl_counters *counters)
{
    (void)counters;
}

enum bl_status bl_counters_count(struct bl_counters *counters,
                                 enum bl_status (*run)(void *ctx, struct bl_error *err),
                                 void *ctx, struct bl_counts *out, struct bl_error *err)
{
    (void)counters;
    (void)run;
    (void)ctx;
    (void)out;
    return bl_error_set(err, BL_E_INTERNAL, "counters were never opened");
}
