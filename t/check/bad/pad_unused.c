/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

static const struct banklab_param params[] = {{.name = "pad",
                                               .help = "declared, and never used",
                                               .type = BANKLAB_PARAM_INT,
                                               .minimum = 0,
                                               .maximum = 8}};

BAD_PLAN("right")
BAD_PLUGIN("pad_unused", "transpose", BANKLAB_PARAMS(params))
