/* SPDX-License-Identifier: Apache-2.0
 *
 * A plugin of ABI 1.0, compiled with t/abi/v1.0's header, whatever ours has become.
 */
#define NAME "first"
#include "fixture.h"

_Static_assert(BANKLAB_ABI_MINOR == 0, "compiled with the header of 1.0");
