/* SPDX-License-Identifier: Apache-2.0
 *
 * Where diverged lanes meet again. In the texts, `=> NAME` after a branch's semicolon
 * stands in a comment: the label (or EXIT) where its lanes should meet.
 */
#include "ptx_test.h"

#include "model/cfg.h"

/* Each branch's line ends in "// LABEL"; that label is also marked in the text, as an
 * instruction `mark.LABEL;` where it stands. */
static void check(const char *body)
{
    struct bl_ptx_module *m = good_body(body);
    const struct bl_ptx_func *k = bl_ptx_func_find(m, "k");
    struct bl_error err = {BL_OK, ""};
    uint32_t *meet = NULL;
    size_t branches = 0;

    assert_int_equal(bl_cfg_reconverge(k, &meet, &err), BL_OK);
    for (size_t i = 0; i < k->insn_count; i++) {
        const struct bl_ptx_insn *insn = &k->insns[i];
        const char *line = body;
        char want[32], got[32] = "EXIT";

        if (strcmp(insn->op, "bra") != 0 && strcmp(insn->op, "brx") != 0) {
            assert_true(meet[i] == BL_CFG_EXIT);
            continue;
        }
        for (int n = 7; n < insn->line; n++) { /* the body begins on line 7 */
            line = strchr(line, '\n') + 1;
        }
        if (sscanf(line, "%*[^\n/]// %31s", want) != 1) {
            continue;
        }
        branches++;
        if (meet[i] != BL_CFG_EXIT) {
            const struct bl_ptx_insn *at = &k->insns[meet[i]];
            assert_true(meet[i] < k->insn_count);
            snprintf(got, sizeof got, "%s",
                     strcmp(at->op, "mark") == 0 ? at->mods[0] : "nowhere marked");
        }
        if (strcmp(got, want) != 0) {
            fail_msg("line %d: %s instead of %s", insn->line, got, want);
        }
    }
    assert_true(branches > 0);
    free(meet);
    bl_ptx_free(m);
}

static void if_then(void **state)
{
    (void)state;
    check("foo;\n"
          "@%p1 bra J; // j\n"
          "foo;\n"
          "J: mark.j; foo; ret;");
}

static void if_else(void **state)
{
    (void)state;
    check("@%p1 bra E; // j\n"
          "foo;\n"
          "bra.uni J; // j\n"
          "E: foo;\n"
          "J: mark.j; foo; ret;");
}

static void nested(void **state)
{
    (void)state;
    check("@%p1 bra E; // j\n"
          "@%p2 bra I; // i\n"
          "foo;\n"
          "I: mark.i;\n"
          "@!%p3 bra K; // k\n"
          "foo;\n"
          "K: mark.k;\n"
          "bra J; // j\n"
          "E: @%p4 bra J; // j\n"
          "foo;\n"
          "J: mark.j; foo; ret;");
}

static void short_circuit(void **state)
{
    (void)state;
    check("@%p1 bra T; // j\n"
          "@%p2 bra T; // j\n"
          "bra J; // j\n"
          "T: foo;\n"
          "J: mark.j; foo; ret;");
}

static void loop(void **state)
{
    (void)state;
    check("L: foo;\n"
          "@%p1 bra L; // after\n"
          "mark.after; foo; ret;");
    check("L: @%p1 bra A; // after\n"
          "foo;\n"
          "bra L;\n"
          "A: mark.after; foo; ret;");
}

static void break_and_continue(void **state)
{
    (void)state;
    check("L: foo;\n"
          "@%p1 bra B; // after\n"
          "@%p2 bra C; // c\n"
          "foo;\n"
          "C: mark.c;\n"
          "@%p3 bra L; // after\n"
          "B: mark.after; foo; ret;");
}

static void nested_loops(void **state)
{
    (void)state;
    check("O: foo;\n"
          "I: foo;\n"
          "@%p1 bra I; // i\n"
          "mark.i;\n"
          "@%p2 bra O; // after\n"
          "mark.after; foo; ret;");
}

static void switch_table(void **state)
{
    (void)state;
    check("T: .branchtargets A, B, C, A;\n"
          "@%p1 bra J; // j\n"
          "brx.idx %r1, T; // j\n"
          "A: foo; bra J; // j\n"
          "B: foo;\n"
          "C: foo;\n"
          "J: mark.j; foo; ret;");
}

static void bounds_check(void **state)
{
    (void)state;
    check("@%p1 bra E; // work\n"
          "mark.work;\n"
          "@%p2 bra J; // j\n"
          "foo;\n"
          "J: mark.j; foo;\n"
          "E: ret;");
    check("@%p1 ret;\n"
          "@%p2 bra J; // j\n"
          "foo;\n"
          "J: mark.j; ret;");
}

