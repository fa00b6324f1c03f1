/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader makes of good PTX: instructions and operands.
 */
#include "ptx_test.h"

static const struct bl_ptx_func *kernel(const struct bl_ptx_module *m)
{
    const struct bl_ptx_func *func = bl_ptx_func_find(m, "k");
    assert_non_null(func);
    return func;
}

/* The first instruction of kernel k, with that many operands. */
static const struct bl_ptx_insn *first(const struct bl_ptx_module *m, uint32_t operands)
{
    const struct bl_ptx_insn *insn = &kernel(m)->insns[0];
    assert_int_equal(insn->operand_count, operands);
    return insn;
}

static const char *reg(const struct bl_ptx_module *m, const struct bl_ptx_operand *o)
{
    assert_int_equal(o->kind, BL_OPND_REG);
    assert_true(o->reg < kernel(m)->reg_count);
    return kernel(m)->regs[o->reg].name;
}

static void heads(void **state)
{
    struct bl_ptx_module *m = good(".version 8.3\n.target sm_90a, debug\n"
                                   ".address_size 64\n.file 3 \"a b.cu\", 12, 34\n");
    (void)state;
    assert_int_equal(m->version_major, 8);
    assert_int_equal(m->version_minor, 3);
    assert_int_equal(m->target, 90);
    assert_int_equal(m->address_size, 64);
    assert_int_equal(m->file_count, 4);
    assert_null(m->files[0]);
    assert_string_equal(m->files[3], "a b.cu");
    assert_string_equal(m->name, "m.ptx");
    bl_ptx_free(m);
}

static void instruction_parts(void **state)
{
    struct bl_ptx_module *m = good_body("@!%p1 ld.global.nc.L2::128B.v2.f32\n"
                                        "  {%f1, _}, [%rd1+-8];");
    const struct bl_ptx_insn *insn = first(m, 2);

    (void)state;
    assert_string_equal(insn->op, "ld");
    assert_int_equal(insn->mod_count, 5);
    assert_string_equal(insn->mods[2], "L2::128B");
    assert_string_equal(insn->mods[4], "f32");
    assert_true(insn->pred >= 0 && insn->pred_negated);
    assert_string_equal(kernel(m)->regs[insn->pred].name, "%p1");
    assert_int_equal(kernel(m)->regs[insn->pred].type, BL_T_PRED);
    assert_int_equal(insn->line, 7);
    assert_int_equal(insn->operands[0].kind, BL_OPND_VEC);
    assert_int_equal(insn->operands[0].count, 2);
    assert_string_equal(reg(m, &insn->operands[0].list[0]), "%f1");
    assert_int_equal(insn->operands[0].list[1].kind, BL_OPND_SINK);
    assert_int_equal(insn->operands[1].kind, BL_OPND_MEM);
    assert_int_equal(insn->operands[1].base_kind, BL_OPND_REG);
    assert_int_equal(insn->operands[1].i, -8);
    bl_ptx_free(m);
}

static void numbers(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"0", 0},
        {"42", 42},
        {"-42", -42},
        {"052", 42},
        {"0x2aU", 42},
        {"0b101010", 42},
        {"0xFFFFFFFFFFFFFFFF", -1},
        {"9223372036854775808", INT64_MIN},
        {"WARP_SZ", 32},
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"7 % 4", 3},
        {"-7/2", -3},
        {"1<<40", (int64_t)1 << 40},
        {"-16>>2", -4},
        {"0xFFFFFFFFFFFFFFF0U>>60", 15},
        {"1<<64", 0},
        {"6&3|8", 10},
        {"6^3", 5},
        {"~0", -1},
        {"!5", 0},
        {"3<4 && 4<=4 || 0", 1},
        {"-1 < 0U", 0},
        {"5>4==1", 1},
        {"1 ? 10 : 20", 10},
        {"0 ? 10 : 1 ? 30 : 40", 30},
        {"(.u64)-1 / 2", INT64_MAX},
        {"(-9223372036854775807-1) / -1", INT64_MIN},
        {"- - -5", -5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = bl_text_format("mov.b64 %%rd1, %s;", cases[i].text);
        struct bl_ptx_module *m = good_body(body);
        const struct bl_ptx_operand *o = &first(m, 2)->operands[1];
        if (o->kind != BL_OPND_INT || o->i != cases[i].value) {
            fail_msg("%s is read as %lld", cases[i].text, (long long)o->i);
        }
        bl_ptx_free(m);
        free(body);
    }
}

