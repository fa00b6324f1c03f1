/* SPDX-License-Identifier: Apache-2.0
 *
 * What the model does not carry out it refuses, naming the instruction.
 */
#include "alu_test.h"

static const struct {
    const char *body;
    uint32_t d, a; /* bits */
    const char *part;
} rows[] = {
    {"add.b32 %d, %a, %a", 32, 32,
     "\"add.b32\": is not known to the model with these types"},
    {"add.sat.u32 %d, %a, %a", 32, 32, "with these types"},
    {"add.rn.s32 %d, %a, %a", 32, 32, ".rn"},
    {"add.f32x2 %d, %a, %a", 64, 64, "f32x2"},
    {"add.u16x2.relu %d, %a, %a", 32, 32, "with these types"},
    {"add.s32 %d, %a", 32, 32, "operands"},
    {"add.s32 %d, %a, %a, %a", 32, 32, "operands"},
    {"add.s64 %d, %a, %a", 32, 32, "is a .b32 register"},
    {"mul.s32 %d, %a, %a", 32, 32, "needs one of .lo .hi .wide"},
    {"mul.lo.hi.s32 %d, %a, %a", 32, 32, "has both .lo and .hi"},
    {"mul.wide.s64 %d, %a, %a", 64, 64, "with these types"},
    {"mad.lo.sat.s32 %d, %a, %a, %a", 32, 32, ".lo"},
    {"mad.hi.sat.u32 %d, %a, %a, %a", 32, 32, "with these types"},
    {"mad.lo.f32 %d, %a, %a, %a", 32, 32, ".rn"},
    {"addc.u16 %d, %a, %a", 16, 16, "with these types"},
    {"dp4a.u32 %d, %a, %a, %a", 32, 32, "with these types"},
    {"vadd4.u32.u32.u32 %d, %a, %a, %a", 32, 32, "vadd4"},
    {"and.u32 %d, %a, %a", 32, 32, "with these types"},
    {"shl.s32 %d, %a, 1", 32, 32, "with these types"},
    {"shf.l.b32 %d, %a, %a, 1", 32, 32, "needs one of .wrap .clamp"},
    {"lop3.b32 %d, %a, %a, %a, 256", 32, 32, "0 to 255"},
    {"lop3.b32 %d, %a, %a, %a, %a", 32, 32, "0 to 255"},
    {"prmt.b32.f4e.rc8 %d, %a, %a, %a", 32, 32, "has both .f4e and .rc8"},
    {"bfe.b32 %d, %a, 0, 1", 32, 32, "with these types"},
    {"fma.f32 %d, %a, %a, %a", 32, 32, "needs one of .rn .rz .rm .rp"},
    {"add.rn.rz.f32 %d, %a, %a", 32, 32, "has both .rn and .rz"},
    {"add.ftz.f64 %d, %a, %a", 64, 64, ".ftz"},
    {"add.sat.f64 %d, %a, %a", 64, 64, ".sat"},
    {"div.f32 %d, %a, %a", 32, 32, "needs one of"},
    {"div.approx.f64 %d, %a, %a", 64, 64, ".approx"},
    {"rcp.approx.f64 %d, %a", 64, 64, ".approx"},
    {"sqrt.full.f32 %d, %a", 32, 32, ".full"},
    {"sin.f32 %d, %a", 32, 32, "needs one of .approx"},
    {"sin.approx.f64 %d, %a", 64, 64, "with these types"},
    {"max.f32 %d, %a, %a, %a", 32, 32, "operands"},
    {"max.xorsign.f32 %d, %a, %a", 32, 32, "together"},
    {"testp.odd.f32 %p, %a", 32, 32, "needs one of"},
    {"add.rz.f16 %d, %a, %a", 16, 16, ".rz"},
    {"add.sat.bf16 %d, %a, %a", 16, 16, ".sat"},
    {"fma.f16 %d, %a, %a, %a", 16, 16, "needs .rn"},
    {"fma.rn.sat.relu.f16 %d, %a, %a, %a", 16, 16, "has both .sat and .relu"},
    {"fma.rn.oob.f16 %d, %a, %a, %a", 16, 16, ".oob"},
    {"div.f16 %d, %a, %a", 16, 16, "div.f16"},
    {"ex2.approx.bf16 %d, %a", 16, 16, "needs .ftz"},
    {"setp.lt.b32 %p, %a, %a", 32, 32, "does not compare so"},
    {"setp.lo.s32 %p, %a, %a", 32, 32, "does not compare so"},
    {"setp.equ.s32 %p, %a, %a", 32, 32, "does not compare so"},
    {"setp.s32 %p, %a, %a", 32, 32, "does not compare so"},
    {"setp.eq.ftz.s32 %p, %a, %a", 32, 32, "with these types"},
    {"setp.eq.f16x2 %p, %a, %a", 32, 32, "with these types"},
    {"setp.eq.and.s32 %p, %a, %a", 32, 32, "operands"},
    {"set.eq.f64.s32 %d, %a, %a", 64, 32, "with these types"},
    {"selp.pred %p, %p, %q, 1", 32, 32, "with these types"},
    {"slct.b32.u32 %d, %a, %a, %a", 32, 32, "with these types"},
    {"cvt.f32.s32 %d, %a", 32, 32, "needs one of .rn .rz .rm .rp"},
    {"cvt.s32.f32 %d, %a", 32, 32, "needs one of .rni .rzi .rmi .rpi"},
    {"cvt.f32.f64 %d, %a", 32, 64, "needs one of .rn .rz .rm .rp"},
    {"cvt.rn.s32.s64 %d, %a", 32, 64, "takes no rounding"},
    {"cvt.rni.f32.f64 %d, %a", 32, 64, "equal types only"},
    {"cvt.rna.f16.f32 %d, %a", 16, 32, ".rna"},
    {"cvt.rn.satfinite.e4m3x2.f32 %d, %a, %a", 16, 32, "e4m3x2"},
    {"cvt.rn.relu.f32.f64 %d, %a", 32, 64, ".relu"},
    {"cvt.u32 %d, %a", 32, 32, "with these types"},
    {"cvt.u32.b32 %d, %a", 32, 32, "with these types"},
    {"cvt.u64.u32 %d, %a", 32, 32, "is a .b32 register"},
    {"cvt.pack.sat.u4.s32.b32 %d, %a, %a, %a", 32, 32, "u4"},
    {"shfl.sync.b32 %d, %a, 0, 31, -1", 32, 32, "needs one of .up .down .bfly .idx"},
    {"shfl.sync.idx.b64 %d, %a, 0, 31, -1", 64, 64, "with these types"},
    {"shfl.sync.idx.b32 %d, %a, 0, 31", 32, 32, "operands"},
    {"vote.sync.all.b32 %d, 1, -1", 32, 32, "with these types"},
    {"match.any.b32 %d, %a, -1", 32, 32, "with these types"},
    {"redux.sync.add.b32 %d, %a, -1", 32, 32, "with these types"},
    {"redux.sync.min.f32 %d, %a, -1", 32, 32, "with these types"},
    {"elect.sync %d, -1", 32, 32, "takes d|p"},
};

static void unknown_instructions_are_refused(void **state)
{
    static const uint64_t zero[ALU_LANES];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct alu_case c = {
            .body = rows[i].body, .d = rows[i].d, .operand = {{rows[i].a, zero}}};
        alu_fails(&c, BL_E_INPUT, rows[i].part);
        alu_fails(&c, BL_E_INPUT, "k.ptx:");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(unknown_instructions_are_refused)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
