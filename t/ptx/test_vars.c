/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables, their initial values, and the heads of functions.
 */
#include "ptx_test.h"

static const struct bl_ptx_var *var(const struct bl_ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->var_count; i++) {
        if (strcmp(m->vars[i]->name, name) == 0) {
            return m->vars[i];
        }
    }
    fail_msg("no variable %s", name);
    return NULL;
}

static void shapes(void **state)
{
    struct bl_ptx_module *m =
        good(HEAD ".global .u32 a;\n.visible .global .align 16 .v4 .f32 v[3];\n"
                  ".const .b64 m[2][3];\n.extern .shared .align 16 .b8 dyn[];\n"
                  ".global .attribute(.managed) .s16 b, c[5];\n.weak .global .f64 d;\n"
                  ".shared .b8 s[4+4];\n.extern .global .b32 e;\n.global .b32 e;\n"
                  ".global .texref t;\n.common .global .v2 .b32 w;\n");
    (void)state;
    assert_int_equal(var(m, "a")->size, 4);
    assert_int_equal(var(m, "a")->align, 4);
    assert_int_equal(var(m, "a")->line, 4);
    assert_null(var(m, "a")->init);
    assert_int_equal(var(m, "v")->size, 48);
    assert_int_equal(var(m, "v")->type, BL_T_F32);
    assert_int_equal(var(m, "m")->size, 48);
    assert_int_equal(var(m, "m")->space, BL_SPACE_CONST);
    assert_true(var(m, "dyn")->is_extern);
    assert_int_equal(var(m, "dyn")->size, 0);
    assert_int_equal(var(m, "dyn")->align, 16);
    assert_int_equal(var(m, "c")->size, 10);
    assert_int_equal(var(m, "s")->size, 8);
    assert_false(var(m, "e")->is_extern);
    assert_int_equal(var(m, "w")->align, 8);
    assert_int_equal(m->var_count, 11);
    bl_ptx_free(m);
}

static void initial_numbers(void **state)
{
    struct bl_ptx_module *m = good(HEAD ".global .b8 b[6] = {1, -1, 0x7f, 255};\n"
                                        ".global .f32 f[3] = {0f3F800000, 2.0, 3};\n"
                                        ".global .f64 d = 0d400A000000000000;\n"
                                        ".global .s32 m[2][3] = {{1, 2}, {4, 5, 6}};\n"
                                        ".global .s32 n[2][3] = {1, 2, 3, 4};\n"
                                        ".global .u16 u[] = {1, 2, 3};\n"
                                        ".const .v2 .u32 v[2] = {{1, 2}, {3, 4}};\n"
                                        ".global .u64 q = 4647714816524288000;\n"
                                        ".global .f32 z[2] = {};\n");
    static const uint8_t b[] = {1, 255, 127, 255, 0, 0};
    static const float f[] = {1, 2, 3};
    static const double d = 3.25;
    static const int32_t rows[] = {1, 2, 0, 4, 5, 6}, flat[] = {1, 2, 3, 4, 0, 0};
    static const uint16_t u[] = {1, 2, 3};
    static const uint32_t v[] = {1, 2, 3, 4};
    static const uint64_t q = 4647714816524288000;

    (void)state;
    assert_memory_equal(var(m, "b")->init, b, sizeof b);
    assert_memory_equal(var(m, "f")->init, f, sizeof f);
    assert_memory_equal(var(m, "d")->init, &d, sizeof d);
    assert_memory_equal(var(m, "m")->init, rows, sizeof rows);
    assert_memory_equal(var(m, "n")->init, flat, sizeof flat);
    assert_int_equal(var(m, "u")->size, 6);
    assert_memory_equal(var(m, "u")->init, u, sizeof u);
    assert_memory_equal(var(m, "v")->init, v, sizeof v);
    assert_memory_equal(var(m, "q")->init, &q, sizeof q);
    assert_non_null(var(m, "z")->init);
    bl_ptx_free(m);
}

