/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("right")
BAD_PLUGIN("right", "transpose")
