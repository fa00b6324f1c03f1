/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting, finding and moving bits: popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext,
 * prmt.
 */
#include "model/alu.h"
#include "model/alu_lanes.h"
#include "model/exec_bits.h"

static const char *const no_mods[] = {NULL};
static const struct bl_alu_shape to_u32 = {BL_T_U32, BL_ALU_OWN, BL_T_NONE, BL_T_NONE};

/* ---- counting and finding ---- */

BL_OP1(popc_32, bl_u32, bl_u32, __builtin_popcount(a))
BL_OP1(popc_64, bl_u32, bl_u64, __builtin_popcountll(a))
BL_OP1(clz_32, bl_u32, bl_u32, a ? __builtin_clz(a) : 32)
BL_OP1(clz_64, bl_u32, bl_u64, a ? __builtin_clzll(a) : 64)
static const struct bl_alu_by_type popc_table[] = {{BL_T_B32, BL_BUILDS(popc_32)},
                                                   {BL_T_B64, BL_BUILDS(popc_64)},
                                                   {BL_T_NONE, NULL, NULL}};
static const struct bl_alu_by_type clz_table[] = {{BL_T_B32, BL_BUILDS(clz_32)},
                                                  {BL_T_B64, BL_BUILDS(clz_64)},
                                                  {BL_T_NONE, NULL, NULL}};

enum bl_status bl_bits_popc(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, popc_table, to_u32, err);
}

enum bl_status bl_bits_clz(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, clz_table, to_u32, err);
}

/* The position of the highest bit that differs from the sign (unsigned: from 0), or all
 * ones if there is none; .shiftamt: how far it is from the top. */
