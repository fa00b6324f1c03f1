/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti_none.c - in the place of cupti.c and sass.c where CUPTI's headers were not there.
 */
#include "cuda/cupti.h"
#include "cuda/sass.h"

static enum bl_status none(struct bl_error *err)
{
    return bl_error_set(err, BL_E_UNSUPPORTED,
                        "no hardware counters: this program was built without CUPTI "
                        "(12.6 or newer, a part of the CUDA Toolkit)");
}

enum bl_status bl_cupti_open(struct bl_gpu *gpu, const char *const *names, size_t count,
                             struct bl_cupti **out, struct bl_error *err)
{
    (void)gpu;
    (void)names;
    (void)count;
    (void)out;
    return none(err);
}

void bl_cupti_close(struct bl_cupti *cupti)
{
    (void)cupti;
}

enum bl_status bl_cupti_count(struct bl_cupti *cupti, size_t ranges, bl_cupti_run *run,
                              void *ctx, double *values, struct bl_error *err)
{
    (void)cupti;
    (void)ranges;
    (void)run;
    (void)ctx;
    (void)values;
    return bl_error_set(err, BL_E_INTERNAL, "counters were never opened");
}

enum bl_status bl_sass_open(struct bl_gpu *gpu, struct bl_sass **out,
                            struct bl_error *err)
{
    (void)gpu;
    (void)out;
    return none(err);
}

void bl_sass_close(struct bl_sass *sass)
{
    (void)sass;
}

enum bl_status bl_sass_count(struct bl_sass *sass,
                             enum bl_status (*run)(void *ctx, struct bl_error *err),
                             void *ctx, struct bl_counts *out, struct bl_error *err)
{
    (void)sass;
    (void)run;
    (void)ctx;
    (void)out;
    return bl_error_set(err, BL_E_INTERNAL, "counters were never opened");
}
