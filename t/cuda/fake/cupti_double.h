/* SPDX-License-Identifier: Apache-2.0
 *
 * cupti_double.h - what the two halves of the double of CUPTI share.
 */
#ifndef CUPTI_DOUBLE_H
#define CUPTI_DOUBLE_H

#include <cupti_result.h>

#include "work/measure.h"

#define EXPORT(call, block)                                                              \
    CUptiResult call(block *params);                                                     \
    CUptiResult call(block *params)

/* What FAKE_CUPTI_FAIL has for this call. */
CUptiResult fake_cupti_enter(const char *call);

#define BEGIN(call, right_size)                                                          \
    do {                                                                                 \
        CUptiResult begun_ = fake_cupti_enter(call);                                     \
        if (begun_ != CUPTI_SUCCESS)                                                     \
            return begun_;                                                               \
        if (!(right_size))                                                               \
            return CUPTI_ERROR_INVALID_PARAMETER;                                        \
    } while (0)
#define SIZED(block) (params->structSize == block##_STRUCT_SIZE)

/* What the double of the driver's kernels have done so far, and the difference. */
struct bl_counts fake_cupti_counted(void);
void fake_cupti_subtract(struct bl_counts *from, const struct bl_counts *what);

#endif
