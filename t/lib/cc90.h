/* SPDX-License-Identifier: Apache-2.0
 *
 * cc90.h - the rules of conf/arch/cc90.ini, for tests that read no file. That they are
 * the same is a test too (t/rules/test_arch.c).
 */
#ifndef CC90_H
#define CC90_H

#include "model/arch.h"

/* An initialiser of a struct bl_arch; without `evidence`. */
#define CC90_ARCH                                                                        \
    {                                                                                    \
        .name = "cc90", .cc = 90, .banks = 32, .bank_bytes = 4, .group = 32,             \
        .phase_lanes = {32, 32, 32, 16, 8}, .bank_rows = 1, .access_bytes = 16,          \
        .beats = {1, 1, 1, 2, 4}, .wavefront_cycles = 1, .atomics = 1,                   \
        .global_lanes = {32, 32, 32, 32, 32}, .merge_xor = {1, 2}, .sector_bytes = 32,   \
        .max_threads = 1024, .max_warps = 64, .max_block = {1024, 1024, 64},             \
        .max_grid = {2147483647, 65535, 65535}, .max_shared = 232448,                    \
    }

#endif
