/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/lane_list.h"

#include <stdio.h>

size_t bl_lane_list(uint32_t mask, char out[BL_LANE_LIST_MAX])
{
    size_t used = 0;

    out[0] = '\0';
    for (int first = 0; first < 32; first++) {
        int last = first;

        if (!(mask >> first & 1))
            continue;
        while (last < 31 && (mask >> (last + 1) & 1))
            last++;
        used += (size_t)snprintf(out + used, BL_LANE_LIST_MAX - used, "%s%d",
                                 used > 0 ? " " : "", first);
        if (last > first)
            used += (size_t)snprintf(out + used, BL_LANE_LIST_MAX - used, "%s%d",
                                     last > first + 1 ? "-" : " ", last);
        first = last;
    }
    return used;
}
