/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: an element width that there is not.
 */
#include "banklab/plugin.h"

#define NAME  "odd_elems"
#define ELEMS (1u << 3)
#include "fixture.h"
