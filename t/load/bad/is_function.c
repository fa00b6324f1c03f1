/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad: the symbol is code.
 */
#include "banklab/plugin.h"

BANKLAB_EXPORT int banklab_plugin(void);

int banklab_plugin(void)
{
    return 1;
}
