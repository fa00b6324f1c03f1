/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("counter")
BAD_PLUGIN("counter", "transpose")
