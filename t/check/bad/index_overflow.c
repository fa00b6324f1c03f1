/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("index_overflow")
BAD_PLUGIN("index_overflow", "transpose")
