/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("early_return")
BAD_PLUGIN("early_return", "transpose")