static void initial_addresses(void **state)
{
    struct bl_ptx_module *m = good(
        HEAD
        ".global .b8 a[64];\n.func f();\n"
        ".global .u64 p = generic(a)+16;\n"
        ".global .u64 t[4] = {7, f, a-8, generic(a+4)};\n"
        ".global .b8 s[16] = {1, 2, 3, 4, 0, 0, 0, 0, 0xFF(a), 0xFF00(a), 0xFF0000(a),"
        " 0xFF000000(a), 0xFF00000000(a), 0xFF0000000000(a), 0xFF000000000000(a),"
        " 0xFF00000000000000(a)};\n"
        ".global .b8 g[8] = {0xFF(generic(a)+1), 0xFF00(generic(a)+1),"
        " 0xFF0000(generic(a)+1), 0xFF000000(generic(a)+1), 0xFF00000000(generic(a)+1),"
        " 0xFF0000000000(generic(a)+1), 0xFF000000000000(generic(a)+1),"
        " 0xFF00000000000000(generic(a)+1)};\n");
    const struct bl_ptx_reloc *r = var(m, "t")->relocs;

    (void)state;
    assert_int_equal(var(m, "p")->reloc_count, 1);
    assert_true(var(m, "p")->relocs[0].generic);
    assert_ptr_equal(var(m, "p")->relocs[0].var, var(m, "a"));
    assert_int_equal(var(m, "p")->relocs[0].addend, 16);
    assert_int_equal(var(m, "t")->reloc_count, 3);
    assert_int_equal(r[0].offset, 8);
    assert_ptr_equal(r[0].func, bl_ptx_func_find(m, "f"));
    assert_null(r[0].var);
    assert_int_equal(r[1].addend, -8);
    assert_false(r[1].generic);
    assert_int_equal(r[2].addend, 4);
    assert_true(r[2].generic);
    assert_int_equal(var(m, "s")->reloc_count, 1);
    assert_int_equal(var(m, "s")->relocs[0].offset, 8);
    assert_int_equal(var(m, "s")->init[3], 4);
    assert_int_equal(var(m, "g")->relocs[0].addend, 1);
    assert_true(var(m, "g")->relocs[0].generic);
    bl_ptx_free(m);
}

static void function_heads(void **state)
{
    struct bl_ptx_module *m = good(
        HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".func (.param .b32 r) f(.param .b32 x);\n"
        ".visible .entry k(\n.param .u64 .ptr .global .align 8 p,\n.param .f32 q,\n"
        ".param .align 8 .b8 s[24]\n)\n.maxntid 256, 2\n.minnctapersm 2\n.maxnreg 32\n"
        ".pragma \"nounroll\";\n{ .shared .b32 t; .local .b8 depot[8]; ret; }\n"
        ".entry c(.param .b32 a)\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n"
        ".reqntid 128\n{ .pragma \"nounroll\"; ret; }\n"
        ".weak .func (.param .b32 r) f(.param .b32 x) .noreturn { ret; }\n"
        ".func (.param .b32 r) e(.param .b32 x) ;\n"
        ".alias e, f;\n");
    const struct bl_ptx_func *k = bl_ptx_func_find(m, "k");
    const struct bl_ptx_func *c = bl_ptx_func_find(m, "c");
    const struct bl_ptx_func *f = bl_ptx_func_find(m, "f");
    const struct bl_ptx_func *e = bl_ptx_func_find(m, "e");

    (void)state;
    assert_int_equal(m->func_count, 5);
    assert_true(bl_ptx_func_find(m, "vprintf")->is_extern);
    assert_null(bl_ptx_func_find(m, "nobody"));
    assert_true(k->is_entry && !k->is_extern);
    assert_int_equal(k->param_count, 3);
    assert_int_equal(k->params[2]->size, 24);
    assert_int_equal(k->params[2]->align, 8);
    assert_int_equal(k->maxntid[0], 256);
    assert_int_equal(k->maxntid[1], 2);
    assert_int_equal(k->maxntid[2], 1);
    assert_int_equal(k->reqntid[0], 0);
    assert_int_equal(k->local_count, 2);
    assert_int_equal(k->locals[0]->space, BL_SPACE_SHARED);
    assert_int_equal(k->locals[1]->space, BL_SPACE_LOCAL);
    assert_int_equal(c->reqntid[0], 128);
    assert_int_equal(c->reqntid[1], 1);
    assert_false(f->is_extern);
    assert_int_equal(f->return_count, 1);
    assert_int_equal(f->order, 1);
    assert_ptr_equal(m->funcs[1], f);
    assert_false(e->is_extern);
    assert_ptr_equal(e->insns, f->insns);
    assert_string_equal(e->name, "e");
    bl_ptx_free(m);
}

static void types(void **state)
{
    (void)state;
    for (int t = BL_T_PRED; t <= BL_T_F64; t++) {
        const char *name = bl_ptx_type_name((enum bl_ptx_type)t);
        assert_int_equal(bl_ptx_type_find(name), t);
    }
    assert_int_equal(bl_ptx_type_find("b31"), BL_T_NONE);
    assert_int_equal(bl_ptx_type_find(""), BL_T_NONE);
    assert_int_equal(bl_ptx_type_bytes(BL_T_PRED), 0);
    assert_int_equal(bl_ptx_type_bytes(BL_T_BF16X2), 4);
    assert_int_equal(bl_ptx_type_bytes(BL_T_B128), 16);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(shapes),         TEST(initial_numbers), TEST(initial_addresses),
        TEST(function_heads), TEST(types),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
