/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of its own, so that a test can put another answer in its place.
 */
#include "model/alu.h"

bool bl_alu_has_wide(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}
