/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes outside the mask keep what they had; a destination may be a source; widths of
 * registers may differ from cvt's types; immediates. One instruction of every kind of
 * handler.
 */
#include "alu_test.h"

/* d, and the bits of a, b, c, e; class f16 operands are plain numbers in all bits. */
static const struct form {
    const char *text; /* after the guard */
    uint32_t d, d2, a, b, c, e;
} forms[] = {
    {"add.u16 %d, %a, %b", 16, 0, 16, 16, 0, 0},
    {"add.s32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"add.sat.s32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"sub.s64 %d, %a, %b", 64, 0, 64, 64, 0, 0},
    {"max.s16x2 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"mul.lo.s32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"mul.wide.u32 %d, %a, %b", 64, 0, 32, 32, 0, 0},
    {"mul.hi.s64 %d, %a, %b", 64, 0, 64, 64, 0, 0},
    {"mad.lo.s32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"mad.wide.s16 %d, %a, %b, %c", 32, 0, 16, 16, 32, 0},
    {"div.s32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"rem.u64 %d, %a, %b", 64, 0, 64, 64, 0, 0},
    {"dp4a.s32.u32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"sad.u32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"and.b64 %d, %a, %b", 64, 0, 64, 64, 0, 0},
    {"lop3.b32 %d, %a, %b, %c, 0x96", 32, 0, 32, 32, 32, 0},
    {"shl.b16 %d, %a, %b", 16, 0, 16, 32, 0, 0},
    {"shr.s64 %d, %a, %b", 64, 0, 64, 32, 0, 0},
    {"shf.l.wrap.b32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"popc.b64 %d, %a", 32, 0, 64, 0, 0, 0},
    {"bfe.s32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"bfi.b64 %d, %a, %b, %c, %e", 64, 0, 64, 64, 32, 32},
    {"prmt.b32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"add.f32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"mul.ftz.f32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"add.rp.f32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"fma.rn.f32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"fma.rz.f64 %d, %a, %b, %c", 64, 0, 64, 64, 64, 0},
    {"sqrt.approx.f32 %d, %a", 32, 0, 32, 0, 0, 0},
    {"min.NaN.f32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"neg.f64 %d, %a", 64, 0, 64, 0, 0, 0},
    {"add.f16 %d, %a, %b", 16, 0, 16, 16, 0, 0},
    {"fma.rn.bf16x2 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"set.lt.u32.s32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
    {"selp.b64 %d, %a, %b, %e", 64, 0, 64, 64, 0, 1},
    {"slct.b32.s32 %d, %a, %b, %c", 32, 0, 32, 32, 32, 0},
    {"cvt.s64.s32 %d, %a", 64, 0, 32, 0, 0, 0},
    {"cvt.u16.u32 %d, %a", 16, 0, 32, 0, 0, 0},
    {"cvt.sat.s8.s32 %d, %a", 32, 0, 32, 0, 0, 0},
    {"cvt.rn.f32.u64 %d, %a", 32, 0, 64, 0, 0, 0},
    {"cvt.rpi.s32.f64 %d, %a", 32, 0, 64, 0, 0, 0},
    {"cvt.rn.bf16x2.f32 %d, %a, %b", 32, 0, 32, 32, 0, 0},
};

static uint64_t values[ALU_OPERANDS][ALU_LANES];

static int setup(void **state)
{
    uint64_t seed = 0x9e3779b97f4a7c15u;
    (void)state;
    for (int n = 0; n < ALU_OPERANDS; n++) {
        for (int l = 0; l < ALU_LANES; l++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            values[n][l] = seed ^ seed >> 29;
        }
    }
    return 0;
}

static struct alu_case case_of(const struct form *f, const char *body)
{
    return (struct alu_case){
        .body = body,
        .d = f->d,
        .d2 = f->d2,
        .operand = {
            {f->a, values[0]}, {f->b, values[1]}, {f->c, values[2]}, {f->e, values[3]}}};
}

#define FOR_FORMS(f)                                                                     \
    for (const struct form *f = forms; f < forms + sizeof forms / sizeof *forms; f++)

static void lanes_outside_the_mask_keep_their_value(void **state)
{
    uint64_t all[ALU_LANES], some[ALU_LANES];
    char body[256];
    (void)state;
    FOR_FORMS(f)
    {
        struct alu_case c = case_of(f, f->text);
        alu_run(&c, all, NULL);
        /* The second warp has few lanes left, the first one many. */
        snprintf(body, sizeof body,
                 "mul.lo.u32 %%t, %%i, %%i; and.b32 %%t, %%t, 0x807; "
                 "setp.ne.u32 %%q, %%t, 4; @%%q %s",
                 f->text);
        c.body = body;
        alu_run(&c, some, NULL);
        for (uint64_t l = 0; l < ALU_LANES; l++) {
            bool runs = ((l * l) & 0x807) != 4;
            uint64_t want = runs ? all[l] : ALU_OLD >> (64 - f->d);
            if (some[l] != want) {
                fail_msg("%s: lane %u: %llx, not %llx", f->text, (unsigned)l,
                         (unsigned long long)some[l], (unsigned long long)want);
            }
        }
    }
}

/* The same instruction with the destination in place of its first operand of the same
 * width gives the same. */
static void a_destination_may_be_a_source(void **state)
{
    uint64_t apart[ALU_LANES], same[ALU_LANES];
    (void)state;
    FOR_FORMS(f)
    {
        const uint32_t bits[4] = {f->a, f->b, f->c, f->e};
        for (int n = 0; n < 4; n++) {
            char body[256], text[128];
            if (bits[n] != f->d) {
                continue;
            }
            struct alu_case c = case_of(f, f->text);
            alu_run(&c, apart, NULL);
            snprintf(text, sizeof text, "%s", f->text);
            char operand[] = {'%', "abce"[n], 0};
            char *at = strstr(strstr(text, "%d"), operand);
            assert_non_null(at);
            at[1] = 'd';
            snprintf(body, sizeof body, "mov.b%u %%d, %%%c; %s", f->d, "abce"[n], text);
            c.body = body;
            alu_run(&c, same, NULL);
            if (memcmp(apart, same, sizeof same) != 0) {
                fail_msg("%s gives something else than %s", body, f->text);
            }
        }
    }
}

static void predicates_keep_lanes(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    /* p starts as odd lanes; lanes below 8 get p = (lane > 3). */
    const struct alu_case c = {
        .body = "and.b32 %t, %i, 1; setp.eq.u32 %p, %t, 1; setp.lt.u32 %q, %i, 8; "
                "@%q setp.gt.u32 %p, %i, 3; selp.u32 %d, 1, 0, %p",
        .d = 32};
    alu_run(&c, d, NULL);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l < 8 ? l > 3 : l & 1);
    }
}

static void carries_keep_lanes(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    /* Every lane carries; then lanes below 8 add without carry. */
    const struct alu_case c = {
        .body = "setp.lt.u32 %q, %i, 8; mov.u32 %t, -1; add.cc.u32 %t, %t, 1; "
                "@%q add.cc.u32 %t, %t, 1; addc.u32 %d, 0, 0",
        .d = 32};
    alu_run(&c, d, NULL);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l >= 8);
    }
}

static void immediates_are_lanes_too(void **state)
{
    static const struct {
        const char *body;
        uint32_t d;
        uint64_t want; /* by lane: want + l * step */
        uint64_t step;
    } rows[] = {
        {"add.s32 %d, %i, -1", 32, 0xffffffff, 1},
        {"mad.lo.s32 %d, %i, 3, 5", 32, 5, 3},
        {"mul.wide.s32 %d, %i, -2", 64, 0, (uint64_t)-2},
        {"mul.wide.u32 %d, %i, 0x80000000", 64, 0, 0x80000000},
        {"shl.b32 %d, %i, 4", 32, 0, 16},
        {"cvt.u16.u32 %d, %i; add.s16 %d, %d, -3", 16, 0xfffd, 1},
        {"cvt.u64.u32 %d, %i; sub.s64 %d, %d, 0x100000000", 64, (uint64_t)-0x100000000,
         1},
        {"add.f32 %d, 0f3F800000, 0f40000000", 32, 0x40400000, 0},
        {"mul.f64 %d, 0d4000000000000000, 1.5", 64, 0x4008000000000000, 0},
        {"fma.rn.f32 %d, 2.0, 0f40400000, 1.0", 32, 0x40e00000, 0},
        {"selp.b32 %d, 7, 9, 1", 32, 7, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t d[ALU_LANES];
        const struct alu_case c = {.body = rows[i].body, .d = rows[i].d};
        alu_run(&c, d, NULL);
        for (uint64_t l = 0; l < ALU_LANES; l++) {
            uint64_t want = (rows[i].want + l * rows[i].step) << (64 - rows[i].d);
            if (d[l] != want >> (64 - rows[i].d)) {
                fail_msg("%s: lane %u: %llx", rows[i].body, (unsigned)l,
                         (unsigned long long)d[l]);
            }
        }
    }
}

/* Results worked out by hand. */
static void by_hand(void **state)
{
    static const struct {
        const char *body;
        uint32_t d;
        uint64_t want;
    } rows[] = {
        {"div.s32 %d, 0x80000000, -1", 32, 0x80000000},
        {"rem.s32 %d, 0x80000000, -1", 32, 0},
        {"div.u32 %d, 7, 0", 32, 0xffffffff},
        {"rem.s64 %d, 0x8000000000000000, -1", 64, 0},
        {"div.s32 %d, -7, 2", 32, (uint32_t)-3},
        {"rem.s32 %d, -7, 2", 32, (uint32_t)-1},
        {"abs.s32 %d, 0x80000000", 32, 0x80000000},
        {"add.sat.s32 %d, 0x7fffffff, 1", 32, 0x7fffffff},
        {"sub.sat.s32 %d, 0x80000000, 1", 32, 0x80000000},
        {"mul.hi.u64 %d, 0xffffffffffffffff, 0xffffffffffffffff", 64, (uint64_t)-2},
        {"mul.hi.s64 %d, -1, -1", 64, 0},
        {"mad.hi.sat.s32 %d, 0x7fffffff, 0x7fffffff, 0x7fffffff", 32, 0x7fffffff},
        {"mul24.hi.s32 %d, 0x800000, 0x800000", 32, 0x40000000},
        {"shl.b32 %d, 1, 32", 32, 0},
        {"shr.s32 %d, 0x80000000, 99", 32, 0xffffffff},
        {"shf.r.clamp.b32 %d, 1, 2, 64", 32, 2},
        {"bfind.s32 %d, -1", 32, 0xffffffff},
        {"bfind.shiftamt.u32 %d, 1", 32, 31},
        {"fns.b32 %d, 0xaaaaaaaa, 0, 1", 32, 1},
        {"fns.b32 %d, 0xaaaaaaaa, 31, -2", 32, 29},
        {"fns.b32 %d, 0xaaaaaaaa, 0, 0", 32, 0xffffffff},
        {"prmt.b32 %d, 0x33221100, 0x77665544, 0x7350", 32, 0x77335500},
        {"prmt.b32 %d, 0x80, 0, 0x8888", 32, 0xffffffff},
        {"lop3.b32 %d, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x1b", 32, 0x1b1b1b1b},
        {"bmsk.clamp.b32 %d, 4, 8", 32, 0xff0},
        {"szext.wrap.s32 %d, 0xff, 8", 32, 0xffffffff},
        {"dp4a.s32.s32 %d, 0xff80017f, 0x01010101, 10", 32, 10 - 1 - 128 + 1 + 127},
        /* 1 + 2^-24 is a tie, and a little more is not. */
        {"add.rn.f32 %d, 0f3F800000, 0f33800000", 32, 0x3f800000},
        {"add.rp.f32 %d, 0f3F800000, 0f00000001", 32, 0x3f800001},
        {"add.rm.f32 %d, 0f3F800000, 0f80000001", 32, 0x3f7fffff},
        /* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: only a fused one sees it. */
        {"fma.rn.f32 %d, 0f3F800001, 0f3F800001, 0fBF800002", 32, 0x28800000},
        {"mul.sat.f32 %d, 0f7FC00000, 0f3F800000", 32, 0},
        {"max.f32 %d, 0f80000000, 0f00000000", 32, 0},
        {"min.f32 %d, 0f00000000, 0f80000000", 32, 0x80000000},
        {"max.f32 %d, 0f7FC00000, 0f3F800000", 32, 0x3f800000},
        {"max.NaN.f32 %d, 0f7FC00000, 0f3F800000", 32, 0x7fffffff},
        {"add.f32 %d, 0f7F800000, 0fFF800000", 32, 0x7fffffff},
        {"mul.ftz.f32 %d, 0f00400000, 0f7F000000", 32, 0},
        {"sqrt.rn.f32 %d, 0f40000000", 32, 0x3fb504f3},
        {"div.rz.f32 %d, 1.0, 0f40400000", 32, 0x3eaaaaaa},
        {"cvt.rzi.s32.f32 %d, 0f7FC00000", 32, 0},
        {"cvt.rzi.u32.f32 %d, 0fBF800000", 32, 0},
        {"cvt.rzi.s32.f32 %d, 0f4F000000", 32, 0x7fffffff},
        {"cvt.rzi.s64.f32 %d, 0f7FC00000", 64, 0x8000000000000000},
        {"cvt.rni.s32.f32 %d, 0f40200000", 32, 2},
        {"cvt.rmi.f32.f32 %d, 0fBF000000", 32, 0xbf800000},
        {"cvt.rn.f32.s32 %d, 16777217", 32, 0x4b800000},
        {"cvt.rp.f32.s32 %d, 16777217", 32, 0x4b800001},
        {"cvt.sat.u8.s32 %d, 300", 32, 255},
        {"cvt.s8.s32 %d, 0x80", 32, 0xffffff80},
        {"cvt.rn.f16x2.f32 %d, 1.0, 2.0", 32, 0x3c004000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t d[ALU_LANES];
        const struct alu_case c = {.body = rows[i].body, .d = rows[i].d};
        alu_run(&c, d, NULL);
        for (int l = 0; l < ALU_LANES; l++) {
            if (d[l] != rows[i].want) {
                fail_msg("%s: %llx, not %llx", rows[i].body, (unsigned long long)d[l],
                         (unsigned long long)rows[i].want);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lanes_outside_the_mask_keep_their_value),
        TEST(a_destination_may_be_a_source),
        TEST(predicates_keep_lanes),
        TEST(carries_keep_lanes),
        TEST(immediates_are_lanes_too),
        TEST(by_hand),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, setup, NULL);
}
