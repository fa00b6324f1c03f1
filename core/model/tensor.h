/* SPDX-License-Identifier: Apache-2.0
 *
 * tensor.h - tensor maps, as the model writes and reads them. On a GPU their 128 bytes
 * are the driver's secret (cuTensorMapEncodeTiled); a kernel only hands on the address.
 */
#ifndef BL_TENSOR_H
#define BL_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BL_TENSOR_BYTES = 128,
    BL_TENSOR_ALIGN = 64, /* cuda.h, cuTensorMapEncodeTiled */
    BL_TENSOR_PLACE = 128 /* what a box's place in shared memory must be a multiple of */
};

/* One matrix or more in global memory and the box that one copy moves. Dimension 0 is the
 * one whose elements are neighbours, 1 the row, 2 the matrix. All are within the limits
 * of struct banklab_tensor (plugin.h). */
struct bl_tensor {
    uint64_t address;    /* of the first element */
    uint64_t dims[3];    /* elements; dims[2] is 0 where there is no dimension 2 */
    uint64_t strides[2]; /* bytes from one row, and matrix, to the next */
    uint32_t box[3];     /* elements; as dims */
    uint32_t elem;       /* bytes: 1, 2, 4, 8 */
    uint32_t swizzle;    /* bytes of its span: 0 (none), 32, 64, 128 */
};

void bl_tensor_encode(const struct bl_tensor *tensor, uint8_t out[BL_TENSOR_BYTES]);
/* False: the bytes are no tensor map. */
bool bl_tensor_decode(const uint8_t bytes[BL_TENSOR_BYTES], struct bl_tensor *out);

/* Where in shared memory the byte lies that would lie at `address` without a swizzle: the
 * number of the 16-byte piece within the span is turned by address bits 7 and up (PTX
 * ISA, "Swizzling Modes"; CUDA C++ Programming Guide, "The Swizzle Modes"). */
static inline uint64_t bl_tensor_swizzled(uint32_t swizzle, uint64_t address)
{
    uint64_t pieces = swizzle ? swizzle / 16 - 1 : 0;
    return address ^ ((address >> 7 & pieces) << 4);
}

/* Bytes after which a swizzle's pattern comes again. */
static inline uint32_t bl_tensor_repeat(uint32_t swizzle)
{
    return swizzle ? swizzle * 8 : BL_TENSOR_PLACE;
}

#endif
