/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("unwritten")
BAD_PLUGIN("unwritten", "transpose")
