/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_skew.cu - the tiles of every width; skew.cuh has the kernel.
 */
#include "../transpose/skew.cuh"

SKEW_ENTRY(1, bl_u8, 128, 128, 512)
SKEW_ENTRY(2, bl_u16, 128, 64, 256)
SKEW_ENTRY(2, bl_u16, 64, 64, 256)
SKEW_ENTRY(2, bl_u16, 128, 128, 512)
SKEW_ENTRY(4, bl_u32, 64, 64, 256)
SKEW_ENTRY(4, bl_u32, 128, 64, 256)
SKEW_ENTRY(4, bl_u32, 128, 128, 512)
SKEW_ENTRY(8, bl_u64, 64, 64, 256)
SKEW_ENTRY(8, bl_u64, 32, 32, 128)
SKEW_ENTRY(8, bl_u64, 128, 64, 512)
SKEW_ENTRY(16, bl_u128, 32, 32, 128)
SKEW_ENTRY(16, bl_u128, 64, 64, 256)
