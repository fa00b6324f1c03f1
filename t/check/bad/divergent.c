/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("divergent")
BAD_PLUGIN("divergent", "transpose")
