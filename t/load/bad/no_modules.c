/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: no device code.
 */
#include "banklab/plugin.h"

#define NAME    "no_modules"
#define MODULES .module_count = 0
#include "fixture.h"
