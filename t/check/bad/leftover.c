/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("leftover")
BAD_PLUGIN("leftover", "transpose")
