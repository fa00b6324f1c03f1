/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("no_barrier")
BAD_PLUGIN("no_barrier", "transpose")
