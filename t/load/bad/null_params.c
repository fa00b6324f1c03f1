/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a count of parameters without a table.
 */
#include "banklab/plugin.h"

#define NAME   "null_params"
#define PARAMS .param_count = 2, .param_size = sizeof(struct banklab_param)
#include "fixture.h"
