/* SPDX-License-Identifier: Apache-2.0 */
#include "model/alu.h"

#include <stdio.h>
#include <string.h>

const struct bl_alu_shape bl_alu_own2 = {BL_ALU_OWN, BL_ALU_OWN, BL_T_NONE, BL_T_NONE};
const struct bl_alu_shape bl_alu_own3 = {BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN, BL_T_NONE};
const struct bl_alu_shape bl_alu_own4 = {BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN, BL_ALU_OWN};

bl_alu_fn *bl_alu_pick(bl_alu_fn *narrow, bl_alu_fn *wide)
{
    return bl_alu_has_wide() ? wide : narrow;
}

bl_alu_fn *bl_alu_find(const struct bl_alu_by_type *table, enum bl_ptx_type type)
{
    for (; table->type != BL_T_NONE; table++) {
        if (table->type == type) {
            return bl_alu_pick(table->narrow, table->wide);
        }
    }
    return NULL;
}

enum bl_status bl_alu_operands(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_insn *out, struct bl_alu_shape shape,
                               struct bl_error *err)
{
    const enum bl_ptx_type types[3] = {shape.a, shape.b, shape.c};
    uint32_t *const slots[3] = {&out->a, &out->b, &out->c};
    uint32_t count = 1;
    while (count < 4 && types[count - 1] != BL_T_NONE) {
        count++;
    }
    enum bl_status status = bl_dec_count(dec, src, count, count, err);
    for (uint32_t n = 1; n < count && status == BL_OK; n++) {
        status = bl_dec_source(dec, src, n, types[n - 1], false, slots[n - 1], err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, shape.d, false, &out->d, err);
    }
    return status;
}

static enum bl_ptx_type own(enum bl_ptx_type of_shape, enum bl_ptx_type type)
{
    return of_shape == BL_ALU_OWN ? type : of_shape;
}

enum bl_status bl_alu_plain(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, const char *const *known,
                            const struct bl_alu_by_type *table, struct bl_alu_shape shape,
                            struct bl_error *err)
{
    enum bl_ptx_type type = BL_T_NONE;
    enum bl_status status = bl_dec_known(src, known, dec, err);
    if (status == BL_OK) {
        status = bl_alu_type(dec, src, &type, err);
    }
    if (status != BL_OK) {
        return status;
    }
    out->alu = bl_alu_find(table, type);
    if (!out->alu) {
        return bl_alu_bad_type(dec, src, err);
    }
    shape = (struct bl_alu_shape){own(shape.d, type), own(shape.a, type),
                                  own(shape.b, type), own(shape.c, type)};
    return bl_alu_operands(dec, src, out, shape, err);
}

int bl_alu_type_count(const struct bl_ptx_insn *src)
{
    int count = 0;
    while (bl_dec_type(src, count) != BL_T_NONE) {
        count++;
    }
    return count;
}

enum bl_status bl_alu_bad_type(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                               struct bl_error *err)
{
    return bl_dec_unknown(dec, src, "is not known to the model with these types", err);
}

enum bl_status bl_alu_type(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           enum bl_ptx_type *out, struct bl_error *err)
{
    if (bl_alu_type_count(src) != 1) {
        return bl_alu_bad_type(dec, src, err);
    }
    *out = bl_dec_type(src, 0);
    return BL_OK;
}

enum bl_status bl_alu_choice(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             const char *const *names, bool needed, int *out,
                             struct bl_error *err)
{
    int found = -1;
    for (int i = 0; names[i]; i++) {
        if (!bl_dec_has(src, names[i])) {
            continue;
        }
        if (found >= 0) {
            char text[96];
            snprintf(text, sizeof text, "has both .%s and .%s; one at most can be there",
                     names[found], names[i]);
            return bl_dec_unknown(dec, src, text, err);
        }
        found = i;
    }
    if (found < 0 && needed) {
        char text[128] = "needs one of";
        size_t used = strlen(text);
        for (int i = 0; names[i] && used < sizeof text - 8; i++) {
            int wrote = snprintf(text + used, sizeof text - used, " .%s", names[i]);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
        return bl_dec_unknown(dec, src, text, err);
    }
    *out = found;
    return BL_OK;
}

bool bl_type_is_half(enum bl_ptx_type type)
{
    return type == BL_T_F16 || type == BL_T_F16X2 || type == BL_T_BF16 ||
           type == BL_T_BF16X2;
}

bool bl_type_is_float(enum bl_ptx_type type)
{
    return type == BL_T_F32 || type == BL_T_F64;
}

bool bl_type_is_signed(enum bl_ptx_type type)
{
    return type == BL_T_S8 || type == BL_T_S16 || type == BL_T_S32 || type == BL_T_S64;
}

bool bl_type_is_int(enum bl_ptx_type type)
{
    return bl_type_is_signed(type) || type == BL_T_U8 || type == BL_T_U16 ||
           type == BL_T_U32 || type == BL_T_U64;
}

enum bl_ptx_type bl_type_bits(uint32_t bytes)
{
    switch (bytes) {
    case 1: return BL_T_B8;
    case 2: return BL_T_B16;
    case 4: return BL_T_B32;
    case 8: return BL_T_B64;
    case 16: return BL_T_B128;
    default: return BL_T_NONE;
    }
}
