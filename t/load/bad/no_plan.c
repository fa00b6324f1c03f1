/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a NULL plan.
 */
#include "banklab/plugin.h"

#define NAME "no_plan"
#define PLAN NULL
#include "fixture.h"
