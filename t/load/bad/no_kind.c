/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a NULL kind.
 */
#include "banklab/plugin.h"

#define NAME "no_kind"
#define KIND NULL
#include "fixture.h"
