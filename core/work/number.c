/* SPDX-License-Identifier: Apache-2.0
 *
 * number.c - numbers as people read them.
 */
#include "work/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *bl_number_group(uint64_t value, char out[BL_NUMBER_MAX])
{
    char digits[BL_NUMBER_MAX];
    const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

const char *bl_number_bytes(uint64_t bytes, char out[BL_NUMBER_MAX])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                        "TiB",   "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    snprintf(out, BL_NUMBER_MAX, "%.*f %s", unit ? 1 : 0, value, units[unit]);
    return out;
}
