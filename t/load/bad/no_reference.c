/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a pattern that does not say what the output must hold.
 */
#include "banklab/plugin.h"

#define NAME "no_reference"
#define KIND "pattern"
#include "fixture.h"
