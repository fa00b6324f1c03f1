/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("no_warp_sync")
BAD_PLUGIN("no_warp_sync", "transpose")