static void floats(void **state)
{
    struct bl_ptx_module *m =
        good_body("foo 0f3FC00000, 0dBFF8000000000000, 1.25, -2.5e3,"
                  " -0f3F800000, 0f7F800001;");
    const struct bl_ptx_operand *o = first(m, 6)->operands;

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(o[i].kind, BL_OPND_FLOAT);
    }
    assert_true(o[0].f == 1.5 && o[0].single && o[0].i == 0x3FC00000);
    assert_true(o[1].f == -1.5 && !o[1].single);
    assert_true(o[2].f == 1.25 && o[2].i == 0x3FF4000000000000);
    assert_true(o[3].f == -2500);
    assert_true(o[4].f == -1 && o[4].i == 0xBF800000);
    assert_true(o[5].f != o[5].f && o[5].i == 0x7F800001);
    bl_ptx_free(m);
}

static void addresses(void **state)
{
    struct bl_ptx_module *m = good_body(".shared .align 4 .b8 s[64];\n"
                                        "foo [s+4], [s], [0x10], [%rd1], [k_param_0+8-4],"
                                        " [%rd1, {%r1, 3}], s+12, [%rd2, %rd3];");
    const struct bl_ptx_operand *o = first(m, 10)->operands;

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(o[i].kind, BL_OPND_MEM);
    }
    assert_int_equal(o[0].base_kind, BL_OPND_VAR);
    assert_string_equal(o[0].var->name, "s");
    assert_int_equal(o[0].var->space, BL_SPACE_SHARED);
    assert_int_equal(o[0].i, 4);
    assert_int_equal(o[2].base_kind, BL_OPND_INT);
    assert_int_equal(o[2].i, 16);
    assert_int_equal(o[4].var->space, BL_SPACE_PARAM);
    assert_int_equal(o[4].i, 4);
    assert_int_equal(o[6].kind, BL_OPND_VEC);
    assert_string_equal(reg(m, &o[6].list[0]), "%r1");
    assert_int_equal(o[6].list[1].i, 3);
    assert_int_equal(o[7].kind, BL_OPND_VAR);
    assert_int_equal(o[7].i, 12);
    assert_int_equal(o[8].kind, BL_OPND_MEM);
    assert_string_equal(reg(m, &o[9]), "%rd3");
    bl_ptx_free(m);
}

static void other_operands(void **state)
{
    struct bl_ptx_module *m = good_body(
        "foo %r1|%p1, _|%p2, !%p3, %tid.y, %laneid, %clock64, {%r1,%r2,%r3,%r4};");
    const struct bl_ptx_operand *o = first(m, 7)->operands;

    (void)state;
    assert_int_equal(o[0].kind, BL_OPND_PAIR);
    assert_int_equal(o[0].count, 2);
    assert_string_equal(reg(m, &o[0].list[1]), "%p1");
    assert_int_equal(o[1].list[0].kind, BL_OPND_SINK);
    assert_true(o[2].negated);
    assert_string_equal(reg(m, &o[2]), "%p3");
    assert_int_equal(o[3].kind, BL_OPND_SREG);
    assert_int_equal(o[3].sreg, BL_SR_TID_Y);
    assert_int_equal(o[4].sreg, BL_SR_LANEID);
    assert_int_equal(o[5].sreg, BL_SR_CLOCK64);
    assert_int_equal(o[6].count, 4);
    bl_ptx_free(m);
}

static void vector_registers(void **state)
{
    struct bl_ptx_module *m = good_body(".reg .v4 .f32 v;\nfoo v.y, v, v.a;");
    const struct bl_ptx_operand *o = first(m, 3)->operands;

    (void)state;
    assert_string_equal(reg(m, &o[0]), "v.y");
    assert_int_equal(o[1].kind, BL_OPND_VEC);
    assert_string_equal(reg(m, &o[1].list[3]), "v.w");
    assert_int_equal(o[1].list[1].reg, o[0].reg);
    assert_int_equal(o[2].reg, o[1].list[3].reg);
    bl_ptx_free(m);
}

static void scopes_shadow(void **state)
{
    struct bl_ptx_module *m = good_body("foo %r1;\n"
                                        "{ .reg .b64 %r1; foo %r1; { foo %r1; }\n"
                                        "  .reg .f32 %r<3>; foo %r2; }\n"
                                        "foo %r1;\n"
                                        "{ .reg .u16 %r<50>; foo %r1; foo %r60; }");
    const struct bl_ptx_func *k = kernel(m);
    static const enum bl_ptx_type want[] = {BL_T_B32, BL_T_B64, BL_T_B64, BL_T_F32,
                                            BL_T_B32, BL_T_U16, BL_T_B32};

    (void)state;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(k->regs[k->insns[i].operands[0].reg].type, want[i]);
    }
    assert_int_equal(k->insns[0].operands[0].reg, k->insns[4].operands[0].reg);
    assert_int_equal(k->insns[1].operands[0].reg, k->insns[2].operands[0].reg);
    bl_ptx_free(m);
}

