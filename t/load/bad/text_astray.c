/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: a pointer that was never set right.
 */
#define NAME    "text_astray"
#define SUMMARY ((const char *)8)
#include "fixture.h"
