/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose_thin - transpose by one vector a thread, for small matrices: what counts
 * there is not how many bytes are on their way but how long the way is.
 */
#include "../transpose/thin.h"

static const char ptx[] = {
#include "transpose_thin.ptx.inc"
};
static const struct banklab_module modules[] = {{ptx, sizeof ptx, 0, 0}};

BANKLAB_EXPORT const struct banklab_plugin banklab_plugin = {
    BANKLAB_PLUGIN_HEAD,
    .name = "transpose_thin",
    .kind = "transpose",
    .summary = "transpose by one vector a thread, for small matrices",
    BANKLAB_PARAMS(thin_params),
    BANKLAB_MODULES(modules),
    .plan = thin_plan,
    .flags = BANKLAB_BATCHES,
};
