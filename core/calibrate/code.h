/* SPDX-License-Identifier: Apache-2.0
 *
 * code.h - the PTX of patterns_smNN.cu.
 */
#ifndef BL_CODE_H
#define BL_CODE_H

#include "banklab/plugin.h"
#include "calibrate/operation.h"

/* The module that holds op's kernels. */
const struct banklab_module *bl_operation_module(const struct bl_operation *op);

#endif
