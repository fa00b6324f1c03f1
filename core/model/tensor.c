/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tensor.h"

#include <string.h>

static const uint8_t mark[16] = "banklab tensor";

_Static_assert(sizeof mark + sizeof(struct bl_tensor) <= BL_TENSOR_BYTES,
               "a tensor map has 128 bytes");

void bl_tensor_encode(const struct bl_tensor *tensor, uint8_t out[BL_TENSOR_BYTES])
{
    memset(out, 0, BL_TENSOR_BYTES);
    memcpy(out, mark, sizeof mark);
    memcpy(out + sizeof mark, tensor, sizeof *tensor);
}

bool bl_tensor_decode(const uint8_t bytes[BL_TENSOR_BYTES], struct bl_tensor *out)
{
    if (memcmp(bytes, mark, sizeof mark) != 0)
        return false;
    memcpy(out, bytes + sizeof mark, sizeof *out);
    return true;
}
