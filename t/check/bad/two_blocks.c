/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("two_blocks")
BAD_PLUGIN("two_blocks", "transpose")
