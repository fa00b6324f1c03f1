/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_thin.cu - every tile and vector, for every width; thin.cuh has the kernels.
 */
#include "../transpose/thin.cuh"

#define TILES(elem, type, vector)                                                        \
    THIN_ENTRY(elem, type, vector, 16, 16)                                               \
    THIN_ENTRY(elem, type, vector, 16, 32)                                               \
    THIN_ENTRY(elem, type, vector, 32, 32)

/* 16 bytes are no whole sector: bytes come in tiles of twice as many each way. */
#define BYTE_TILES(vector)                                                               \
    THIN_ENTRY(1, bl_u8, vector, 32, 32)                                                 \
    THIN_ENTRY(1, bl_u8, vector, 32, 64)                                                 \
    THIN_ENTRY(1, bl_u8, vector, 64, 64)

BYTE_TILES(8)
BYTE_TILES(16)
TILES(2, bl_u16, 8)
TILES(2, bl_u16, 16)
TILES(4, bl_u32, 8)
TILES(4, bl_u32, 16)
TILES(8, bl_u64, 8)
TILES(8, bl_u64, 16)
TILES(16, bl_u128, 16)
