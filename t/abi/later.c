/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of a minor that is not there yet: compiled with our header and a member more
 * in each struct that can grow (t/abi/Makefile.inc makes it), all of them filled.
 */
#define NAME  "later"
#define LATER 1
#define ADDED , .added = 7
#include "fixture.h"

_Static_assert(BANKLAB_ABI_MINOR == 900, "compiled with a later minor's header");
