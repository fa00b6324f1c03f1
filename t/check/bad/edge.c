/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("edge")
BAD_PLUGIN("edge", "transpose")
