/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns_sm80.cu - cp.async: from global to shared memory, past the registers.
 */
#include "patterns.cuh"

#define CP_ASYNC(name, cache, bytes)                                                     \
    struct name : Operation {                                                            \
        static BL_INLINE unsigned run(unsigned near, unsigned char *far, unsigned)       \
        {                                                                                \
            asm volatile("cp.async." cache ".shared.global [%0], [%1], " bytes ";"       \
                         :                                                               \
                         : "r"(near), "l"(far)                                           \
                         : "memory");                                                    \
            return 0;                                                                    \
        }                                                                                \
        static BL_INLINE void finish()                                                   \
        {                                                                                \
            asm volatile("cp.async.wait_all;" : : : "memory");                           \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)

CP_ASYNC(cp_async_ca_4, "ca", "4")
CP_ASYNC(cp_async_ca_8, "ca", "8")
CP_ASYNC(cp_async_ca_16, "ca", "16")
CP_ASYNC(cp_async_cg_16, "cg", "16")
