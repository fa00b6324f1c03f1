/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_slab - transpose of narrow matrices, and of batches of small ones: slabs of
 * whole rows, whose bytes have no gaps on one side at least.
 */
#include "../transpose/slab.h"

static const char ptx[] = {
#include "transpose_slab.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_slab",
    .kind = "transpose",
    .summary = "transpose of narrow and small matrices, in slabs without gaps",
    BANKLAB_PARAMS(slab_params),
    BANKLAB_MODULES(modules),
    .plan = slab_plan,
    .flags = BANKLAB_BATCHES,
};
