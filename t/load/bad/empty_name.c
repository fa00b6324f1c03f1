/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: an empty name.
 */
#include "banklab/plugin.h"

#define NAME ""
#include "fixture.h"
