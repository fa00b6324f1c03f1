/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes test_measured_narrow run the plain builds of the handlers, on any CPU.
 */
#include "model/alu.h"

bool bl_alu_has_wide(void)
{
    return false;
}
