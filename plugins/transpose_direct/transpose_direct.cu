/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_direct.cu - every lay of lanes and warps, for every width; direct.cuh has the
 * kernels.
 */
#include "../transpose/direct.cuh"

#define LANES(elem, wx, wy, s)                                                           \
    DIRECT_GRID(elem, 8, 4, wx, wy, s)                                                   \
    DIRECT_GRID(elem, 4, 8, wx, wy, s)
#define SQUARES(elem, s)                                                                 \
    LANES(elem, 1, 1, s)                                                                 \
    LANES(elem, 2, 2, s)                                                                 \
    LANES(elem, 2, 4, s)                                                                 \
    DIRECT_PACKED(elem, s)
#define ENTRIES(elem, type)                                                              \
    SQUARES(elem, 1)                                                                     \
    SQUARES(elem, 2)
BL_FOR_ELEMS(ENTRIES)
