/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/operation.h"

#define ACCESS(text, kind)                                                               \
    {text "_1", kind, 1, 32, 75}, {text "_2", kind, 2, 32, 75},                          \
        {text "_4", kind, 4, 32, 75}, {text "_8", kind, 8, 32, 75},                      \
    {                                                                                    \
        text "_16", kind, 16, 32, 75                                                     \
    }
#define MATRIX(text, kind, cc)                                                           \
    {text "_x1", kind, 16, 8, cc}, {text "_x2", kind, 16, 16, cc},                       \
        {text "_x4", kind, 16, 32, cc}, {text "_x1_trans", kind, 16, 8, cc},             \
        {text "_x2_trans", kind, 16, 16, cc},                                            \
    {                                                                                    \
        text "_x4_trans", kind, 16, 32, cc                                               \
    }

static const struct bl_operation ops[] = {
    ACCESS("shared_load", BL_CAL_SHARED_LOAD),
    ACCESS("shared_store", BL_CAL_SHARED_STORE),
    ACCESS("global_load", BL_CAL_GLOBAL_LOAD),
    ACCESS("global_store", BL_CAL_GLOBAL_STORE),
    {"atom_add_u32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_min_u32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_or_b32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_inc_u32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_exch_b32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_cas_b32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_cas_b32_miss", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"red_add_u32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"red_min_u32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"atom_exch_b64", BL_CAL_SHARED_ATOMIC, 8, 32, 75},
    {"atom_cas_b64", BL_CAL_SHARED_ATOMIC, 8, 32, 75},
    {"atom_add_u64", BL_CAL_SHARED_ATOMIC, 8, 32, 75},
    {"atom_min_u64", BL_CAL_SHARED_ATOMIC, 8, 32, 75},
    {"red_add_u64", BL_CAL_SHARED_ATOMIC, 8, 32, 75},
    {"atom_add_f32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    {"red_add_f32", BL_CAL_SHARED_ATOMIC, 4, 32, 75},
    MATRIX("ldmatrix", BL_CAL_LDMATRIX, 75),
    {"cp_async_ca_4", BL_CAL_CP_ASYNC, 4, 32, 80},
    {"cp_async_ca_8", BL_CAL_CP_ASYNC, 8, 32, 80},
    {"cp_async_ca_16", BL_CAL_CP_ASYNC, 16, 32, 80},
    {"cp_async_cg_16", BL_CAL_CP_ASYNC, 16, 32, 80},
    MATRIX("stmatrix", BL_CAL_STMATRIX, 90),
};

const struct bl_operation *bl_operation_all(size_t *count)
{
    *count = sizeof ops / sizeof *ops;
    return ops;
}
