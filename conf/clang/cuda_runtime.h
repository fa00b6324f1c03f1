/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_runtime.h - for kernels that include it and are compiled by clang without a CUDA
 * toolkit: the names that banklab/device.h supplies. No host code compiles with it.
 */
#include "banklab/device.h"
