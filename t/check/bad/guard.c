/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("guard")
BAD_PLUGIN("guard", "transpose")
