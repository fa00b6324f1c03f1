/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns_sm90.cu - stmatrix.
 */
#include "patterns.cuh"

#define STMATRIX(name, shape, ins)                                                       \
    struct name : Operation {                                                            \
        static const bool ALL_LANES = true;                                              \
        static BL_INLINE unsigned run(unsigned near, unsigned char *, unsigned value)    \
        {                                                                                \
            asm volatile("stmatrix.sync.aligned.m8n8." shape ".shared.b16 [%0], {" ins   \
                         "};"                                                            \
                         :                                                               \
                         : "r"(near), "r"(value), "r"(value), "r"(value), "r"(value)     \
                         : "memory");                                                    \
            return 0;                                                                    \
        }                                                                                \
    };                                                                                   \
    OPERATION(name)

STMATRIX(stmatrix_x1, "x1", "%1")
STMATRIX(stmatrix_x2, "x2", "%1, %2")
STMATRIX(stmatrix_x4, "x4", "%1, %2, %3, %4")
STMATRIX(stmatrix_x1_trans, "x1.trans", "%1")
STMATRIX(stmatrix_x2_trans, "x2.trans", "%1, %2")
STMATRIX(stmatrix_x4_trans, "x4.trans", "%1, %2, %3, %4")
