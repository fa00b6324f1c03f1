/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_skew - transpose for rows that start at no vector's alignment: tiles are
 * shifted for each output row, so that all of it is written in whole sectors, by vectors.
 */
#include "../transpose/skew.h"

static const char ptx[] = {
#include "transpose_skew.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_skew",
    .kind = "transpose",
    .summary = "transpose by tiles shifted for each row, to write whole sectors",
    BANKLAB_PARAMS(skew_params),
    BANKLAB_MODULES(modules),
    .plan = skew_plan,
    .flags = BANKLAB_BATCHES,
};
