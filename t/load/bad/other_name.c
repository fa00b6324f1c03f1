/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: not named as its file.
 */
#include "banklab/plugin.h"

#define NAME "quite_another"
#include "fixture.h"
