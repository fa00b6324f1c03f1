/* SPDX-License-Identifier: Apache-2.0 */
#include "calibrate/operation.h"

#define ACCESS(text, of)                                                                 \
    {.name = text "_1", .kind = of, .width = 1, .lanes = 32, .cc = 75},                  \
        {.name = text "_2", .kind = of, .width = 2, .lanes = 32, .cc = 75},              \
        {.name = text "_4", .kind = of, .width = 4, .lanes = 32, .cc = 75},              \
        {.name = text "_8", .kind = of, .width = 8, .lanes = 32, .cc = 75},              \
    {                                                                                    \
        .name = text "_16", .kind = of, .width = 16, .lanes = 32, .cc = 75               \
    }
#define ATOMIC(text, bytes, how, waited)                                                 \
    {                                                                                    \
        .name = text, .kind = BL_CAL_SHARED_ATOMIC, .width = bytes, .lanes = 32,         \
        .cc = 75, .form = how, .yields = waited                                          \
    }
#define MATRICES(text, of, since)                                                        \
    {.name = text "_x1", .kind = of, .width = 16, .lanes = 8, .cc = since},              \
        {.name = text "_x2", .kind = of, .width = 16, .lanes = 16, .cc = since},         \
        {.name = text "_x4", .kind = of, .width = 16, .lanes = 32, .cc = since},         \
        {.name = text "_x1_trans", .kind = of, .width = 16, .lanes = 8, .cc = since},    \
        {.name = text "_x2_trans", .kind = of, .width = 16, .lanes = 16, .cc = since},   \
    {                                                                                    \
        .name = text "_x4_trans", .kind = of, .width = 16, .lanes = 32, .cc = since      \
    }
#define COPY(text, bytes, past)                                                          \
    {                                                                                    \
        .name = text, .kind = BL_CAL_CP_ASYNC, .width = bytes, .lanes = 32, .cc = 80,    \
        .past_cache = past                                                               \
    }

static const struct bl_operation operations[] = {
    ACCESS("shared_load", BL_CAL_SHARED_LOAD),
    ACCESS("shared_store", BL_CAL_SHARED_STORE),
    ACCESS("global_load", BL_CAL_GLOBAL_LOAD),
    ACCESS("global_store", BL_CAL_GLOBAL_STORE),
    ATOMIC("atom_add_u32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_min_u32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_max_s32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_or_b32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_inc_u32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_exch_b32", 4, BL_ATOMIC_ALU, true),
    ATOMIC("atom_cas_b32", 4, BL_ATOMIC_CAS, true),
    ATOMIC("atom_cas_b32_miss", 4, BL_ATOMIC_CAS, true),
    ATOMIC("red_add_u32", 4, BL_ATOMIC_ALU, false),
    ATOMIC("red_min_u32", 4, BL_ATOMIC_ALU, false),
    ATOMIC("atom_exch_b64", 8, BL_ATOMIC_ALU, true),
    ATOMIC("atom_cas_b64", 8, BL_ATOMIC_CAS, true),
    ATOMIC("atom_add_u64", 8, BL_ATOMIC_LOOP, true),
    ATOMIC("red_add_u64", 8, BL_ATOMIC_LOOP, false),
    ATOMIC("atom_add_f32", 4, BL_ATOMIC_LOOP, true),
    ATOMIC("atom_add_f16x2", 4, BL_ATOMIC_LOOP, true),
    ATOMIC("atom_add_f64", 8, BL_ATOMIC_LOOP, true),
    ATOMIC("red_add_f32", 4, BL_ATOMIC_LOOP, false),
    MATRICES("ldmatrix", BL_CAL_LDMATRIX, 75),
    MATRICES("stmatrix", BL_CAL_STMATRIX, 90),
    COPY("cp_async_ca_4", 4, false),
    COPY("cp_async_ca_8", 8, false),
    COPY("cp_async_ca_16", 16, false),
    COPY("cp_async_cg_16", 16, true),
};

const struct bl_operation *bl_operation_all(size_t *count)
{
    *count = sizeof operations / sizeof *operations;
    return operations;
}
