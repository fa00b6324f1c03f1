/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a name with a letter that names can't have.
 */
#include "banklab/plugin.h"

#define NAME "odd.name"
#include "fixture.h"
