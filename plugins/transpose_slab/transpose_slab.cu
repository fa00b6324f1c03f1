/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_slab.cu - slabs of every width and piece; slab.cuh has the kernels.
 */
#include "../transpose/slab.cuh"

SLAB_COPY()
SLAB_SIDES(1, bl_u8, 1)
SLAB_SIDES(1, bl_u8, 4)
SLAB_SIDES(1, bl_u8, 16)
SLAB_SIDES(2, bl_u16, 1)
SLAB_SIDES(2, bl_u16, 2)
SLAB_SIDES(2, bl_u16, 8)
SLAB_SIDES(4, bl_u32, 1)
SLAB_SIDES(4, bl_u32, 4)
SLAB_SIDES(8, bl_u64, 1)
SLAB_SIDES(8, bl_u64, 2)
SLAB_SIDES(16, bl_u128, 1)
BL_FOR_ELEMS(SLAB_PACK)