#define HIGHEST32(x) ((x) ? 31u - (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define HIGHEST64(x) ((x) ? 63u - (uint32_t)__builtin_clzll(x) : UINT32_MAX)
#define FIRST32(x)   ((x) ? (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define FIRST64(x)   ((x) ? (uint32_t)__builtin_clzll(x) : UINT32_MAX)
#define FLIP(BITS)   (a >> (BITS - 1) ? ~a : a)
#define BFIND(BITS)                                                                      \
    BL_OP1(bfind_u##BITS, bl_u32, bl_u##BITS, HIGHEST##BITS(a))                          \
    BL_OP1(bfind_s##BITS, bl_u32, bl_u##BITS, HIGHEST##BITS(FLIP(BITS)))                 \
    BL_OP1(shiftamt_u##BITS, bl_u32, bl_u##BITS, FIRST##BITS(a))                         \
    BL_OP1(shiftamt_s##BITS, bl_u32, bl_u##BITS, FIRST##BITS(FLIP(BITS)))
BFIND(32)
BFIND(64)
#define BFIND_TABLE(OP)                                                                  \
    static const struct bl_alu_by_type OP##_table[] = {                                  \
        {BL_T_U32, BL_BUILDS(OP##_u32)}, {BL_T_S32, BL_BUILDS(OP##_s32)},                \
        {BL_T_U64, BL_BUILDS(OP##_u64)}, {BL_T_S64, BL_BUILDS(OP##_s64)},                \
        {BL_T_NONE, NULL, NULL},                                                         \
    }
BFIND_TABLE(bfind);
BFIND_TABLE(shiftamt);

enum bl_status bl_bits_bfind(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    static const char *const mods[] = {"shiftamt", NULL};
    return bl_alu_plain(dec, src, out, mods,
                        bl_dec_has(src, "shiftamt") ? shiftamt_table : bfind_table,
                        to_u32, err);
}

/* The n-th set bit of `mask`, from bit `base` upwards (offset > 0) or downwards (< 0),
 * counted from 1 and `base` included; offset 0: bit `base` itself if it is set. */
static uint32_t fns(uint32_t mask, uint32_t base, int32_t offset)
{
    if (base > 31) {
        return UINT32_MAX;
    }
    if (offset == 0) {
        return mask >> base & 1 ? base : UINT32_MAX;
    }
    int step = offset > 0 ? 1 : -1;
    int64_t left = offset > 0 ? offset : -(int64_t)offset;
    for (int at = (int)base; at >= 0 && at < 32; at += step) {
        left -= mask >> at & 1;
        if (left == 0) {
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}
BL_EACH3(fns_32, bl_u32, bl_u32, bl_u32, bl_s32, fns(a, b, c))
static const struct bl_alu_by_type fns_table[] = {{BL_T_B32, BL_SINGLE(fns_32)},
                                                  {BL_T_NONE, NULL, NULL}};

enum bl_status bl_bits_fns(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_shape shape = {BL_T_B32, BL_T_B32, BL_T_B32, BL_T_S32};
    return bl_alu_plain(dec, src, out, no_mods, fns_table, shape, err);
}

/* ---- reversing, fields ---- */

static inline uint32_t brev(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
BL_OP1(brev_32, bl_u32, bl_u32, brev(a))
BL_OP1(brev_64, bl_u64, bl_u64,
       (uint64_t)brev((uint32_t)a) << 32 | brev((uint32_t)(a >> 32)))
static const struct bl_alu_by_type brev_table[] = {{BL_T_B32, BL_BUILDS(brev_32)},
                                                   {BL_T_B64, BL_BUILDS(brev_64)},
                                                   {BL_T_NONE, NULL, NULL}};

enum bl_status bl_bits_brev(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    return bl_alu_plain(dec, src, out, no_mods, brev_table, bl_alu_own2, err);
}

/* `len` bits of x from bit `pos`; what lies past the top is 0 (signed: the sign, which
 * is that of the field's top bit, or of x if the field reaches past it). */
static inline uint64_t bfe(uint64_t x, uint32_t pos, uint32_t len, uint32_t bits,
                           bool is_signed)
{
    if (len == 0) {
        return 0;
    }
    uint64_t end = (uint64_t)pos + len - 1;
    uint32_t top = end < bits - 1 ? (uint32_t)end : bits - 1;
    uint64_t fill = is_signed && (x >> top & 1) ? UINT64_MAX : 0;
    if (pos >= bits) {
        return fill;
    }
    uint64_t field = x >> pos;
    uint32_t have = top - pos + 1;
    if (have < 64) {
        uint64_t below = ((uint64_t)1 << have) - 1;
        field = (field & below) | (fill & ~below);
    }
    return field;
}
/* Position and length count modulo 256 in the 32-bit forms; PTX says so of the 64-bit
 * ones too, but there an H200 takes them whole. */
BL_EACH3(bfe_u32, bl_u32, bl_u32, bl_u32, bl_u32, bfe(a, b & 0xff, c & 0xff, 32, false))
BL_EACH3(bfe_s32, bl_u32, bl_u32, bl_u32, bl_u32, bfe(a, b & 0xff, c & 0xff, 32, true))
BL_EACH3(bfe_u64, bl_u64, bl_u64, bl_u32, bl_u32, bfe(a, b, c, 64, false))
BL_EACH3(bfe_s64, bl_u64, bl_u64, bl_u32, bl_u32, bfe(a, b, c, 64, true))
static const struct bl_alu_by_type bfe_table[] = {
    {BL_T_U32, BL_SINGLE(bfe_u32)}, {BL_T_S32, BL_SINGLE(bfe_s32)},
    {BL_T_U64, BL_SINGLE(bfe_u64)}, {BL_T_S64, BL_SINGLE(bfe_s64)},
    {BL_T_NONE, NULL, NULL},
};

enum bl_status bl_bits_bfe(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_shape shape = {BL_ALU_OWN, BL_ALU_OWN, BL_T_U32, BL_T_U32};
    return bl_alu_plain(dec, src, out, no_mods, bfe_table, shape, err);
}

/* The lowest `len` bits of `field` into `into`, from bit `pos`. */
static inline uint64_t bfi(uint64_t field, uint64_t into, uint32_t pos, uint32_t len)
{
    if (pos > 63) {
        return into;
    }
    uint64_t bits = len > 63 ? UINT64_MAX : ((uint64_t)1 << len) - 1;
    return (into & ~(bits << pos)) | (field & bits) << pos;
}
#define BFI(BITS, KEPT)                                                                  \
    static void bfi_##BITS(BL_ALU_ARGS)                                                  \
    {                                                                                    \
        const bl_u##BITS *pa = BL_VIEW(const bl_u##BITS, frame, in->a);                  \
        const bl_u##BITS *pb = BL_VIEW(const bl_u##BITS, frame, in->b);                  \
        const bl_u32 *pc = BL_VIEW(const bl_u32, frame, in->c);                          \
        const bl_u32 *pe = BL_VIEW(const bl_u32, frame, in->e);                          \
        bl_u##BITS *pd = BL_VIEW(bl_u##BITS, frame, in->d);                              \
        BL_FOR_LANES(mask,                                                               \
                     pd[l] = (bl_u##BITS)bfi(pa[l], pb[l], pc[l] & KEPT, pe[l] & KEPT)); \
    }
BFI(32, 0xff)
BFI(64, UINT32_MAX)

enum bl_status bl_bits_bfi(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                           struct bl_insn *out, struct bl_error *err)
{
    enum bl_ptx_type type = BL_T_NONE;
    enum bl_status status = bl_dec_known(src, no_mods, dec, err);
    if (status == BL_OK) {
        status = bl_alu_type(dec, src, &type, err);
    }
    if (status == BL_OK && type != BL_T_B32 && type != BL_T_B64) {
        status = bl_alu_bad_type(dec, src, err);
    }
    if (status == BL_OK) {
        status = bl_dec_count(dec, src, 5, 5, err);
    }
    const enum bl_ptx_type types[4] = {type, type, BL_T_U32, BL_T_U32};
    uint32_t *const slots[4] = {&out->a, &out->b, &out->c, &out->e};
    for (uint32_t n = 0; n < 4 && status == BL_OK; n++) {
        status = bl_dec_source(dec, src, n + 1, types[n], false, slots[n], err);
    }
    if (status == BL_OK) {
        status = bl_dec_dest(dec, src, 0, type, false, &out->d, err);
    }
    out->alu = type == BL_T_B64 ? bfi_64 : bfi_32;
    return status;
}

/* ---- masks, sign extension ---- */

/* b bits set from bit a on: .clamp takes a and b as at most 32, .wrap modulo 32. */
static inline uint32_t bmsk(uint32_t a, uint32_t b)
{
    uint64_t bits = ((uint64_t)1 << b) - 1;
    return (uint32_t)(bits << a);
}
#define CLAMP32(x) ((x) > 32 ? 32 : (x))
BL_EACH2(bmsk_clamp, bl_u32, bl_u32, bl_u32, bmsk(CLAMP32(a), CLAMP32(b)))
BL_EACH2(bmsk_wrap, bl_u32, bl_u32, bl_u32, bmsk(a & 31, b & 31))

/* The lowest n bits of x, extended. */
static inline uint32_t szext(uint32_t x, uint32_t n, bool is_signed)
{
    if (n == 0) {
        return 0;
    }
    if (n > 31) {
        return x;
    }
    return is_signed ? (uint32_t)((int32_t)(x << (32 - n)) >> (32 - n))
                     : x & ((1u << n) - 1);
}
BL_EACH2(szext_clamp_u, bl_u32, bl_u32, bl_u32, szext(a, b, false))
BL_EACH2(szext_clamp_s, bl_u32, bl_u32, bl_u32, szext(a, b, true))
BL_EACH2(szext_wrap_u, bl_u32, bl_u32, bl_u32, szext(a, b & 31, false))
BL_EACH2(szext_wrap_s, bl_u32, bl_u32, bl_u32, szext(a, b & 31, true))

static const char *const clamp_wrap[] = {"clamp", "wrap", NULL};

enum bl_status bl_bits_bmsk(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_by_type tables[2][2] = {
        {{BL_T_B32, BL_SINGLE(bmsk_clamp)}, {BL_T_NONE, NULL, NULL}},
        {{BL_T_B32, BL_SINGLE(bmsk_wrap)}, {BL_T_NONE, NULL, NULL}},
    };
    int wrap = 0;
    enum bl_status status = bl_alu_choice(dec, src, clamp_wrap, true, &wrap, err);
    return status != BL_OK
               ? status
               : bl_alu_plain(dec, src, out, clamp_wrap, tables[wrap], bl_alu_own3, err);
}

enum bl_status bl_bits_szext(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                             struct bl_insn *out, struct bl_error *err)
{
    static const struct bl_alu_shape shape = {BL_ALU_OWN, BL_ALU_OWN, BL_T_U32,
                                              BL_T_NONE};
    static const struct bl_alu_by_type tables[2][3] = {
        {{BL_T_U32, BL_SINGLE(szext_clamp_u)},
         {BL_T_S32, BL_SINGLE(szext_clamp_s)},
         {BL_T_NONE, NULL, NULL}},
        {{BL_T_U32, BL_SINGLE(szext_wrap_u)},
         {BL_T_S32, BL_SINGLE(szext_wrap_s)},
         {BL_T_NONE, NULL, NULL}},
    };
    int wrap = 0;
    enum bl_status status = bl_alu_choice(dec, src, clamp_wrap, true, &wrap, err);
    return status != BL_OK
               ? status
               : bl_alu_plain(dec, src, out, clamp_wrap, tables[wrap], shape, err);
}

/* ---- prmt ---- */

/* Result byte i is byte (nibble i of sel) & 7 of b:a, or, if the nibble's high bit is
 * set, that byte's sign eight times. */
static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t nibble = sel >> 4 * i & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 0xff;
        byte = nibble & 8 ? (byte >> 7) * 0xff : byte;
        result |= byte << 8 * i;
    }
    return result;
}
BL_OP3(prmt_any, bl_u32, bl_u32, bl_u32, bl_u32, prmt(a, b, c))

/* The special modes are selectors, chosen by the low two bits of c. */
enum { F4E, B4E, RC8, ECL, ECR, RC16 };
static const uint16_t prmt_selectors[6][4] = {
    [F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
    [RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
    [ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
};
BL_EACH3(prmt_mode, bl_u32, bl_u32, bl_u32, bl_u32,
         prmt(a, b, prmt_selectors[in->flag][c & 3]))

enum bl_status bl_bits_prmt(struct bl_decoder *dec, const struct bl_ptx_insn *src,
                            struct bl_insn *out, struct bl_error *err)
{
    static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL};
    static const struct bl_alu_by_type any[] = {{BL_T_B32, BL_BUILDS(prmt_any)},
                                                {BL_T_NONE, NULL, NULL}};
    static const struct bl_alu_by_type by_mode[] = {{BL_T_B32, BL_SINGLE(prmt_mode)},
                                                    {BL_T_NONE, NULL, NULL}};
    int mode = -1;
    enum bl_status status = bl_alu_choice(dec, src, modes, false, &mode, err);
    if (status != BL_OK) {
        return status;
    }
    out->flag = mode < 0 ? 0 : (uint32_t)mode;
    return bl_alu_plain(dec, src, out, modes, mode < 0 ? any : by_mode, bl_alu_own4, err);
}
