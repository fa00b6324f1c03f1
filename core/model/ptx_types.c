/* SPDX-License-Identifier: Apache-2.0 */

#include <string.h>

#include "model/ptx.h"
#include "model/ptx_parse.h"

static const struct {
    const char *name;
    uint32_t bytes;
} types[] = {
    [BL_T_NONE] = {"", 0},         [BL_T_PRED] = {"pred", 0},   [BL_T_B8] = {"b8", 1},
    [BL_T_B16] = {"b16", 2},       [BL_T_B32] = {"b32", 4},     [BL_T_B64] = {"b64", 8},
    [BL_T_B128] = {"b128", 16},    [BL_T_U8] = {"u8", 1},       [BL_T_U16] = {"u16", 2},
    [BL_T_U32] = {"u32", 4},       [BL_T_U64] = {"u64", 8},     [BL_T_S8] = {"s8", 1},
    [BL_T_S16] = {"s16", 2},       [BL_T_S32] = {"s32", 4},     [BL_T_S64] = {"s64", 8},
    [BL_T_F16] = {"f16", 2},       [BL_T_F16X2] = {"f16x2", 4}, [BL_T_BF16] = {"bf16", 2},
    [BL_T_BF16X2] = {"bf16x2", 4}, [BL_T_F32] = {"f32", 4},     [BL_T_F64] = {"f64", 8},
};

static const char *const sregs[BL_SR_COUNT] = {
    [BL_SR_TID_X] = "%tid.x",
    [BL_SR_TID_Y] = "%tid.y",
    [BL_SR_TID_Z] = "%tid.z",
    [BL_SR_NTID_X] = "%ntid.x",
    [BL_SR_NTID_Y] = "%ntid.y",
    [BL_SR_NTID_Z] = "%ntid.z",
    [BL_SR_CTAID_X] = "%ctaid.x",
    [BL_SR_CTAID_Y] = "%ctaid.y",
    [BL_SR_CTAID_Z] = "%ctaid.z",
    [BL_SR_NCTAID_X] = "%nctaid.x",
    [BL_SR_NCTAID_Y] = "%nctaid.y",
    [BL_SR_NCTAID_Z] = "%nctaid.z",
    [BL_SR_LANEID] = "%laneid",
    [BL_SR_WARPID] = "%warpid",
    [BL_SR_NWARPID] = "%nwarpid",
    [BL_SR_LANEMASK_EQ] = "%lanemask_eq",
    [BL_SR_LANEMASK_LE] = "%lanemask_le",
    [BL_SR_LANEMASK_LT] = "%lanemask_lt",
    [BL_SR_LANEMASK_GE] = "%lanemask_ge",
    [BL_SR_LANEMASK_GT] = "%lanemask_gt",
    [BL_SR_SMID] = "%smid",
    [BL_SR_NSMID] = "%nsmid",
    [BL_SR_GRIDID] = "%gridid",
    [BL_SR_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
    [BL_SR_TOTAL_SMEM_SIZE] = "%total_smem_size",
    [BL_SR_WARP_SIZE] = "WARP_SZ",
    [BL_SR_CLOCK] = "%clock",
    [BL_SR_CLOCK64] = "%clock64",
    [BL_SR_CLOCK_HI] = "%clock_hi",
    [BL_SR_GLOBALTIMER] = "%globaltimer",
    [BL_SR_GLOBALTIMER_LO] = "%globaltimer_lo",
    [BL_SR_GLOBALTIMER_HI] = "%globaltimer_hi",
};

uint32_t bl_ptx_type_bytes(enum bl_ptx_type type)
{
    return (size_t)type < sizeof types / sizeof *types ? types[type].bytes : 0;
}

enum bl_ptx_type bl_ptx_type_find(const char *name)
{
    for (size_t i = BL_T_NONE + 1; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0) {
            return (enum bl_ptx_type)i;
        }
    }
    return BL_T_NONE;
}

const char *bl_ptx_type_name(enum bl_ptx_type type)
{
    return (size_t)type < sizeof types / sizeof *types ? types[type].name : "";
}

bool bl_ptx_sreg_find(const char *name, const char *element, enum bl_ptx_sreg *out)
{
    size_t length = strlen(name);

    for (int i = 0; i < BL_SR_COUNT; i++) {
        const char *rest = sregs[i] + length;
        if (strncmp(sregs[i], name, length) != 0) {
            continue;
        }
        if (element ? *rest == '.' && strcmp(rest + 1, element) == 0 : *rest == '\0') {
            *out = (enum bl_ptx_sreg)i;
            return true;
        }
    }
    return false;
}
