/* SPDX-License-Identifier: Apache-2.0 */
#include "bad.h"

BAD_PLAN("input_writer")
BAD_PLUGIN("input_writer", "transpose")
