/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_slab.cu - slabs of every width and piece; slab.cuh has the kernels.
 */
#include "../transpose/slab.cuh"

SLAB_ENTRIES()
