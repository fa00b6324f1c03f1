/* SPDX-License-Identifier: Apache-2.0
 *
 * operation.h - the operations whose cost is calibrated: a kernel pair of
 * patterns_smNN.cu each.
 */
#ifndef BL_OPERATION_H
#define BL_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include "model/access.h"

enum bl_operation_kind {
    BL_CAL_SHARED_LOAD,
    BL_CAL_SHARED_STORE,
    BL_CAL_GLOBAL_LOAD,
    BL_CAL_GLOBAL_STORE,
    BL_CAL_SHARED_ATOMIC,
    BL_CAL_LDMATRIX,
    BL_CAL_STMATRIX,
    BL_CAL_CP_ASYNC
};

struct bl_operation {
    const char *name; /* of the kernels, behind "count_" and "clock_" */
    enum bl_operation_kind kind;
    uint32_t width; /* bytes that a lane's address stands for; matrices: a row's 16 */
    uint32_t lanes; /* whose addresses are used: 32; ldmatrix.x1: 8 */
    uint32_t cc;    /* compute capability that has it, and whose module holds it */
    enum bl_atomic_form form; /* atomics */
    bool yields;              /* atomics: a result, which is waited for */
    bool past_cache;          /* cp.async.cg */
};

/* All of them, in the order of reports. */
const struct bl_operation *bl_operation_all(size_t *count);

#endif
