/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_direct - transpose by squares turned in registers, without shared memory: as
 * transpose_wide, but no thread waits for another.
 */
#include "../transpose/direct.h"

static const char ptx[] = {
#include "transpose_direct.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_direct",
    .kind = "transpose",
    .summary = "transpose by squares turned in registers, without shared memory",
    BANKLAB_PARAMS(direct_params),
    BANKLAB_MODULES(modules),
    .plan = direct_plan,
    .flags = BANKLAB_BATCHES,
};