static void labels(void **state)
{
    struct bl_ptx_module *m = good_body("bra L;\n"
                                        "{ L: bra L; bra M; }\n"
                                        "{ bra L; L: foo; }\n"
                                        "L: bra M;\n"
                                        "M:");
    const struct bl_ptx_func *k = kernel(m);
    static const uint32_t want[] = {5, 1, 6, 4, 0, 6};

    (void)state;
    assert_int_equal(k->insn_count, 7);
    for (int i = 0; i < 6; i++) {
        if (i != 4) {
            assert_int_equal(k->insns[i].operands[0].kind, BL_OPND_LABEL);
            assert_int_equal(k->insns[i].operands[0].target, want[i]);
        }
    }
    assert_string_equal(k->insns[6].op, "ret");
    bl_ptx_free(m);
}

static void branch_tables(void **state)
{
    struct bl_ptx_module *m = good_body("T: .branchtargets A, B, A;\n"
                                        "brx.idx.uni %r1, T;\nA: ret;\nB: ret;");
    const struct bl_ptx_operand *o = first(m, 2)->operands;

    (void)state;
    assert_string_equal(reg(m, &o[0]), "%r1");
    assert_int_equal(o[1].kind, BL_OPND_TABLE);
    assert_int_equal(o[1].count, 3);
    assert_int_equal(o[1].list[0].target, 1);
    assert_int_equal(o[1].list[1].target, 2);
    assert_int_equal(o[1].list[2].target, 1);
    assert_int_equal(kernel(m)->insn_count, 3);
    bl_ptx_free(m);
}

static void calls(void **state)
{
    static const char text[] =
        HEAD ".func (.param .b32 r) f (.param .b32 a, .param .align 8 .b8 b[16]);\n"
             ".func g() ;\n"
             ".visible .entry k() { .reg .b64 %rd<3>; .reg .b32 %r1;\n"
             ".param .b32 p0; .param .align 8 .b8 p1[16]; .param .b32 r0;\n"
             "call.uni (r0), f, (p0, p1);\n"
             "call g;\n"
             "call.uni g, ();\n"
             "P : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b8 _[16]);\n"
             "Q: .callprototype ()_ ();\n"
             "T: .calltargets f;\n"
             "call (r0), %rd1, (p0, p1), P;\n"
             "call %rd2, Q;\n"
             "call (_), %rd2, (7, p1), T;\n"
             "ret; }\n";
    struct bl_ptx_module *m = good(text);
    const struct bl_ptx_insn *insns = kernel(m)->insns;
    static const uint32_t returns[] = {1, 0, 0, 1, 0, 1}, args[] = {2, 0, 0, 2, 0, 2},
                          counts[] = {3, 3, 3, 4, 4, 4};

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(insns[i].operand_count, counts[i]);
        assert_int_equal(insns[i].operands[0].kind, BL_OPND_ARGS);
        assert_int_equal(insns[i].operands[0].count, returns[i]);
        assert_int_equal(insns[i].operands[1].kind, i < 3 ? BL_OPND_FUNC : BL_OPND_REG);
        assert_int_equal(insns[i].operands[2].kind, BL_OPND_ARGS);
        assert_int_equal(insns[i].operands[2].count, args[i]);
    }
    assert_string_equal(insns[0].operands[1].func->name, "f");
    assert_string_equal(insns[0].operands[2].list[1].var->name, "p1");
    assert_int_equal(insns[3].operands[3].kind, BL_OPND_PROTO);
    assert_int_equal(insns[3].operands[3].func->param_count, 2);
    assert_int_equal(insns[3].operands[3].func->params[1]->size, 16);
    assert_int_equal(insns[4].operands[3].func->return_count, 0);
    assert_int_equal(insns[5].operands[3].kind, BL_OPND_TABLE);
    assert_int_equal(insns[5].operands[3].list[0].kind, BL_OPND_FUNC);
    bl_ptx_free(m);
}

/* A function that was inlined into one that was inlined. */
static void inlined(void **state)
{
    struct bl_ptx_module *m =
        good(HEAD ".entry k() {\n"
                  ".loc 1 65 13, function_name $L__i0, inlined_at 1 81 102\nfoo;\n"
                  ".loc 1 32 5, function_name $L__i1+20, inlined_at 1 65 13\nfoo;\n"
                  ".loc 2 357 5, function_name $L__i2, inlined_at 1 32 5\nfoo;\n"
                  ".loc 1 81 102\nret;\n}\n"
                  ".entry l() {\n"
                  ".loc 2 357 5, function_name $L__i2, inlined_at 1 32 5\nret;\n}\n");
    const struct bl_ptx_insn *insns = kernel(m)->insns;
    const struct bl_ptx_place *place = insns[2].called_at;
    const int lines[] = {32, 65, 81};

    (void)state;
    for (int i = 0; i < 3; i++, place = place->called_at) {
        assert_non_null(place);
        assert_int_equal(place->line, lines[i]);
        assert_int_equal(place->depth, 2 - i);
    }
    assert_null(place);
    assert_null(insns[3].called_at);
    /* What was told of one function does not hold for the next. */
    place = bl_ptx_func_find(m, "l")->insns[0].called_at;
    assert_int_equal(place->line, 32);
    assert_null(place->called_at);
    bl_ptx_free(m);
}

