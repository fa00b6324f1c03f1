/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("same_place")
BAD_PLUGIN("same_place", "transpose")
