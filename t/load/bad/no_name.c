/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a NULL name.
 */
#include "banklab/plugin.h"

#define NAME NULL
#include "fixture.h"