/* One that says to be inlined in itself ends. */
static void inlined_in_itself(void **state)
{
    char text[32768] = HEAD ".entry k() {\n";
    size_t used = strlen(text);
    struct bl_ptx_module *m;
    const struct bl_ptx_place *place;
    int depth = 0;

    (void)state;
    for (int i = 0; i < 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 ".loc 1 5 5, function_name $L__i0, inlined_at 1 5 5\n");
    snprintf(text + used, sizeof text - used, "ret;\n}\n");
    m = good(text);
    for (place = kernel(m)->insns[0].called_at; place; place = place->called_at)
        depth++;
    assert_in_range(depth, 1, BL_PTX_INLINED + 1);
    bl_ptx_free(m);
}

static void source_lines(void **state)
{
    struct bl_ptx_module *m = good(
        HEAD ".entry k() {\nfoo;\n.loc 1 20 3\nfoo;\n"
             ".loc\t2 30 4, function_name $L__info_string0, inlined_at 1 21 5\nfoo;\n"
             ".loc 9 1 1\nret;\n}\n.entry l() { ret; }\n"
             ".file 1 \"a.cu\"\n.file 2 \"b.cuh\"\n"
             ".section .debug_str\n{\n$L__info_string0:\n.b8 95,0\n{ }\n}\n"
             ".section\t.debug_loc\t{\t}\n");
    const struct bl_ptx_insn *insns = kernel(m)->insns;

    (void)state;
    assert_int_equal(insns[0].loc_file, -1);
    assert_int_equal(insns[1].loc_file, 1);
    assert_int_equal(insns[1].loc_line, 20);
    assert_int_equal(insns[2].loc_file, 2);
    assert_int_equal(insns[2].loc_line, 30);
    assert_int_equal(insns[3].loc_file, -1);
    assert_null(insns[1].called_at);
    assert_non_null(insns[2].called_at);
    assert_int_equal(insns[2].called_at->file, 1);
    assert_int_equal(insns[2].called_at->line, 21);
    assert_int_equal(insns[2].called_at->column, 5);
    assert_null(insns[2].called_at->called_at);
    assert_null(insns[3].called_at);
    assert_int_equal(bl_ptx_func_find(m, "l")->insns[0].loc_file, -1);
    bl_ptx_free(m);
}

static void comments_and_line_ends(void **state)
{
    struct bl_ptx_module *m = good("// one\r\n/* two\r\n*/ .version 7.5 .target sm_75\r\n"
                                   "\t.address_size\t64/**/.entry k(){foo;// three\r\n"
                                   "/*/ four */ bar;}//");
    (void)state;
    assert_int_equal(kernel(m)->insn_count, 3);
    assert_int_equal(kernel(m)->insns[0].line, 4);
    assert_int_equal(kernel(m)->insns[1].line, 5);
    bl_ptx_free(m);
}

static void compilers_output(void **state)
{
    static const char *const names[] = {"nvcc.ptx", "clang.ptx"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *text = test_file(names[i], &length);
        struct bl_ptx_module *m = good(text);
        const struct bl_ptx_func *forms = bl_ptx_func_find(m, "forms");
        const struct bl_ptx_insn *barrier;

        assert_non_null(forms);
        assert_int_equal(m->func_count, 4);
        assert_int_equal(forms->param_count, 3);
        assert_int_equal(forms->params[2]->size, 24);
        barrier = forms->insns;
        while (strcmp(barrier->op, "bar") != 0) {
            barrier++;
        }
        assert_string_equal(m->files[barrier->loc_file], "t/ptx/data/forms.cu");
        assert_int_equal(barrier->loc_line, 53);
        bl_ptx_free(m);
        free(text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(heads),
        TEST(instruction_parts),
        TEST(numbers),
        TEST(floats),
        TEST(addresses),
        TEST(other_operands),
        TEST(vector_registers),
        TEST(scopes_shadow),
        TEST(labels),
        TEST(branch_tables),
        TEST(calls),
        TEST(source_lines),
        TEST(inlined),
        TEST(inlined_in_itself),
        TEST(comments_and_line_ends),
        TEST(compilers_output),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