/* The lanes that return don't keep the others apart. */
static void early_return(void **state)
{
    (void)state;
    check("@%p1 bra J; // j\n"
          "@%p2 bra E; // x\n"
          "mark.x; foo;\n"
          "J: mark.j; foo; @%p3 bra E; // y\n"
          "mark.y; @%p4 bra Z; // z\n"
          "foo;\n"
          "Z: mark.z; foo;\n"
          "E: ret;");
    check("@%p1 bra J; // j\n"
          "@%p2 exit;\n"
          "foo;\n"
          "J: mark.j; foo; exit;");
    check("@%p1 bra J; // j\n"
          "@%p2 bra X; // x\n"
          "foo; foo; trap;\n"
          "X: mark.x; foo;\n"
          "J: mark.j; @%p4 bra Z; // z\n"
          "foo;\n"
          "Z: mark.z; foo; ret;");
}

static void early_return_in_loop(void **state)
{
    (void)state;
    check("L: @%p1 bra C; // c\n"
          "@%p2 bra E; // x\n"
          "mark.x; foo;\n"
          "C: mark.c;\n"
          "@%p3 bra L; // after\n"
          "mark.after; foo;\n"
          "E: ret;");
}

/* What comes after a loop is where its lanes meet, though it only leads to the exit. */
static void loop_then_end(void **state)
{
    (void)state;
    check("@%p1 bra N; // n\n"
          "L: @%p4 bra C; // c\n"
          "foo;\n"
          "C: mark.c;\n"
          "@%p2 bra L; // n\n"
          "N: mark.n; foo; ret;");
    check("L: foo;\n"
          "@%p2 bra L; // n\n"
          "mark.n; st.global.u32 [%rd1], %r1; ret;");
}

static void both_end(void **state)
{
    (void)state;
    check("@%p1 bra E; // EXIT\n"
          "foo; ret;\n"
          "E: foo; exit;");
}

/* As compilers write it that don't optimise: the loop asks at its head whether it goes
 * on, and an early return stands later in the text. */
static void early_return_behind_the_head(void **state)
{
    (void)state;
    check("bra.uni H;\n"
          "H: foo;\n"
          "@%p1 bra A; // a\n"
          "@!%p2 bra B; // b\n"
          "foo;\n"
          "ret;\n"
          "B: mark.b;\n"
          "bra.uni H;\n"
          "A: mark.a; foo; ret;");
}

static void endless_loop(void **state)
{
    (void)state;
    check("L: @%p1 bra E; // j\n"
          "foo;\n"
          "bra J; // j\n"
          "E: foo;\n"
          "J: mark.j; bra L;");
    check("L: bra L; // EXIT\n");
}

static void endless_beside_exit(void **state)
{
    (void)state;
    check("@%p1 bra X; // EXIT\n"
          "L: @%p2 bra M; // m\n"
          "foo;\n"
          "M: mark.m; bra L;\n"
          "X: @%p3 bra Y; // y\n"
          "foo;\n"
          "Y: mark.y; ret;");
}

static void unreachable_code(void **state)
{
    (void)state;
    check("bra J; // j\n"
          "foo;\n"
          "@%p1 bra K; // k\n"
          "foo;\n"
          "K: mark.k; foo;\n"
          "J: mark.j; foo; ret;\n"
          "foo; bra J; // j");
}

static void several_ends(void **state)
{
    (void)state;
    check("@%p1 bra A; // b\n"
          "foo;\n"
          "bra B;\n"
          "A: @%p2 bra B; // b\n"
          "ret;\n"
          "B: mark.b; @%p3 bra C; // EXIT\n"
          "foo; ret;\n"
          "C: foo; ret;");
}

/* A long chain of loops into each other, and a wide switch: no recursion, no quadratic
 * time. */
static void large(void **state)
{
    enum { COUNT = 60000 };
    static const char head[] = HEAD ".entry k() { .reg .pred %p<2>;\n";
    size_t room = sizeof head + COUNT * 64 + 64, at;
    char *text = malloc(room);
    struct bl_ptx_module *m;
    struct bl_error err = {BL_OK, ""};
    uint32_t *meet;

    (void)state;
    assert_non_null(text);
    at = (size_t)snprintf(text, room, "%s", head);
    for (int i = 0; i < COUNT; i++) {
        at += (size_t)snprintf(text + at, room - at, "L%d: @%%p1 bra L%d;\n", i,
                               i % 3 == 0 ? COUNT - 1 - i : i / 2);
    }
    snprintf(text + at, room - at, "ret; }\n");
    m = good(text);
    assert_int_equal(bl_cfg_reconverge(m->funcs[0], &meet, &err), BL_OK);
    assert_int_equal(meet[COUNT - 1], COUNT);
    free(meet);
    bl_ptx_free(m);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(if_then),
        TEST(if_else),
        TEST(nested),
        TEST(short_circuit),
        TEST(loop),
        TEST(break_and_continue),
        TEST(nested_loops),
        TEST(switch_table),
        TEST(bounds_check),
        TEST(early_return),
        TEST(early_return_in_loop),
        TEST(loop_then_end),
        TEST(early_return_behind_the_head),
        TEST(both_end),
        TEST(endless_loop),
        TEST(endless_beside_exit),
        TEST(unreachable_code),
        TEST(several_ends),
        TEST(large),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
