/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a kind that is none.
 */
#include "banklab/plugin.h"

#define NAME "unknown_kind"
#define KIND "transpos"
#include "fixture.h"
