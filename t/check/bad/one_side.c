/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("one_side")
BAD_PLUGIN("one_side", "transpose")
