/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_best.cu - those kernels of the other transposes that transpose_best.c
 * chooses from, under their own names.
 */
#include "../transpose/tiles.cuh"
#include "../transpose/direct.cuh"
#include "../transpose/skew.cuh"
#include "../transpose/slab.cuh"
#include "../transpose/thin.cuh"

#define TILES(elem, v, tr, tc, s)                                                        \
    TRANSPOSE_TILES_ENTRY(transpose_wide, elem, v, tr, tc, s, , false)
TILES(1, 8, 128, 256, 1)
TILES(2, 8, 128, 128, 1)
TILES(4, 4, 64, 64, 1)
TILES(4, 4, 128, 64, 1)
TILES(8, 2, 64, 32, 2)
TILES(16, 1, 16, 64, 4)

THIN_ENTRY(4, bl_u32, 8, 16, 16)
THIN_ENTRY(4, bl_u32, 16, 16, 16)
THIN_ENTRY(4, bl_u32, 16, 16, 32)

DIRECT_GRID(4, 8, 4, 2, 2, 2)
DIRECT_PACKED(4, 2)
#define PACKED(elem, type) DIRECT_PACKED(elem, 1)
BL_FOR_ELEMS(PACKED)

SKEW_ENTRY(1, bl_u8, 128, 128, 512)
SKEW_ENTRY(2, bl_u16, 128, 64, 256)
SKEW_ENTRY(4, bl_u32, 64, 64, 256)
SKEW_ENTRY(8, bl_u64, 64, 64, 256)
SKEW_ENTRY(16, bl_u128, 32, 32, 128)

SLAB_ENTRIES()
